// SPDX-License-Identifier: Apache-2.0
import { bool, CtyError, dynamic, isKnown, isNull, mark, string, unknown, unmark, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { goQuote } from "@tenon/cty/unstable/payload";
import { formatRange, hasErrors, type Diagnostic, type DiagnosticExtra, type Expression } from "@tenon/hcl";
import { evaluate, type Evaluation, type Scope } from "@tenon/hcl/evaluate";
import { applyDefaults } from "@tenon/hcl/type-expression";
import { takeDeprecations } from "../configuration/deprecation.ts";
import { reportError, type Report } from "../configuration/report.ts";
import { conversionText } from "../configuration/value-path.ts";
import type { Variable } from "../configuration/variable.ts";
import type { VariableOrigin } from "../configuration/variable-values.ts";
import { containsMarkOf, EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";
import type { ConditionResult } from "./check-log.ts";
import type { CompleteRule } from "./condition.ts";

/** A value for a variable, before it is converted to the variable's type. */
export interface RawVariable {
  /** Absent if the caller gives none. */
  readonly value?: Value | undefined;
  /** The expression that gives the value; absent for a value from outside the configuration. */
  readonly expression?: Expression | undefined;
  readonly origin?: VariableOrigin | undefined;
}

/**
 * The value of a variable with its marks: the given one or the default, converted to the variable's type. Reports an error and returns
 * unknown if the value is not suitable.
 *
 * @param address The variable with its module, for diagnostics.
 * @see OpenTofu eval_variable.go, prepareFinalInputVariableValue
 */
export function finalVariableValue(variable: Variable, address: string, raw: RawVariable, report: Report): Value {
  const constraint = variable.constraint ?? dynamic;
  const fallback = unknown(variable.type ?? dynamic);
  const place = raw.expression?.range;
  if (raw.value !== undefined && !variable.ephemeral && containsMarkOf(raw.value, EPHEMERAL)) {
    const detail = `The value used for the variable ${goQuote(variable.name)} is ephemeral, but it is not configured to allow one.`;
    reportError(report, "Variable does not allow ephemeral value", detail, place ?? variable.range);
    return fallback;
  }
  if (raw.value === undefined && variable.default === undefined) {
    const detail = `The variable ${goQuote(variable.name)} is required, but is not set.`;
    reportError(report, "Required variable not set", detail, variable.range);
    return fallback;
  }
  let value = raw.value ?? variable.default!;
  if (variable.typeDefaults !== undefined && !isNull(value)) value = applyDefaults(variable.typeDefaults, value);
  try {
    value = convert(value, constraint);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    reportError(report, "Invalid value for input variable", unsuitable(variable, address, raw, error.message), variable.range);
    return fallback;
  }
  if (isNull(value) && variable.nullable === false) {
    if (variable.default !== undefined) value = variable.default;
    else {
      const reason = "required variable may not be set to null.";
      const outside = outsideSource(variable, raw);
      const detail =
        outside === undefined
          ? `The given value is not suitable for ${address} defined at ${formatRange(variable.range)}: ${reason}`
          : `Unsuitable value for ${address} ${outside}: ${reason}`;
      reportError(report, "Required variable not set", detail, place ?? variable.range);
      value = fallback;
    }
  }
  if (variable.sensitive) value = mark(value, SENSITIVE);
  return variable.ephemeral ? mark(value, EPHEMERAL) : value;
}

function unsuitable(variable: Variable, address: string, raw: RawVariable, reason: string): string {
  const outside = outsideSource(variable, raw);
  if (outside !== undefined) return `Unsuitable value for ${address} ${outside}: ${reason}.`;
  const place = formatRange(raw.expression!.range);
  if (variable.ephemeral)
    return `The given value is not suitable for ${address}, which is ephemeral: ${reason}. Invalid value defined at ${place}.`;
  if (variable.sensitive)
    return `The given value is not suitable for ${address}, which is sensitive: ${reason}. Invalid value defined at ${place}.`;
  return `The given value is not suitable for ${address} declared at ${formatRange(variable.range)}: ${reason}.`;
}

/** The text for the origin of a value from outside the configuration; undefined for other values. */
function outsideSource({ name }: Variable, { expression, origin }: RawVariable): string | undefined {
  if (expression !== undefined) return undefined;
  if (origin === "option") return `set using -var="${name}=..."`;
  return origin === "environment" ? `set using the TF_VAR_${name} environment variable` : "set from outside of the configuration";
}

/** A variable that is checked. */
export interface CheckedVariable {
  /** The expression that gives the value; absent for a variable of the root module. */
  readonly expression: Expression | undefined;
  /** The variable with its module. */
  readonly address: string;
}

/**
 * Checks a variable with one of its validation rules.
 *
 * @see OpenTofu eval_variable.go, evalVariableValidation
 */
export function checkValidation(
  variable: Variable,
  rule: CompleteRule,
  scope: Scope,
  { expression, address }: CheckedVariable,
  report: Report,
): ConditionResult {
  const { condition, errorMessage } = rule;
  const before = report.length;
  const evaluation = evaluate(condition, scope);
  const { value, diagnostics } = takeDeprecations(evaluation.value, condition);
  report.push(...evaluation.diagnostics, ...diagnostics);
  const message = evaluatedMessage(rule, scope);
  report.push(...message.diagnostics);
  const [plain] = unmark(value);
  if (!isKnown(plain)) return { status: hasErrors(report.slice(before)) ? "error" : "unknown" };
  const invalid = (detail: string): ConditionResult => {
    report.push({
      severity: "error",
      summary: "Invalid variable validation result",
      detail,
      subject: condition.range,
      expression: condition,
      scope,
    });
    return { status: "error" };
  };
  if (isNull(plain)) return invalid("Validation condition expression must return either true or false, not null.");
  try {
    if (convert(plain, bool).payload === true) return { status: "pass" };
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return invalid(`Invalid validation condition result value: ${conversionText(error)}.`);
  }
  const failure = hasErrors(message.diagnostics) ? "" : validationMessage(message.value, errorMessage, scope, report);
  if (failure === undefined) return { status: "fail", failure: "" };
  const text = failure === "" ? "Failed to evaluate condition error message." : failure;
  report.push({
    severity: "error",
    summary: "Invalid value for variable",
    detail: `${text}\n\nThis was checked by the validation rule at ${formatRange(rule.range)}.`,
    subject: expression?.range ?? variable.range,
    expression: condition,
    scope,
    extra: { kind: "condition", object: "variable", address },
  });
  return { status: "fail", failure: text };
}

/** The message of a validation. A message in a JSON file that is not a valid template is used as plain text, as in early versions. */
function evaluatedMessage({ errorMessage, range }: CompleteRule, scope: Scope): Evaluation {
  const evaluation = evaluate(errorMessage, scope);
  const literal = hasErrors(evaluation.diagnostics) ? evaluate(errorMessage) : undefined;
  if (literal === undefined || hasErrors(literal.diagnostics) || literal.value.type !== string) {
    const { value, diagnostics } = takeDeprecations(evaluation.value, errorMessage);
    return { value, diagnostics: [...evaluation.diagnostics, ...diagnostics] };
  }
  const advice =
    "The error message provided could not be evaluated as an expression, so OpenTofu is interpreting it as a string literal.\n\nIn future versions of OpenTofu, this will be considered an error. Please file a GitHub issue if this would break your workflow.";
  const warning: Diagnostic = {
    severity: "warning",
    summary: "Validation error message expression is invalid",
    detail: `${advice}\n\n${errorText(evaluation.diagnostics)}`,
    subject: errorMessage.range,
    context: range,
    expression: errorMessage,
    scope,
  };
  return { value: literal.value, diagnostics: [warning] };
}

/** Formats several diagnostics on one line. @see hcl.Diagnostics Error */
function errorText([first, ...others]: readonly Diagnostic[]): string {
  if (first === undefined) return "no diagnostics";
  const text = `${first.subject === undefined ? "<nil>" : formatRange(first.subject)}: ${first.summary}; ${first.detail}`;
  return others.length === 0 ? text : `${text}, and ${others.length} other diagnostic(s)`;
}

/** A warning about a value for a deprecated variable. @see OpenTofu eval_variable.go, evalVariableDeprecation */
export function variableDeprecation(
  { name, deprecated = "" }: Variable,
  expression: Expression | undefined,
  isFromRemoteModule: boolean,
): readonly Diagnostic[] {
  if (deprecated === "" || expression === undefined) return [];
  const detail = `Variable ${goQuote(name)} is marked as deprecated with the following message:\n${deprecated}`;
  return [
    {
      severity: "warning",
      summary: "Variable marked as deprecated by the module author",
      detail,
      subject: expression.range,
      extra: { kind: "deprecatedSource", by: `var.${name}`, isFromRemoteModule },
    },
  ];
}

/** The text of a validation's message. Reports an error and returns undefined if it is not known yet. */
function validationMessage(value: Value, expression: Expression, scope: Scope, report: Report): string | undefined {
  const error = (summary: string, detail: string, extra?: DiagnosticExtra): void =>
    void report.push({ severity: "error", summary, detail, subject: expression.range, expression, scope, ...(extra && { extra }) });
  const [plain, marks] = unmark(value);
  if (!isKnown(plain)) {
    const detail = "Value used in error message is not known and can not be used in error_message until after apply.";
    error("Invalid error message", detail, { kind: "valueCause", cause: "unknown" });
    return undefined;
  }
  if (isNull(plain)) return "";
  let text: string;
  try {
    text = (convert(plain, string).payload as string).trim();
  } catch (problem) {
    if (!(problem instanceof CtyError)) throw problem;
    error("Invalid error message", `Unsuitable value for error message: ${conversionText(problem)}.`);
    return "";
  }
  const refers = "The error expression used to explain this condition refers to";
  if (marks.has(SENSITIVE)) {
    const advice =
      "You can correct this by removing references to sensitive values, or by carefully using the nonsensitive() function if the expression will not reveal the sensitive data.";
    error(
      "Error message refers to sensitive values",
      `${refers} sensitive values. OpenTofu will not display the resulting message.\n\n${advice}`,
    );
    return "The error message included a sensitive value, so it will not be displayed.";
  }
  if (marks.has(EPHEMERAL)) {
    const advice =
      "You can correct this by removing references to ephemeral values or by utilizing the builtin ephemeralasnull() function.";
    error(
      "Error message refers to ephemeral values",
      `${refers} ephemeral values. OpenTofu will not display the resulting message.\n\n${advice}`,
    );
    return "The error message included an ephemeral value, so it will not be displayed.";
  }
  return text;
}
