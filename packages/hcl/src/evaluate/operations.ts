// SPDX-License-Identifier: Apache-2.0
import { bool, CtyError, dynamic, equals, number, type Type, type Value } from "@tenon/cty";
import { defineFunction, FunctionError, type CtyFunction, type Parameter } from "@tenon/cty/function";
import {
  add,
  and,
  divide,
  greaterThan,
  greaterThanOrEqual,
  lessThan,
  lessThanOrEqual,
  modulo,
  multiply,
  negate,
  not,
  or,
  subtract,
} from "@tenon/cty/operators";
import type { BinaryOperator, UnaryOperator } from "../syntax/expression.ts";

/*
 * The operators as functions over values. They are those of cty's standard library; made here, because that loads an engine for
 * regular expressions.
 */

export interface Operation {
  readonly impl: CtyFunction;
  /** What the operands must be. */
  readonly operand: Type;
  readonly result: Type;
  /** The same for known numbers, strings and truth values without marks, which most operands are. */
  readonly plain: (a: Value, b: Value) => Value;
  /** The operand that decides the result of a logical operator whatever the other is. */
  readonly decisive?: boolean;
}

type Compute = (a: Value, b: Value) => Value;

function functionOf(result: Type, parameter: Omit<Parameter, "name">, compute: Compute): CtyFunction {
  return defineFunction({
    params: [
      { name: "a", ...parameter },
      { name: "b", ...parameter },
    ],
    type: result,
    refineResult: { notNull: true },
    impl: ([a, b]) => compute(a, b),
  });
}

/** `noResult` is what to say of operands, infinity among them, for which there is no number. */
function arithmetic(compute: Compute, noResult: string): Operation {
  const checked: Compute = (a, b) => {
    try {
      return compute(a, b);
    } catch (error) {
      throw error instanceof CtyError && error.code === "NOT_A_NUMBER" ? new FunctionError("FUNCTION", noResult) : error;
    }
  };
  return { impl: functionOf(number, { type: number, allowDynamicType: true }, checked), operand: number, result: number, plain: compute };
}

function comparison(compare: Compute): Operation {
  const parameter = { type: number, allowUnknown: true, allowDynamicType: true, allowMarked: true };
  return { impl: functionOf(bool, parameter, compare), operand: number, result: bool, plain: compare };
}

function equality(compare: Compute): Operation {
  const parameter = { type: dynamic, allowUnknown: true, allowDynamicType: true, allowNull: true };
  return { impl: functionOf(bool, parameter, compare), operand: dynamic, result: bool, plain: compare };
}

function logic(combine: Compute, decisive: boolean): Operation {
  const parameter = { type: bool, allowDynamicType: true, allowMarked: true };
  return { impl: functionOf(bool, parameter, combine), operand: bool, result: bool, plain: combine, decisive };
}

export const binaryOperations: Readonly<Record<BinaryOperator, Operation>> = {
  "||": logic(or, true),
  "&&": logic(and, false),
  "==": equality(equals),
  "!=": equality((a, b) => not(equals(a, b))),
  ">": comparison(greaterThan),
  ">=": comparison(greaterThanOrEqual),
  "<": comparison(lessThan),
  "<=": comparison(lessThanOrEqual),
  "+": arithmetic(add, "can't compute sum of opposing infinities"),
  "-": arithmetic(subtract, "can't subtract infinity from itself"),
  "*": arithmetic(multiply, "can't multiply zero by infinity"),
  "/": arithmetic(divide, "can't divide zero by zero or infinity by infinity"),
  "%": arithmetic(modulo, "can't use modulo with zero and infinity"),
};

export interface UnaryOperation {
  readonly impl: CtyFunction;
  /** What the operand must be, and the result is. */
  readonly operand: Type;
  /** The same for an operand that is known and has no marks. */
  readonly plain: (operand: Value) => Value;
}

function unary(type: Type, compute: (operand: Value) => Value): UnaryOperation {
  const impl = defineFunction({
    params: [{ name: "operand", type, allowDynamicType: true, allowMarked: true }],
    type,
    refineResult: { notNull: true },
    impl: ([operand]) => compute(operand),
  });
  return { impl, operand: type, plain: compute };
}

export const unaryOperations: Readonly<Record<UnaryOperator, UnaryOperation>> = { "-": unary(number, negate), "!": unary(bool, not) };
