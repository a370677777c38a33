// SPDX-License-Identifier: Apache-2.0
import { unknown, dynamic, type Value } from "@tenon/cty";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { AnonymousSymbolExpression, Expression } from "../syntax/expression.ts";
import type { SourceRange } from "../syntax/position.ts";
import type { Scope } from "../syntax/scope.ts";

/** Unknown value of unknown type: the value after most errors. */
export const unknownOfAnyType: Value = unknown(dynamic);

/**
 * One evaluation, for the functions that evaluate the kinds of expression: it evaluates subexpressions and collects diagnostics.
 */
export interface Evaluator {
  /** Diagnostics so far, in order. */
  readonly diagnostics: Diagnostic[];
  /** Current elements of the splats that are being evaluated. */
  readonly symbols: Map<AnonymousSymbolExpression, Value>;
  value(expression: Expression, scope: Scope | undefined): Value;
}

/** Whether the diagnostics from a position on include an error. */
export function failedSince(evaluator: Evaluator, position: number): boolean {
  const { diagnostics } = evaluator;
  for (let at = position; at < diagnostics.length; at++) if (diagnostics[at]!.severity === "error") return true;
  return false;
}

const none: readonly Diagnostic[] = [];

/** Removes and returns the diagnostics from a position on. */
export function removeDiagnosticsSince({ diagnostics }: Evaluator, position: number): readonly Diagnostic[] {
  return diagnostics.length === position ? none : diagnostics.splice(position);
}

/** An error about an expression, with the scope for showing its values. */
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
