// SPDX-License-Identifier: Apache-2.0
/**
 * Drives providers that run in processes of their own.
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
export type { HandleOf, ResourceHandle, SerializedResource } from "./client/resource-handle.ts";
export type { ApplySettings, ResourcePlan } from "./client/resource-plan.ts";
export type { ActionClient, ActionEvent, InvokeSettings } from "./client/action-client.ts";
export type { StateLock, StateSettings, StateStoreHandle } from "./client/state-store-handle.ts";
export type { EphemeralHandle } from "./client/ephemeral-handle.ts";
export type { ListedResource, ListSettings } from "./client/listed-resource.ts";
export type { OperationSettings } from "./client/operation.ts";
export { formatDiagnostic, type WarningListener } from "./client/diagnostics.ts";
export { isUnknown, unknownValue, type Unknown } from "./client/unknown.ts";
export type {
  ActionTypes,
  AnyAction,
  AnyProvider,
  AnyResource,
  Arguments,
  ComponentTypes,
  ConfigInput,
  Fields,
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
export type {
  CallSettings,
  CallTimeouts,
  ConnectionSettings,
  LaunchOptions,
  LogSettings,
  ProtocolVersion,
} from "./launch/launch-options.ts";
export { attachProvider, type AttachedProvider, type AttachOptions, reattachProviders } from "./attach/attach-provider.ts";
export { reattachEnvironment } from "./attach/reattach-environment.ts";
export type { LaunchedProvider, StartupTimes } from "./provider/launched-provider.ts";
export { traced, type TracedOptions } from "./observability/traced.ts";
export type { CallOutcome, CallProgress, ObservedCall, StreamProgress } from "./observability/call-progress.ts";
export type { SchemaCacheEntry } from "./schema-cache/schema-cache.ts";
export { withTimeout } from "./provider/with-timeout.ts";
export type { LogRecord } from "./output/log-record.ts";
export { PluginHostError, type PluginHostErrorCode, type PluginHostErrorDetails, type ProcessExit, type ProcessReport } from "./error.ts";
export type { RequestDifference } from "./record/request-difference.ts";
