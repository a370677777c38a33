// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../error.ts";

/** Maximum delay of Node's timers: 31 bits. */
const longestMs = 2 ** 31 - 1;

/**
 * Returns the value of an option in milliseconds, limited to the maximum of Node's timers.
 *
 * @throws PluginHostError `INVALID_OPTIONS` for a value that is not above 0
 */
export function milliseconds(option: string, value: number | undefined, standard: number): number {
  if (value === undefined) return standard;
  if (!(value > 0)) throw invalidOption(option, "must be a number of milliseconds above 0");
  return Math.min(value, longestMs);
}

/** Creates the error for an option with an invalid value. `problem` continues the sentence after the option's name. */
export function invalidOption(option: string, problem: string): PluginHostError {
  return new PluginHostError("INVALID_OPTIONS", `option ${option} ${problem}`);
}
