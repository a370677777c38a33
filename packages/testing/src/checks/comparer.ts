// SPDX-License-Identifier: Apache-2.0
import { equalJson, type Json } from "../documents/json.ts";

/** A rule about a series of values. */
export interface ValueComparer {
  readonly name: string;
  /** The rule in words. */
  readonly description: string;
  /** Whether the values, in the order in which they were added, follow the rule. */
  readonly accepts: (values: readonly (Json | undefined)[]) => boolean;
}

/** Each value equals the one before it. */
export function valuesSame(): ValueComparer {
  return {
    name: "valuesSame",
    description: "must be the same",
    accepts: (values) => values.every((value, index) => index === 0 || equalJson(value, values[index - 1])),
  };
}

/** Each value differs from the one before it. */
export function valuesDiffer(): ValueComparer {
  return {
    name: "valuesDiffer",
    description: "must differ",
    accepts: (values) => values.every((value, index) => index === 0 || !equalJson(value, values[index - 1])),
  };
}
