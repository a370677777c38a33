// SPDX-License-Identifier: Apache-2.0
import { bool, CtyError, isKnown, unknown, unmark, withMarks, type Type, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import type { CtyFunction } from "@tenon/cty/function";
import { isNumberPayload, valueOf } from "@tenon/cty/unstable/payload";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import type { BinaryExpression, NativeExpression, UnaryExpression } from "../syntax/expression.ts";
import { hasErrors } from "../syntax/diagnostic.ts";
import { evaluationError, failedSince, removeDiagnosticsSince, type Evaluator } from "./evaluator.ts";
import { binaryOperations, unaryOperations } from "./operations.ts";
import type { Scope } from "../syntax/scope.ts";

/** Evaluates a binary operation. Left-leaning chains of operators can be long, so they are evaluated without recursion. */
export function binaryValue(evaluator: Evaluator, expression: BinaryExpression, scope: Scope | undefined): Value {
  const chain: BinaryExpression[] = [];
  let node = expression;
  while (node.left.kind === "binary") {
    chain.push(node);
    node = node.left;
  }
  const start = evaluator.diagnostics.length;
  let value = applyOperator(evaluator, node, evaluator.value(node.left, scope), start, scope);
  for (let next = chain.pop(); next !== undefined; next = chain.pop()) value = applyOperator(evaluator, next, value, start, scope);
  return value;
}

/** Evaluates the right operand and applies the operator. The diagnostics of the left operand start at `start`. */
function applyOperator(
  evaluator: Evaluator,
  expression: BinaryExpression,
  givenLeft: Value,
  start: number,
  scope: Scope | undefined,
): Value {
  const operation = binaryOperations[expression.operator];
  const { impl, operand, result, plain, decisive } = operation;
  const ofLeft = removeDiagnosticsSince(evaluator, start);
  const left = operandOf(givenLeft, operand);
  const givenRight = evaluator.value(expression.right, scope);
  const ofRight = removeDiagnosticsSince(evaluator, start);
  const right = operandOf(givenRight, operand);

  if (left instanceof CtyError || right instanceof CtyError) {
    const unsuitable = (side: string, of: NativeExpression, { message }: CtyError): Diagnostic =>
      invalidOperand(`Unsuitable value for ${side} operand: ${message}.`, of, expression, scope);
    if (left instanceof CtyError) evaluator.diagnostics.push(unsuitable("left", expression.left, left));
    if (right instanceof CtyError) evaluator.diagnostics.push(unsuitable("right", expression.right, right));
    evaluator.diagnostics.push(...ofLeft, ...ofRight);
    return unknown(result);
  }
  if (left.type === right.type && isPlain(left) && isPlain(right) && ofLeft.length + ofRight.length === 0) {
    const value = tryOperation(() => plain(left, right));
    if (value !== undefined) return value;
  }

  const [plainLeft, leftMarks] = unmark(left);
  const [plainRight, rightMarks] = unmark(right);
  const marked = (value: Value): Value => withMarks(value, leftMarks, rightMarks);
  if (decisive !== undefined) {
    const decided = shortCircuit(decisive, plainLeft, plainRight, ofLeft, ofRight);
    if (decided !== undefined) {
      evaluator.diagnostics.push(...decided.diagnostics);
      return marked(decided.value);
    }
  }
  evaluator.diagnostics.push(...ofLeft, ...ofRight);
  if (failedSince(evaluator, start)) return marked(unknown(result));
  const value = callFunction(evaluator, impl, [plainLeft, plainRight], expression, scope);
  return value === undefined ? unknown(result) : marked(value);
}

/**
 * If one operand of a logical operator determines the result, errors of the other are ignored. Undefined if neither determines it.
 *
 * @see hclsyntax Operation.ShortCircuit
 */
function shortCircuit(
  decisive: boolean,
  left: Value,
  right: Value,
  ofLeft: readonly Diagnostic[],
  ofRight: readonly Diagnostic[],
): { readonly value: Value; readonly diagnostics: readonly Diagnostic[] } | undefined {
  const open = unknown(bool, { notNull: true });
  const [leftTruth, rightTruth] = [truth(left), truth(right)];
  if (leftTruth === undefined && rightTruth === undefined) return hasErrors(ofLeft) ? undefined : { value: open, diagnostics: ofLeft };
  if (leftTruth === decisive) return { value: valueOf(bool, decisive), diagnostics: ofLeft };
  if (rightTruth === decisive) return { value: valueOf(bool, decisive), diagnostics: ofRight };
  if (leftTruth === undefined) return { value: open, diagnostics: ofLeft };
  if (rightTruth === undefined) return { value: open, diagnostics: ofRight };
  return undefined;
}

/** Truth value of an operand; undefined if unknown. As in the Go library, null counts as false. */
function truth(operand: Value): boolean | undefined {
  return isKnown(operand) ? operand.payload === true : undefined;
}

/** Evaluates `-x` or `!x`. */
export function unaryValue(evaluator: Evaluator, expression: UnaryExpression, scope: Scope | undefined): Value {
  const { impl, operand: type, plain } = unaryOperations[expression.operator];
  const start = evaluator.diagnostics.length;
  const operand = operandOf(evaluator.value(expression.operand, scope), type);
  if (operand instanceof CtyError) {
    const detail = `Unsuitable value for unary operand: ${operand.message}.`;
    evaluator.diagnostics.push(invalidOperand(detail, expression.operand, expression, scope));
  }
  if (operand instanceof CtyError || failedSince(evaluator, start)) return unknown(type);
  const value = isPlain(operand) ? tryOperation(() => plain(operand)) : undefined;
  return value ?? callFunction(evaluator, impl, [operand], expression, scope) ?? unknown(type);
}

function operandOf(given: Value, type: Type): Value | CtyError {
  if (given.type === type || type.kind === "dynamic") return given;
  try {
    return convert(given, type);
  } catch (error) {
    if (error instanceof CtyError) return error;
    throw error;
  }
}

/** Whether the value is a known number, string or bool without marks. */
function isPlain({ payload }: Value): boolean {
  return typeof payload === "string" || typeof payload === "boolean" || isNumberPayload(payload);
}

/** Result of an operation; undefined if it throws. The general path then reports the error. */
function tryOperation(operation: () => Value): Value | undefined {
  try {
    return operation();
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}

function callFunction(
  evaluator: Evaluator,
  impl: CtyFunction,
  operands: readonly Value[],
  expression: BinaryExpression | UnaryExpression,
  scope: Scope | undefined,
): Value | undefined {
  try {
    return impl.call(operands);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const detail = `Error during operation: ${error.message}.`;
    evaluator.diagnostics.push(evaluationError("Operation failed", detail, { subject: expression.range }, expression, scope));
    return undefined;
  }
}

function invalidOperand(
  detail: string,
  operand: NativeExpression,
  { range }: BinaryExpression | UnaryExpression,
  scope: Scope | undefined,
): Diagnostic {
  return evaluationError("Invalid operand", detail, { subject: operand.range, context: range }, operand, scope);
}
