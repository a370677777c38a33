// SPDX-License-Identifier: Apache-2.0
import type {
  InvokeActionEvent,
  InvokeActionRequest,
  PlanActionRequest,
  PlanActionResponse,
  ValidateActionConfigRequest,
} from "../messages/action.ts";
import type { DiagnosticsResponse, EmptyRequest } from "../messages/common.ts";
import type { ReadDataSourceRequest, ReadDataSourceResponse, ValidateDataSourceConfigRequest } from "../messages/data-source.ts";
import type {
  CloseEphemeralResourceRequest,
  OpenEphemeralResourceRequest,
  OpenEphemeralResourceResponse,
  RenewEphemeralResourceRequest,
  RenewEphemeralResourceResponse,
  ValidateEphemeralResourceConfigRequest,
} from "../messages/ephemeral-resource.ts";
import type { CallFunctionRequest, CallFunctionResponse, GetFunctionsResponse } from "../messages/function.ts";
import type { ListResourceEvent, ListResourceRequest, ValidateListResourceConfigRequest } from "../messages/list-resource.ts";
import type {
  ApplyResourceChangeRequest,
  ApplyResourceChangeResponse,
  GenerateResourceConfigRequest,
  GenerateResourceConfigResponse,
  ImportResourceStateRequest,
  ImportResourceStateResponse,
  MoveResourceStateRequest,
  MoveResourceStateResponse,
  PlanResourceChangeRequest,
  PlanResourceChangeResponse,
  ReadResourceRequest,
  ReadResourceResponse,
  UpgradeResourceIdentityRequest,
  UpgradeResourceIdentityResponse,
  UpgradeResourceStateRequest,
  UpgradeResourceStateResponse,
  ValidateResourceConfigRequest,
} from "../messages/managed-resource.ts";
import type {
  ConfigureProviderRequest,
  GetMetadataResponse,
  GetProviderSchemaResponse,
  GetResourceIdentitySchemasResponse,
  StopResponse,
  ValidateProviderConfigRequest,
} from "../messages/provider.ts";
import type {
  ConfigureStateStoreRequest,
  ConfigureStateStoreResponse,
  DeleteStateRequest,
  GetStatesRequest,
  GetStatesResponse,
  LockStateRequest,
  LockStateResponse,
  ReadStateBytesChunk,
  ReadStateBytesRequest,
  UnlockStateRequest,
  ValidateStateStoreConfigRequest,
  WriteStateBytesRequest,
} from "../messages/state-store.ts";

/** Options of a call. */
export interface CallOptions {
  /**
   * Cancels the call, and notifies the provider. The provider may have done the work already. To stop an apply gracefully, call
   * {@link Provider.stop} and wait for the response instead.
   */
  readonly signal?: AbortSignal;
  /** Whether the call is cancelled, without creating `signal`: a lazily created signal may cost more than the call. Only callers that settle a cancelled call themselves provide this method; they do not need the call to reject. Copies of the options must not contain it: a spread copy of a class instance contains no methods.
   */
  isAborted?(): boolean;
}

/** A call with one response. */
export type UnaryCall<Request, Response> = (request: Request, options?: CallOptions) => Promise<Response>;

/** A call with a stream of responses. Breaking out of the loop cancels it. */
export type StreamingCall<Request, Event> = (request: Request, options?: CallOptions) => AsyncIterable<Event>;

/**
 * One provider instance: provider protocol 6.11, independent of the transport.
 *
 * The SDK creates it from an author's definition; the plugin host creates it for a process that serves protocol 5 or 6. Recorders, tracers
 * and time limits are decorators: they wrap a provider. Callers never need to know the protocol version.
 *
 * - There is one method for each RPC, with the name that protocol 6 gives it.
 * - An instance is configured at most once. For another configuration, create another instance with a {@link ProviderFactory}.
 * - Values in requests are unmarked.
 * - Errors that concern the practitioner are diagnostics in responses. A call that gets no response rejects with a {@link ProviderError},
 *   whose code is `UNIMPLEMENTED` for an RPC that the provider does not implement.
 * - Any number of calls may be in flight at once.
 */
