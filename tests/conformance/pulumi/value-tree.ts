// SPDX-License-Identifier: Apache-2.0
import type { Type, Value } from "@tenon/cty";
import { isUnknownPayload, numberText, type Payload, valueOf } from "@tenon/cty/unstable/payload";
import { Unknown } from "../provider/generate/values.ts";

/** Converts a value to plain data, with {@link Unknown} for what is unknown. Numbers that a double cannot hold are text. */
export function treeOf({ type, payload }: Value): unknown {
  if (isUnknownPayload(payload)) return Unknown;
  if (payload === null) return null;
  const parts = payload as readonly Payload[];
  switch (type.kind) {
    case "number": {
      const text = numberText(payload as never);
      return String(Number(text)) === text ? Number(text) : text;
    }
    case "list":
    case "set":
      return parts.map((part) => treeOf(valueOf(type.element, part)));
    case "tuple":
      return parts.map((part, index) => treeOf(valueOf(type.elements[index]!, part)));
    case "map":
      return Object.fromEntries(
        [...(payload as unknown as ReadonlyMap<string, Payload>)].map(([key, part]) => [key, treeOf(valueOf(type.element, part))]),
      );
    case "object":
      return Object.fromEntries(type.names.map((name, slot) => [name, treeOf(valueOf(type.attributes[name]!, parts[slot]!))]));
    default:
      return payload;
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
