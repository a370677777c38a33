// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { encode } from "@tenon/cty/json";
import { parseExactly, plainJson } from "../conversion/recorded-json.ts";
import type { JsonValue } from "../definition/call-context.ts";

/** Returns a wholly known value as JSON data. A number that is not exactly representable as a double becomes decimal text. */
export function jsonOf(value: Value): JsonValue {
  return plainJson(parseExactly(Buffer.from(encode(value, value.type))));
}
