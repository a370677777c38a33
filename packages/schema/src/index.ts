// SPDX-License-Identifier: Apache-2.0
/**
 * The meaning of the provider protocol, independent of its encoding: schemas, the `Provider` interface and its messages.
 *
 * @module
 */
export type { CallOptions, Provider, ProviderFactory, StreamingCall, UnaryCall } from "./provider/provider.ts";
export { isCallName, type CallName, type ProviderCalls, type StreamingCallName, type UnaryCallName } from "./provider/call-names.ts";
export {
  createCalls,
  mapCalls,
  unimplementedCalls,
  type AnyStreamingCall,
  type AnyUnaryCall,
  type CallFactory,
  type CallMapping,
} from "./provider/map-calls.ts";
export { isUnknown, isWhollyKnown, unknownValue, type Unknown, type WhollyKnown } from "./unknown.ts";
export type {
  Attribute,
  Block,
  DescriptionKind,
  NestedAttributeMode,
  NestedAttributes,
  NestedBlock,
  NestedBlockMode,
  Schema,
} from "./model/schema.ts";
export { createAttribute, createBlock, createNestedAttributes, createNestedBlock, createSchema } from "./model/create-schema.ts";
export { attributeType, configType, impliedType, nestedAttributesType, nestedBlockType } from "./model/implied-type.ts";
export { emptyValue, unknownBlockValue } from "./model/empty-value.ts";
export { attributeAt } from "./model/attribute-at.ts";
export { attributePaths, blockPaths, sensitivePaths, someAttribute, writeOnlyPaths } from "./model/attribute-walk.ts";
export { internalValidate, type SchemaProblem } from "./model/internal-validate.ts";
export { protocol5SchemaErrors } from "./provider/protocol-5-fit.ts";
export type { IdentityAttribute, IdentitySchema } from "./model/identity-schema.ts";
export { identityType } from "./model/identity-type.ts";
export type { FunctionParameter, FunctionSignature } from "./model/function-signature.ts";
export { errorDiagnostic, hasErrors, warningDiagnostic, type Diagnostic } from "./diagnostic.ts";
export { receiveState, stateChunks, type ReceivedState } from "./messages/state-chunks.ts";
export { ProviderError, type ProviderErrorCode } from "./error.ts";

export type { ClientCapabilities, Deferred, DiagnosticsResponse, EmptyRequest, RawState, ServerCapabilities } from "./messages/common.ts";
export type {
  ConfigureProviderRequest,
  GetMetadataResponse,
  GetProviderSchemaResponse,
  GetResourceIdentitySchemasResponse,
  StopResponse,
  ValidateProviderConfigRequest,
} from "./messages/provider.ts";
export type {
  ApplyResourceChangeRequest,
  ApplyResourceChangeResponse,
  GenerateResourceConfigRequest,
  GenerateResourceConfigResponse,
  ImportedResource,
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
export type { ReadDataSourceRequest, ReadDataSourceResponse, ValidateDataSourceConfigRequest } from "./messages/data-source.ts";
export type {
  CloseEphemeralResourceRequest,
  OpenEphemeralResourceRequest,
  OpenEphemeralResourceResponse,
  RenewEphemeralResourceRequest,
  RenewEphemeralResourceResponse,
  ValidateEphemeralResourceConfigRequest,
} from "./messages/ephemeral-resource.ts";
export type { CallFunctionRequest, CallFunctionResponse, FunctionError, GetFunctionsResponse } from "./messages/function.ts";
export type { ListResourceEvent, ListResourceRequest, ValidateListResourceConfigRequest } from "./messages/list-resource.ts";
export type {
  InvokeActionEvent,
  InvokeActionRequest,
  PlanActionRequest,
  PlanActionResponse,
  ValidateActionConfigRequest,
} from "./messages/action.ts";
export type {
  ConfigureStateStoreRequest,
  ConfigureStateStoreResponse,
  DeleteStateRequest,
  GetStatesRequest,
  GetStatesResponse,
  LockStateRequest,
  LockStateResponse,
  ReadStateBytesChunk,
  ReadStateBytesRequest,
  StateChunk,
  UnlockStateRequest,
  ValidateStateStoreConfigRequest,
  WriteStateBytesRequest,
} from "./messages/state-store.ts";
