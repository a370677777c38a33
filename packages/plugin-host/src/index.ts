// SPDX-License-Identifier: Apache-2.0
/**
 * Launches providers in separate processes, and calls them.
 *
 * @module
 */
export { openProvider, type OpenArguments, type OpenOptions, type OpenProgress } from "./client/open-provider.ts";
export {
  providerFactory,
  type InstallSettings,
  type LaunchSettings,
  type ProviderSource,
  type SourceProgress,
  type SourceSettings,
} from "./client/provider-source.ts";
export type { ProviderClient } from "./client/provider-client.ts";
export type { ChangeSettings, ImportName, MoveSettings, PlanSettings, ResourceClient, UpdateSettings } from "./client/resource-client.ts";
export type { HandleOf } from "./client/resource-handle.ts";
export type { Fields, ResourceHandle, SerializedResource } from "./resource-handle.ts";
export type { ApplySettings, ResourcePlan } from "./client/resource-plan.ts";
export type { ActionClient, ActionEvent, InvokeSettings } from "./client/action-client.ts";
export type { StateLock, StateSettings, StateStoreHandle } from "./client/state-store-handle.ts";
export type { EphemeralHandle } from "./client/ephemeral-handle.ts";
export type { ListedResource, ListSettings } from "./client/listed-resource.ts";
export type { OperationSettings } from "./client/operation.ts";
export { formatDiagnostic, type WarningListener } from "./client/diagnostics.ts";
export { isUnknown, unknownValue, type Unknown } from "@tenon/schema";
export type {
  ActionTypes,
  AnyAction,
  AnyProvider,
  AnyResource,
  Arguments,
  ComponentTypes,
  ConfigInput,
  FunctionTypes,
  Input,
  ListTypes,
  NameOf,
  Planned,
  ProviderTypes,
  ResourceTypes,
  StateStoreTypes,
} from "./client/provider-types.ts";

export { launchProvider } from "./launch/launch-provider.ts";
export type { CallSettings, CallTimeouts } from "./call/call-settings.ts";
export type { ConnectionSettings, ProtocolVersion } from "./connection/connection-settings.ts";
export type { LaunchOptions } from "./launch/launch-options.ts";
export type { LogSettings } from "./output/log-settings.ts";
export { attachProvider, type AttachedProvider, type AttachOptions, reattachProviders } from "./attach/attach-provider.ts";
export { reattachEnvironment } from "./attach/reattach-environment.ts";
export type { LaunchedProvider, StartupTimes } from "./launch/launched-provider.ts";
export { stoppingProvider } from "./client/stopping-provider.ts";
export { traced, type TracedOptions } from "./observability/traced.ts";
export type { CallOutcome, CallProgress, ObservedCall, StreamProgress } from "./observability/call-progress.ts";
export { packageDataStore, type PackageDataStore, type SchemaCacheEntry } from "./schema-cache/schema-cache.ts";
export { userCacheFolder } from "./install/cache/user-cache-folder.ts";
export { withTimeout } from "./call/with-timeout.ts";
export type { LogRecord } from "./output/log-record.ts";
export { PluginHostError, type PluginHostErrorCode, type PluginHostErrorDetails, type ProcessExit, type ProcessReport } from "./error.ts";
export type { RequestDifference } from "./request-difference.ts";
