// SPDX-License-Identifier: Apache-2.0
import { bool, CtyError, isNull, string, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { hasErrors, type Expression } from "@tenon/hcl";
import { evaluate } from "@tenon/hcl/evaluate";
import { startRange } from "@tenon/hcl/syntax";
import { reportAll, reportError, type Report } from "./report.ts";

/** Evaluates an expression without references to a boolean. Otherwise reports an error and returns undefined. @see gohcl.DecodeExpression */
export function readBool(expression: Expression, report: Report): boolean | undefined {
  const payload = literalOf(expression, bool, report)?.payload;
  return typeof payload === "boolean" ? payload : undefined;
}

/** Evaluates an expression without references to a string. Otherwise reports an error and returns undefined. */
export function readString(expression: Expression, report: Report): string | undefined {
  const payload = literalOf(expression, string, report)?.payload;
  return typeof payload === "string" ? payload : undefined;
}

function literalOf(expression: Expression, type: typeof bool | typeof string, report: Report): Value | undefined {
  const { value, diagnostics } = evaluate(expression);
  reportAll(report, diagnostics);
  return hasErrors(diagnostics) ? undefined : literalValue(value, expression, type, report);
}

/** Converts a known value to a type. Otherwise reports an error and returns undefined. @see gohcl.DecodeValue */
export function literalValue(value: Value, expression: Expression, type: typeof bool | typeof string, report: Report): Value | undefined {
  const unsuitable = (reason: string): undefined => {
    reportError(report, "Unsuitable value type", `Unsuitable value: ${reason}`, startRange(expression), expression.range);
    return undefined;
  };
  try {
    const converted = convert(value, type);
    if (isNull(converted)) return unsuitable("null value is not allowed");
    const { payload } = converted;
    return typeof payload === "string" || typeof payload === "boolean" ? converted : unsuitable("value must be known");
  } catch (error) {
    if (error instanceof CtyError) return unsuitable(error.message);
    throw error;
  }
}

/** The text of a string value; empty for any other value. */
export function textOf({ payload }: Value): string {
  return typeof payload === "string" ? payload : "";
}
