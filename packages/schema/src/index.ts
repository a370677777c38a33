// SPDX-License-Identifier: Apache-2.0
/**
 * What the provider protocol means, with no bytes in it: schemas, the one `Provider` interface and its messages.
 *
 * @module
 */
export type { CallOptions, Provider, ProviderFactory, StreamingCall, UnaryCall } from "./provider.ts";
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
export { emptyValue, unknownValue } from "./model/empty-value.ts";
export { attributeAt } from "./model/attribute-at.ts";
export { attributePaths, sensitivePaths, someAttribute, writeOnlyPaths } from "./model/attribute-walk.ts";
export { internalValidate, type SchemaProblem } from "./model/internal-validate.ts";
export { schemaFitsProtocol5 } from "./model/protocol-5-fit.ts";
export type { IdentityAttribute, IdentitySchema } from "./model/identity-schema.ts";
export { identityType } from "./model/identity-type.ts";
export type { FunctionParameter, FunctionSignature } from "./model/function-signature.ts";
export { errorDiagnostic, hasErrors, warningDiagnostic, type Diagnostic } from "./diagnostic.ts";
export { receiveState, stateChunks, type ReceivedState } from "./state-bytes.ts";
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
