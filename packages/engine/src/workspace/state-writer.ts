// SPDX-License-Identifier: Apache-2.0
import { EngineError } from "../error.ts";
import type { ApplyJournal } from "../state/journal/apply-journal.ts";
import type { StateManager } from "../state/state-manager.ts";
import type { StoredVersion } from "../state/journal/journal-record.ts";
import { journalBase } from "../state/journal/recover-journal.ts";
import type { State } from "../state/state.ts";
import { UnsavedStateError } from "./unsaved-state-error.ts";

/** The share of the time of an apply that may be spent on writing the state. It is smaller if a journal records the changes between writes. */
const writeShare = 0.1;
const writeShareWithJournal = 0.02;
/** Longest time between two writes, in milliseconds. */
const maxPauseMs = 20_000;

/**
 * Stores the state while it changes. It stores the first change at once. So that large states do not slow an apply down, each write is followed
 * by a pause that is nine times as long as the write, or 49 times with a journal. {@link settled} stores the last change.
 */
export class StateWriter {
  readonly #manager: StateManager;
  readonly #journal: ApplyJournal | undefined;
  #current: (() => State) | undefined;
  #writing: Promise<void> | undefined;
  #resume: (() => void) | undefined;
  #isSettling = false;
  #failure: { readonly error: unknown; readonly state: State } | undefined;

  constructor(manager: StateManager, journal: ApplyJournal | undefined) {
    this.#manager = manager;
    this.#journal = journal;
  }

  /** Whether a write of the state or of the journal has failed. */
  get hasFailed(): boolean {
    return this.#failure !== undefined || this.#journal?.failure !== undefined;
  }

  /** @param current Returns the changed state. Called when it is written, unless a later change comes before that. */
  save(current: () => State): void {
    this.#current = current;
    // After a failure, `settled` makes the only further attempt, with the last state.
    if (this.#failure === undefined) this.#writing ??= this.#write();
  }

  /**
   * Waits until the last state is stored, and finishes the journal. If the state cannot be stored, the journal is kept.
   *
   * @param isComplete Whether all changes of the plan were made.
   * @throws UnsavedStateError with the last state, because of the first write that failed.
   */
  async settled(isComplete: boolean): Promise<void> {
    this.#isSettling = true;
    this.#resume?.();
    await this.#writing;
    const journalFailure = this.#journal?.failure;
    if (this.#failure === undefined && journalFailure === undefined) return this.#journal?.finish(journalBase(this.#manager), isComplete);
    const state = this.#current?.() ?? this.#failure?.state ?? this.#manager.file.state;
    const error: unknown = this.#failure === undefined ? journalFailure : this.#failure.error;
    try {
      await this.#save(state);
      await this.#journal?.finish(journalBase(this.#manager), false);
    } catch {
      await this.#journal?.close();
    }
    const code = error instanceof EngineError ? error.code : "STORE_FAILED";
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnsavedStateError(code, `the state could not be stored during the apply: ${reason}`, state, error);
  }

  async #save(state: State): Promise<void> {
    const journal = this.#journal;
    // After a failure of the journal the apply ends, but the state is still stored.
    const beforeWrite = journal === undefined ? undefined : (version: StoredVersion) => journal.beginWrite(version).catch(() => undefined);
    await this.#manager.save(state, { beforeWrite });
  }

  async #write(): Promise<void> {
    const share = this.#journal === undefined ? writeShare : writeShareWithJournal;
    // Changes of one turn of the event loop are written together.
    await new Promise<void>((resume) => setImmediate(resume));
    while (this.#current !== undefined) {
      const state = this.#current();
      this.#current = undefined;
      const start = performance.now();
      try {
        await this.#save(state);
      } catch (error) {
        this.#failure = { error, state };
        return;
      }
      const pause = Math.min((performance.now() - start) * (1 / share - 1), maxPauseMs);
      if (!this.#isSettling) await this.#pause(pause);
    }
    this.#writing = undefined;
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resume) => {
      const timer = setTimeout(resume, milliseconds);
      this.#resume = () => {
        clearTimeout(timer);
        resume();
      };
    });
  }
}
