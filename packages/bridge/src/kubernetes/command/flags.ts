// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";

/** The arguments of a command, by flag. */
export interface Flags {
  /** The last value of a flag; undefined if the flag is absent. */
  readonly last: (flag: string) => string | undefined;
  /** All values of a flag. */
  readonly all: (flag: string) => readonly string[];
  /** Whether a flag without a value is present. */
  readonly has: (flag: string) => boolean;
  /** Other arguments, in order. */
  readonly others: readonly string[];
}

/**
 * Reads the flags of a command. A value follows after `=` or as the next argument.
 *
 * @throws BridgeError `INVALID_ARGUMENTS`
 */
export function readFlags(args: readonly string[], withValue: readonly string[], switches: readonly string[]): Flags {
  const values = new Map<string, string[]>(withValue.map((flag) => [flag, []]));
  const others: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const [flag = "", ...inline] = args[at]!.split("=");
    if (switches.includes(args[at]!)) continue;
    const known = values.get(flag);
    if (known === undefined) {
      others.push(args[at]!);
      continue;
    }
    const value = inline.length > 0 ? inline.join("=") : args[(at += 1)];
    if (value === undefined || value === "") throw invalidArguments(`the flag ${flag} needs a value`);
    known.push(value);
  }
  const all = (flag: string): readonly string[] => values.get(flag) ?? [];
  return { all, last: (flag) => all(flag).at(-1), has: (flag) => args.includes(flag), others };
}

/** Creates the error for invalid arguments. */
export function invalidArguments(problem: string): BridgeError {
  return new BridgeError("INVALID_ARGUMENTS", `${problem}; see --help`);
}
