// SPDX-License-Identifier: Apache-2.0
import type { Path, PathStep } from "@tenon/cty";
import { isNumberPayload, numberToDouble } from "@tenon/cty/unstable/payload";
import type { ObjectMapping, ValueMapping } from "../mapping/mapping.ts";

/** Steps from a property map to a value inside it: names of properties and keys, and indexes of elements. */
export type PropertyPath = readonly (string | number)[];

/**
 * Formats a path as the engine does: `a.b[0].c`, with quotes where a name has other characters than letters, digits, `_` and `-`.
 *
 * @see pulumi sdk/go/common/resource/properties_path.go
 */
export function formatPropertyPath(path: PropertyPath): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (!/^[^.[\]"]+$/.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === "" ? step : `.${step}`;
  }
  return text;
}

/** Parses a path in the engine's notation. `*` selects every element. Returns undefined for a malformed path. */
export function parsePropertyPath(text: string): PropertyPath | undefined {
  const path: (string | number)[] = [];
  for (let at = 0; at < text.length;) {
    if (text[at] === "." && at > 0) at += 1;
    const quoted = /^\["((?:\\"|[^"])*)"\]/.exec(text.slice(at));
    const indexed = /^\[(\d+|\*)\]/.exec(text.slice(at));
    const bare = /^[^.[]+/.exec(text.slice(at));
    const match = quoted ?? indexed ?? bare;
    if (match === null) return undefined;
    if (quoted) path.push(quoted[1]!.replaceAll('\\"', '"'));
    else if (indexed) path.push(indexed[1] === "*" ? "*" : Number(indexed[1]));
    else path.push(bare![0]);
    at += match[0].length;
  }
  return path;
}

/**
 * Converts the path of a provider's value to the path of the property. The result ends before an element of a set, because the order of elements
 * differs.
 */
export function propertyPathOf(mapping: ObjectMapping, path: Path): PropertyPath {
  const result: (string | number)[] = [];
  let value: ValueMapping | undefined;
  let object: ObjectMapping | undefined = mapping;
  for (const step of path) {
    if (object) {
      if (step.kind !== "attribute") return result;
      const property = object.byAttribute.get(step.name);
      if (property === undefined) return result;
      result.push(property.property);
      value = property.value;
    } else {
      const next = enter(value!, step, result);
      if (next === undefined) return result;
      value = next;
    }
    object = value.kind === "object" ? value.object : undefined;
  }
  return result;
}

/** Adds a step into a collection to the path. Returns the mapping of the element; undefined if the path ends before the step. */
function enter(value: ValueMapping, step: PathStep, path: (string | number)[]): ValueMapping | undefined {
  const key = step.kind === "attribute" ? step.name : keyOf(step);
  if (key === undefined) return undefined;
  switch (value.kind) {
    case "list":
      path.push(key);
      return value.elements[0];
    case "tuple":
      path.push(key);
      return typeof key === "number" ? value.elements[key] : undefined;
    case "map":
      path.push(key);
      return value.element;
    case "only":
      return value.of === "list" ? value.element : undefined;
    case "dynamic":
      path.push(key);
      return value;
    default:
      return undefined;
  }
}

function keyOf(step: Extract<PathStep, { readonly kind: "index" }>): string | number | undefined {
  const { payload } = step.key;
  if (typeof payload === "string") return payload;
  return isNumberPayload(payload) ? numberToDouble(payload) : undefined;
}
