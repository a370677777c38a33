// SPDX-License-Identifier: Apache-2.0
import { of, unknown, type Type, type Value } from "@tenon/cty";
import { isUnknownPayload, numberText, type Payload, valueOf } from "@tenon/cty/unstable/payload";

/** Placeholder of an unknown value. */
export const Unknown: unique symbol = Symbol("unknown");

/** Plain data by attribute names. */
export type Tree = Readonly<Record<string, unknown>>;

/** Converts the text of a number: to a double, or to the text itself if a double cannot hold it. */
function doubleOrText(text: string): unknown {
  return String(Number(text)) === text ? Number(text) : text;
}

/** Converts a value to plain data, with {@link Unknown} for what is unknown. Default for numbers: text if a double cannot hold them. */
export function treeOf({ type, payload }: Value, numberOf: (text: string) => unknown = doubleOrText): unknown {
  if (isUnknownPayload(payload)) return Unknown;
  if (payload === null) return null;
  const parts = payload as readonly Payload[];
  switch (type.kind) {
    case "number":
      return numberOf(numberText(payload as never));
    case "list":
    case "set":
      return parts.map((part) => treeOf(valueOf(type.element, part), numberOf));
    case "tuple":
      return parts.map((part, index) => treeOf(valueOf(type.elements[index]!, part), numberOf));
    case "map":
      return Object.fromEntries(
        [...(payload as unknown as ReadonlyMap<string, Payload>)].map(([key, part]) => [
          key,
          treeOf(valueOf(type.element, part), numberOf),
        ]),
      );
    case "object":
      return Object.fromEntries(type.names.map((name, slot) => [name, treeOf(valueOf(type.attributes[name]!, parts[slot]!), numberOf)]));
    default:
      return payload;
  }
}

/** Converts plain data to a value of a type. */
export function valueOfTree(tree: unknown, type: Type): Value {
  return of(type, inputOf(tree, type) as never);
}

function inputOf(tree: unknown, type: Type): unknown {
  if (tree === Unknown) return unknown(type);
  if (typeof tree !== "object" || tree === null) return tree;
  switch (type.kind) {
    case "list":
    case "set":
      return (tree as readonly unknown[]).map((one) => inputOf(one, type.element));
    case "map":
      return Object.fromEntries(Object.entries(tree).map(([key, one]) => [key, inputOf(one, type.element)]));
    case "object":
      return Object.fromEntries(Object.entries(tree).map(([name, one]) => [name, inputOf(one, type.attributes[name]!)]));
    default:
      return tree;
  }
}

/** Whether plain data of a type is unknown somewhere. */
export function hasUnknown(tree: unknown): boolean {
  if (tree === Unknown) return true;
  return typeof tree === "object" && tree !== null && Object.values(tree).some(hasUnknown);
}

/** Whether two data are equal. Unknown values are equal to each other. */
export function treesEqual(left: unknown, right: unknown): boolean {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [a, b] = [left as Readonly<Record<string, unknown>>, right as Readonly<Record<string, unknown>>];
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && treesEqual(a[name], b[name]));
}

/** Some value of a type. */
export function someTree(type: Type): unknown {
  switch (type.kind) {
    case "number":
      return 1;
    case "bool":
      return true;
    case "list":
    case "set":
      return [someTree(type.element)];
    case "map":
      return { made: someTree(type.element) };
    case "object":
      return Object.fromEntries(type.names.map((name) => [name, someTree(type.attributes[name]!)]));
    case "tuple":
      return type.elements.map(someTree);
    default:
      return "made";
  }
}
