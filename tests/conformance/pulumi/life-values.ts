// SPDX-License-Identifier: Apache-2.0
import type { ObjectMapping, ValueMapping } from "@tenon/bridge/pulumi";
import type { Value } from "@tenon/cty";
import { isPropertyPlain, unknownText, unknownTexts, unwrapped } from "./case-inputs.ts";
import { treeOf, Unknown, type Tree } from "./value-tree.ts";

/** Converts a configuration to properties on the engine's wire, as a program gives them. Absent properties are left out. */
export function propertiesOf(mapping: ObjectMapping, config: Value): Record<string, unknown> {
  return propertiesOfTree(mapping, treeOf(config) as Tree);
}

/** Converts data by attribute names to properties on the engine's wire. Absent properties are left out. */
export function propertiesOfTree(mapping: ObjectMapping, tree: Tree): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(tree)
      .filter(([, value]) => value !== null)
      .map(([attribute, value]) => {
        const { property, value: part } = mapping.byAttribute.get(attribute)!;
        return [property, propertyOfTree(part, value)] as const;
      })
      .filter(([, value]) => value !== null),
  );
}

function propertyOfTree(mapping: ValueMapping, value: unknown): unknown {
  if (value === Unknown) return unknownText;
  if (typeof value !== "object" || value === null) return value;
  switch (mapping.kind) {
    case "object":
      return propertiesOfTree(mapping.object, value as Tree);
    case "map":
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, propertyOfTree(mapping.element, part)]));
    case "list":
    case "set":
    case "tuple":
      return (value as readonly unknown[]).map((part, index) => propertyOfTree(mapping.elements[index] ?? mapping.elements[0]!, part));
    case "only": {
      const [only] = value as readonly unknown[];
      return only === undefined ? null : propertyOfTree(mapping.element, only);
    }
    default:
      return value;
  }
}

/** The properties that a state must have: null where nothing is, and numbers rounded to doubles. */
export function expectedOutputs(mapping: ObjectMapping, state: Value): unknown {
  return comparable(propertiesOf(mapping, state), mapping);
}

/** Properties in a form for comparison: without secrecy, without absent properties, with numbers as doubles. */
export function comparable(properties: unknown, mapping: ObjectMapping): unknown {
  const fields = unwrapped(properties) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    mapping.properties
      .map(({ property, value }) => [property, comparablePart(fields[property] ?? null, value)] as const)
      .filter(([, value]) => value !== null),
  );
}

function comparablePart(given: unknown, mapping: ValueMapping): unknown {
  const value = unwrapped(given);
  if (value === null || value === undefined) return null;
  if (typeof value === "string" && unknownTexts.has(value)) return unknownText;
  if (mapping.kind === "number") return Number(value);
  if (isPropertyPlain(value)) return value;
  if (mapping.kind === "object") return comparable(value, mapping.object);
  if (mapping.kind === "only") return comparablePart(value, mapping.element);
  if (Array.isArray(value) && "elements" in mapping) {
    return value.map((part, index) => comparablePart(part, mapping.elements[index] ?? mapping.elements[0]!));
  }
  if (mapping.kind === "map") {
    return Object.fromEntries(Object.entries(value as object).map(([key, part]) => [key, comparablePart(part, mapping.element)]));
  }
  return value;
}
