// SPDX-License-Identifier: Apache-2.0
import {
  bool,
  CtyError,
  friendlyName,
  isKnown,
  isNull,
  marks as marksOf,
  objectOf,
  string,
  tupleOf,
  unmark,
  withMarks,
  type Mark,
  type Value,
} from "@tenon/cty";
import { canIterateElements, elements } from "@tenon/cty/operators";
import { convert } from "@tenon/cty/convert";
import { goQuote as quote } from "@tenon/cty/unstable/payload";
import type { ForExpression, NativeExpression } from "../syntax/expression.ts";
import { unknownOfAnyType, evaluationError, failedSince, type Evaluator } from "./evaluator.ts";
import { scopeWith, type Scope } from "../syntax/scope.ts";

/** A `for` expression that is being evaluated. */
interface Iteration {
  readonly evaluator: Evaluator;
  readonly expression: ForExpression;
  readonly scope: Scope | undefined;
  /** Marks of the collection, conditions and keys, which apply to the result. */
  readonly marks: ReadonlySet<Mark>[];
  /** Whether all conditions and keys so far are known. */
  known: boolean;
}

/** Evaluates `[for …]` and `{for …}`. The result is unknown, and of unknown type, if the collection, a condition or a key is unknown. */
export function forValue(evaluator: Evaluator, expression: ForExpression, scope: Scope | undefined): Value {
  const iteration: Iteration = { evaluator, expression, scope, marks: [], known: true };
  const given = evaluator.value(expression.collection, scope);
  if (isNull(given)) {
    const detail = "A null value cannot be used as the collection in a 'for' expression.";
    fail(iteration, "Iteration over null value", detail, expression.collection, scope);
    return unknownOfAnyType;
  }
  if (given.type.kind === "dynamic") return unknownOfAnyType;
  const [collection, collectionMarks] = unmark(given);
  iteration.marks.push(collectionMarks);
  if (!canIterateElements(collection)) {
    const detail = `A value of type ${friendlyName(collection.type)} cannot be used as the collection in a 'for' expression.`;
    fail(iteration, "Iteration over non-iterable value", detail, expression.collection, scope);
    return unknownOfAnyType;
  }
  const conditionMarks = expression.condition === undefined ? marksOf(unknownOfAnyType) : tryCondition(iteration, expression.condition);
  if (conditionMarks === undefined) return unknownOfAnyType;
  if (!isKnown(collection)) return withMarks(unknownOfAnyType, ...iteration.marks, conditionMarks);
  return expression.key === undefined ? tupleResult(iteration, collection) : objectResult(iteration, collection, expression.key);
}

function fail(
  { evaluator, expression }: Iteration,
  summary: string,
  detail: string,
  about: NativeExpression,
  scope: Scope | undefined,
): void {
  const at = { subject: about.range, context: expression.range };
  evaluator.diagnostics.push(evaluationError(summary, detail, at, about, scope));
}

/**
 * Evaluates the condition for an unknown element, so that a condition of the wrong type is reported once and not for each element.
 * Returns its marks; undefined after an error.
 */
function tryCondition(iteration: Iteration, condition: NativeExpression): ReadonlySet<Mark> | undefined {
  const { evaluator, scope } = iteration;
  const start = evaluator.diagnostics.length;
  const result = evaluator.value(condition, elementScope(iteration, unknownOfAnyType, unknownOfAnyType));
  if (isNull(result)) {
    fail(iteration, "Condition is null", "The value of the 'if' clause must not be null.", condition, scope);
    return undefined;
  }
  const failed = failedSince(evaluator, start);
  try {
    convert(result, bool);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    fail(iteration, "Invalid 'for' condition", `The 'if' clause value is invalid: ${error.message}.`, condition, scope);
    return undefined;
  }
  return failed ? undefined : marksOf(result);
}

function elementScope({ expression, scope }: Iteration, key: Value, value: Value): Scope {
  const variables = new Map<string, Value>();
  if (expression.keyName !== undefined) variables.set(expression.keyName, key);
  variables.set(expression.valueName, value);
  return scopeWith(variables, scope);
}

function tupleResult(iteration: Iteration, collection: Value): Value {
  const { evaluator, expression, marks } = iteration;
  const values: Value[] = [];
  for (const [key, element] of elements(collection)) {
    const scope = elementScope(iteration, key, element);
    if (isIncluded(iteration, scope)) values.push(evaluator.value(expression.value, scope));
  }
  return withMarks(iteration.known ? tupleOf(values) : unknownOfAnyType, ...marks);
}

function objectResult(iteration: Iteration, collection: Value, keyExpression: NativeExpression): Value {
  const { evaluator, expression, marks } = iteration;
  const values = new Map<string, Value>();
  const groups = new Map<string, Value[]>();
  for (const [elementKey, element] of elements(collection)) {
    const scope = elementScope(iteration, elementKey, element);
    if (!isIncluded(iteration, scope)) continue;
    const key = resultKey(iteration, keyExpression, scope);
    if (key === undefined) continue;
    const value = evaluator.value(expression.value, scope);
    if (expression.group) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [value]);
      else group.push(value);
    } else if (values.has(key)) {
      const detail = `Two different items produced the key ${quote(key)} in this 'for' expression. If duplicates are expected, use the ellipsis (...) after the value expression to enable grouping by key.`;
      fail(iteration, "Duplicate object key", detail, keyExpression, scope);
    } else {
      values.set(key, value);
    }
  }
  if (!iteration.known) return withMarks(unknownOfAnyType, ...marks);
  for (const [key, group] of groups) values.set(key, tupleOf(group));
  return withMarks(objectOf(values), ...marks);
}

/** Whether an element is part of the result; where the condition is unknown, the result is unknown. */
function isIncluded(iteration: Iteration, scope: Scope): boolean {
  const { condition } = iteration.expression;
  if (condition === undefined) return true;
  const given = iteration.evaluator.value(condition, scope);
  const reject = (detail: string): false => {
    // After an unknown condition or key, errors of other elements may follow from it.
    if (iteration.known) fail(iteration, "Invalid 'for' condition", detail, condition, scope);
    iteration.known = false;
    return false;
  };
  if (isNull(given)) return reject("The value of the 'if' clause must not be null.");
  const [plain, conditionMarks] = unmark(given);
  iteration.marks.push(conditionMarks);
  let converted: Value;
  try {
    if (!isKnown(plain) && iteration.expression.key === undefined) {
      iteration.known = false;
      return false;
    }
    converted = convert(plain, bool);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return reject(`The 'if' clause value is invalid: ${error.message}.`);
  }
  if (!isKnown(converted)) {
    iteration.known = false;
    return false;
  }
  return converted.payload === true;
}

function resultKey(iteration: Iteration, expression: NativeExpression, scope: Scope): string | undefined {
  const given = iteration.evaluator.value(expression, scope);
  const reject = (detail: string): undefined => {
    if (iteration.known) fail(iteration, "Invalid object key", detail, expression, scope);
    iteration.known = false;
  };
  if (isNull(given)) return reject("Key expression in 'for' expression must not produce a null value.");
  const [plain, keyMarks] = unmark(given);
  iteration.marks.push(keyMarks);
  if (!isKnown(plain)) {
    iteration.known = false;
    return undefined;
  }
  try {
    return convert(plain, string).payload as string;
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return reject(`The key expression produced an invalid result: ${error.message}.`);
  }
}
