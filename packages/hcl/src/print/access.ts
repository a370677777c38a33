// SPDX-License-Identifier: Apache-2.0
/* Text of what follows a term: attributes, indices and splats. */
import type { NumberPayload } from "@tenon/cty/unstable/payload";
import type { HclError } from "../error.ts";
import type { IndexExpression, RelativeTraversalExpression, SplatExpression } from "../syntax/expression.ts";
import type { Traversal, TraversalStep } from "../syntax/traversal.ts";
import type { WithoutRanges } from "../syntax/without-ranges.ts";
import { numberWithoutPoint } from "./number.ts";
import { binding, name, oneLine, unprintable, type Nested, type Pieces, type Printed } from "./printer.ts";
import { isNegative, printValue } from "./value.ts";

/** A traversal whose ranges are optional. */
export type PrintedTraversal = WithoutRanges<Traversal>;

type Access = WithoutRanges<RelativeTraversalExpression | IndexExpression | SplatExpression>;
type Splat = WithoutRanges<SplatExpression>;

/** Text of the steps of a traversal. */
export function traversalText(traversal: PrintedTraversal): string {
  return traversal.map(stepText).join("");
}

/** Text of a variable with its steps. */
export function scopeTraversalText(traversal: PrintedTraversal): string {
  const [root] = traversal;
  if (root?.kind !== "root") throw unprintable("a reference that does not start with a variable");
  if (root.name === "true" || root.name === "false" || root.name === "null") throw unprintable(`a variable named ${root.name}`);
  return traversalText(traversal);
}

function stepText(step: WithoutRanges<TraversalStep>, index: number): string {
  switch (step.kind) {
    case "root":
      if (index > 0) throw unprintable("a reference with a variable after its first step");
      return name(step.name, "a variable");
    case "attribute":
      return `.${name(step.name, "an attribute")}`;
    case "index":
      return `[${printValue(step.key, oneLine)}]`;
    default:
      return "[*]";
  }
}

/** Text of an expression that takes attributes, indices or splats of another one. */
export function accessPieces(node: Access): Pieces {
  return chain(node, undefined);
}

/** Text of a chain of accesses. @param item Symbol of the enclosing splat, which has no text. */
function chain(node: Access, item: Splat["item"] | undefined): Pieces {
  const behind: (string | Nested)[] = [];
  const takenFrom = (term: Pieces): Pieces => {
    if (item !== undefined) throw invalidSplatElement();
    return [...term, ...behind];
  };
  for (let at: Printed = node; ;) {
    switch (at.kind) {
      case "relativeTraversal":
        if (at.traversal.some(({ kind }) => kind === "root" || kind === "splat"))
          throw unprintable("a variable or splat within a reference");
        behind.unshift(traversalText(at.traversal));
        at = at.source;
        if (at.kind === "scopeTraversal" || at.kind === "relativeTraversal") return takenFrom(inParentheses(at));
        continue;
      case "index":
        behind.unshift("[", ...(isConstant(at.key) ? inParentheses(at.key) : [nested(at.key)]), "]");
        at = at.collection;
        continue;
      case "splat": {
        const pieces = at === node ? ["[*]", ...eachPieces(at)] : attributeSplat(at, behind[0] as string);
        if (pieces === undefined) return takenFrom(inParentheses(at));
        behind.unshift(...pieces);
        at = at.source;
        continue;
      }
      case "anonymousSymbol":
        if (at !== item) throw unprintable("the element symbol of a splat outside of that splat");
        return behind;
      default: {
        // A point directly after a number would be part of the number.
        const needsSpace =
          at.kind === "literal" && at.value.type.kind === "number" && !isNegative(at.value) && (behind[0] as string).startsWith(".");
        return takenFrom([nested(at, binding.term), ...(needsSpace ? [" "] : [])]);
      }
    }
  }
}

function invalidSplatElement(): HclError {
  return unprintable("a splat whose element expression is not an attribute, index or splat");
}

function nested(node: Printed, needed: number = binding.any): Nested {
  return { node, layout: oneLine, needed };
}

function inParentheses(node: Printed): Pieces {
  return ["(", nested(node), ")"];
}

/** Whether a key is constant, so that it would be parsed as a step of a traversal. */
function isConstant(key: Printed): boolean {
  const [part, ...more] = key.kind === "template" ? key.parts : [key];
  return part?.kind === "literal" && more.length === 0 && !isNegative(part.value);
}

/** Text of what follows `[*]`. */
function eachPieces({ each, item }: Splat): Pieces {
  if (each === item) return [];
  if (each.kind !== "relativeTraversal" && each.kind !== "index" && each.kind !== "splat") throw invalidSplatElement();
  return chain(each, item);
}

/**
 * Text of a splat that is followed by other accesses, as `.*.name.0`: after `[*]`, all accesses would belong to the splat; after `.*`, only
 * those up to a bracket do. Undefined if this form cannot express the splat.
 */
function attributeSplat({ each, item }: Splat, behind: string): Pieces | undefined {
  if (behind.startsWith(".")) return undefined;
  if (each === item) return [".*"];
  if (each.kind !== "relativeTraversal" || each.source !== item) return undefined;
  let text = ".*";
  for (const step of each.traversal) {
    if (step.kind === "attribute") text += `.${name(step.name, "an attribute")}`;
    else if (step.kind === "index" && step.key.type.kind === "number" && !isNegative(step.key)) {
      // A point directly after a number would be part of the number.
      text += `.${numberWithoutPoint(step.key.payload as NumberPayload)} `;
    } else return undefined;
  }
  return [text.trimEnd()];
}
