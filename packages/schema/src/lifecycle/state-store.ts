// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { errorDiagnostic, hasErrors, type Diagnostic } from "../diagnostic.ts";
import type { CallOptions } from "../provider/provider.ts";
import type { StateChunk } from "../messages/state-store.ts";
import { receiveState, stateChunks } from "../messages/state-chunks.ts";
import { addressOf, enter, type ConfigOptions } from "./operation.ts";
import { providerFault } from "./provider-fault.ts";
import { callOptions, type ComponentType } from "./resource-type.ts";
import { validateOnce, validateStateStoreConfig } from "./validate-config.ts";

/** Chunk size that is proposed to providers: 8 MiB. */
export const proposedChunkSize: number = 8 * 1024 * 1024;
/** Maximum chunk size in bytes: messages are limited to 256 MiB, and hold other fields beside the chunk. */
const largestChunkSize = 255 * 1024 * 1024;

/** Result of opening a state store. `store` is absent where diagnostics hold errors. */
export interface OpenStateStoreOutcome {
  readonly store?: StateStore;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Validates the configuration of a state store, opens the store, and negotiates the chunk size.
 *
 * @throws ProviderError where a call fails; `UNIMPLEMENTED` for a provider of protocol 5, which has no state stores.
 */
export async function openStateStore(type: ComponentType, config: Value, options: ConfigOptions = {}): Promise<OpenStateStoreOutcome> {
  const { provider, typeName } = type;
  const validated = await validateOnce(validateStateStoreConfig, type, config, options);
  if (hasErrors(validated)) return { diagnostics: validated };
  enter("openStateStore", type, options);
  const opened = await provider.configureStateStore({ typeName, config, chunkSize: proposedChunkSize }, callOptions(options));
  const diagnostics = [...validated, ...opened.diagnostics];
  if (hasErrors(diagnostics)) return { diagnostics };
  const { chunkSize } = opened;
  if (!(chunkSize > 0 && chunkSize <= largestChunkSize)) {
    const what = `chose a chunk size of ${chunkSize} bytes for ${addressOf(type, options)}, where 1 to ${largestChunkSize} are possible`;
    return { diagnostics: [...diagnostics, providerFault(type, "Invalid chunk size", what)] };
  }
  return { store: new StateStore(type, chunkSize, addressOf(type, options)), diagnostics };
}

/** An open state store: its states by their ids. */
export class StateStore {
  /** Negotiated size of a chunk in bytes. */
  readonly chunkSize: number;
  readonly #type: ComponentType;
  readonly #address: string;

  constructor(type: ComponentType, chunkSize: number, address: string) {
    this.#type = type;
    this.chunkSize = chunkSize;
    this.#address = address;
  }

  /** Lists the ids of all states. */
  async list(options: CallOptions = {}): Promise<{ readonly stateIds: readonly string[]; readonly diagnostics: readonly Diagnostic[] }> {
    return await this.#type.provider.getStates({ typeName: this.#type.typeName }, callOptions(options));
  }

  /** Reads a state; `state` is absent where no state of that id exists. */
  async read(
    stateId: string,
    options: CallOptions = {},
  ): Promise<{ readonly state?: Uint8Array; readonly diagnostics: readonly Diagnostic[] }> {
    const { provider, typeName } = this.#type;
    const diagnostics: Diagnostic[] = [];
    let chunkCount = 0;
    const chunks = async function* (): AsyncGenerator<StateChunk, void> {
      for await (const { diagnostics: reported, ...chunk } of provider.readStateBytes({ typeName, stateId }, callOptions(options))) {
        diagnostics.push(...reported);
        // The event carries diagnostics only.
        if (chunk.bytes.length === 0 && chunk.totalLength === 0) continue;
        chunkCount++;
        yield chunk;
      }
    };
    const received = await receiveState(chunks());
    if (hasErrors(diagnostics) || chunkCount === 0) return { diagnostics };
    if ("state" in received) return { state: received.state, diagnostics };
    const what = `sent the state ${JSON.stringify(stateId)} of ${this.#address} in invalid chunks: ${received.fault}`;
    return { diagnostics: [...diagnostics, providerFault(this.#type, "Invalid state", what)] };
  }

  /** Writes a state, replacing the existing one. An empty state cannot be written: delete it instead. */
  async write(stateId: string, state: Uint8Array, options: CallOptions = {}): Promise<readonly Diagnostic[]> {
    const { provider, typeName } = this.#type;
    if (state.length === 0) return [errorDiagnostic("Cannot write an empty state", `The state ${JSON.stringify(stateId)} has no bytes.`)];
    const parts = stateChunks(state, this.chunkSize);
    const chunks = async function* (): AsyncGenerator<StateChunk, void> {
      yield* parts;
    };
    return (await provider.writeStateBytes({ typeName, stateId, chunks: chunks() }, callOptions(options))).diagnostics;
  }

  /** Locks a state. `operation` is the purpose, such as `plan`. */
  async lock(
    stateId: string,
    operation: string,
    options: CallOptions = {},
  ): Promise<{ readonly lockId: string; readonly diagnostics: readonly Diagnostic[] }> {
    return await this.#type.provider.lockState({ typeName: this.#type.typeName, stateId, operation }, callOptions(options));
  }

  /** Unlocks a state. */
  async unlock(stateId: string, lockId: string, options: CallOptions = {}): Promise<readonly Diagnostic[]> {
    return (await this.#type.provider.unlockState({ typeName: this.#type.typeName, stateId, lockId }, callOptions(options))).diagnostics;
  }

  /** Deletes a state. */
  async delete(stateId: string, options: CallOptions = {}): Promise<readonly Diagnostic[]> {
    return (await this.#type.provider.deleteState({ typeName: this.#type.typeName, stateId }, callOptions(options))).diagnostics;
  }
}
