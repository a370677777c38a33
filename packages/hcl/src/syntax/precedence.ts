// SPDX-License-Identifier: Apache-2.0
import type { BinaryOperator } from "./expression.ts";

/** How strongly each operator binds: higher binds more strongly, and of equally strong ones the left one does. */
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
