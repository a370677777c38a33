// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "@tenon/schema";
import { applyResourceChange } from "./resource/apply-resource-change.ts";
import { callFunction } from "./function/call-function.ts";
import { closeEphemeralResource } from "./ephemeral-resource/close-ephemeral-resource.ts";
import { configureProvider } from "./provider/configure-provider.ts";
import { configureStateStore } from "./state-store/configure-state-store.ts";
import { deleteState } from "./state-store/delete-state.ts";
import { generateResourceConfig } from "./resource/generate-resource-config.ts";
import { getFunctions } from "./function/get-functions.ts";
import { getMetadata } from "./provider/get-metadata.ts";
import { getProviderSchema } from "./provider/get-provider-schema.ts";
import { getResourceIdentitySchemas } from "./provider/get-resource-identity-schemas.ts";
import { getStates } from "./state-store/get-states.ts";
import { importResourceState } from "./resource/import-resource-state.ts";
import { invokeAction } from "./action/invoke-action.ts";
import { listResource } from "./list-resource/list-resource.ts";
import { lockState } from "./state-store/lock-state.ts";
import { moveResourceState } from "./resource/move-resource-state.ts";
import { openEphemeralResource } from "./ephemeral-resource/open-ephemeral-resource.ts";
import { planAction } from "./action/plan-action.ts";
import { planResourceChange } from "./resource/plan-resource-change.ts";
import { readDataSource } from "./data-source/read-data-source.ts";
import { readResource } from "./resource/read-resource.ts";
import { readStateBytes } from "./state-store/read-state-bytes.ts";
import { renewEphemeralResource } from "./ephemeral-resource/renew-ephemeral-resource.ts";
import type { Rpc } from "./call/rpc.ts";
import type { StreamRpc } from "./call/stream-rpc.ts";
import { unlockState } from "./state-store/unlock-state.ts";
import { upgradeResourceIdentity } from "./resource/upgrade-resource-identity.ts";
import { upgradeResourceState } from "./resource/upgrade-resource-state.ts";
import { validateActionConfig } from "./action/validate-action-config.ts";
import { validateDataResourceConfig } from "./data-source/validate-data-resource-config.ts";
import { validateEphemeralResourceConfig } from "./ephemeral-resource/validate-ephemeral-resource-config.ts";
import { validateListResourceConfig } from "./list-resource/validate-list-resource-config.ts";
import { validateProviderConfig } from "./provider/validate-provider-config.ts";
import { validateResourceConfig } from "./resource/validate-resource-config.ts";
import { validateStateStoreConfig } from "./state-store/validate-state-store-config.ts";
import { writeStateBytes } from "./state-store/write-state-bytes.ts";

type RpcOf<Call> = Call extends (request: infer Request, ...rest: never) => Promise<infer Response> ? Rpc<Request, Response> : never;

/** The unary RPCs, by the method of {@link Provider} that calls them. */
export const rpcs: { readonly [Method in keyof Provider]?: RpcOf<Provider[Method]> } = {
  getMetadata,
  getProviderSchema,
  getResourceIdentitySchemas,
  validateProviderConfig,
  configureProvider,
  validateResourceConfig,
  upgradeResourceState,
  upgradeResourceIdentity,
  readResource,
  planResourceChange,
  applyResourceChange,
  importResourceState,
  moveResourceState,
  generateResourceConfig,
  validateDataResourceConfig,
  readDataSource,
  validateEphemeralResourceConfig,
  openEphemeralResource,
  renewEphemeralResource,
  closeEphemeralResource,
  validateListResourceConfig,
  validateActionConfig,
  planAction,
  validateStateStoreConfig,
  configureStateStore,
  writeStateBytes,
  lockState,
  unlockState,
  getStates,
  deleteState,
  getFunctions,
  callFunction,
};

type StreamRpcOf<Call> = Call extends (request: infer Request, ...rest: never) => AsyncIterable<infer Event>
  ? StreamRpc<Request, Event>
  : never;

/** The RPCs that are answered with a stream, by the method of {@link Provider} that calls them. */
export const streamRpcs: { readonly [Method in keyof Provider]?: StreamRpcOf<Provider[Method]> } = {
  listResource,
  invokeAction,
  readStateBytes,
};
