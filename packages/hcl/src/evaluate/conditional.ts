// SPDX-License-Identifier: Apache-2.0
import {
  bool,
  CtyError,
  dynamic,
  isCollectionType,
  isKnown,
  isNull,
  nullOf,
  range,
  refine,
  unknown,
  unmark,
  withMarks,
  type Refinements,
  type Type,
  type Value,
  type ValueRange,
} from "@tenon/cty";
import { convert, getConversionUnsafe, unifyUnsafe, type Conversion } from "@tenon/cty/convert";
import { compareNumbers, numbersEqual, valueOf, type NumberBound } from "@tenon/cty/unstable/payload";
import { number } from "@tenon/cty";
import type { ConditionalExpression, NativeExpression } from "../syntax/expression.ts";
import type { SourceRange } from "../syntax/position.ts";
import { rangeBetween } from "../syntax/range.ts";
import { conditionalMismatch } from "./conditional-mismatch.ts";
import { unknownOfAnyType, evaluationError, removeDiagnosticsSince, type Evaluator } from "./evaluator.ts";
import type { Scope } from "../syntax/scope.ts";

/** The common type of both results, and the conversions to it. */
interface ResultType {
  readonly type: Type;
  readonly ofTrue?: Conversion | undefined;
  readonly ofFalse?: Conversion | undefined;
}

/**
 * Evaluates `condition ? a : b`. Both results are evaluated, because the type of the conditional depends on both. Errors of the result
 * that is not chosen are ignored.
 */
export function conditionalValue(evaluator: Evaluator, expression: ConditionalExpression, scope: Scope | undefined): Value {
  const { diagnostics } = evaluator;
  const start = diagnostics.length;
  const givenTrue = evaluator.value(expression.trueResult, scope);
  const ofTrue = removeDiagnosticsSince(evaluator, start);
  const givenFalse = evaluator.value(expression.falseResult, scope);
  const ofFalse = removeDiagnosticsSince(evaluator, start);

  const fail = (summary: string, detail: string, subject: SourceRange, about: NativeExpression): void => {
    diagnostics.push(evaluationError(summary, detail, { subject, context: expression.range }, about, scope));
  };
  const result = resultTypeOf(givenTrue, givenFalse);
  if (result === undefined) {
    const why = conditionalMismatch(givenTrue.type, givenFalse.type);
    const subject = rangeBetween(expression.trueResult.range, expression.falseResult.range);
    const detail = `The true and false result expressions must have consistent types. ${why}.`;
    fail("Inconsistent conditional result types", detail, subject, expression);
    return unknownOfAnyType;
  }

  const given = evaluator.value(expression.condition, scope);
  if (isNull(given)) {
    const detail = "The condition value is null. Conditions must either be true or false.";
    fail("Null condition", detail, expression.condition.range, expression.condition);
    return unknown(result.type);
  }
  const [condition, conditionMarks] = unmark(given);
  const [trueResult, trueMarks] = unmark(givenTrue);
  const [falseResult, falseMarks] = unmark(givenFalse);
  // The marks of all three operands apply, whichever result is chosen.
  const marked = (value: Value): Value => withMarks(value, conditionMarks, trueMarks, falseMarks);
  if (!isKnown(condition)) return marked(eitherOf(trueResult, falseResult, result.type));

  let chosen: boolean;
  try {
    chosen = convert(condition, bool).payload as boolean;
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const detail = "The condition expression must be of type bool.";
    fail("Incorrect condition type", detail, expression.condition.range, expression.condition);
    return unknown(result.type);
  }
  diagnostics.push(...(chosen ? ofTrue : ofFalse));
  const taken = chosen ? trueResult : falseResult;
  const conversion = chosen ? result.ofTrue : result.ofFalse;
  if (conversion === undefined) return marked(taken);
  try {
    return marked(conversion(taken));
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const about = chosen ? expression.trueResult : expression.falseResult;
    fail("Inconsistent conditional result types", `The ${chosen} result value has the wrong type: ${error.message}.`, about.range, about);
    return marked(unknown(result.type));
  }
}

/** The common type of two results; undefined if there is none. */
function resultTypeOf(trueResult: Value, falseResult: Value): ResultType | undefined {
  if (isUntypedNull(trueResult)) return { type: falseResult.type, ofTrue: getConversionUnsafe(dynamic, falseResult.type) };
  if (isUntypedNull(falseResult)) return { type: trueResult.type, ofFalse: getConversionUnsafe(dynamic, trueResult.type) };
  if (trueResult.type.kind === "dynamic" || falseResult.type.kind === "dynamic") return { type: dynamic };
  if (trueResult.type === falseResult.type) return { type: trueResult.type };
  const common = unifyUnsafe([trueResult.type, falseResult.type]);
  return common && { type: common.type, ofTrue: common.conversions[0], ofFalse: common.conversions[1] };
}

/** Whether the value is the literal `null`, which converts to any type. */
function isUntypedNull({ type, payload }: Value): boolean {
  return type.kind === "dynamic" && payload === null;
}

/** The unknown result of an unknown condition, with the refinements that hold for both results. */
function eitherOf(a: Value, b: Value, type: Type): Value {
  if (isNull(a) && isNull(b)) return nullOf(type);
  const [left, right] = [range(a), range(b)];
  const notNull: Refinements = left.notNull && right.notNull ? { notNull: true } : {};
  if (a.type.kind === "number" && b.type.kind === "number") return refine(unknown(number), { ...notNull, ...numberBounds(left, right) });
  if (a.type === b.type && isCollectionType(a.type)) return refine(unknown(type), { ...notNull, ...lengthBounds(left, right) });
  return notNull.notNull ? refine(unknown(type), notNull) : unknown(type);
}

function numberBounds(a: ValueRange, b: ValueRange): Refinements {
  const min = a.min && b.min && lessRestrictive(a.min, b.min, -1);
  const max = a.max && b.max && lessRestrictive(a.max, b.max, 1);
  return { ...(min && { min: boundInput(min) }), ...(max && { max: boundInput(max) }) };
}

/** The less restrictive of two bounds, in the given direction. */
function lessRestrictive(a: NumberBound, b: NumberBound, direction: number): NumberBound {
  if (numbersEqual(a.value, b.value)) return { value: b.value, inclusive: a.inclusive || b.inclusive };
  return compareNumbers(a.value, b.value) * direction > 0 ? a : b;
}

function boundInput({ value, inclusive }: NumberBound): { readonly value: Value; readonly inclusive: boolean } {
  return { value: valueOf(number, value), inclusive };
}

function lengthBounds(a: ValueRange, b: ValueRange): Refinements {
  const [least, other] = [a.lengthMin ?? 0, b.lengthMin ?? 0];
  const lengthMin = least < other ? least : other;
  if (a.lengthMax === undefined || b.lengthMax === undefined) return { lengthMin };
  return { lengthMin, lengthMax: a.lengthMax > b.lengthMax ? a.lengthMax : b.lengthMax };
}