export interface Provider extends AsyncDisposable {
  readonly getMetadata: UnaryCall<EmptyRequest, GetMetadataResponse>;
  readonly getProviderSchema: UnaryCall<EmptyRequest, GetProviderSchemaResponse>;
  readonly getResourceIdentitySchemas: UnaryCall<EmptyRequest, GetResourceIdentitySchemasResponse>;
  readonly validateProviderConfig: UnaryCall<ValidateProviderConfigRequest, DiagnosticsResponse>;
  readonly configureProvider: UnaryCall<ConfigureProviderRequest, DiagnosticsResponse>;

  readonly validateResourceConfig: UnaryCall<ValidateResourceConfigRequest, DiagnosticsResponse>;
  readonly upgradeResourceState: UnaryCall<UpgradeResourceStateRequest, UpgradeResourceStateResponse>;
  readonly upgradeResourceIdentity: UnaryCall<UpgradeResourceIdentityRequest, UpgradeResourceIdentityResponse>;
  readonly readResource: UnaryCall<ReadResourceRequest, ReadResourceResponse>;
  readonly planResourceChange: UnaryCall<PlanResourceChangeRequest, PlanResourceChangeResponse>;
  readonly applyResourceChange: UnaryCall<ApplyResourceChangeRequest, ApplyResourceChangeResponse>;
  readonly importResourceState: UnaryCall<ImportResourceStateRequest, ImportResourceStateResponse>;
  readonly moveResourceState: UnaryCall<MoveResourceStateRequest, MoveResourceStateResponse>;
  readonly generateResourceConfig: UnaryCall<GenerateResourceConfigRequest, GenerateResourceConfigResponse>;

  readonly validateDataResourceConfig: UnaryCall<ValidateDataSourceConfigRequest, DiagnosticsResponse>;
  readonly readDataSource: UnaryCall<ReadDataSourceRequest, ReadDataSourceResponse>;

  readonly validateEphemeralResourceConfig: UnaryCall<ValidateEphemeralResourceConfigRequest, DiagnosticsResponse>;
  readonly openEphemeralResource: UnaryCall<OpenEphemeralResourceRequest, OpenEphemeralResourceResponse>;
  readonly renewEphemeralResource: UnaryCall<RenewEphemeralResourceRequest, RenewEphemeralResourceResponse>;
  readonly closeEphemeralResource: UnaryCall<CloseEphemeralResourceRequest, DiagnosticsResponse>;

  readonly getFunctions: UnaryCall<EmptyRequest, GetFunctionsResponse>;
  readonly callFunction: UnaryCall<CallFunctionRequest, CallFunctionResponse>;

  readonly validateListResourceConfig: UnaryCall<ValidateListResourceConfigRequest, DiagnosticsResponse>;
  readonly listResource: StreamingCall<ListResourceRequest, ListResourceEvent>;

  readonly validateActionConfig: UnaryCall<ValidateActionConfigRequest, DiagnosticsResponse>;
  readonly planAction: UnaryCall<PlanActionRequest, PlanActionResponse>;
  readonly invokeAction: StreamingCall<InvokeActionRequest, InvokeActionEvent>;

  readonly validateStateStoreConfig: UnaryCall<ValidateStateStoreConfigRequest, DiagnosticsResponse>;
  readonly configureStateStore: UnaryCall<ConfigureStateStoreRequest, ConfigureStateStoreResponse>;
  readonly readStateBytes: StreamingCall<ReadStateBytesRequest, ReadStateBytesChunk>;
  readonly writeStateBytes: UnaryCall<WriteStateBytesRequest, DiagnosticsResponse>;
  readonly lockState: UnaryCall<LockStateRequest, LockStateResponse>;
  readonly unlockState: UnaryCall<UnlockStateRequest, DiagnosticsResponse>;
  readonly getStates: UnaryCall<GetStatesRequest, GetStatesResponse>;
  readonly deleteState: UnaryCall<DeleteStateRequest, DiagnosticsResponse>;

  /**
   * Asks the provider to stop its work gracefully. Calls in flight still get responses, and the provider continues to serve. The
   * protocol's StopProvider.
   */
  readonly stop: UnaryCall<EmptyRequest, StopResponse>;

  /** Ends this instance and the process or connection behind it. Later calls reject with `CLOSED`; a second close does nothing. */
  close(): Promise<void>;
}

/** Creates independent instances of one provider, for aliases, pools and sessions. */
export type ProviderFactory = (options?: CallOptions) => Promise<Provider>;
