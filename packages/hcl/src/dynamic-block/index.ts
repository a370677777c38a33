// SPDX-License-Identifier: Apache-2.0
/**
 * `dynamic` blocks: expanded, and inspected before expansion.
 *
 * @module
 */
export type { ForEachCheck } from "./dynamic-spec.ts";
export { dynamicFunctions, dynamicVariables, expansionFunctions, expansionVariables } from "./dynamic-variables.ts";
export { expandDynamicBlocks, type ExpandOptions } from "./expand.ts";
