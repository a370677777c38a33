// SPDX-License-Identifier: Apache-2.0
import { bool, CtyError, isKnown, isNull, string, unmark, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { hasErrors, type Diagnostic, type DiagnosticExtra, type Expression } from "@tenon/hcl";
import { evaluate, type Scope } from "@tenon/hcl/evaluate";
import type { CheckRule } from "../configuration/check-rule.ts";
import { takeDeprecations } from "../configuration/deprecation.ts";
import type { Report } from "../configuration/report.ts";
import { conversionText } from "../configuration/value-path.ts";
import { EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";
import type { ConditionResult } from "./check-log.ts";

/** The kinds of conditions, with the words of OpenTofu's diagnostics. */
export type ConditionKind =
  | "Resource precondition"
  | "Resource postcondition"
  | "Module output value precondition"
  | "Check block assertion";

/** The objects that have each kind of conditions. */
const objects = {
  "Resource precondition": "resource",
  "Resource postcondition": "resource",
  "Module output value precondition": "output",
  "Check block assertion": "check",
} as const;

/** A condition with both expressions. The loader has reported all others. */
export type CompleteRule = CheckRule & Required<Pick<CheckRule, "condition" | "errorMessage">>;

/** Whether the condition has both expressions. */
export function isComplete(rule: CheckRule): rule is CompleteRule {
  return rule.condition !== undefined && rule.errorMessage !== undefined;
}

/**
 * Evaluates a condition in a scope, and reports a failure with the given severity.
 *
 * @param address The object that has the condition.
 * @see OpenTofu eval_conditions.go
 */
export function checkCondition(
  kind: ConditionKind,
  { condition, errorMessage }: CompleteRule,
  scope: Scope,
  severity: Diagnostic["severity"],
  address: string,
  report: Report,
): ConditionResult {
  const before = report.length;
  const message = failureMessage(errorMessage, scope, report);
  const evaluation = evaluate(condition, scope);
  const { value, diagnostics } = takeDeprecations(evaluation.value, condition);
  report.push(...evaluation.diagnostics, ...diagnostics);
  if (hasErrors(report.slice(before))) return { status: "error" };
  const extra: DiagnosticExtra = { kind: "condition", object: objects[kind], address };
  const add = (level: Diagnostic["severity"], summary: string, detail: string, origin?: { readonly extra: DiagnosticExtra }): void =>
    void report.push({ severity: level, summary, detail, subject: condition.range, expression: condition, scope, ...origin });
  const invalid = "Invalid condition result";
  const result = toBoolean(value);
  if (result === "unknown") {
    if (kind === "Check block assertion") {
      const detail = "The condition could not be evaluated at this time, a result will be known when this plan is applied.";
      add("warning", `${kind} known after apply`, detail, { extra });
    }
    return { status: "unknown" };
  }
  if (result === "null") {
    add("error", invalid, "Condition expression must return either true or false, not null.");
    return { status: "error" };
  }
  if (typeof result === "object") {
    add("error", invalid, `Invalid condition result value: ${conversionText(result)}.`);
    return { status: "error" };
  }
  if (result) return { status: "pass" };
  const unusable = "This check failed, but has an invalid error message as described in the other accompanying messages.";
  add(severity, `${kind} failed`, message === "" ? unusable : message, { extra });
  return { status: "fail", ...(message !== "" && { failure: message }) };
}

/** Converts the result of a condition to a boolean. For other values, returns the reason why that is impossible. */
function toBoolean(value: Value): boolean | "unknown" | "null" | CtyError {
  const [plain] = unmark(value);
  if (!isKnown(plain)) return "unknown";
  if (isNull(plain)) return "null";
  try {
    return convert(plain, bool).payload === true;
  } catch (error) {
    if (error instanceof CtyError) return error;
    throw error;
  }
}

/** The text of an error message. Empty if it is unknown, and after a diagnostic if it is invalid or must not be shown. */
export function failureMessage(expression: Expression, scope: Scope, report: Report): string {
  const evaluation = evaluate(expression, scope);
  report.push(...evaluation.diagnostics);
  if (hasErrors(evaluation.diagnostics)) return "";
  const { value, diagnostics } = takeDeprecations(evaluation.value, expression);
  report.push(...diagnostics);
  const add = (severity: Diagnostic["severity"], summary: string, detail: string): "" => {
    report.push({ severity, summary, detail, subject: expression.range, expression, scope });
    return "";
  };
  let text: Value;
  try {
    text = convert(value, string);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return add("error", "Invalid error message", `Unsuitable value for error message: ${conversionText(error)}.`);
  }
  const [plain, marks] = unmark(text);
  if (!isKnown(plain)) return "";
  if (isNull(plain)) return add("error", "Invalid error message", "Unsuitable value for error message: must not be null.");
  if (marks.has(SENSITIVE)) return add("warning", "Error message refers to sensitive values", sensitiveDetail);
  if (marks.has(EPHEMERAL)) return add("warning", "Error message refers to ephemeral values", ephemeralDetail);
  return (plain.payload as string).trim();
}

const sensitiveDetail = `The error expression used to explain this condition refers to sensitive values, so OpenTofu will not display the resulting message.

You can correct this by removing references to sensitive values, or by carefully using the nonsensitive() function if the expression will not reveal the sensitive data.`;

const ephemeralDetail = `The error expression used to explain this condition refers to ephemeral values, so OpenTofu will not display the resulting message.

You can correct this by removing references to ephemeral values or by utilizing the builtin ephemeralasnull() function.`;
