// SPDX-License-Identifier: Apache-2.0
import { CtyError, number, of, string, unknown } from "@tenon/cty";
import { argumentError, defineFunction, type CtyFunction } from "@tenon/cty/function";
import { stringOf } from "@tenon/cty/unstable/native";
import type { FunctionEnvironment } from "./environment.ts";
import { parseMoment } from "./timestamp.ts";

/** Formats a time in UTC by RFC 3339, without fractions of a second. */
function timestampText(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, "Z");
}

/**
 * A function without arguments that returns the current time in UTC.
 *
 * @see OpenTofu funcs.TimestampFunc
 */
export function timestampFunction({ now }: Pick<FunctionEnvironment, "now">): CtyFunction {
  return defineFunction({
    description: "Returns the current time in UTC.",
    type: string,
    refineResult: { notNull: true },
    impl: () => of(string, timestampText(now())),
  });
}

/**
 * A function without arguments that returns the time of the plan. The result is unknown during validation.
 *
 * @param planTime Undefined during validation.
 * @see OpenTofu funcs.MakeStaticTimestampFunc
 */
export function planTimestampFunction(planTime: Date | undefined): CtyFunction {
  return defineFunction({
    description: "Returns the time at which the plan was made, in UTC.",
    type: string,
    impl: () => (planTime === undefined ? unknown(string) : of(string, timestampText(planTime))),
  });
}

/**
 * Compares the times of two timestamps: -1, 0 or 1.
 *
 * @see OpenTofu funcs.TimeCmpFunc
 */
export const timeCompareFunction: CtyFunction = defineFunction({
  description: "Compares two timestamps and returns -1, 0, or 1.",
  params: [
    { name: "timestamp_a", type: string },
    { name: "timestamp_b", type: string },
  ],
  type: number,
  refineResult: { notNull: true },
  impl: ([a, b]) => {
    const first = momentOf(stringOf(a), 0);
    const second = momentOf(stringOf(b), 1);
    return of(number, first < second ? -1 : first > second ? 1 : 0);
  },
});

function momentOf(text: string, argument: number): bigint {
  try {
    return parseMoment(text);
  } catch (error) {
    throw error instanceof CtyError ? argumentError(argument, error.message) : error;
  }
}
