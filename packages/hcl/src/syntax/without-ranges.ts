// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "./diagnostic.ts";

/** Names of properties that hold ranges. */
type Place = "range" | `${string}Range` | `${string}Ranges`;

/** A node whose ranges are optional, at any depth: for nodes that a program builds. */
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
