// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/schema";
import type { StateStore } from "@tenon/schema/lifecycle";
import { Operation, type ClientContext, type OperationSettings } from "./operation.ts";

/** What an operation on a state takes. */
export type StateSettings = Pick<OperationSettings, "signal">;

/** A state that is kept from others until it is released: `await using` does so. */
export interface StateLock extends AsyncDisposable {
  /** By what the store knows the lock. */
  readonly lockId: string;
  /** Releases it; doing so twice does nothing. @throws PluginHostError `DIAGNOSTICS` */
  release(): Promise<void>;
}

/** A place for states that is open. A state is bytes: what is in them is the core's affair. Printed, it shows nothing of what it holds. */
export class StateStoreHandle {
  readonly typeName: string;
  readonly #context: ClientContext;
  readonly #store: StateStore;
  readonly #address: string;

  constructor(context: ClientContext, store: StateStore, typeName: string, address: string) {
    this.#context = context;
    this.#store = store;
    this.typeName = typeName;
    this.#address = address;
  }

  /** The names of the states that there are. @throws PluginHostError `DIAGNOSTICS` */
  async list(settings: StateSettings = {}): Promise<readonly string[]> {
    const { stateIds, diagnostics } = await this.#store.list(settings);
    this.#settle("list of states", diagnostics);
    return stateIds;
  }

  /** A state; undefined where there is none of that name. @throws PluginHostError `DIAGNOSTICS` */
  async read(stateId: string, settings: StateSettings = {}): Promise<Uint8Array | undefined> {
    const { state, diagnostics } = await this.#store.read(stateId, settings);
    this.#settle(`read of state ${JSON.stringify(stateId)}`, diagnostics);
    return state;
  }

  /** Writes a state in place of what there is. @throws PluginHostError `DIAGNOSTICS`, also for a state of no bytes */
  async write(stateId: string, state: Uint8Array, settings: StateSettings = {}): Promise<void> {
    this.#settle(`write of state ${JSON.stringify(stateId)}`, await this.#store.write(stateId, state, settings));
  }

  /** Deletes a state. @throws PluginHostError `DIAGNOSTICS` */
  async delete(stateId: string, settings: StateSettings = {}): Promise<void> {
    this.#settle(`delete of state ${JSON.stringify(stateId)}`, await this.#store.delete(stateId, settings));
  }

  /**
   * Keeps others from a state. `operation` says what for, such as `plan`.
   *
   * @throws PluginHostError `DIAGNOSTICS` where somebody else has it
   */
  async lock(stateId: string, operation: string, settings: StateSettings = {}): Promise<StateLock> {
    const { lockId, diagnostics } = await this.#store.lock(stateId, operation, settings);
    this.#settle(`lock of state ${JSON.stringify(stateId)}`, diagnostics);
    let releasing: Promise<void> | undefined;
    const unlock = async (): Promise<void> => {
      this.#settle(`release of state ${JSON.stringify(stateId)}`, await this.#store.unlock(stateId, lockId));
    };
    const release = (): Promise<void> => (releasing ??= unlock());
    return { lockId, release, [Symbol.asyncDispose]: release };
  }

  #settle(what: string, diagnostics: readonly Diagnostic[]): void {
    new Operation(this.#context, what, this.typeName, { address: this.#address }).settle(diagnostics);
  }
}
