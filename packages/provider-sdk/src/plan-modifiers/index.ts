// SPDX-License-Identifier: Apache-2.0
/**
 * Plan modifiers: adjustments of one planned value, for the `planModifiers` of an attribute or block.
 *
 * @module
 */
export type { AttributeChange, PlanModifier, RelatedChange } from "../definition/attribute-options.ts";
export { requiresReplace, requiresReplaceIf, requiresReplaceIfConfigured } from "./requires-replace.ts";
export { useNonNullStateForUnknown, useStateForUnknown, useStateForUnknownUnless } from "./use-state-for-unknown.ts";
