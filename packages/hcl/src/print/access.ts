// SPDX-License-Identifier: Apache-2.0
/* What is taken from a term: attributes, elements, splats. */
import type { NumberPayload } from "@tenon/cty/unstable/payload";
import type { HclError } from "../error.ts";
import type { IndexExpression, RelativeTraversalExpression, SplatExpression } from "../syntax/expression.ts";
import type { Traversal, TraversalStep } from "../syntax/traversal.ts";
import type { WithoutRanges } from "../syntax/without-ranges.ts";
import { numberWithoutPoint } from "./number.ts";
import { binding, name, oneLine, unprintable, type Nested, type Pieces, type Printed } from "./printer.ts";
import { isNegative, valueText } from "./value.ts";

/** A path through values as it is given to be printed. */
export type PrintedTraversal = WithoutRanges<Traversal>;

type Access = WithoutRanges<RelativeTraversalExpression | IndexExpression | SplatExpression>;
type Splat = WithoutRanges<SplatExpression>;

export function traversalText(traversal: PrintedTraversal): string {
  return traversal.map(stepText).join("");
}

/** The variable with the steps from it. */
export function scopeTraversalText(traversal: PrintedTraversal): string {
  const [root] = traversal;
  if (root?.kind !== "root") throw unprintable("a reference that does not begin with a variable");
  if (root.name === "true" || root.name === "false" || root.name === "null") throw unprintable(`a variable of the name ${root.name}`);
  return traversalText(traversal);
}

function stepText(step: WithoutRanges<TraversalStep>, index: number): string {
  switch (step.kind) {
    case "root":
      if (index > 0) throw unprintable("a reference in which a variable follows something else");
      return name(step.name, "a variable");
    case "attribute":
      return `.${name(step.name, "an attribute")}`;
    case "index":
      return `[${valueText(step.key, oneLine)}]`;
    default:
      return "[*]";
  }
}

/** What is taken, behind what it is taken from. */
export function accessPieces(node: Access): Pieces {
  return chain(node, undefined);
}

/** @param item stands for the element of the splat that the chain belongs to, and is not written. */
function chain(node: Access, item: Splat["item"] | undefined): Pieces {
  const behind: (string | Nested)[] = [];
  const takenFrom = (term: Pieces): Pieces => {
    if (item !== undefined) throw moreThanTaking();
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
        if (at !== item) throw unprintable("the element of a splat outside of it");
        return behind;
      default: {
        // A point behind a number belongs to it.
        const needsSpace =
          at.kind === "literal" && at.value.type.kind === "number" && !isNegative(at.value) && (behind[0] as string).startsWith(".");
        return takenFrom([nested(at, binding.term), ...(needsSpace ? [" "] : [])]);
      }
    }
  }
}

function moreThanTaking(): HclError {
  return unprintable("a splat that does more than taking something from each element");
}

function nested(node: Printed, needed: number = binding.any): Nested {
  return { node, layout: oneLine, needed };
}

function inParentheses(node: Printed): Pieces {
  return ["(", nested(node), ")"];
}

/** Would the key be read as a step of a traversal, because it is constant? */
function isConstant(key: Printed): boolean {
  const [part, ...more] = key.kind === "template" ? key.parts : [key];
  return part?.kind === "literal" && more.length === 0 && !isNegative(part.value);
}

/** What is taken from each element, behind `[*]`. */
function eachPieces({ each, item }: Splat): Pieces {
  if (each === item) return [];
  if (each.kind !== "relativeTraversal" && each.kind !== "index" && each.kind !== "splat") throw moreThanTaking();
  return chain(each, item);
}

/**
 * A splat that other things are taken from, `.*.name.0`: all that follows `[*]` is taken from each element, and so is all that
 * follows `.*` up to a bracket. Undefined where no such splat does it.
 */
function attributeSplat({ each, item }: Splat, behind: string): Pieces | undefined {
  if (behind.startsWith(".")) return undefined;
  if (each === item) return [".*"];
  if (each.kind !== "relativeTraversal" || each.source !== item) return undefined;
  let text = ".*";
  for (const step of each.traversal) {
    if (step.kind === "attribute") text += `.${name(step.name, "an attribute")}`;
    else if (step.kind === "index" && step.key.type.kind === "number" && !isNegative(step.key)) {
      // A point behind a number belongs to it.
      text += `.${numberWithoutPoint(step.key.payload as NumberPayload)} `;
    } else return undefined;
  }
  return [text.trimEnd()];
}
