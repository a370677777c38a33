// SPDX-License-Identifier: Apache-2.0
import type { SourceRange } from "./position.ts";

/** A function call in an expression: the function's name and its place. */
export interface CalledFunction {
  /** The function's name with its namespaces: `provider::time::rfc3339_parse`. */
  readonly name: string;
  /** Range of the name. */
  readonly range: SourceRange;
}
