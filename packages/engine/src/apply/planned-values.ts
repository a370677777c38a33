// SPDX-License-Identifier: Apache-2.0
import {
  attributeStep,
  indexStep,
  isKnown,
  isNull,
  isWhollyKnown,
  pathEquals,
  pathHasPrefix,
  type Path,
  type Type,
  type Value,
} from "@tenon/cty";
import { toTree } from "@tenon/cty/json";
import { elements } from "@tenon/cty/operators";
import { isUnknownPayload, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import type { ResourceChange } from "../change/planned-changes.ts";
import { combineMarks, schemaMarks } from "../marks/object-marks.ts";
import { SENSITIVE } from "../marks/value-marks.ts";
import type { JsonTree } from "../state/json-tree.ts";

/** The values by which a person can find a planned object in the provider's service, without sensitive ones. */
export interface PlannedValues {
  /** The known values that are not sensitive, by path such as `tags["stage"]`. It has no null values and no empty collections. */
  readonly planned: ReadonlyMap<string, JsonTree>;
  /** The paths of the sensitive values. */
  readonly sensitive: readonly string[];
}

/** The values that are planned for the object of a change. */
export function plannedValues({ after, afterMarks, type }: ResourceChange): PlannedValues {
  const planned = new Map<string, JsonTree>();
  const sensitive: string[] = [];
  const marks = type === undefined ? afterMarks : combineMarks(afterMarks, schemaMarks(type.schema.block, after));
  const sensitivePaths = marks.filter((mark) => mark.marks.has(SENSITIVE)).map(({ path }) => path);
  if (sensitivePaths.length === 0) {
    addKnown(after.type, after.payload, "", planned);
    return { planned, sensitive };
  }
  const visit = (value: Value, path: Path, text: string): void => {
    const below = sensitivePaths.filter((sensitivePath) => pathHasPrefix(sensitivePath, path));
    if (below.some((sensitivePath) => pathEquals(sensitivePath, path))) return void sensitive.push(text);
    if (!isKnown(value) || isNull(value)) return;
    const { kind } = value.type;
    // Elements of a set have no readable paths, so a set with sensitive values is listed as a whole.
    if (kind === "set" && below.length > 0) return void sensitive.push(text);
    if (kind === "object" || kind === "map" || kind === "list" || kind === "tuple") {
      for (const [key, element] of elements(value)) {
        const name = key.payload as string | number;
        const step = kind === "object" ? attributeStep(name as string) : indexStep(key);
        const suffix = kind === "object" ? (text === "" ? name : `.${name}`) : `[${JSON.stringify(name)}]`;
        visit(element, below.length === 0 ? path : [...path, step], `${text}${suffix}`);
      }
    } else if (isWhollyKnown(value)) planned.set(text, toTree(value, value.type));
  };
  visit(after, [], "");
  return { planned, sensitive };
}

/** Adds the known values of a value without sensitive parts. */
function addKnown(type: Type, payload: Payload, text: string, planned: Map<string, JsonTree>): void {
  if (payload === null || isUnknownPayload(payload)) return;
  switch (type.kind) {
    case "string":
    case "bool":
      planned.set(text, payload as string | boolean);
      return;
    case "object":
      for (let slot = 0; slot < type.names.length; slot++) {
        const name = type.names[slot]!;
        addKnown(type.attributes[name]!, (payload as readonly Payload[])[slot]!, text === "" ? name : `${text}.${name}`, planned);
      }
      return;
    case "map":
      for (const [key, element] of payload as ReadonlyMap<string, Payload>) {
        addKnown(type.element, element, `${text}[${JSON.stringify(key)}]`, planned);
      }
      return;
    case "list":
    case "tuple":
      for (const [index, element] of (payload as readonly Payload[]).entries()) {
        addKnown(type.kind === "list" ? type.element : type.elements[index]!, element, `${text}[${index}]`, planned);
      }
      return;
    default: {
      const value = valueOf(type, payload);
      if (isWhollyKnown(value)) planned.set(text, toTree(value, type));
    }
  }
}
