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
  const problem = objectProblem(mapping, state);
  return problem && { property: formatPropertyPath(problem.path), reason: problem.reason };
}

interface ShapeProblem {
  readonly path: PropertyPath;
  readonly reason: string;
}

function objectProblem({ properties }: ObjectMapping, state: PropertyMap): ShapeProblem | undefined {
  for (const { property, value } of properties) {
    const given = state.get(property);
    const problem = given === undefined ? undefined : valueProblem(value, given);
    if (problem) return inside(property, problem);
  }
  return undefined;
}

function valueProblem(mapping: ValueMapping, given: PropertyValue): ShapeProblem | undefined {
  // Most values are texts and numbers of their type.
  if ((mapping.kind === "string" || mapping.kind === "number") && typeof given === mapping.kind) return undefined;
  const value = plain(given) ?? null;
  if (value === null) return undefined;
  if (isSpecialProperty(value)) {
    return value.kind === "resource" && mapping.kind === "string" ? undefined : here(`a state cannot have ${value.kind} values`);
  }
  switch (mapping.kind) {
    case "dynamic":
      return undefined;
    case "only":
      return valueProblem(mapping.element, value);
    case "object":
      return isPropertyMap(value) ? objectProblem(mapping.object, value) : here("expected an object");
    case "map":
      if (!isPropertyMap(value)) return here("expected an object");
      return firstProblem(value, (part) => valueProblem(mapping.element, part));
    case "list":
    case "set":
    case "tuple": {
      if (!isPropertyArray(value)) return here("expected an array");
      return firstProblem(value.entries(), (part, index) => {
        const element = mapping.elements[index] ?? mapping.elements[0];
        return element && valueProblem(element, part);
      });
    }
    default:
      return isPrimitive(mapping.kind, value) ? undefined : here(`expected a ${mapping.kind === "bool" ? "boolean" : mapping.kind}`);
  }
}

function firstProblem<Key extends string | number>(
  parts: Iterable<readonly [Key, PropertyValue]>,
  find: (part: PropertyValue, key: Key) => ShapeProblem | undefined,
): ShapeProblem | undefined {
  for (const [key, part] of parts) {
    const problem = find(part, key);
    if (problem) return inside(key, problem);
  }
  return undefined;
}

function isPrimitive(kind: "string" | "number" | "bool", value: PropertyValue): boolean {
  if (kind === "string") return typeof value !== "object";
  if (kind === "bool") return typeof value === "boolean" || value === "true" || value === "false" || value === "1" || value === "0";
  return typeof value === "number" || (typeof value === "string" && !Number.isNaN(Number(value)));
}

function here(reason: string): ShapeProblem {
  return { path: [], reason };
}

function inside(step: string | number, { path, reason }: ShapeProblem): ShapeProblem {
  return { path: [step, ...path], reason };
}
