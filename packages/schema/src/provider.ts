// SPDX-License-Identifier: Apache-2.0
import type {
  InvokeActionEvent,
  InvokeActionRequest,
  PlanActionRequest,
  PlanActionResponse,
  ValidateActionConfigRequest,
} from "./messages/action.ts";
import type { DiagnosticsResponse, EmptyRequest } from "./messages/common.ts";
import type { ReadDataSourceRequest, ReadDataSourceResponse, ValidateDataSourceConfigRequest } from "./messages/data-source.ts";
import type {
  CloseEphemeralResourceRequest,
  OpenEphemeralResourceRequest,
  OpenEphemeralResourceResponse,
  RenewEphemeralResourceRequest,
  RenewEphemeralResourceResponse,
  ValidateEphemeralResourceConfigRequest,
} from "./messages/ephemeral-resource.ts";
import type { CallFunctionRequest, CallFunctionResponse, GetFunctionsResponse } from "./messages/function.ts";
import type { ListResourceEvent, ListResourceRequest, ValidateListResourceConfigRequest } from "./messages/list-resource.ts";
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
} from "./messages/managed-resource.ts";
import type {
  ConfigureProviderRequest,
  GetMetadataResponse,
  GetProviderSchemaResponse,
  GetResourceIdentitySchemasResponse,
  StopResponse,
  ValidateProviderConfigRequest,
} from "./messages/provider.ts";
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
} from "./messages/state-store.ts";

/** How a call is made. */
export interface CallOptions {
  /**
   * Gives the call up. The provider is told; whether it did the work is then not known. To end an apply in good order
   * call {@link Provider.stop} and wait for the answer instead.
   */
  readonly signal?: AbortSignal;
  /**
   * Whether the call has been given up, told without the signal, which is made when it is looked at: that may take longer than the call. Only a caller
   * has this that stops waiting by itself, and does not need the call to reject. Options that are copied must lose it, as a method of a class is lost.
   */
  isAborted?(): boolean;
}

/** A call with one answer. */
export type UnaryCall<Request, Response> = (request: Request, options?: CallOptions) => Promise<Response>;

/** A call with many answers. Breaking out of the loop cancels it. */
export type StreamingCall<Request, Event> = (request: Request, options?: CallOptions) => AsyncIterable<Event>;

/**
 * One provider instance: the meaning of provider protocol 6.11, whatever carries it.
 *
 * What an author defines with the SDK is one; what the plugin host launches is one, of protocol 5 or 6; recorders, tracers
 * and time limits take one and give one. Nothing above it knows protocol versions.
 *
 * - One method an RPC, named as protocol 6 names it.
 * - It is configured at most once. Who needs another configuration takes another instance from a {@link ProviderFactory}.
 * - Values in requests are unmarked.
 * - Problems with what the practitioner wrote are diagnostics in answers. A call that could not be made or answered rejects
 *   with a {@link ProviderError}; an RPC the provider lacks with its code `UNIMPLEMENTED`.
 * - Methods may be called any number at a time.
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
   * Asks for running work to be given up in good order; calls in flight still answer, and the provider goes on serving.
   * The protocol's StopProvider.
   */
  readonly stop: UnaryCall<EmptyRequest, StopResponse>;

  /** Ends this instance and what is behind it. Later calls reject with `CLOSED`; closing twice does nothing. */
  close(): Promise<void>;
}

/** Makes independent instances of one provider: aliases, pools and sessions take one each. */
export type ProviderFactory = (options?: CallOptions) => Promise<Provider>;
