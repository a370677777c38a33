// SPDX-License-Identifier: Apache-2.0
import type { Value } from "./value.ts";

/** One step into a value: to an attribute of an object, or to an element of a collection or tuple. */
export type PathStep =
  | { readonly kind: "attribute"; readonly name: string }
  /** The key is a number for lists and tuples, a string for maps, the element itself for sets. */
  | { readonly kind: "index"; readonly key: Value };

/** The way from a value to one inside it; empty for the value itself. */
export type Path = readonly PathStep[];
