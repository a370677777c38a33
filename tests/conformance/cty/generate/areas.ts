// SPDX-License-Identifier: Apache-2.0
import { engineFunctionCases } from "../../engine/function-cases.ts";
import type { Case } from "../notation.ts";
import { randomFor } from "@tenon/testing/generate";
import { jsonArguments, malformedArguments, msgpackArguments } from "./codec-cases.ts";
import { convertArguments } from "./convert-cases.ts";
import { functionCases } from "./function-cases.ts";
import { numberArguments } from "./number-cases.ts";
import { caseOf, valueArguments, type Arguments } from "./value-cases.ts";

/** Generators of arguments by area and operation. */
export const areas: Readonly<Record<string, Readonly<Record<string, Arguments>>>> = {
  values: valueArguments,
  convert: convertArguments,
  functions: functionCases,
  opentofu: engineFunctionCases,
  json: jsonArguments,
  msgpack: msgpackArguments,
  numbers: numberArguments,
  malformed: malformedArguments,
};

/** The case of an area with this seed and index; every call returns the same one. */
export function makeCase(area: string, seed: number, index: number): Case {
  return caseOf(areas[area]!, randomFor(seed, area, index));
}
