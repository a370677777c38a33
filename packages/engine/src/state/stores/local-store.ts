// SPDX-License-Identifier: Apache-2.0
import { closeSync, constants, openSync } from "node:fs";
import { mkdir, open, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { EngineError, type LockInfo } from "../../error.ts";
import { readStateFile } from "../read-state-file.ts";
import type { StateFile } from "../state-file.ts";
import { writeStateFile } from "../write-state-file.ts";
import { conflictError, contentVersion } from "./content-version.ts";
import { absentAs, storeError, withStoreError } from "./file-failure.ts";
import { fileLocks } from "./file-lock.ts";
import { lockedError, parseLockInfo } from "./lock-info.ts";
import {
  defaultWorkspace,
  type StateLock,
  type StateStore,
  type StoreCallOptions,
  type StoredContent,
  type WorkspaceStore,
  type WriteOptions,
} from "./state-store.ts";

/** Paths of the files of a local store. */
export interface LocalStateOptions {
  /** The state file of the workspace `default`. Default `terraform.tfstate`. */
  readonly path?: string;
  /** The folder of the other workspaces. Default `terraform.tfstate.d` beside the file. */
  readonly workspaceFolder?: string;
  /** The backup of the state before the first write. Default: the path with `.backup` appended. False: no backup. */
  readonly backupPath?: string | false;
}

/**
 * A store of files on this machine, with the same files as the command lines: `terraform.tfstate`, a backup beside it, other
 * workspaces in `terraform.tfstate.d`. Relative paths start from the working directory.
 *
 * A state is written in place, because locks belong to the file. If the process is killed during the write, or the write fails, the
 * whole new state is in `<path>.<process ID>.tmp`. It is read from there, and the next lock completes the write.
 *
 * The journal of an apply is in `<path>.journal`.
 *
 * Its locks also exclude the command lines, and theirs exclude this store, if the optional dependency `koffi` is installed. Without it,
 * and on Windows, locks exclude only other runs of this library.
 *
 * @see OpenTofu internal/states/statemgr, Filesystem
 */
export function localState(options: LocalStateOptions = {}): StateStore {
  return new LocalStore(options);
}

class LocalStore implements StateStore {
  readonly layout = "file";
  readonly #path: string;
  readonly #folder: string;
  readonly #backup: string | false | undefined;

  constructor({ path = "terraform.tfstate", workspaceFolder, backupPath }: LocalStateOptions) {
    this.#path = resolve(path);
    this.#folder = resolve(workspaceFolder ?? join(dirname(this.#path), "terraform.tfstate.d"));
    this.#backup = backupPath;
  }

  async workspaces(): Promise<readonly string[]> {
    const entries = await readdir(this.#folder, { withFileTypes: true }).catch(absentAs([]));
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    return [defaultWorkspace, ...names.filter((name) => name !== defaultWorkspace).sort()];
  }

  workspace(name: string): WorkspaceStore {
    if (name === defaultWorkspace) return new LocalWorkspace(this.#path, this.#backup);
    return new LocalWorkspace(join(this.#workspaceFolder(name), "terraform.tfstate"), this.#backup === false ? false : undefined);
  }

  async deleteWorkspace(name: string): Promise<void> {
    if (name === defaultWorkspace) throw new EngineError("INVALID_OPTIONS", 'the workspace "default" cannot be deleted');
    const folder = this.#workspaceFolder(name);
    const status = await stat(folder).catch(absentAs(undefined));
    if (status === undefined) throw new EngineError("WORKSPACE_NOT_FOUND", `there is no workspace ${JSON.stringify(name)} at ${folder}`);
    await rm(folder, { recursive: true });
  }

  #workspaceFolder(name: string): string {
    if (name === "" || name === "." || name === ".." || name !== encodeURIComponent(name)) {
      throw new EngineError(
        "INVALID_OPTIONS",
        `the workspace name ${JSON.stringify(name)} contains characters that cannot stand in a path or URL`,
      );
    }
    return join(this.#folder, name);
  }
}

/** Locks of state files that this process holds, by real path. */
const lockedHere = new Map<string, LockInfo>();

class LocalWorkspace implements WorkspaceStore {
  readonly #path: string;
  readonly #backupPath: string | undefined;
  #hasBackup = false;
  /** The version that a failed write should have replaced. */
  #torn: { readonly expected: string | undefined } | undefined;

  constructor(path: string, backup: string | false | undefined) {
    this.#path = path;
    this.#backupPath = backup === false ? undefined : (backup ?? `${path}.backup`);
  }

  get journalPath(): string {
    return `${this.#path}.journal`;
  }

  async read(): Promise<StoredContent | undefined> {
    const content = await readFile(this.#path).catch(absentAs(undefined));
    const state = content === undefined || isComplete(content) ? content : ((await this.#newestCopy())?.content ?? content);
    return state === undefined || state.length === 0 ? undefined : { content: state, version: contentVersion(state) };
  }

  async write(content: Uint8Array, { expected, signal }: WriteOptions): Promise<string> {
    const before = await this.read();
    const continuesTorn = this.#torn !== undefined && this.#torn.expected === expected;
    if (before?.version !== expected && !continuesTorn) throw conflictError(this.#path);
    signal?.throwIfAborted();
    const version = contentVersion(content);
    if (before?.version === version) return version;
    await withStoreError(`write the state to ${this.#path}`, async () => {
      await mkdir(dirname(this.#path), { recursive: true });
      if (before !== undefined) await this.#writeBackup(before.content);
      await this.#writeThroughCopy(content, expected);
    });
    return version;
  }

  /**
   * Writes a copy of the content, then the state file. The file is not replaced by the copy, because the lock belongs to the file. The
   * copy stays if the file could not be written completely.
   */
  async #writeThroughCopy(content: Uint8Array, expected: string | undefined): Promise<void> {
    const copy = `${this.#path}.${process.pid}.tmp`;
    try {
      await writeFile(copy, content, { flush: true });
    } catch (error) {
      await rm(copy, { force: true });
      throw error;
    }
    this.#torn ??= { expected };
    try {
      await this.#writeInPlace(content);
    } catch (error) {
      const advice = `The file may be incomplete. The whole new state is in ${copy}, and the next run reads it from there`;
      throw storeError(`write the state to ${this.#path}`, error, advice);
    }
    this.#torn = undefined;
    await rm(copy, { force: true });
  }

  async #writeInPlace(content: Uint8Array): Promise<void> {
    const file = await open(this.#path, constants.O_RDWR | constants.O_CREAT, 0o666);
    try {
      await file.truncate(0);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Paths of the copies of a file. Processes leave them that are killed during a write. */
  async #copies(path = this.#path): Promise<readonly string[]> {
    const folder = dirname(path);
    const prefix = `${basename(path)}.`;
    const names = await readdir(folder).catch(absentAs([]));
    return names
      .filter((name) => name.startsWith(prefix) && /^\d+\.tmp$/.test(name.slice(prefix.length)))
      .map((name) => join(folder, name));
  }

  /** The complete copy with the highest serial. */
  async #newestCopy(): Promise<{ readonly file: StateFile; readonly content: Buffer } | undefined> {
    let newest: { readonly file: StateFile; readonly content: Buffer } | undefined;
    for (const path of await this.#copies()) {
      const content = await readFile(path).catch(absentAs(undefined));
      const file = content === undefined ? undefined : readStateFile(content).file;
      if (content !== undefined && file !== undefined && !(newest !== undefined && newest.file.serial >= file.serial))
        newest = { file, content };
    }
    return newest;
  }

  /** Completes the write of a process that was killed. Only the holder of the lock may call this. */
  async #completeWrite(): Promise<void> {
    // The backup is replaced in one step, so its copies are not needed.
    if (this.#backupPath !== undefined) for (const copy of await this.#copies(this.#backupPath)) await rm(copy, { force: true });
    const copies = await this.#copies();
    if (copies.length === 0) return;
    const newest = await this.#newestCopy();
    const { file } = readStateFile(await readFile(this.#path));
    const isNewer = file === undefined || (file.lineage === newest?.file.lineage && file.serial < newest.file.serial);
    if (newest !== undefined && isNewer) await withStoreError(`write the state to ${this.#path}`, () => this.#writeInPlace(newest.content));
    // A damaged copy is from a write that had not changed the state file yet. A copy of another lineage is kept, because its origin is unknown.
    if (newest !== undefined && file !== undefined && file.lineage !== newest.file.lineage) return;
    for (const copy of copies) await rm(copy, { force: true });
  }

  /** Writes the backup of the state before the first write, in the compact layout, as the command lines do. */
  async #writeBackup(content: Uint8Array): Promise<void> {
    if (this.#hasBackup || this.#backupPath === undefined) return;
    const { file } = readStateFile(content);
    const temporary = `${this.#backupPath}.${process.pid}.tmp`;
    await writeFile(temporary, file === undefined ? content : writeStateFile(file, "compact"));
    await rename(temporary, this.#backupPath);
    this.#hasBackup = true;
  }

  get #infoPath(): string {
    return join(dirname(this.#path), `.${basename(this.#path).replace(/^\./, "")}.lock.info`);
  }

  async lock(info: LockInfo, options: StoreCallOptions = {}): Promise<StateLock> {
    options.signal?.throwIfAborted();
    const isNew = (await stat(this.#path).catch(absentAs(undefined))) === undefined;
    const descriptor = await withStoreError(`open ${this.#path} for locking`, async () => {
      await mkdir(dirname(this.#path), { recursive: true });
      return openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o666);
    });
    try {
      return await this.#lockOpen(descriptor, info, isNew);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  /** Takes the lock of the open state file. The caller closes the descriptor if this fails; `unlock` closes it otherwise. */
  async #lockOpen(descriptor: number, info: LockInfo, isNew: boolean): Promise<StateLock> {
    const real = await withStoreError(`lock ${this.#path}`, () => realpath(this.#path));
    const holder = lockedHere.get(real);
    if (holder !== undefined || fileLocks()?.tryLock(descriptor) === false) {
      throw lockedError(this.#path, holder ?? (await this.#storedInfo()));
    }
    const lock: LockInfo = { ...info, Path: this.#path };
    lockedHere.set(real, lock);
    try {
      await this.#writeInfo(lock);
      await this.#completeWrite();
    } catch (error) {
      lockedHere.delete(real);
      throw error;
    }
    let isHeld = true;
    return {
      info: lock,
      unlock: async () => {
        if (!isHeld) return;
        isHeld = false;
        if (lockedHere.get(real) === lock) lockedHere.delete(real);
        try {
          await rm(this.#infoPath, { force: true });
        } finally {
          closeSync(descriptor);
        }
        // Remove a file that was created only for the lock.
        if (isNew && (await stat(this.#path).catch(absentAs(undefined)))?.size === 0) await rm(this.#path, { force: true });
      },
    };
  }

  async forceUnlock(id: string): Promise<void> {
    const stored = await this.#storedInfo();
    if (stored === undefined) return;
    if (stored.ID !== id) throw lockedError(this.#path, stored);
    await rm(this.#infoPath, { force: true });
    const real = await realpath(this.#path).catch(absentAs(this.#path));
    if (lockedHere.get(real)?.ID === id) lockedHere.delete(real);
  }

  async #storedInfo(): Promise<LockInfo | undefined> {
    const text = await readFile(this.#infoPath, "utf8").catch(absentAs(undefined));
    return text === undefined ? undefined : parseLockInfo(text);
  }

  /** Writes the file that describes the lock. Where the platform has no file locks, this file is the lock. */
  async #writeInfo(info: LockInfo): Promise<void> {
    const flag = fileLocks() === undefined ? "wx" : "w";
    try {
      await writeFile(this.#infoPath, JSON.stringify(info), { flag });
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") throw lockedError(this.#path, await this.#storedInfo());
      throw storeError(`write ${this.#infoPath}`, error);
    }
  }
}

/** Whether a state file is complete: its JSON object ends. */
function isComplete(content: Uint8Array): boolean {
  const end = content.findLastIndex((byte) => byte !== 0x0a && byte !== 0x0d && byte !== 0x20 && byte !== 0x09);
  return content[end] === 0x7d;
}
