// SPDX-License-Identifier: Apache-2.0
/**
 * Rules of the protocol about changes: the state that a configuration proposes, and the plans and results that a provider may return.
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
export { formatRuleViolation, type RuleViolation } from "./rule-violation.ts";
