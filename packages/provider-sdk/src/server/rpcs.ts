// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "@tenon/schema";
import { applyResourceChange } from "./apply-resource-change.ts";
import { callFunction } from "./call-function.ts";
import { closeEphemeralResource } from "./close-ephemeral-resource.ts";
import { configureProvider } from "./configure-provider.ts";
import { configureStateStore } from "./configure-state-store.ts";
import { deleteState } from "./delete-state.ts";
import { generateResourceConfig } from "./generate-resource-config.ts";
import { getFunctions } from "./get-functions.ts";
import { getMetadata } from "./get-metadata.ts";
import { getProviderSchema } from "./get-provider-schema.ts";
import { getResourceIdentitySchemas } from "./get-resource-identity-schemas.ts";
import { getStates } from "./get-states.ts";
import { importResourceState } from "./import-resource-state.ts";
import { invokeAction } from "./invoke-action.ts";
import { listResource } from "./list-resource.ts";
import { lockState } from "./lock-state.ts";
import { moveResourceState } from "./move-resource-state.ts";
import { openEphemeralResource } from "./open-ephemeral-resource.ts";
import { planAction } from "./plan-action.ts";
import { planResourceChange } from "./plan-resource-change.ts";
import { readDataSource } from "./read-data-source.ts";
import { readResource } from "./read-resource.ts";
import { readStateBytes } from "./read-state-bytes.ts";
import { renewEphemeralResource } from "./renew-ephemeral-resource.ts";
import type { Rpc } from "./rpc.ts";
import type { StreamRpc } from "./stream-rpc.ts";
import { unlockState } from "./unlock-state.ts";
import { upgradeResourceIdentity } from "./upgrade-resource-identity.ts";
import { upgradeResourceState } from "./upgrade-resource-state.ts";
import { validateActionConfig } from "./validate-action-config.ts";
import { validateDataResourceConfig } from "./validate-data-resource-config.ts";
import { validateEphemeralResourceConfig } from "./validate-ephemeral-resource-config.ts";
import { validateListResourceConfig } from "./validate-list-resource-config.ts";
import { validateProviderConfig } from "./validate-provider-config.ts";
import { validateResourceConfig } from "./validate-resource-config.ts";
import { validateStateStoreConfig } from "./validate-state-store-config.ts";
import { writeStateBytes } from "./write-state-bytes.ts";

type RpcOf<Call> = Call extends (request: infer Request, ...rest: never) => Promise<infer Response> ? Rpc<Request, Response> : never;

/** Every RPC that is answered once, under its name in {@link Provider}. */
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

/** Those that are answered with a stream. */
export const streamRpcs: { readonly [Method in keyof Provider]?: StreamRpcOf<Provider[Method]> } = {
  listResource,
  invokeAction,
  readStateBytes,
};
