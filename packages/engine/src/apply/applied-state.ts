// SPDX-License-Identifier: Apache-2.0
import { formatProviderConfigInstance } from "../address/provider-config.ts";
import { formatResourceInstance, type ResourceInstanceObject } from "../address/resource.ts";
import type { ResourceChange } from "../change/planned-changes.ts";
import type { EventListener } from "../events/events.ts";
import type { CheckResult } from "../state/check-result.ts";
import type { ApplyJournal } from "../state/journal/apply-journal.ts";
import type { InterruptedChange } from "../state/journal/journal-record.ts";
import { StateDraft, type ObjectProvider } from "../state/state-draft.ts";
import type { StateObject } from "../state/state-object.ts";
import type { State, StateOutput } from "../state/state.ts";
import { plannedValues } from "./planned-values.ts";

/** Options of {@link AppliedState}. */
export interface AppliedStateOptions {
  readonly emit: EventListener;
  /** Undefined if the state's location cannot have a journal. */
  readonly journal: ApplyJournal | undefined;
  /** Makes the key of an object that becomes deposed: eight hexadecimal digits. */
  readonly newDeposedKey: () => string;
}

/** The state while a plan is applied. Each change of an object is emitted as an event and recorded in the journal. */
export class AppliedState {
  readonly #draft: StateDraft;
  readonly #options: AppliedStateOptions;
  /** Keys of the objects that this apply deposed, by the text of the instance. */
  readonly #deposedKeys = new Map<string, string>();

  constructor(prior: State, options: AppliedStateOptions) {
    this.#draft = new StateDraft(prior);
    this.#options = options;
  }

  /** The object with the address; undefined if there is none. */
  object(address: ResourceInstanceObject): StateObject | undefined {
    return this.#draft.object(address);
  }

  /** The key under which this apply deposed an object of the instance. */
  deposedKeyOf(instance: ResourceInstanceObject["instance"]): string | undefined {
    return this.#deposedKeys.get(formatResourceInstance(instance));
  }

  /**
   * Records in the journal that the request for a change is about to be sent. Resolves when the record is written. Undefined if there is no
   * journal.
   *
   * @throws EngineError `STORE_FAILED` if the journal cannot be written.
   */
  begin(address: ResourceInstanceObject, action: InterruptedChange["action"], change: ResourceChange): Promise<void> | undefined {
    const { journal } = this.#options;
    if (journal === undefined) return undefined;
    const { planned, sensitive } = action === "delete" ? nothingPlanned : plannedValues(change);
    const { config, key } = change.provider;
    const provider = formatProviderConfigInstance({ config, ...(key !== undefined && { key }) });
    return journal.begin({ address, action, provider, at: new Date().toISOString(), planned, sensitive });
  }

  /**
   * Waits until the recorded changes are on the disk. Does not throw if the journal fails: the next {@link begin} does. Undefined if there is no
   * journal.
   */
  flush(): Promise<void> | undefined {
    return this.#options.journal?.flushed();
  }

  /** Records in the journal that a change that was begun leaves the state as it is. */
  end(address: ResourceInstanceObject): void {
    this.#options.journal?.end(address);
  }

  set(address: ResourceInstanceObject, object: StateObject, provider: ObjectProvider): void {
    this.#draft.setObject(address, object, provider);
    this.#options.journal?.set({ address, object, provider });
    this.announce();
  }

  /** Sets an object whose provisioners are about to run. The journal has it as tainted, in case they never finish. */
  setUnprovisioned(address: ResourceInstanceObject, object: StateObject, provider: ObjectProvider): void {
    this.#draft.setObject(address, object, provider);
    this.#options.journal?.set({ address, object: { ...object, status: "tainted" }, provider });
    this.announce();
  }

  /** Removes an object, if there is one. Ends its change in the journal in any case. */
  remove(address: ResourceInstanceObject): void {
    this.#draft.removeObject(address);
    this.#options.journal?.remove(address);
    this.announce();
  }

  /** Makes the current object of an instance a deposed one. Returns its deposed key; undefined if there is no current object. */
  depose(instance: ResourceInstanceObject["instance"]): string | undefined {
    const object = this.#draft.object({ instance });
    const provider = this.#draft.providerOf(instance);
    if (object === undefined || provider === undefined) return undefined;
    const deposed = this.#options.newDeposedKey();
    this.#draft.depose(instance, deposed);
    this.#options.journal?.move({ instance }, { address: { instance, deposed }, object, provider });
    this.#deposedKeys.set(formatResourceInstance(instance), deposed);
    this.announce();
    return deposed;
  }

  /** Makes a deposed object the current one again, after the new one could not be created. */
  restore(instance: ResourceInstanceObject["instance"], deposed: string): void {
    const object = this.#draft.object({ instance, deposed });
    const provider = this.#draft.providerOf(instance);
    if (object === undefined || provider === undefined || this.#draft.object({ instance }) !== undefined) return;
    this.#draft.setObject({ instance }, object, provider);
    this.#draft.removeObject({ instance, deposed });
    this.#options.journal?.move({ instance, deposed }, { address: { instance }, object, provider });
    this.#deposedKeys.delete(formatResourceInstance(instance));
    this.announce();
  }

  /** Sets an output value of the root module; undefined removes it. The caller calls {@link announce}. */
  setOutput(name: string, output: StateOutput | undefined): void {
    this.#draft.setOutput(name, output);
  }

  /** Replaces the results of all checks. The caller calls {@link announce}. */
  setCheckResults(results: readonly CheckResult[] | undefined): void {
    this.#draft.setCheckResults(results);
  }

  /** Emits that the state has changed. */
  announce(): void {
    const draft = this.#draft;
    this.#options.emit({
      type: "stateChanged",
      // After a snapshot, the next change copies what it shares with it. So a snapshot is only made for a listener that reads it.
      get state() {
        return draft.snapshot();
      },
    });
  }

  /** The state after the apply. */
  finish(): State {
    this.#draft.prune();
    return this.#draft.snapshot();
  }
}

const nothingPlanned = { planned: new Map<string, never>(), sensitive: [] };
