// SPDX-License-Identifier: Apache-2.0
import type { Transport } from "@connectrpc/connect";
import { ProviderError } from "../error.ts";
import type { StateChunk } from "../messages/state-store.ts";
import type { Provider, UnaryCall } from "../provider/provider.ts";
import { ClientCalls, type ProviderClientOptions } from "./client-calls.ts";
import type { Protocol } from "./protocol.ts";
import type { StateStoreRpcs, WriteStateBytesMessage } from "./rpc/state-store.ts";

/** Creates a provider that is reached over a transport. */
export function createClient(protocol: Protocol, transport: Transport, options: ProviderClientOptions): Provider {
  const { rpcs } = protocol;
  const calls = new ClientCalls(transport, options, rpcs);
  const configureProvider = calls.unary(rpcs.configureProvider);
  return {
    getMetadata: calls.unary(rpcs.getMetadata),
    getProviderSchema: (_request, callOptions) => calls.shared(rpcs.getProviderSchema, () => calls.known.schema(), callOptions),
    getResourceIdentitySchemas: (_request, callOptions) =>
      calls.shared(rpcs.getResourceIdentitySchemas, () => calls.known.identities(), callOptions),
    validateProviderConfig: calls.unary(rpcs.validateProviderConfig),
    async configureProvider(request, callOptions) {
      const response = await configureProvider(request, callOptions);
      calls.known.configured();
      return response;
    },

    validateResourceConfig: calls.unary(rpcs.validateResourceConfig),
    upgradeResourceState: calls.unary(rpcs.upgradeResourceState),
    upgradeResourceIdentity: calls.unary(rpcs.upgradeResourceIdentity),
    readResource: calls.unary(rpcs.readResource),
    planResourceChange: calls.unary(rpcs.planResourceChange),
    applyResourceChange: calls.unary(rpcs.applyResourceChange),
    importResourceState: calls.unary(rpcs.importResourceState),
    moveResourceState: calls.unary(rpcs.moveResourceState),
    generateResourceConfig: calls.unary(rpcs.generateResourceConfig),

    validateDataResourceConfig: calls.unary(rpcs.validateDataResourceConfig),
    readDataSource: calls.unary(rpcs.readDataSource),

    validateEphemeralResourceConfig: calls.unary(rpcs.validateEphemeralResourceConfig),
    openEphemeralResource: calls.unary(rpcs.openEphemeralResource),
    renewEphemeralResource: calls.unary(rpcs.renewEphemeralResource),
    closeEphemeralResource: calls.unary(rpcs.closeEphemeralResource),

    getFunctions: calls.unary(rpcs.getFunctions),
    callFunction: calls.unary(rpcs.callFunction),

    validateListResourceConfig: calls.unary(rpcs.validateListResourceConfig),
    listResource: calls.stream(rpcs.listResource),

    validateActionConfig: calls.unary(rpcs.validateActionConfig),
    planAction: calls.unary(rpcs.planAction),
    invokeAction: calls.stream(rpcs.invokeAction),

    ...stateStoreCalls(protocol, calls),

    stop: calls.unary(rpcs.stop),
    close: () => calls.close(),
    [Symbol.asyncDispose]: () => calls.close(),
  };
}

type StateStoreCalls = Pick<Provider, keyof StateStoreRpcs>;

function stateStoreCalls({ version, rpcs }: Protocol, calls: ClientCalls): StateStoreCalls {
  if (!hasStateStores(rpcs)) return noStateStores(version);
  return {
    validateStateStoreConfig: calls.unary(rpcs.validateStateStoreConfig),
    configureStateStore: calls.unary(rpcs.configureStateStore),
    readStateBytes: calls.stream(rpcs.readStateBytes),
    writeStateBytes: ({ typeName, stateId, chunks }, options) =>
      calls.upload(rpcs.writeStateBytes, targetFirst({ typeName, stateId }, chunks), options),
    lockState: calls.unary(rpcs.lockState),
    unlockState: calls.unary(rpcs.unlockState),
    getStates: calls.unary(rpcs.getStates),
    deleteState: calls.unary(rpcs.deleteState),
  };
}

function hasStateStores(rpcs: Partial<StateStoreRpcs>): rpcs is StateStoreRpcs {
  return rpcs.getStates !== undefined;
}

function noStateStores(version: number): StateStoreCalls {
  const refusal = (rpc: string): ProviderError =>
    new ProviderError("UNIMPLEMENTED", `${rpc}: protocol ${version} has no state stores`, { requestSent: false });
  const unary =
    (rpc: string): UnaryCall<unknown, never> =>
    () =>
      Promise.reject(refusal(rpc));
  return {
    validateStateStoreConfig: unary("ValidateStateStoreConfig"),
    configureStateStore: unary("ConfigureStateStore"),
    // oxlint-disable-next-line require-yield
    readStateBytes: async function* () {
      throw refusal("ReadStateBytes");
    },
    writeStateBytes: unary("WriteStateBytes"),
    lockState: unary("LockState"),
    unlockState: unary("UnlockState"),
    getStates: unary("GetStates"),
    deleteState: unary("DeleteState"),
  };
}

/** Adds the target to the first chunk. Without chunks, sends the target alone. */
async function* targetFirst(
  meta: NonNullable<WriteStateBytesMessage["meta"]>,
  chunks: AsyncIterable<StateChunk>,
): AsyncIterable<WriteStateBytesMessage> {
  let first = true;
  for await (const chunk of chunks) {
    yield first ? { meta, chunk } : { chunk };
    first = false;
  }
  if (first) yield { meta };
}
