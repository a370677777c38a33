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
 * Operators as functions of values, equal to those of cty's standard library, which would load a regular expression engine.
 */

/** A binary operator. */
export interface Operation {
  readonly impl: CtyFunction;
  /** Type of both operands. */
  readonly operand: Type;
  readonly result: Type;
  /** Fast path for known numbers, strings and bools without marks. */
  readonly plain: (a: Value, b: Value) => Value;
  /** Operand that determines the result of a logical operator by itself. */
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

/** An arithmetic operation. `noResult` is the error text for operands without a numeric result, such as infinity. */
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

/** Binary operators by their symbols. */
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

/** A unary operator. */
export interface UnaryOperation {
  readonly impl: CtyFunction;
  /** Type of the operand and the result. */
  readonly operand: Type;
  /** Fast path for a known operand without marks. */
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

/** Unary operators by their symbols. */
export const unaryOperations: Readonly<Record<UnaryOperator, UnaryOperation>> = { "-": unary(number, negate), "!": unary(bool, not) };
