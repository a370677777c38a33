// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { goQuote as quote } from "@tenon/cty/unstable/payload";
import { errorAt, type Diagnostic } from "../syntax/diagnostic.ts";
import type { IndexExpression } from "../syntax/expression.ts";
import { didYouMean, similarName } from "../syntax/suggestion.ts";
import type { RootStep, Traversal, TraversalStep } from "../syntax/traversal.ts";
import { attributeOutcome, indexOutcome, isDiagnostic, type Outcome } from "./indexing.ts";
import type { Scope } from "../syntax/scope.ts";

/**
 * The value that a traversal leads to from its variable.
 *
 * @param length Number of steps to follow, the variable included; all by default.
 * @see hcl.Traversal TraverseAbs
 */
export function absoluteOutcome(traversal: Traversal, scope: Scope | undefined, length: number = traversal.length): Outcome {
  const root = traversal[0];
  if (root?.kind !== "root") throw new TypeError("the traversal must start with a variable");
  let anyTable = false;
  for (let at = scope; at !== undefined; at = at.parent) {
    const place = at.anchors?.places.get(traversal);
    if (place !== undefined && place.steps <= length)
      return steppedOutcome(at.anchors!.values[place.position]!, traversal, place.steps, length);
    if (at.variables === undefined) continue;
    anyTable = true;
    const found = at.variables.get(root.name);
    if (found !== undefined) return length === 1 ? found : steppedOutcome(found, traversal, 1, length);
  }
  return anyTable ? unknownVariable(root, scope) : errorAt("Variables not allowed", "Variables may not be used here.", root.range);
}

/** The value that a scope's anchors have for an index expression; undefined if there is none. */
export function anchoredValue(expression: IndexExpression, scope: Scope | undefined): Value | undefined {
  for (let at = scope; at !== undefined; at = at.parent) {
    const place = at.anchors?.places.get(expression);
    if (place !== undefined) return at.anchors!.values[place.position]!;
  }
  return undefined;
}

/** The value that a relative traversal leads to. @see hcl.Traversal TraverseRel */
export function relativeOutcome(source: Value, traversal: Traversal): Outcome {
  return steppedOutcome(source, traversal, 0, traversal.length);
}

function steppedOutcome(source: Value, traversal: Traversal, from: number, end: number): Outcome {
  let current = source;
  for (let at = from; at < end; at++) {
    const outcome = stepOutcome(current, traversal[at]!);
    if (isDiagnostic(outcome)) return outcome;
    current = outcome;
  }
  return current;
}

function stepOutcome(source: Value, step: TraversalStep): Outcome {
  switch (step.kind) {
    case "attribute":
      return attributeOutcome(source, step.name, step.range);
    case "index":
      return indexOutcome(source, step.key, step.range);
    default:
      throw new TypeError(`a ${step.kind} step cannot be followed from a value`);
  }
}

function unknownVariable({ name, range }: RootStep, scope: Scope | undefined): Diagnostic {
  const names: string[] = [];
  for (let at = scope; at !== undefined; at = at.parent) names.push(...(at.variables?.keys() ?? []));
  return errorAt("Unknown variable", `There is no variable named ${quote(name)}.${didYouMean(similarName(name, names))}`, range);
}
