// SPDX-License-Identifier: Apache-2.0
import { similarName } from "./similar-name.ts";

/** Checks the names of the options of a definition: a misspelt handler would never be called. */
export function* optionFaults(written: object, known: readonly string[]): Generator<string> {
  for (const [name, value] of Object.entries(written)) {
    if (value === undefined || known.includes(name)) continue;
    const meant = similarName(name, known);
    yield `there is no option ${JSON.stringify(name)}${meant === undefined ? "" : `: did you mean ${JSON.stringify(meant)}?`}`;
  }
}
