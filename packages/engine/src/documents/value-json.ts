// SPDX-License-Identifier: Apache-2.0
import { attributeStep, indexStep, isKnown, isNull, isWhollyKnown, pathEquals, type Path, type Value } from "@tenon/cty";
import { toTree } from "@tenon/cty/json";
import { elements } from "@tenon/cty/operators";
import type { PathMarks } from "@tenon/cty/paths";
import { sensitivePathsOf } from "../marks/object-marks.ts";
import type { JsonTree } from "../state/json-tree.ts";

/** A value as JSON, without unknown parts. Unknown elements of a sequence are null. @see OpenTofu jsonplan, omitUnknowns */
export function knownParts(value: Value): JsonTree | undefined {
  if (!isKnown(value)) return undefined;
  if (isWhollyKnown(value)) return toTree(value, value.type);
  if (isSequence(value)) return Array.from(elements(value), ([, element]) => knownParts(element) ?? null);
  return record(value, (element) => knownParts(element));
}

/** The structure of a value with `true` for each unknown part. Objects and maps have no known parts. @see OpenTofu jsonplan, unknownAsBool */
export function unknownParts(value: Value): JsonTree {
  if (!isKnown(value)) return true;
  if (isNull(value)) return false;
  switch (value.type.kind) {
    case "list":
    case "tuple":
    case "set":
      return Array.from(elements(value), ([, element]) => unknownParts(element));
    case "map":
    case "object":
      return record(value, (element) => withoutFalse(unknownParts(element)));
    default:
      return false;
  }
}

/**
 * The structure of a value with `true` for each sensitive part. Objects and maps have no other parts.
 *
 * @param marks Marks of the value. A set with a sensitive element is sensitive as a whole.
 * @param schemaMarks Marks that the schema puts on the value. They leave sets as they are.
 * @see OpenTofu jsonstate, SensitiveAsBoolWithPathValueMarks
 */
export function sensitiveParts(value: Value, marks: readonly PathMarks[], schemaMarks: readonly PathMarks[] = []): JsonTree {
  return sensitiveAt(value, [], [...sensitivePathsOf(value, marks), ...schemaMarks.map(({ path }) => path)]);
}

function sensitiveAt(value: Value, path: Path, sensitivePaths: readonly Path[]): JsonTree {
  if (sensitivePaths.some((one) => pathEquals(one, path))) return true;
  if (isNull(value)) return false;
  const below = sensitivePaths.filter((one) => one.length > path.length);
  switch (value.type.kind) {
    case "list":
    case "tuple":
    case "set":
      if (!isKnown(value)) return [];
      return Array.from(elements(value), ([key, element]) => sensitiveAt(element, [...path, indexStep(key)], below));
    case "map":
      if (!isKnown(value)) return {};
      return record(value, (element, key) => withoutFalse(sensitiveAt(element, [...path, indexStep(key)], below)));
    case "object":
      if (!isKnown(value)) return {};
      return record(value, (element, key) => withoutFalse(sensitiveAt(element, [...path, attributeStep(key.payload as string)], below)));
    default:
      return false;
  }
}

/** A path in the form of plan JSON: names and keys. */
export function pathJson(path: Path): JsonTree {
  return path.map((step) => (step.kind === "attribute" ? step.name : toTree(step.key, step.key.type)));
}

function isSequence({ type: { kind } }: Value): boolean {
  return kind === "list" || kind === "tuple" || kind === "set";
}

function withoutFalse(tree: JsonTree): JsonTree | undefined {
  return tree === false ? undefined : tree;
}

function record(value: Value, of: (element: Value, key: Value) => JsonTree | undefined): Readonly<Record<string, JsonTree>> {
  const result: Record<string, JsonTree> = {};
  for (const [key, element] of elements(value)) {
    const part = of(element, key);
    if (part !== undefined) result[key.payload as string] = part;
  }
  return result;
}
