// SPDX-License-Identifier: Apache-2.0
import { bool, CtyError, dynamic, isKnown, isNull, number, of, string, unknown, unmark, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { isNumberPayload, numberToBigint } from "@tenon/cty/unstable/payload";
import type { DiagnosticExtra, Expression, Scope } from "@tenon/hcl";
import type { Evaluation } from "@tenon/hcl/evaluate";
import type { InstanceKey } from "../address/instance-key.ts";
import { checkForEach, forEachValues, type ForEachRules } from "../configuration/for-each.ts";
import { reportAll, reportError, type Report } from "../configuration/report.ts";
import { shellArgument } from "../configuration/shell-argument.ts";
import { conversionText } from "../configuration/value-path.ts";
import { takeDeprecations } from "../configuration/deprecation.ts";
import { EPHEMERAL, isEphemeral, isSensitive } from "../marks/value-marks.ts";

/** How a resource, a module call or an import block is repeated. */
export type Expansion =
  | { readonly kind: "single" }
  | { readonly kind: "count"; readonly count: number }
  | {
      readonly kind: "forEach";
      /** Values of `each.value` by key, in code-point order of the keys. */
      readonly values: ReadonlyMap<string, Value>;
    }
  | { readonly kind: "enabled"; readonly enabled: boolean }
  /** The value of the argument is not known yet. Only in runs that allow deferral. */
  | { readonly kind: "unknown"; readonly argument: "count" | "forEach" | "enabled" };

/** The values of `count` and `each` in the expressions of one instance. */
export interface RepetitionData {
  readonly countIndex?: Value;
  readonly eachKey?: Value;
  readonly eachValue?: Value;
}

/** One instance of a repeated block. */
export interface RepeatedInstance {
  readonly key: InstanceKey;
  readonly data: RepetitionData;
  /** Whether it stands for all instances, whose keys are not known yet. */
  readonly isUnknown?: true;
}

const single: readonly RepeatedInstance[] = [{ key: undefined, data: {} }];

const unknownData: Readonly<Record<Extract<Expansion, { readonly kind: "unknown" }>["argument"], RepetitionData>> = {
  count: { countIndex: unknown(number) },
  forEach: { eachKey: unknown(string), eachValue: unknown(dynamic) },
  enabled: {},
};

/** The instances of a block, in the order of their keys. @see OpenTofu instances, expansion */
export function instancesOf(expansion: Expansion): readonly RepeatedInstance[] {
  switch (expansion.kind) {
    case "enabled":
      return expansion.enabled ? single : [];
    case "count":
      return Array.from({ length: expansion.count }, (_, key) => ({ key, data: { countIndex: of(number, key) } }));
    case "forEach":
      return Array.from(expansion.values, ([key, eachValue]) => ({ key, data: { eachKey: of(string, key), eachValue } }));
    case "unknown":
      return [{ key: undefined, data: unknownData[expansion.argument], isUnknown: true }];
    default:
      return single;
  }
}

/**
 * The number of instances that a `count` argument asks for. Undefined after an error of the evaluation or of the value.
 *
 * @param evaluation Result of the expression, in any type.
 * @param address Address of the resource or module instance, which the error about an unknown value suggests to exclude.
 * @see OpenTofu lang/evalchecks, EvaluateCountExpression
 */
export function countOf(
  expression: Expression,
  evaluation: Evaluation,
  scope: Scope | undefined,
  address: string | undefined,
  report: Report,
): number | undefined {
  const value = countValueOf(expression, evaluation, scope, report);
  if (value === undefined) return undefined;
  if (isNumberPayload(value.payload)) return Number(numberToBigint(value.payload));
  const suggestion =
    address === undefined
      ? "To work around this, use the -target option to first apply only the resources that the count depends on, and then apply normally to converge."
      : `To work around this, use the planning option -exclude=${shellArgument(address)} to first apply without this object, and then apply normally to converge.`;
  report.push({
    severity: "error",
    summary: "Invalid count argument",
    detail: `The "count" value depends on resource attributes that cannot be determined until apply, so OpenTofu cannot predict how many instances will be created.\n\n${suggestion}`,
    subject: expression.range,
    extra: { kind: "valueCause", cause: "unknown" },
  });
  return undefined;
}

const wholeNumbers = { smallest: -(2n ** 63n), greatest: 2n ** 63n - 1n };

/**
 * The value of a `count` argument as an unmarked whole number, or unknown. Undefined after an error of the evaluation or of the value.
 *
 * @see OpenTofu lang/evalchecks, EvaluateCountExpressionValue
 */
export function countValueOf(expression: Expression, evaluation: Evaluation, scope: Scope | undefined, report: Report): Value | undefined {
  const evaluated = numberOf(expression, evaluation, scope, report);
  if (evaluated === undefined) return undefined;
  const [value, marks] = unmark(evaluated);
  if (marks.has(EPHEMERAL)) {
    report.push({
      severity: "error",
      summary: "Invalid count argument",
      detail:
        "Ephemeral values, or values derived from ephemeral values, cannot be used as count arguments. If used, the ephemeral value could be exposed as a resource instance key.",
      subject: expression.range,
      expression,
      extra: { kind: "valueCause", cause: "marked" },
    });
    return undefined;
  }
  const invalid = (detail: string): undefined => reportError(report, "Invalid count argument", detail, expression.range) as undefined;
  if (isNull(value)) return invalid('The given "count" argument value is null. An integer is required.');
  if (!isKnown(value)) return value;
  const whole = isNumberPayload(value.payload) ? numberToBigint(value.payload) : undefined;
  const { smallest, greatest } = wholeNumbers;
  const unsuitable = 'The given "count" argument value is unsuitable:';
  if (whole === undefined || whole < smallest || whole > greatest) {
    return invalid(`${unsuitable} value must be a whole number, between ${smallest} and ${greatest}.`);
  }
  if (whole < 0n) return invalid(`${unsuitable} must be greater than or equal to zero.`);
  return value;
}

/** The number of an evaluation, without marks of deprecation. @see OpenTofu lang, Scope.EvalExpr */
function numberOf(expression: Expression, evaluation: Evaluation, scope: Scope | undefined, report: Report): Value | undefined {
  let hasError = reportAll(report, evaluation.diagnostics);
  try {
    const { value, diagnostics } = takeDeprecations(convert(evaluation.value, number), expression);
    hasError = reportAll(report, diagnostics) || hasError;
    return hasError ? undefined : value;
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    report.push({
      severity: "error",
      summary: "Incorrect value type",
      detail: `Invalid expression value: ${conversionText(error)}.`,
      subject: expression.range,
      expression,
      ...(scope && { scope }),
    });
    return undefined;
  }
}

/**
 * The values of a `for_each` argument by key, in code-point order. Undefined after an error of the evaluation or of the value.
 *
 * @param address Address of the resource or module instance, which the error about unknown values suggests to exclude.
 * @see OpenTofu lang/evalchecks, EvaluateForEachExpression
 */
export function forEachOf(
  expression: Expression,
  evaluation: Evaluation,
  scope: Scope | undefined,
  address: string | undefined,
  report: Report,
): ReadonlyMap<string, Value> | undefined {
  const value = forEachValueOf(expression, evaluation, scope, { excludable: address }, report);
  return value === undefined ? undefined : forEachValues(value);
}

/**
 * The value of a `for_each` argument without marks of deprecation. Undefined after an error of the evaluation or of the value, and for a
 * value that the rules allow to be unknown.
 *
 * @see OpenTofu lang/evalchecks, EvaluateForEachExpressionValue
 */
export function forEachValueOf(
  expression: Expression,
  evaluation: Evaluation,
  scope: Scope | undefined,
  rules: ForEachRules,
  report: Report,
): Value | undefined {
  const hasError = reportAll(report, evaluation.diagnostics);
  const { value, diagnostics } = takeDeprecations(evaluation.value, expression);
  reportAll(report, diagnostics);
  return checkForEach(value, expression, scope, rules, report) && !hasError ? value : undefined;
}

/**
 * Whether the `enabled` argument asks for the one instance of the block. Undefined after an error of the evaluation or of the value.
 *
 * @see OpenTofu lang/evalchecks, EvaluateEnabledExpression
 */
export function enabledOf(expression: Expression, evaluation: Evaluation, scope: Scope | undefined, report: Report): boolean | undefined {
  let isInvalid = reportAll(report, evaluation.diagnostics);
  const invalid = (detail: string, extra?: DiagnosticExtra): undefined => {
    const place = { subject: expression.range, expression, ...(scope && { scope }) };
    report.push({ severity: "error", summary: "Invalid enabled argument", detail, ...place, ...(extra && { extra }) });
    isInvalid = true;
  };
  const unsuitable = 'The given "enabled" argument value is unsuitable:';
  if (isSensitive(evaluation.value)) {
    invalid(
      'Sensitive values, or values derived from sensitive values, cannot be used in "enabled" arguments. If used, the sensitive value would be exposed by whether an instance is present.',
      { kind: "valueCause", cause: "unknown" },
    );
  }
  if (isEphemeral(evaluation.value)) invalid(`${unsuitable} the given value is ephemeral.`);
  const { value, diagnostics } = takeDeprecations(evaluation.value, expression);
  reportAll(report, diagnostics);
  if (isNull(value)) invalid(`${unsuitable} the given value is null.`);
  if (!isKnown(value)) {
    invalid(
      'The given "enabled" argument value is derived from a value that won\'t be known until the apply phase, so OpenTofu cannot determine whether an instance of this object is declared or not.',
      { kind: "valueCause", cause: "unknown" },
    );
  }
  if (isInvalid) return undefined;
  try {
    return unmark(convert(value, bool))[0].payload === true;
  } catch (error) {
    if (error instanceof CtyError) return invalid(`${unsuitable} ${error.message}.`);
    throw error;
  }
}
