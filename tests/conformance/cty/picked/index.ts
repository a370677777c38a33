// SPDX-License-Identifier: Apache-2.0
/**
 * Cases chosen by hand: each rule of go-cty that is easy to get wrong.
 *
 * @module
 */
import type { Case } from "../notation.ts";
import { conversions } from "./conversions.ts";
import { functions } from "./functions.ts";
import { refinements } from "./refinements.ts";
import { setsAndStrings } from "./sets-and-strings.ts";
import { threeValued } from "./three-valued.ts";
import { typesPathsMarks } from "./types-paths-marks.ts";
import { wire } from "./wire.ts";

/** Cases by topic; each topic has a file of vectors. */
export const picked: Readonly<Record<string, readonly Case[]>> = {
  "picked-three-valued": threeValued,
  "picked-sets-strings-numbers": setsAndStrings,
  "picked-refinements": refinements,
  "picked-conversions": conversions,
  "picked-wire": wire,
  "picked-functions": functions,
  "picked-types-paths-marks": typesPathsMarks,
};
