// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/schema";
import type { StateStore } from "@tenon/schema/lifecycle";
import { Operation, type ClientContext, type OperationSettings } from "./operation.ts";

/** Settings for an operation on a state. */
export type StateSettings = Pick<OperationSettings, "signal">;

/** A lock of a state. `await using` releases it. */
export interface StateLock extends AsyncDisposable {
  /** The id of the lock in the store. */
  readonly lockId: string;
  /** Releases the lock; a second call does nothing. @throws PluginHostError `DIAGNOSTICS` */
  release(): Promise<void>;
}

/** An open state store. A state is bytes in a format that only the core knows. `console.log` prints no state. */
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

  /** Lists the names of all states. @throws PluginHostError `DIAGNOSTICS` */
  async list(settings: StateSettings = {}): Promise<readonly string[]> {
    const { stateIds, diagnostics } = await this.#store.list(settings);
    this.#settle("list of states", diagnostics);
    return stateIds;
  }

  /** Reads a state; undefined if no state has that name. @throws PluginHostError `DIAGNOSTICS` */
  async read(stateId: string, settings: StateSettings = {}): Promise<Uint8Array | undefined> {
    const { state, diagnostics } = await this.#store.read(stateId, settings);
    this.#settle(`read of state ${JSON.stringify(stateId)}`, diagnostics);
    return state;
  }

  /** Writes a state, and replaces an existing one. @throws PluginHostError `DIAGNOSTICS`, also for an empty state */
  async write(stateId: string, state: Uint8Array, settings: StateSettings = {}): Promise<void> {
    this.#settle(`write of state ${JSON.stringify(stateId)}`, await this.#store.write(stateId, state, settings));
  }

  /** Deletes a state. @throws PluginHostError `DIAGNOSTICS` */
  async delete(stateId: string, settings: StateSettings = {}): Promise<void> {
    this.#settle(`delete of state ${JSON.stringify(stateId)}`, await this.#store.delete(stateId, settings));
  }

  /**
   * Locks a state.
   *
   * @param operation - the reason, such as `plan`
   * @throws PluginHostError `DIAGNOSTICS` if it is locked already
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

  /** Releases a lock by its id, also one that another client took. @throws PluginHostError `DIAGNOSTICS` */
  async unlock(stateId: string, lockId: string, settings: StateSettings = {}): Promise<void> {
    this.#settle(`release of state ${JSON.stringify(stateId)}`, await this.#store.unlock(stateId, lockId, settings));
  }

  #settle(what: string, diagnostics: readonly Diagnostic[]): void {
    new Operation(this.#context, what, this.typeName, { address: this.#address }).settle(diagnostics);
  }
}
