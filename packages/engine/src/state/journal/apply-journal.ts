// SPDX-License-Identifier: Apache-2.0
import { formatResourceInstanceObject, type ResourceInstanceObject } from "../../address/resource.ts";
import type { EngineError } from "../../error.ts";
import type { StateObjectEntry } from "../state-draft.ts";
import { JournalFile, removeJournalFile, writeJournalFile } from "./journal-file.ts";
import { formatRecord, type InterruptedChange, type JournalHeader, type JournalRecord, type StoredVersion } from "./journal-record.ts";

/** Number of changes under way for which a flush may wait, since some of them are about to end. */
const busyChanges = 4;

/** The state that a journal belongs to. */
export type JournalBase = Omit<JournalHeader, "kind">;

/**
 * The journal of an apply that is under way. If the process is killed, the next run continues from it. The record of a request is written
 * before the request is sent, and a finished change is on the disk before a change that depends on it starts.
 */
export class ApplyJournal {
  readonly #file: JournalFile;
  /** The last flush, and the same without its error. */
  #flush: Promise<void> | undefined;
  #flushed: Promise<void> = Promise.resolve();
  /** Changes of this run without a known outcome, by the text of the address. */
  readonly #open = new Map<string, InterruptedChange>();
  /** Changes of earlier runs without a known outcome, by the text of the address. */
  readonly #earlier: Map<string, InterruptedChange>;

  private constructor(file: JournalFile, earlier: readonly InterruptedChange[]) {
    this.#file = file;
    file.expectsLines = () => this.#open.size >= busyChanges;
    this.#earlier = new Map(earlier.map((change) => [formatResourceInstanceObject(change.address), change]));
  }

  /**
   * Starts a journal. Replaces an existing one.
   *
   * @param interrupted Changes of earlier runs without a known outcome.
   * @throws EngineError `STORE_FAILED`
   */
  static async start(path: string, base: JournalBase, interrupted: readonly InterruptedChange[]): Promise<ApplyJournal> {
    await writeJournalFile(path, journalLines(base, interrupted));
    return new ApplyJournal(await JournalFile.open(path), interrupted);
  }

  /** The error of the last write that failed; undefined if none has. No change may begin after an error. */
  get failure(): EngineError | undefined {
    return this.#file.failure;
  }

  /**
   * Records that the request for a change is about to be sent. Waits until the record is written, so that it survives the end of the
   * process. It is flushed to the disk within 5 ms, while the request is under way.
   *
   * @throws EngineError `STORE_FAILED`
   */
  async begin(change: InterruptedChange): Promise<void> {
    const text = formatResourceInstanceObject(change.address);
    this.#earlier.delete(text);
    this.#open.set(text, change);
    this.#file.appendUnflushed(formatRecord({ kind: "begin", change }));
    try {
      await this.#file.written();
    } catch (error) {
      // The request is not sent. A later attempt may still write both records.
      this.end(change.address);
      throw error;
    }
  }

  /** Records that a change ended without an effect on the state. */
  end(address: ResourceInstanceObject): void {
    this.#settle(address);
    this.#add({ kind: "end", address });
  }

  /** Records the present content of an object. */
  set(entry: StateObjectEntry): void {
    this.#settle(entry.address);
    this.#add({ kind: "set", ...entry });
  }

  /** Records that an object is no longer in the state. */
  remove(address: ResourceInstanceObject): void {
    this.#settle(address);
    this.#add({ kind: "remove", address });
  }

  /** Records that a current object became a deposed one, or the reverse. */
  move(from: ResourceInstanceObject, entry: StateObjectEntry): void {
    this.#add({ kind: "move", from, ...entry });
  }

  /**
   * Waits until all records are on the disk.
   *
   * @throws EngineError `STORE_FAILED`
   */
  flush(): Promise<void> {
    return this.#file.flush();
  }

  /** Waits as {@link flush} does. A failure is not thrown: the next {@link begin} throws it. */
  flushed(): Promise<void> {
    const flush = this.#file.flush();
    // The changes of one turn wait for the same flush.
    if (flush !== this.#flush) {
      this.#flush = flush;
      this.#flushed = flush.catch(() => undefined);
    }
    return this.#flushed;
  }

  /**
   * Records that the state is about to be stored. Waits until the record is on the disk.
   *
   * @throws EngineError `STORE_FAILED`
   */
  async beginWrite(version: StoredVersion): Promise<void> {
    this.#add({ kind: "write", version });
    await this.#file.flush();
  }

  /**
   * Ends the journal after all changes are in the stored state. Removes it, or keeps only the changes with an unknown outcome.
   *
   * A journal that cannot be removed stays as it is, which does no harm: the stored state already has all of its finished changes.
   *
   * @param base The stored state.
   * @param isComplete Whether all changes of the plan were made. If false, changes of earlier runs are kept, too.
   */
  async finish(base: JournalBase, isComplete: boolean): Promise<void> {
    await this.#file.close();
    const kept = [...(isComplete ? [] : this.#earlier.values()), ...this.#open.values()];
    await keepInterrupted(this.#file.path, base, kept).catch(() => undefined);
  }

  /** Closes the file after a last attempt to write all records. The journal stays, and the next run continues from it. */
  async close(): Promise<void> {
    await this.#file.flush().catch(() => undefined);
    await this.#file.close();
  }

  /** Removes a change from those without a known outcome. */
  #settle(address: ResourceInstanceObject): void {
    const text = formatResourceInstanceObject(address);
    this.#earlier.delete(text);
    this.#open.delete(text);
  }

  #add(record: JournalRecord): void {
    this.#file.append(formatRecord(record));
  }
}

/** Replaces a journal with one that has only changes whose outcome is unknown; removes it if there are none. */
export async function keepInterrupted(path: string, base: JournalBase, interrupted: readonly InterruptedChange[]): Promise<void> {
  if (interrupted.length === 0) await removeJournalFile(path);
  else await writeJournalFile(path, journalLines(base, interrupted));
}

function journalLines(base: JournalBase, interrupted: readonly InterruptedChange[]): readonly string[] {
  return [formatRecord({ kind: "header", ...base }), ...interrupted.map((change) => formatRecord({ kind: "begin", change }))];
}
