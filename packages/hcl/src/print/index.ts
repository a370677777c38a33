// SPDX-License-Identifier: Apache-2.0
/**
 * Source text of syntax trees.
 *
 * @module
 */
export { print, printTemplate, printTraversal, type PrintableNode } from "./print.ts";
export type { WithoutRanges } from "../syntax/without-ranges.ts";
