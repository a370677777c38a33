// SPDX-License-Identifier: Apache-2.0
/**
 * The rules of change: what a configuration proposes, what a provider may plan and answer, and how two values differ.
 *
 * @module
 */
export { plannedUnknownObject, proposedNew } from "./proposed-new.ts";
export { assertPlanValid } from "./plan-valid.ts";
export { assertObjectCompatible } from "./object-compatible.ts";
export { assertWriteOnlyNull } from "./write-only.ts";
export { filterRequiresReplace, type RequiredReplacement } from "./requires-replace.ts";
export { normalizeObjectFromLegacySdk } from "./legacy-normalization.ts";
export { formatProblem, type Problem } from "./problem.ts";
