// SPDX-License-Identifier: Apache-2.0
import { attributeStep, formatPath, goString, indexStep, same, type Path, type Type, type Value } from "@tenon/cty";
import { isUnknownPayload, valueOf, type Payload } from "@tenon/cty/unstable/payload";

/** The path of a difference between two values, and the part of each value; a part may be absent. */
export interface ValueDifference {
  readonly path: Path;
  readonly recorded?: Value | undefined;
  readonly requested?: Value | undefined;
}

/** Returns the first difference between two values, in the order of the recorded one. Sets are compared as a whole. */
export function valueDifference(recorded: Value, requested: Value, path: Path = []): ValueDifference | undefined {
  if (recorded.type === requested.type && same(recorded, requested)) return undefined;
  // In messages, a null object has no types of its dynamic attributes.
  if (recorded.payload === null && requested.payload === null && recorded.type.kind === "object" && requested.type.kind === "object") {
    return undefined;
  }
  const parts = partsOf(recorded);
  const others = partsOf(requested);
  if (parts === undefined || others === undefined || kindOf(recorded.type) !== kindOf(requested.type)) return { path, recorded, requested };
  for (const [key, { step, value }] of parts) {
    const other = others.get(key);
    if (other === undefined) return { path: [...path, step], recorded: value };
    const difference = valueDifference(value, other.value, [...path, step]);
    if (difference) return difference;
  }
  for (const [key, { step, value }] of others) if (!parts.has(key)) return { path: [...path, step], requested: value };
  // The parts are equal, but the types differ, such as those of two empty lists.
  return { path, recorded, requested };
}

/** Formats a value for a message, with its type if that is not obvious. A long text is truncated. */
export function shortGoString(value: Value): string {
  return shortened(goString(value));
}

/** Truncates a text to 200 characters. */
export function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}… (${text.length} characters)`;
}

interface Part {
  readonly step: Path[number];
  readonly value: Value;
}

/** The parts of a value that are compared one by one. A list and a tuple have the same kind of parts. */
function kindOf({ kind }: Type): string {
  return kind === "tuple" ? "list" : kind;
}

function partsOf({ type, payload }: Value): ReadonlyMap<string, Part> | undefined {
  if (payload === null || isUnknownPayload(payload)) return undefined;
  const part = (step: Path[number], partType: Type, partPayload: Payload): readonly [string, Part] => [
    formatPath([step]),
    { step, value: valueOf(partType, partPayload) },
  ];
  switch (type.kind) {
    case "list":
      return new Map((payload as readonly Payload[]).map((element, index) => part(indexStep(index), type.element, element)));
    case "tuple":
      return new Map((payload as readonly Payload[]).map((element, index) => part(indexStep(index), type.elements[index]!, element)));
    case "map":
      return new Map([...(payload as ReadonlyMap<string, Payload>)].map(([key, element]) => part(indexStep(key), type.element, element)));
    case "object":
      return new Map(
        type.names.map((name, slot) => part(attributeStep(name), type.attributes[name]!, (payload as readonly Payload[])[slot]!)),
      );
    default:
      return undefined;
  }
}
