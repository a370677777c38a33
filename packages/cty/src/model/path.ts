// SPDX-License-Identifier: Apache-2.0
import type { Value } from "./value.ts";

/** One step of a path: to an attribute of an object, or to an element of a collection or tuple. */
export type PathStep =
  | { readonly kind: "attribute"; readonly name: string }
  /** The key is a number for lists and tuples, a string for maps, and the element itself for sets. */
  | { readonly kind: "index"; readonly key: Value };

/** The steps from a value to a value inside it. An empty path refers to the value itself. */
export type Path = readonly PathStep[];
