// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import { initialPosition, type SourceRange } from "../syntax/position.ts";
import type { Evaluation } from "./evaluate.ts";
import { unknownOfAnyType } from "./evaluator.ts";
import { attributeOutcome, indexOutcome, isDiagnostic, type Outcome } from "./indexing.ts";

/** Range for values without a source. */
const noRange: SourceRange = { filename: "", start: initialPosition, end: initialPosition };

function evaluationOf(outcome: Outcome): Evaluation {
  return isDiagnostic(outcome) ? { value: unknownOfAnyType, diagnostics: [outcome] } : { value: outcome, diagnostics: [] };
}

/**
 * Evaluates `collection[key]` by the rules of the language.
 *
 * @param subject Range for a diagnostic.
 * @see hcl.Index
 */
export function indexOf(collection: Value, key: Value, subject: SourceRange = noRange): Evaluation {
  return evaluationOf(indexOutcome(collection, key, subject));
}

/** Evaluates `object.name` by the rules of the language. @see hcl.GetAttr */
export function attributeOf(object: Value, name: string, subject: SourceRange = noRange): Evaluation {
  return evaluationOf(attributeOutcome(object, name, subject));
}

/** Follows a path by the rules of the language, which are less strict than those of cty. @see hcl.ApplyPath */
export function followPath(value: Value, path: Path, subject: SourceRange = noRange): Evaluation {
  let current = value;
  for (const step of path) {
    const outcome = step.kind === "attribute" ? attributeOutcome(current, step.name, subject) : indexOutcome(current, step.key, subject);
    if (isDiagnostic(outcome)) return evaluationOf(outcome);
    current = outcome;
  }
  return { value: current, diagnostics: [] };
}
