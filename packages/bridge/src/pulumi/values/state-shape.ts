// SPDX-License-Identifier: Apache-2.0
import type { ObjectMapping, ValueMapping } from "../mapping/mapping.ts";
import { isPropertyArray, isPropertyMap, isSpecialProperty, type PropertyMap, type PropertyValue } from "../property/property-value.ts";
import { formatPropertyPath, type PropertyPath } from "./property-path.ts";
import { plain, type PropertyProblem } from "./provider-value.ts";

/**
 * Finds the first property of a state that cannot be of its type. Texts, numbers and booleans that convert to each other fit. Properties that the
 * type lacks are not looked at.
 */
export function shapeProblem(mapping: ObjectMapping, state: PropertyMap): PropertyProblem | undefined {
  return objectProblem(mapping, state, []);
}

function objectProblem(mapping: ObjectMapping, state: PropertyMap, path: PropertyPath): PropertyProblem | undefined {
  for (const { property, value } of mapping.properties) {
    const given = state.get(property);
    const problem = given === undefined ? undefined : valueProblem(value, given, [...path, property]);
    if (problem) return problem;
  }
  return undefined;
}

function valueProblem(mapping: ValueMapping, given: PropertyValue, path: PropertyPath): PropertyProblem | undefined {
  const value = plain(given) ?? null;
  if (value === null) return undefined;
  if (isSpecialProperty(value)) {
    return value.kind === "resource" && mapping.kind === "string" ? undefined : problemAt(path, `a state cannot have ${value.kind} values`);
  }
  switch (mapping.kind) {
    case "dynamic":
      return undefined;
    case "only":
      return valueProblem(mapping.element, value, path);
    case "object":
      return isPropertyMap(value) ? objectProblem(mapping.object, value, path) : problemAt(path, "expected an object");
    case "map":
      if (!isPropertyMap(value)) return problemAt(path, "expected an object");
      return firstProblem(value, (key, part) => valueProblem(mapping.element, part, [...path, key]));
    case "list":
    case "set":
    case "tuple": {
      if (!isPropertyArray(value)) return problemAt(path, "expected an array");
      return firstProblem(value.entries(), (index, part) => {
        const element = mapping.elements[index] ?? mapping.elements[0];
        return element && valueProblem(element, part, [...path, index]);
      });
    }
    default:
      return isPrimitive(mapping.kind, value)
        ? undefined
        : problemAt(path, `expected a ${mapping.kind === "bool" ? "boolean" : mapping.kind}`);
  }
}

function firstProblem<Key>(
  parts: Iterable<readonly [Key, PropertyValue]>,
  find: (key: Key, part: PropertyValue) => PropertyProblem | undefined,
): PropertyProblem | undefined {
  for (const [key, part] of parts) {
    const problem = find(key, part);
    if (problem) return problem;
  }
  return undefined;
}

function isPrimitive(kind: "string" | "number" | "bool", value: PropertyValue): boolean {
  if (kind === "string") return typeof value !== "object";
  if (kind === "bool") return typeof value === "boolean" || value === "true" || value === "false" || value === "1" || value === "0";
  return typeof value === "number" || (typeof value === "string" && !Number.isNaN(Number(value)));
}

function problemAt(path: PropertyPath, reason: string): PropertyProblem {
  return { property: formatPropertyPath(path), reason };
}
