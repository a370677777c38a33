// SPDX-License-Identifier: Apache-2.0
/**
 * The difference of two values of a schema, as data and as the text of a plan.
 *
 * @module
 */
export type { BlockDifferences, Difference, DifferenceAction, DifferenceContent, DifferenceOptions } from "./difference.ts";
export { difference, typedDifference, valueDifference } from "./compare/object-difference.ts";
export { renderDifference, type RenderDifferenceOptions } from "./render/render-difference.ts";
export { describeChange, type DescribedChange } from "./render/describe-change.ts";
export { colourStyle, grouped, plainStyle, type DifferenceStyle } from "./render/difference-style.ts";
export type { ChangeSign } from "./render/rendering.ts";
