// SPDX-License-Identifier: Apache-2.0
/**
 * The rules of change: what a configuration proposes, what a provider may plan and answer, and how two values differ.
 *
 * @module
 */
export { plannedUnknownObject, proposedNew } from "./proposed-new.ts";
export { assertPlanValid } from "./plan-valid.ts";
export { assertObjectCompatible } from "./object-compatible.ts";
export { assertResultValue } from "./result-value.ts";
export { assertWriteOnlyNull } from "./write-only.ts";
export { filterRequiresReplace, type RequiredReplacement } from "./requires-replace.ts";
export { normalizeObjectFromLegacySdk } from "./legacy-normalization.ts";
export { formatProblem, type Problem } from "./problem.ts";

export {
  difference,
  type BlockDifferences,
  type Difference,
  type DifferenceAction,
  type DifferenceContent,
  type DifferenceOptions,
} from "./difference.ts";
export { renderDifference, type RenderDifferenceOptions } from "./render-difference.ts";
export { describeChange, type DescribedChange } from "./describe-change.ts";
export { colourStyle, plainStyle, type DifferenceStyle } from "./difference-style.ts";
export type { ChangeSign } from "./rendering.ts";
