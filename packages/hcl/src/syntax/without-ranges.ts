// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "./diagnostic.ts";

/** The properties that say where something stands. */
type Place = "range" | `${string}Range` | `${string}Ranges`;

/** A node as a program builds it: the same, here and in all it consists of, but nothing has to say where it stands in a source. */
export type WithoutRanges<Node> = Node extends Value | Diagnostic
  ? Node
  : Node extends ReadonlyMap<infer Key, infer Item>
    ? ReadonlyMap<Key, WithoutRanges<Item>>
    : Node extends readonly (infer Item)[]
      ? readonly WithoutRanges<Item>[]
      : Node extends object
        ? { readonly [Key in keyof Node as Key extends Place ? never : Key]: WithoutRanges<Node[Key]> } & {
            readonly [Key in keyof Node as Key extends Place ? Key : never]?: Node[Key];
          }
        : Node;
