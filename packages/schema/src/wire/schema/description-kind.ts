// SPDX-License-Identifier: Apache-2.0
import type { DescriptionKind } from "../../model/schema.ts";

/** The protocol's numbers: 0 is plain, 1 is markdown. */
export function readDescriptionKind(wire: number): DescriptionKind {
  return wire === 1 ? "markdown" : "plain";
}

export function writeDescriptionKind(model: DescriptionKind): 0 | 1 {
  return model === "markdown" ? 1 : 0;
}
