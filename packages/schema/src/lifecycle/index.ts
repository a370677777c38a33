// SPDX-License-Identifier: Apache-2.0
/**
 * The lifecycle of one resource over a `Provider`, as in the cores: validate, plan, second plan of a replacement, apply, read, import,
 * upgrade; and that of data sources, ephemeral resources, functions, actions and state stores. Every response is checked against the
 * rules of the protocol.
 *
 * @module
 */
export {
  actionType,
  dataSourceType,
  ephemeralResourceType,
  resourceType,
  stateStoreType,
  type ComponentType,
  type LookUpOptions,
  type ResourceType,
} from "./resource-type.ts";
export { createResourceObject, type ResourceObject } from "./resource-object.ts";
export { decodeObject, encodeObject, type EncodedObject } from "./stored-object.ts";

export {
  validateActionConfig,
  validateConfig,
  validateDataSourceConfig,
  validateEphemeralConfig,
  validateStateStoreConfig,
} from "./validate-config.ts";
export { planChange, type PlanChangeOptions, type PlanOutcome } from "./plan-change.ts";
export { planDestroy } from "./plan-destroy.ts";
export { createStep, destroyStep, type PlannedChange } from "./planned-change.ts";
export { replanChange, type ReplanChangeOptions } from "./replan-change.ts";
export type { MarkSensitive } from "./sensitive-violations.ts";
export { applyChange, type ApplyChangeOptions, type ApplyOutcome } from "./apply-change.ts";
export { readObject, type ReadOutcome } from "./read-object.ts";
export { importObject, type ImportOutcome, type ImportTarget } from "./import-object.ts";
export { storedObject, upgradeObject, type StoredObject, type UpgradeOutcome } from "./upgrade-object.ts";
export { moveObject, type MoveSource } from "./move-object.ts";

export { readDataSource, type ReadDataSourceOutcome } from "./read-data-source.ts";
export { closeEphemeral, openEphemeral, renewEphemeral, type EphemeralOutcome, type OpenedEphemeral } from "./ephemeral-calls.ts";
export { openEphemeralResource, type EphemeralResource, type OpenEphemeralOutcome } from "./ephemeral-resource.ts";
export { callFunction } from "./call-function.ts";
export { invokeAction, planAction, type PlanActionOutcome } from "./invoke-action.ts";
export { openStateStore, proposedChunkSize, StateStore, type OpenStateStoreOutcome } from "./state-store.ts";

export { isProviderFault } from "./provider-fault.ts";
export type { ConfigOptions, LifecycleObserver, LifecyclePhase, OperationOptions } from "./operation.ts";
