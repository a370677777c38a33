// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { errorDiagnostic, hasErrors, type Diagnostic } from "../diagnostic.ts";
import type { CallOptions } from "../provider.ts";
import type { StateChunk } from "../messages/state-store.ts";
import { receiveState, stateChunks } from "../state-bytes.ts";
import { addressOf, enter, type OperationOptions } from "./operation.ts";
import { providerFault } from "./provider-fault.ts";
import { callOptions, type ComponentType } from "./resource-type.ts";

/** The size of the pieces that a state travels in, as it is proposed to providers: 8 MiB. */
export const proposedChunkSize: number = 8 * 1024 * 1024;
/** Both ends take messages of up to 256 MiB, and around a piece there is something else. */
const largestChunkSize = 255 * 1024 * 1024;

/** A state store that is open, or why it is not. */
export interface OpenStateStoreOutcome {
  readonly store?: StateStore;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Has a state store's configuration checked, opens it, and settles on the size of pieces.
 *
 * @throws ProviderError where the provider cannot be asked; `UNIMPLEMENTED` for one of protocol 5, which has no state stores.
 */
export async function openStateStore(type: ComponentType, config: Value, options: OperationOptions = {}): Promise<OpenStateStoreOutcome> {
  const { provider, typeName } = type;
  enter("validate", type, options);
  const validated = await provider.validateStateStoreConfig({ typeName, config }, callOptions(options));
  if (hasErrors(validated.diagnostics)) return validated;
  enter("openStateStore", type, options);
  const opened = await provider.configureStateStore({ typeName, config, chunkSize: proposedChunkSize }, callOptions(options));
  const diagnostics = [...validated.diagnostics, ...opened.diagnostics];
  if (hasErrors(diagnostics)) return { diagnostics };
  const { chunkSize } = opened;
  if (!(chunkSize > 0 && chunkSize <= largestChunkSize)) {
    const what = `wants states of ${addressOf(type, options)} in pieces of ${chunkSize} bytes, where 1 to ${largestChunkSize} are possible`;
    return { diagnostics: [...diagnostics, providerFault(type, "Invalid chunk size", what)] };
  }
  return { store: new StateStore(type, chunkSize, addressOf(type, options)), diagnostics };
}

/** The states of one configuration of a store. */
export class StateStore {
  readonly chunkSize: number;
  readonly #type: ComponentType;
  readonly #address: string;

  constructor(type: ComponentType, chunkSize: number, address: string) {
    this.#type = type;
    this.chunkSize = chunkSize;
    this.#address = address;
  }

  /** Which states there are. */
  async list(options: CallOptions = {}): Promise<{ readonly stateIds: readonly string[]; readonly diagnostics: readonly Diagnostic[] }> {
    return await this.#type.provider.getStates({ typeName: this.#type.typeName }, callOptions(options));
  }

  /** A state, whole; absent where there is none of that name. */
  async read(
    stateId: string,
    options: CallOptions = {},
  ): Promise<{ readonly state?: Uint8Array; readonly diagnostics: readonly Diagnostic[] }> {
    const { provider, typeName } = this.#type;
    const diagnostics: Diagnostic[] = [];
    let pieces = 0;
    const chunks = async function* (): AsyncGenerator<StateChunk, void> {
      for await (const { diagnostics: said, ...chunk } of provider.readStateBytes({ typeName, stateId }, callOptions(options))) {
        diagnostics.push(...said);
        // One that only says something.
        if (chunk.bytes.length === 0 && chunk.totalLength === 0) continue;
        pieces++;
        yield chunk;
      }
    };
    const received = await receiveState(chunks());
    if (hasErrors(diagnostics) || pieces === 0) return { diagnostics };
    if ("state" in received) return { state: received.state, diagnostics };
    const what = `sent the state ${JSON.stringify(stateId)} of ${this.#address} in a way that it cannot be put together: ${received.fault}`;
    return { diagnostics: [...diagnostics, providerFault(this.#type, "Invalid state", what)] };
  }

  /** Writes a state in place of what there is. A state of no bytes cannot be written: delete it instead. */
  async write(stateId: string, state: Uint8Array, options: CallOptions = {}): Promise<readonly Diagnostic[]> {
    const { provider, typeName } = this.#type;
    if (state.length === 0) return [errorDiagnostic("Cannot write an empty state", `The state ${JSON.stringify(stateId)} has no bytes.`)];
    const pieces = stateChunks(state, this.chunkSize);
    const chunks = async function* (): AsyncGenerator<StateChunk, void> {
      yield* pieces;
    };
    return (await provider.writeStateBytes({ typeName, stateId, chunks: chunks() }, callOptions(options))).diagnostics;
  }

  /** Keeps others from the state. `operation` says what for, such as `plan`. */
  async lock(
    stateId: string,
    operation: string,
    options: CallOptions = {},
  ): Promise<{ readonly lockId: string; readonly diagnostics: readonly Diagnostic[] }> {
    return await this.#type.provider.lockState({ typeName: this.#type.typeName, stateId, operation }, callOptions(options));
  }

  async unlock(stateId: string, lockId: string, options: CallOptions = {}): Promise<readonly Diagnostic[]> {
    return (await this.#type.provider.unlockState({ typeName: this.#type.typeName, stateId, lockId }, callOptions(options))).diagnostics;
  }

  async delete(stateId: string, options: CallOptions = {}): Promise<readonly Diagnostic[]> {
    return (await this.#type.provider.deleteState({ typeName: this.#type.typeName, stateId }, callOptions(options))).diagnostics;
  }
}
