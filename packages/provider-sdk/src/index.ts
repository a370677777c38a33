// SPDX-License-Identifier: Apache-2.0
/**
 * Write Terraform and OpenTofu providers: one declaration, every type inferred.
 *
 * @module
 */
export { attr, type AnyType, type Attribute, type AttributeConstructors, type AttributeKind } from "./definition/attribute.ts";
export type { AttributeOptions, PlanModifier, PlannedChange, Problem, RelatedChange, Validator } from "./definition/attribute-options.ts";
export { nested, type NestedAttribute, type NestedOptions } from "./definition/nested-attribute.ts";
export { block, type Block, type BlockOptions, type RepeatedBlockOptions, type SingleBlockOptions } from "./definition/block.ts";
export type { Answer, AttributePath, Config, Entry, Planned, Schema, State, Views } from "./definition/schema.ts";
export {
  defineProvider,
  type Component,
  type ComponentKind,
  type ConfigureContext,
  type Configured,
  type Lazy,
  type ProviderDefinition,
  type Resource,
  type ServedProvider,
} from "./definition/provider.ts";
export {
  replaceInstead,
  type CreateContext,
  type DeleteContext,
  type PlanContext,
  type PlanDestroyContext,
  type ReadContext,
  type ResourceDefinition,
  type UpdateContext,
} from "./definition/resource.ts";
export type { PrivateStateKey, PrivateStateOptions } from "./definition/private-state.ts";
export type { DataSourceDefinition, ReadDataSourceContext } from "./definition/data-source.ts";
export type { EphemeralResourceDefinition, OpenContext, RenewableCall } from "./definition/ephemeral-resource.ts";
export type { FoundResource, ListContext, ListResourceDefinition } from "./definition/list-resource.ts";
export type { ActionDefinition, InvokeContext, PlanActionContext } from "./definition/action.ts";
export type {
  LockStateContext,
  OpenStateStoreContext,
  StateCall,
  StateStoreCall,
  StateStoreDefinition,
  UnlockStateContext,
  WriteStateContext,
} from "./definition/state-store.ts";
export {
  ArgumentError,
  parameter,
  type ClientFunctionContext,
  type ClientFunctionDefinition,
  type FunctionDefinition,
  type Parameter,
  type ParameterOptions,
} from "./definition/function.ts";
export type { Identity, IdentityTypes } from "./definition/identity.ts";
export {
  identityUpgrader,
  type IdentityUpgrader,
  type IdentityUpgraders,
  type UpgradeIdentityContext,
} from "./definition/upgrade-identity.ts";
export type { DeferrableCall, DeferReason } from "./definition/defer.ts";
export { importById, type ImportContext, type Importer } from "./definition/import-state.ts";
export { upgrader, type StateUpgrader, type StateUpgraders, type UpgradeContext } from "./definition/upgrade-state.ts";
export type { MoveContext } from "./definition/move-state.ts";
export { lazyComponents } from "./manifest/lazy-components.ts";
export { moduleMeta, type ModuleMeta, type SaidMeta } from "./definition/module-meta.ts";
export type { Awaitable, Call, JsonValue, PrivateState, ReportError, ResourceCall, ValidateContext } from "./definition/call-context.ts";
export { isUnknown, isWhollyKnown, unknownValue, type Unknown, type WhollyKnown } from "./unknown.ts";

export { matches, noneOfIgnoringCase, oneOfIgnoringCase, stringLength, utf8Length } from "./validators/string.ts";
export { noneOf, oneOf } from "./validators/value.ts";
export { atLeast, atMost, between, wholeNumber } from "./validators/number.ts";
export { eachElement, eachKey, eachValue, noNullElements, size, uniqueElements } from "./validators/collection.ts";
export { allOf, anyOf, anyOfWithAllWarnings, not } from "./validators/choice.ts";
export type { Finding, Verdict } from "./validators/verdict.ts";
export type { StandardIssue, StandardResult, StandardSchema } from "./validators/standard-schema.ts";
export { textType, type TextType } from "./values/text-type.ts";
export { jsonText } from "./values/json-text.ts";
export { timestamp } from "./values/timestamp.ts";
export { cidr, ipAddress, ipv4Address, ipv4Cidr, ipv6Address, ipv6Cidr } from "./values/ip-address.ts";
export { duration, milliseconds } from "./values/duration.ts";
export { timeouts, type SaidTimeouts, type Timeouts } from "./values/timeouts.ts";
export { atLeastOneOf, conflicting, exactlyOneOf, preferWriteOnly, requiredTogether, requires } from "./rules/presence.ts";
export { atLeastSumOf, atMostSumOf, equalToProductOf, equalToSumOf } from "./rules/arithmetic.ts";
export { anyRule, anyRuleWithAllWarnings, everyRule } from "./rules/choice.ts";
export type { ConfigRule, Presence, Reference, ReferencedPlace, RuleFinding, RuleView } from "./rules/rule.ts";
export { fromRoot, here, PathExpression, type ExpressionStep } from "./paths/path-expression.ts";
export { useNonNullStateForUnknown, useStateForUnknown, useStateForUnknownUnless } from "./plan-modifiers/use-state-for-unknown.ts";
export { requiresReplace, requiresReplaceIf, requiresReplaceIfConfigured } from "./plan-modifiers/requires-replace.ts";

export { currentCall, currentLog, type CurrentCall } from "./observability/current-call.ts";
export { timed, type TimedEvent } from "./observability/timed.ts";
export type { CallEvent } from "@tenon/schema/observability";
export { SdkError, type SdkErrorCode } from "./error.ts";
export type { Log, LogEntry, LogFields, Logger, LogLevel } from "./logger.ts";
// For those who serve a provider, or call it in their own process.
export { createProvider, failedProvider, type ProviderOptions } from "./server/create-provider.ts";
