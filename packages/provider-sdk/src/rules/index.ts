// SPDX-License-Identifier: Apache-2.0
/**
 * Rules about several attributes, for the `rules` of a provider, component, block or nested attribute.
 *
 * @module
 */
export type { ConfigRule, Presence, Reference, ReferencedPlace, RuleFinding, RuleView } from "../definition/config-rule.ts";
export { atLeastSumOf, atMostSumOf, equalToProductOf, equalToSumOf } from "./arithmetic.ts";
export { anyRule, anyRuleWithAllWarnings, everyRule } from "./choice.ts";
export { atLeastOneOf, conflicting, exactlyOneOf, preferWriteOnly, requiredTogether, requires } from "./presence.ts";
