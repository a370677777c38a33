// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { numberValue, unknownNumber } from "../syntax/literal-values.ts";
import type { Parser } from "./parser.ts";

/** Value of a number token; reports a token that is not a valid number. */
export function parseNumber(parser: Parser, token: number): Value {
  const value = numberValue(parser.tokens.text(token));
  if (value !== undefined) return value;
  parser.error("Invalid number literal", "Failed to recognize the value of this number literal.", parser.range(token));
  return unknownNumber;
}
