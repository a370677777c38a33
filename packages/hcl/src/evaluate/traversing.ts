// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { goQuote as quote } from "@tenon/cty/unstable/payload";
import { errorAt, type Diagnostic } from "../syntax/diagnostic.ts";
import { didYouMean } from "../syntax/suggestion.ts";
import type { RootStep, Traversal, TraversalStep } from "../syntax/traversal.ts";
import { attributeOutcome, indexOutcome, isDiagnostic, type Outcome } from "./indexing.ts";
import type { Scope } from "./scope.ts";

/** What a traversal that starts with a variable leads to. @see hcl.Traversal TraverseAbs */
export function absoluteOutcome(traversal: Traversal, scope: Scope | undefined): Outcome {
  const root = traversal[0];
  if (root?.kind !== "root") throw new TypeError("a traversal that starts with a variable is needed");
  let anyTable = false;
  for (let at = scope; at !== undefined; at = at.parent) {
    if (at.variables === undefined) continue;
    anyTable = true;
    const found = at.variables.get(root.name);
    if (found !== undefined) return traversal.length === 1 ? found : steppedOutcome(found, traversal, 1);
  }
  return anyTable ? unknownVariable(root, scope) : errorAt("Variables not allowed", "Variables may not be used here.", root.range);
}

/** What a traversal leads to from a value. @see hcl.Traversal TraverseRel */
export function relativeOutcome(source: Value, traversal: Traversal): Outcome {
  return steppedOutcome(source, traversal, 0);
}

function steppedOutcome(source: Value, traversal: Traversal, from: number): Outcome {
  let current = source;
  for (let at = from; at < traversal.length; at++) {
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
  return errorAt("Unknown variable", `There is no variable named ${quote(name)}.${didYouMean(name, names)}`, range);
}
