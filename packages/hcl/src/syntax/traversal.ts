// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { SourceRange } from "./position.ts";

/** A path through values as it is written in a configuration: `aws_instance.web[0].id`. */
export type Traversal = readonly TraversalStep[];

export type TraversalStep = RootStep | AttributeStep | IndexStep | SplatStep;

/** The variable that an absolute traversal starts from. */
export interface RootStep {
  readonly kind: "root";
  readonly name: string;
  readonly range: SourceRange;
}

/** `.name` */
export interface AttributeStep {
  readonly kind: "attribute";
  readonly name: string;
  /** With the dot. */
  readonly range: SourceRange;
}

/** `[0]`, `["key"]`, or `.0` as older configurations have it. */
export interface IndexStep {
  readonly kind: "index";
  /** A number or string; the unknown value of any type where the index cannot be made out. */
  readonly key: Value;
  /** With the brackets. */
  readonly range: SourceRange;
}

/** `[*]`, only in traversals parsed with `parseTraversalPartial`. */
export interface SplatStep {
  readonly kind: "splat";
  readonly range: SourceRange;
}

/** Does the traversal start with a variable? */
export function isAbsolute(traversal: Traversal): boolean {
  return traversal[0]?.kind === "root";
}

/** The variable that an absolute traversal starts from; undefined for a relative one. */
export function rootName(traversal: Traversal): string | undefined {
  return traversal[0]?.kind === "root" ? traversal[0].name : undefined;
}

/** What the whole traversal covers; undefined if it has no steps. */
export function traversalRange(traversal: Traversal): SourceRange | undefined {
  const first = traversal[0];
  const last = traversal.at(-1);
  return first && last && { filename: first.range.filename, start: first.range.start, end: last.range.end };
}
