// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { SourceRange } from "./position.ts";
import { rangeBetween } from "./range.ts";

/** A reference as written in a configuration: `aws_instance.web[0].id`. */
export type Traversal = readonly TraversalStep[];

/** A step of a {@link Traversal}. */
export type TraversalStep = RootStep | AttributeStep | IndexStep | SplatStep;

/** The variable at the start of an absolute traversal. */
export interface RootStep {
  readonly kind: "root";
  readonly name: string;
  readonly range: SourceRange;
}

/** `.name` */
export interface AttributeStep {
  readonly kind: "attribute";
  readonly name: string;
  /** Range with the dot. */
  readonly range: SourceRange;
}

/** `[0]`, `["key"]`, or the legacy form `.0`. */
export interface IndexStep {
  readonly kind: "index";
  /** A number or string; after a syntax error, an unknown value of unknown type. */
  readonly key: Value;
  /** Range with the brackets. */
  readonly range: SourceRange;
}

/** `[*]`, only in traversals parsed with `parseTraversalPartial`. */
export interface SplatStep {
  readonly kind: "splat";
  readonly range: SourceRange;
}

/** Whether the traversal starts with a variable. */
export function isAbsolute(traversal: Traversal): boolean {
  return traversal[0]?.kind === "root";
}

/** Name of the variable that an absolute traversal starts with; undefined for a relative one. */
export function rootName(traversal: Traversal): string | undefined {
  return traversal[0]?.kind === "root" ? traversal[0].name : undefined;
}

/** Range of a whole traversal; undefined if it has no steps. */
export function traversalRange(traversal: Traversal): SourceRange | undefined {
  const first = traversal[0];
  const last = traversal.at(-1);
  return first && last && rangeBetween(first.range, last.range);
}
