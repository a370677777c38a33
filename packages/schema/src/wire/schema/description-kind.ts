// SPDX-License-Identifier: Apache-2.0
import type { DescriptionKind } from "../../model/schema.ts";

/** Reads the format of a description: 1 is markdown, everything else plain. */
export function readDescriptionKind(wire: number): DescriptionKind {
  return wire === 1 ? "markdown" : "plain";
}

/** Writes the format of a description: 0 is plain, 1 is markdown. */
export function writeDescriptionKind(model: DescriptionKind): 0 | 1 {
  return model === "markdown" ? 1 : 0;
}
