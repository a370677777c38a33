// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import { initialPosition, type SourceRange } from "../syntax/position.ts";
import type { Evaluation } from "./evaluate.ts";
import { anything } from "./evaluator.ts";
import { attributeOutcome, indexOutcome, isDiagnostic, type Outcome } from "./indexing.ts";

/** Where a value that is not written anywhere is said to be. */
const nowhere: SourceRange = { filename: "", start: initialPosition, end: initialPosition };

function evaluationOf(outcome: Outcome): Evaluation {
  return isDiagnostic(outcome) ? { value: anything, diagnostics: [outcome] } : { value: outcome, diagnostics: [] };
}

/**
 * What `collection[key]` gives in the language, for applications that look into values as it does.
 *
 * @param subject where the problem is, if there is one.
 * @see hcl.Index
 */
export function indexOf(collection: Value, key: Value, subject: SourceRange = nowhere): Evaluation {
  return evaluationOf(indexOutcome(collection, key, subject));
}

/** What `object.name` gives in the language. @see hcl.GetAttr */
export function attributeOf(object: Value, name: string, subject: SourceRange = nowhere): Evaluation {
  return evaluationOf(attributeOutcome(object, name, subject));
}

/** What the steps of a path give, one after another, by the language's rules instead of cty's stricter ones. @see hcl.ApplyPath */
export function followPath(value: Value, path: Path, subject: SourceRange = nowhere): Evaluation {
  let current = value;
  for (const step of path) {
    const outcome = step.kind === "attribute" ? attributeOutcome(current, step.name, subject) : indexOutcome(current, step.key, subject);
    if (isDiagnostic(outcome)) return evaluationOf(outcome);
    current = outcome;
  }
  return { value: current, diagnostics: [] };
}
