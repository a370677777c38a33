// SPDX-License-Identifier: Apache-2.0
import type { LockInfo } from "../../error.ts";
import type { StateLayout } from "../write-state-file.ts";

/** Settings of a call to a store. */
export interface StoreCallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
}

/** The content of a stored state, and its version. */
export interface StoredContent {
  readonly content: Uint8Array;
  /** An opaque identifier of the content. It changes with the content. */
  readonly version: string;
}

/** Settings of a write. */
export interface WriteOptions extends StoreCallOptions {
  /** The version that the write replaces; undefined if no state is stored yet. */
  readonly expected: string | undefined;
}

/** A lock that this run holds. */
export interface StateLock {
  readonly info: LockInfo;
  /** Releases the lock. Further calls do nothing. */
  unlock(): Promise<void>;
}

/**
 * A store of states. Applications can implement further stores. Callers may call methods concurrently.
 *
 * Methods reject with an `EngineError` whose code is `INVALID_OPTIONS` or begins with `STATE_`, `STORE_` or `WORKSPACE_`.
 */
export interface StateStore {
  /** The layout of the state files in this store. */
  readonly layout: StateLayout;
  /**
   * Identifies the place of the states, without credentials: stores with the same id have the same states, in every process. The journals of
   * applies are named by it. Absent in stores whose states do not outlive the process, and whose workspaces have a `journalPath`.
   */
  readonly id?: string;
  /** The names of the workspaces: `default`, which always exists, then the others that have a state, sorted. */
  workspaces(options?: StoreCallOptions): Promise<readonly string[]>;
  /** Returns the access to one workspace. This call reads and creates nothing. */
  workspace(name: string): WorkspaceStore;
  /** Removes a workspace with its state. `default` cannot be removed. */
  deleteWorkspace(name: string, options?: StoreCallOptions): Promise<void>;
  /**
   * Closes connections and processes of the store. Absent in stores that have none.
   *
   * Callers close a store after its last call. Locks must be released first.
   */
  close?(): Promise<void>;
}

/** The state of one workspace in a store. */
export interface WorkspaceStore {
  /** Path of the file beside the state in which an apply keeps its journal; absent if the store has no place for files. */
  readonly journalPath?: string;
  /** Reads the state; undefined if none is stored. */
  read(options?: StoreCallOptions): Promise<StoredContent | undefined>;
  /**
   * Replaces the state if it has the expected version. Returns the new version.
   *
   * @throws EngineError `STATE_CONFLICT` if the state has another version.
   */
  write(content: Uint8Array, options: WriteOptions): Promise<string>;
  /**
   * Takes the lock without waiting for it.
   *
   * @throws EngineError `STATE_LOCKED` if another run holds the lock.
   */
  lock(info: LockInfo, options?: StoreCallOptions): Promise<StateLock>;
  /**
   * Releases the lock with the given ID, even if another run holds it. Does nothing if the state is not locked.
   *
   * @throws EngineError `STATE_LOCKED` if the lock has another ID.
   */
  forceUnlock(id: string, options?: StoreCallOptions): Promise<void>;
}

/** The name of the workspace that every store has. */
export const defaultWorkspace = "default";
