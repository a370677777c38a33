// SPDX-License-Identifier: Apache-2.0
import type { Provider, StreamingCall, UnaryCall } from "@tenon/schema";

type NamesOf<Call> = { [Name in keyof Provider]: Provider[Name] extends Call ? Name : never }[keyof Provider] & string;

/** Methods of a provider that answer with a stream. */
export type StreamingName = Extract<NamesOf<StreamingCall<never, unknown>>, "listResource" | "invokeAction" | "readStateBytes">;

/** Methods of a provider that answer once; `stop` is not among them, as it must not wait behind what it is to stop. */
export type UnaryName = Exclude<NamesOf<UnaryCall<never, unknown>>, StreamingName | "stop" | "close">;

const unary: Readonly<Record<UnaryName, true>> = {
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
};

const streaming: Readonly<Record<StreamingName, true>> = { listResource: true, invokeAction: true, readStateBytes: true };

/** All of them: a method that the interface gains and this lacks does not compile. */
export const unaryNames: readonly UnaryName[] = Object.keys(unary) as UnaryName[];
export const streamingNames: readonly StreamingName[] = Object.keys(streaming) as StreamingName[];

/** Whether a provider has a call of the name. */
export function isCallName(name: string): boolean {
  return name === "stop" || Object.hasOwn(unary, name) || Object.hasOwn(streaming, name);
}
