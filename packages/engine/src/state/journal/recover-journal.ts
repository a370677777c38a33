// SPDX-License-Identifier: Apache-2.0
import { EngineError } from "../../error.ts";
import { StateManager } from "../state-manager.ts";
import type { State } from "../state.ts";
import type { StoreCallOptions, WorkspaceStore } from "../stores/state-store.ts";
import type { StateLayout } from "../write-state-file.ts";
import { keepInterrupted, type JournalBase } from "./apply-journal.ts";
import { JournalFile, readJournalFile, removeJournalFile, setJournalAside } from "./journal-file.ts";
import {
  formatRecord,
  parseRecord,
  type InterruptedChange,
  type JournalHeader,
  type JournalRecord,
  type StoredVersion,
} from "./journal-record.ts";
import { mergeJournal, type RecoveredObject } from "./merge-journal.ts";

/** The result of reading the journal of an interrupted apply. */
export interface RecoveredApply {
  /** Objects whose finished changes the stored state did not have. It has them now, unless {@link refused} is set. */
  readonly recovered: readonly RecoveredObject[];
  /** Changes whose requests may have reached their providers, without an answer. */
  readonly interrupted: readonly InterruptedChange[];
  /** The reason why the journal was not merged, and its new path. Absent if the journal was merged. */
  readonly refused?: { readonly reason: EngineError; readonly path: string };
}

/** A state that is open for a run, after the journal of an earlier run was merged. */
export interface OpenedState extends RecoveredApply {
  readonly manager: StateManager;
  /** Path of the journal; undefined if there is none for this state. */
  readonly journal: string | undefined;
  /** See {@link StateLocation.isJournalOptional}. */
  readonly isJournalOptional: boolean;
}

/** The state that {@link openState} opens. */
export interface StateLocation {
  readonly store: WorkspaceStore;
  readonly layout: StateLayout;
  /** Path of the journal; undefined if there is none for this state. */
  readonly journal: string | undefined;
  /** Whether a run continues without a journal if none can be read or created at that path. Default: false, for a path that the caller has set. */
  readonly isJournalOptional?: boolean;
}

/** Settings of {@link openState}. */
export interface OpenStateSettings extends StoreCallOptions {
  /** Whether a journal that is damaged or belongs to another state is renamed, and not an error. Default false. */
  readonly setAside?: boolean;
}

interface JournalContent {
  /** Undefined if it is damaged. */
  readonly header: JournalHeader | undefined;
  /** The other records that are intact. */
  readonly records: readonly JournalRecord[];
  /** Undefined if at most the end of the file is damaged. */
  readonly damage: EngineError | undefined;
  /** Size of the intact lines in bytes. */
  readonly size: number;
}

/**
 * Reads a state whose lock the caller holds. The finished changes of a journal are merged and stored first. The journal is removed then;
 * changes whose outcome is unknown stay in it until an apply ends.
 *
 * @throws EngineError `JOURNAL_MALFORMED`; `JOURNAL_MISMATCH` if the stored state is not one that the interrupted run read or wrote.
 */
export async function openState(location: StateLocation, settings: OpenStateSettings = {}): Promise<OpenedState> {
  const { store, layout, journal, isJournalOptional = false } = location;
  const { setAside = false, ...options } = settings;
  const content = journal === undefined ? undefined : await readJournal(journal, isJournalOptional);
  const manager = await StateManager.open(store, layout, { ...options, lineage: content?.header?.lineage });
  const opened = { manager, journal, isJournalOptional };
  if (journal === undefined || content === undefined) return { ...opened, recovered: [], interrupted: [] };
  const merged = mergeJournal(content.records, manager.file.state);
  const reason = content.damage ?? mismatchOf(journal, content, manager);
  if (reason !== undefined) {
    if (!setAside) throw reason;
    return { ...opened, ...merged, refused: { reason, path: await setJournalAside(journal) } };
  }
  const { recovered, interrupted } = merged;
  if (recovered.length > 0) await storeMerged(journal, content.size, manager, merged.state, options);
  const hasOnlyInterrupted = interrupted.length > 0 && content.records.length === interrupted.length;
  if (!hasOnlyInterrupted) await keepInterrupted(journal, journalBase(manager), interrupted);
  return { ...opened, recovered, interrupted };
}

/** Removes a journal that has only changes whose outcome is unknown, after they have been reported. */
export async function acknowledgeInterrupted({ journal, interrupted }: OpenedState): Promise<void> {
  if (journal !== undefined && interrupted.length > 0) await removeJournalFile(journal);
}

/** The identity of the stored state, for the header of a journal. */
export function journalBase({ file, stored }: StateManager): JournalBase {
  return { lineage: file.lineage, base: stored };
}

async function readJournal(path: string, isOptional: boolean): Promise<JournalContent | undefined> {
  const text = await readJournalFile(path).catch((error: unknown) => {
    if (isOptional) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const { lines, size, damagedLine } = text;
  let damage = damagedLine === undefined ? undefined : damageError(path, "a line before the last ones does not match its checksum");
  const records: JournalRecord[] = [];
  for (const line of lines) {
    try {
      records.push(parseRecord(line));
    } catch (error) {
      damage ??= damageError(path, error instanceof Error ? error.message : String(error));
    }
  }
  const [header, ...others] = records;
  if (header?.kind === "header") return { header, records: others, size, damage };
  return { header: undefined, records, size, damage: damage ?? damageError(path, "the first line is not a header") };
}

function damageError(path: string, reason: string): EngineError {
  return new EngineError("JOURNAL_MALFORMED", `the journal ${path} of an interrupted apply is damaged: ${reason}. ${advice}`);
}

const advice = "Restore it from a backup, or call recover({ setAside: true }), which renames it and reports the changes in it";

/** The error for a journal that does not belong to the stored state; undefined if it does. */
function mismatchOf(path: string, { header, records }: JournalContent, { file, stored }: StateManager): EngineError | undefined {
  const error = (owner: string): EngineError =>
    new EngineError("JOURNAL_MISMATCH", `the journal ${path} of an interrupted apply belongs to ${owner}. ${advice}`);
  if (header?.lineage !== file.lineage) return error(`lineage ${header?.lineage}, and the stored state has lineage ${file.lineage}`);
  // Without finished changes, the journal can change nothing.
  if (records.every(({ kind }) => kind === "begin" || kind === "end" || kind === "write")) return undefined;
  const writes = records.flatMap((record) => (record.kind === "write" ? [record.version] : []));
  if ([header.base, ...writes].some((one) => one?.sha256 === stored?.sha256)) return undefined;
  const known = [header.base, ...writes].map((one) => one?.serial ?? "none").join(", ");
  const actual = stored === undefined ? "no state is stored" : `the stored state has serial ${stored.serial}, written by another run`;
  return error(`a state with serial ${known}, and ${actual}`);
}

/** Stores the merged state. Records the write in the journal first: if this process is killed, the journal still belongs to the state. */
async function storeMerged(path: string, size: number, manager: StateManager, state: State, options: StoreCallOptions): Promise<void> {
  const file = await JournalFile.open(path, size);
  try {
    const beforeWrite = async (version: StoredVersion): Promise<void> => {
      file.append(formatRecord({ kind: "write", version }));
      await file.flush();
    };
    await manager.save(state, { ...options, beforeWrite });
  } finally {
    await file.close();
  }
}
