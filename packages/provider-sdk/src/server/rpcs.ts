// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "@tenon/schema";
import { applyResourceChange } from "./apply-resource-change.ts";
import { callFunction } from "./call-function.ts";
import { closeEphemeralResource } from "./close-ephemeral-resource.ts";
import { configureProvider } from "./configure-provider.ts";
import { generateResourceConfig } from "./generate-resource-config.ts";
import { getFunctions } from "./get-functions.ts";
import { getMetadata } from "./get-metadata.ts";
import { getProviderSchema } from "./get-provider-schema.ts";
import { getResourceIdentitySchemas } from "./get-resource-identity-schemas.ts";
import { importResourceState } from "./import-resource-state.ts";
import { moveResourceState } from "./move-resource-state.ts";
import { openEphemeralResource } from "./open-ephemeral-resource.ts";
import { planResourceChange } from "./plan-resource-change.ts";
import { readDataSource } from "./read-data-source.ts";
import { readResource } from "./read-resource.ts";
import { renewEphemeralResource } from "./renew-ephemeral-resource.ts";
import type { Rpc } from "./rpc.ts";
import { upgradeResourceIdentity } from "./upgrade-resource-identity.ts";
import { upgradeResourceState } from "./upgrade-resource-state.ts";
import { validateDataResourceConfig } from "./validate-data-resource-config.ts";
import { validateEphemeralResourceConfig } from "./validate-ephemeral-resource-config.ts";
import { validateProviderConfig } from "./validate-provider-config.ts";
import { validateResourceConfig } from "./validate-resource-config.ts";

type RpcOf<Call> = Call extends (request: infer Request, ...rest: never) => Promise<infer Response> ? Rpc<Request, Response> : never;

/** Every RPC this SDK answers, under its name in {@link Provider}. */
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
  getFunctions,
  callFunction,
};

/** RPCs of kinds of components that this SDK has no definition for yet. */
export const unimplementedRpcs: readonly (keyof Provider & string)[] = [
  "validateListResourceConfig",
  "validateActionConfig",
  "planAction",
  "validateStateStoreConfig",
  "configureStateStore",
  "writeStateBytes",
  "lockState",
  "unlockState",
  "getStates",
  "deleteState",
];

/** Those of them that answer with a stream. */
export const unimplementedStreams: readonly (keyof Provider & string)[] = ["listResource", "invokeAction", "readStateBytes"];
