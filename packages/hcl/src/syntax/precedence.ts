// SPDX-License-Identifier: Apache-2.0
import type { BinaryOperator } from "./expression.ts";

/** Precedence of the operators: a higher number binds more strongly. All are left-associative. */
export const precedence: Readonly<Record<BinaryOperator, number>> = {
  "||": 1,
  "&&": 2,
  "==": 3,
  "!=": 3,
  ">": 4,
  ">=": 4,
  "<": 4,
  "<=": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
  "%": 6,
};
