// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Json, ValueNotation } from "../notation.ts";
import { readValue } from "./read.ts";
import { writeValue } from "./write.ts";

/** Answers a case with our own code; arguments and answer are the oracle's. Throws CtyError where go-cty fails or panics. */
export type Operation = (...args: readonly Json[]) => Json;

export type Operations = Readonly<Record<string, Operation>>;

/** Operations on a value, or on two, that answer with a value. */
export function unary(run: (value: Value) => Value): Operation {
  return (value) => writeValue(run(readValue(value as ValueNotation)));
}

export function binary(run: (a: Value, b: Value) => Value): Operation {
  return (a, b) => writeValue(run(readValue(a as ValueNotation), readValue(b as ValueNotation)));
}

/** Operations on a value that answer with anything else. */
export function asked(run: (value: Value) => Json): Operation {
  return (value) => run(readValue(value as ValueNotation));
}
