// SPDX-License-Identifier: Apache-2.0
/**
 * Plans and applies OpenTofu configurations inside a process.
 *
 * @module
 */
export { openWorkspace, Workspace } from "./workspace/workspace.ts";
export type { PlanOptions, RecoverOptions, RunOptions, ValidatedConfiguration, WorkspaceOptions } from "./workspace/workspace-options.ts";
export { ConsoleSession } from "./workspace/console-session.ts";
export type { ImportIdentifier, ImportResult } from "./workspace/import-object.ts";
export type { GraphOptions, GraphResult } from "./workspace/operation-graph.ts";
export type { ModuleInstallation } from "./workspace/module-resolution.ts";
export type { ConsoleResult } from "./console/console.ts";
export { Plan, type AppliedPlan, type ApplyOptions } from "./workspace/plan.ts";
export type { RunVariables } from "./workspace/run-variables.ts";
export type { RecoveredApply } from "./state/journal/recover-journal.ts";
export type { RecoveredObject } from "./state/journal/merge-journal.ts";
export type { InterruptedChange } from "./state/journal/journal-record.ts";
export type { ApplyAction, EngineEvent, EphemeralAction, EventListener } from "./events/events.ts";
export { observeRun, type ObservedRun } from "./events/observed-run.ts";
export type { ProviderInstallation } from "./provider/installed-providers.ts";
export type { OpenableProvider, ProviderOption } from "./provider/provider-option.ts";
export { WarmProviders, type WarmProvidersOptions } from "./provider/warm-providers.ts";
export type { ObjectIdentifier } from "./events/object-identifier.ts";
export { EngineError, type EngineErrorCode, type EngineErrorDetails, type LockInfo } from "./error.ts";
export { backendStore, type BackendArguments, type BackendStore, type BackendStoreOptions } from "./workspace/backend-store.ts";
export type { BackendEnvironment, BackendType } from "./state/backends/backend.ts";
export { StoredState, type StateAccess } from "./operations/stored-state.ts";
export type { SelectedInstances } from "./operations/instances.ts";
export type { ListOptions } from "./operations/list-instances.ts";
export type { MovedInstances } from "./operations/move-instances.ts";
export type { RemovedInstances } from "./operations/remove-instances.ts";
export type { ReplacedProvider } from "./operations/replace-provider.ts";
export type { StateChange } from "./operations/state-change.ts";
export { UnsavedStateError } from "./workspace/unsaved-state-error.ts";
export type { AddressedDiagnostic } from "./provider/provider-diagnostic.ts";
