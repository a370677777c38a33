// SPDX-License-Identifier: Apache-2.0
import { attributeStep, formatPath, goString, indexStep, same, type Path, type Type, type Value } from "@tenon/cty";
import { isUnknownPayload, valueOf, type Payload } from "@tenon/cty/unstable/payload";

/** Where two values part, and what is there; a side is absent where there is nothing. */
export interface ValueDifference {
  readonly path: Path;
  readonly recorded?: Value | undefined;
  readonly asked?: Value | undefined;
}

/** The first place, in the order of the recorded value, at which two values differ. Sets are compared as wholes. */
export function valueDifference(recorded: Value, asked: Value, path: Path = []): ValueDifference | undefined {
  if (recorded.type === asked.type && same(recorded, asked)) return undefined;
  const parts = partsOf(recorded);
  const others = partsOf(asked);
  if (parts === undefined || others === undefined || kindOf(recorded.type) !== kindOf(asked.type)) return { path, recorded, asked };
  for (const [key, { step, value }] of parts) {
    const other = others.get(key);
    if (other === undefined) return { path: [...path, step], recorded: value };
    const difference = valueDifference(value, other.value, [...path, step]);
    if (difference) return difference;
  }
  for (const [key, { step, value }] of others) if (!parts.has(key)) return { path: [...path, step], asked: value };
  // Equal in all parts, and yet of different types: such as two empty lists.
  return { path, recorded, asked };
}

/** A value for people, with its type where that is not plain from it; cut off where it is long. */
export function valueText(value: Value): string {
  return shortened(goString(value));
}

/** At most so many characters that they can be read. */
export function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}… (${text.length} characters)`;
}

interface Part {
  readonly step: Path[number];
  readonly value: Value;
}

/** What can be compared part by part, and tells of its parts by what is left of the type: a list may stand where a tuple was. */
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
