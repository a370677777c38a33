// SPDX-License-Identifier: Apache-2.0
/**
 * Types of definitions and of handler contexts, for code that names them. Most providers do not need them: TypeScript infers the types.
 *
 * @module
 */
export type { ActionDefinition, InvokeContext, PlanActionContext } from "./action.ts";
export type { AttributeConstructors, AttributeKind } from "./attribute.ts";
export type { AttributeOptions, Invalid } from "./attribute-options.ts";
export type { BlockOptions, RepeatedBlockOptions, SingleBlockOptions } from "./block.ts";
export type { PrivateState, ReportError, ReportWarning, ResourceCall } from "./call-context.ts";
export type { DataSourceDefinition, ReadDataSourceContext } from "./data-source.ts";
export type { DeferrableCall, DeferReason } from "./defer.ts";
export type { EphemeralResourceDefinition, OpenContext, RenewableCall } from "./ephemeral-resource.ts";
export type { ClientFunctionContext, ClientFunctionDefinition, FunctionDefinition, ParameterOptions } from "./function.ts";
export type { IdentityTypes } from "./identity.ts";
export type { ImportContext, Importer } from "./import-state.ts";
export type { FoundResource, ListContext, ListResourceDefinition } from "./list-resource.ts";
export type { ModuleMeta, ProviderMeta } from "./module-meta.ts";
export type { MoveContext } from "./move-state.ts";
export type { NestedOptions } from "./nested-attribute.ts";
export type { PrivateStateKey, PrivateStateOptions } from "./private-state.ts";
export type { ComponentKind, ProviderDeclaration } from "./provider.ts";
export type { PlanDestroyContext, ResourceDefinition, SetPlanned } from "./resource.ts";
export type { AttributePath, Entry, Views } from "./schema.ts";
export type {
  LockStateContext,
  OpenStateStoreContext,
  StateCall,
  StateStoreCall,
  StateStoreDefinition,
  UnlockStateContext,
  WriteStateContext,
} from "./state-store.ts";
export type { IdentityUpgrader, IdentityUpgraders, UpgradeIdentityContext } from "./upgrade-identity.ts";
export type { StateUpgrader, StateUpgraders, UpgradeContext } from "./upgrade-state.ts";
