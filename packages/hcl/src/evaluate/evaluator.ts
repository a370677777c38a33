// SPDX-License-Identifier: Apache-2.0
import { unknown, dynamic, type Value } from "@tenon/cty";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { AnonymousSymbolExpression, Expression } from "../syntax/expression.ts";
import type { SourceRange } from "../syntax/position.ts";
import type { Scope } from "./scope.ts";

/** Nothing is known of the value, not even its type: what most errors leave behind. */
export const anything: Value = unknown(dynamic);

/**
 * One evaluation, as the files for the kinds of expression see it: what they evaluate goes through it, and what they find
 * wrong is gathered in it.
 */
export interface Evaluator {
  /** All that was found wrong so far, in order. */
  readonly diagnostics: Diagnostic[];
  /** What splats that are being evaluated are at. */
  readonly symbols: Map<AnonymousSymbolExpression, Value>;
  value(expression: Expression, scope: Scope | undefined): Value;
}

/** Is there an error among the diagnostics from a position on? */
export function failedSince(evaluator: Evaluator, position: number): boolean {
  const { diagnostics } = evaluator;
  for (let at = position; at < diagnostics.length; at++) if (diagnostics[at]!.severity === "error") return true;
  return false;
}

const none: readonly Diagnostic[] = [];

/** Takes back the diagnostics from a position on: they may not count. */
export function takenSince({ diagnostics }: Evaluator, position: number): readonly Diagnostic[] {
  return diagnostics.length === position ? none : diagnostics.splice(position);
}

/** An error about an expression, with what is needed to show the values in it. */
export function evaluationError(
  summary: string,
  detail: string,
  at: { readonly subject: SourceRange; readonly context?: SourceRange },
  expression: Expression,
  scope: Scope | undefined,
  extra?: Diagnostic["extra"],
): Diagnostic {
  return {
    severity: "error",
    summary,
    detail,
    ...at,
    expression,
    ...(scope === undefined ? {} : { scope }),
    ...(extra === undefined ? {} : { extra }),
  };
}
