// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Json, ValueNotation } from "../notation.ts";
import { readValue } from "./read.ts";
import { writeValue } from "./write.ts";

/** Runs an operation with @tenon/cty; arguments and result are in the oracle's notation. Throws CtyError if go-cty fails or panics. */
export type Operation = (...args: readonly Json[]) => Json;

export type Operations = Readonly<Record<string, Operation>>;

/** Operations on one or two values that return a value. */
export function unary(run: (value: Value) => Value): Operation {
  return (value) => writeValue(run(readValue(value as ValueNotation)));
}

export function binary(run: (a: Value, b: Value) => Value): Operation {
  return (a, b) => writeValue(run(readValue(a as ValueNotation), readValue(b as ValueNotation)));
}

/** An operation on a value whose result is not a value. */
export function query(run: (value: Value) => Json): Operation {
  return (value) => run(readValue(value as ValueNotation));
}
