// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "./provider.ts";

/** Names of the calls of a {@link Provider} with a stream of responses. */
export type StreamingCallName = "listResource" | "invokeAction" | "readStateBytes";

/** Names of the calls of a {@link Provider} with one response. */
export type UnaryCallName = Exclude<keyof Provider, StreamingCallName | "close" | symbol>;

/** Names of the calls of a {@link Provider}: one for each RPC. */
export type CallName = UnaryCallName | StreamingCallName;

/** The calls of a provider, without `close()`. */
export type ProviderCalls = Pick<Provider, CallName>;

// Records, so that a new call of the interface does not compile until it is listed here.
const unary: Readonly<Record<UnaryCallName, true>> = {
  getMetadata: true,
  getProviderSchema: true,
  getResourceIdentitySchemas: true,
  validateProviderConfig: true,
  configureProvider: true,
  validateResourceConfig: true,
  upgradeResourceState: true,
  upgradeResourceIdentity: true,
  readResource: true,
  planResourceChange: true,
  applyResourceChange: true,
  importResourceState: true,
  moveResourceState: true,
  generateResourceConfig: true,
  validateDataResourceConfig: true,
  readDataSource: true,
  validateEphemeralResourceConfig: true,
  openEphemeralResource: true,
  renewEphemeralResource: true,
  closeEphemeralResource: true,
  getFunctions: true,
  callFunction: true,
  validateListResourceConfig: true,
  validateActionConfig: true,
  planAction: true,
  validateStateStoreConfig: true,
  configureStateStore: true,
  writeStateBytes: true,
  lockState: true,
  unlockState: true,
  getStates: true,
  deleteState: true,
  stop: true,
};
const streaming: Readonly<Record<StreamingCallName, true>> = { listResource: true, invokeAction: true, readStateBytes: true };

/** Names of all calls with one response. */
export const unaryCallNames: readonly UnaryCallName[] = Object.keys(unary) as UnaryCallName[];

/** Names of all calls with a stream of responses. */
export const streamingCallNames: readonly StreamingCallName[] = Object.keys(streaming) as StreamingCallName[];

/** Whether `name` names a call of a {@link Provider}. */
export function isCallName(name: string): name is CallName {
  return Object.hasOwn(unary, name) || Object.hasOwn(streaming, name);
}
