// SPDX-License-Identifier: Apache-2.0
import { number, string } from "./type.ts";
import { valueOf, type Value } from "./value.ts";

/** One step into a value: to an attribute of an object, or to an element of a collection or tuple. */
export type PathStep =
  | { readonly kind: "attribute"; readonly name: string }
  /** The key is a number for lists and tuples, a string for maps, the element itself for sets. */
  | { readonly kind: "index"; readonly key: Value };

/** The way from a value to one inside it; empty for the value itself. */
export type Path = readonly PathStep[];

/** A step to the attribute of an object. */
export function attributeStep(name: string): PathStep {
  return { kind: "attribute", name };
}

/** A step to an element: by position, by key, or by the element itself for a set. */
export function indexStep(key: number | string | Value): PathStep {
  if (typeof key === "number") return { kind: "index", key: valueOf(number, key) };
  return { kind: "index", key: typeof key === "string" ? valueOf(string, key) : key };
}
