// SPDX-License-Identifier: Apache-2.0
import { friendlyName, isKnown, isNull, string } from "@tenon/cty";
import { hasErrors, parseExpression, parseTraversal, type Expression } from "@tenon/hcl";
import { evaluate } from "@tenon/hcl/evaluate";
import { textOf } from "./literal.ts";
import { reportAll, reportError, reportWarning, type Report } from "./report.ts";

/**
 * Returns the expression, or the reference in it if it is a quoted reference as in Terraform 0.11, with a warning.
 *
 * @see OpenTofu configs, shimTraversalInString
 */
export function withoutQuotes(given: Expression, what: "reference" | "keyword", report: Report): Expression {
  const expression = given.kind === "objectKey" ? given.wrapped : given;
  if (expression.kind !== "template") return expression;
  const { value, diagnostics } = evaluate(expression);
  if (hasErrors(diagnostics) || isNull(value) || !isKnown(value)) return expression;
  reportAll(report, diagnostics);
  const { start } = expression.range;
  const inside = { line: start.line, column: start.column + 1, byte: start.byte + 1 };
  const parsed = parseTraversal(textOf(value), expression.range.filename, { start: inside, recovery: "first-error" });
  reportAll(report, parsed.diagnostics);
  reportWarning(
    report,
    `Quoted ${what}s are deprecated`,
    `In this context, ${what}s are expected literally rather than in quotes. OpenTofu 0.11 and earlier required quotes, but quoted ${what}s are now deprecated and will be removed in a future version of OpenTofu. Remove the quotes surrounding this ${what} to silence this warning.`,
    expression.range,
  );
  return { kind: "scopeTraversal", traversal: parsed.traversal, range: expression.range };
}

/**
 * Parses a string of the JSON syntax as an expression of the native syntax. Otherwise reports errors and returns undefined.
 *
 * @see OpenTofu configs/hcl2shim, ConvertJSONExpressionToHCL
 */
export function nativeExpression(expression: Expression, report: Report): Expression | undefined {
  const { value, diagnostics } = evaluate(expression);
  reportAll(report, diagnostics);
  if (hasErrors(diagnostics)) return undefined;
  if (value.type !== string || isNull(value)) {
    const detail = `This value must be a string, but got ${friendlyName(value.type)}.`;
    reportError(report, "Expected string expression", detail, expression.range);
    return undefined;
  }
  const { filename, start } = expression.range;
  const parsed = parseExpression(textOf(value), filename, { start, recovery: "first-error" });
  return reportAll(report, parsed.diagnostics) ? undefined : parsed.expression;
}
