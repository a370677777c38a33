// SPDX-License-Identifier: Apache-2.0
/**
 * Defines and serves Terraform and OpenTofu providers. TypeScript infers every type from one declaration.
 *
 * Validators, plan modifiers, rules and value types have entry points of their own.
 *
 * @module
 */
export { defineProvider } from "./define/define-provider.ts";
export { attr, type AnyType, type Attribute } from "./definition/attribute.ts";
export { block, type Block } from "./definition/block.ts";
export type { Awaitable, Call, JsonValue, ValidateContext } from "./definition/call-context.ts";
export { ArgumentError, parameter, type Parameter } from "./definition/function.ts";
export type { Identity } from "./definition/identity.ts";
export { importById } from "./definition/import-state.ts";
export { moduleMeta } from "./definition/module-meta.ts";
export { nested, type NestedAttribute } from "./definition/nested-attribute.ts";
export type { Component, ConfigureContext, Lazy, ProviderDefinition, Resource, ServedProvider } from "./definition/provider.ts";
export {
  replaceInstead,
  type CreateContext,
  type DeleteContext,
  type PlanContext,
  type ReadContext,
  type UpdateContext,
} from "./definition/resource.ts";
export type { Config, Planned, Result, Schema, State } from "./definition/schema.ts";
export { identityUpgrader } from "./definition/upgrade-identity.ts";
export { upgrader } from "./definition/upgrade-state.ts";
export { SdkError, type SdkErrorCode } from "./error.ts";
export type { Log, LogEntry, LogFields, Logger, LogLevel } from "./logger.ts";
export { lazyComponents } from "./manifest/lazy-components.ts";
export { currentCall, currentLog, type CurrentCall } from "./observability/current-call.ts";
export { timed, type TimedEvent } from "./observability/timed.ts";
export { isUnknown, isWhollyKnown, unknownValue, type Unknown, type WhollyKnown } from "@tenon/schema";
export type { CallEvent } from "@tenon/schema/observability";
// For programs that call a provider in their own process.
export { createProvider, failedProvider, type ProviderOptions } from "./server/create-provider.ts";
