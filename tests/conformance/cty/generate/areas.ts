// SPDX-License-Identifier: Apache-2.0
import type { Case } from "../notation.ts";
import { randomFor } from "../random.ts";
import { jsonArguments, malformedArguments, msgpackArguments } from "./codec-cases.ts";
import { convertArguments } from "./convert-cases.ts";
import { functionCases } from "./function-cases.ts";
import { numberArguments } from "./number-cases.ts";
import { caseOf, valueArguments, type Arguments } from "./value-cases.ts";

/** What is tried, and how its cases are made. */
export const areas: Readonly<Record<string, Readonly<Record<string, Arguments>>>> = {
  values: valueArguments,
  convert: convertArguments,
  functions: functionCases,
  json: jsonArguments,
  msgpack: msgpackArguments,
  numbers: numberArguments,
  malformed: malformedArguments,
};

/** The case with the given number: the same for the same seed, whatever came before. */
export function makeCase(area: string, seed: number, index: number): Case {
  return caseOf(areas[area]!, randomFor(seed, area, index));
}
