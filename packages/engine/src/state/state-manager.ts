// SPDX-License-Identifier: Apache-2.0
import { EngineError } from "../error.ts";
import type { StoredVersion } from "./journal/journal-record.ts";
import { readStateFile } from "./read-state-file.ts";
import { createStateFile, type StateFile } from "./state-file.ts";
import { emptyState, type State } from "./state.ts";
import { contentVersion } from "./stores/content-version.ts";
import type { StoreCallOptions, WorkspaceStore } from "./stores/state-store.ts";
import { writeStateFile, type StateLayout } from "./write-state-file.ts";

/** Settings of {@link StateManager.open}. */
export interface OpenStateOptions extends StoreCallOptions {
  /** Lineage of the state if none is stored. Default: a new one. */
  readonly lineage?: string | undefined;
}

/** Settings of {@link StateManager.save}. */
export interface SaveStateOptions extends StoreCallOptions {
  /** Called before the state is written, with the version that it will have. An error prevents the write. */
  readonly beforeWrite?: ((version: StoredVersion) => Promise<void>) | undefined;
}

/**
 * The stored state of one workspace during a run. It is read once, and written with each {@link save} of a different state.
 *
 * Each write increases the serial by one. Without a change, neither the stored state nor its serial changes.
 */
export class StateManager {
  readonly #store: WorkspaceStore;
  readonly #layout: StateLayout;
  #file: StateFile;
  #version: string | undefined;
  /** The content of the last write that failed. The store may have it nevertheless, for example after a timeout. */
  #attempted: StoredVersion | undefined;
  /** The content of the stored state, by {@link contentOf}; undefined if none is stored, and until it is first compared. */
  #storedContent: string | undefined;
  #stored: StoredVersion | undefined;

  private constructor(
    store: WorkspaceStore,
    layout: StateLayout,
    file: StateFile,
    stored?: { readonly version: string; readonly sha256: string },
  ) {
    this.#store = store;
    this.#layout = layout;
    this.#file = file;
    if (stored === undefined) return;
    this.#version = stored.version;
    this.#stored = { serial: file.serial, sha256: stored.sha256 };
  }

  /**
   * Reads the state of a workspace. If no state is stored, the manager starts with an empty state of a new lineage.
   *
   * @throws EngineError `STATE_MALFORMED` if the stored state cannot be read.
   */
  static async open(store: WorkspaceStore, layout: StateLayout, options: OpenStateOptions = {}): Promise<StateManager> {
    const stored = await store.read(options);
    if (stored === undefined) return new StateManager(store, layout, createStateFile(emptyState, options.lineage));
    const { content, version } = stored;
    const { file, diagnostics } = readStateFile(content);
    if (file !== undefined) return new StateManager(store, layout, file, { version, sha256: contentVersion(content) });
    const reasons = diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n");
    throw new EngineError("STATE_MALFORMED", `the stored state cannot be used: ${reasons}`);
  }

  /** The file that was last read or written. */
  get file(): StateFile {
    return this.#file;
  }

  /** The version of the stored state; undefined if none is stored. */
  get stored(): StoredVersion | undefined {
    return this.#stored;
  }

  /**
   * Writes a state if its content differs from the stored state. Returns whether the state was written.
   *
   * @throws EngineError `STATE_CONFLICT` if the stored state was changed by another run.
   */
  async save(state: State, { beforeWrite, ...options }: SaveStateOptions = {}): Promise<boolean> {
    if (state === this.#file.state && this.#version !== undefined) return false;
    const next: StateFile = { ...this.#file, serial: this.#file.serial + 1, state };
    const text = writeStateFile(next, this.#layout);
    const content = contentOf(text);
    if (this.#stored !== undefined) this.#storedContent ??= contentOf(writeStateFile(this.#file, this.#layout));
    if (content === this.#storedContent) {
      this.#file = { ...this.#file, state };
      return false;
    }
    const bytes = Buffer.from(text);
    const version = { serial: next.serial, sha256: contentVersion(bytes) };
    await beforeWrite?.(version);
    if (this.#attempted !== undefined) await this.#adoptAttempted(options);
    this.#attempted = version;
    this.#version = await this.#store.write(bytes, { ...options, expected: this.#version });
    this.#attempted = undefined;
    this.#stored = version;
    this.#file = next;
    this.#storedContent = content;
    return true;
  }

  /** Adopts the version of the stored state if it has the content of the write that failed. */
  async #adoptAttempted(options: StoreCallOptions): Promise<void> {
    const stored = await this.#store.read(options);
    if (stored !== undefined && contentVersion(stored.content) === this.#attempted?.sha256) this.#version = stored.version;
  }
}

/** The part of a state file behind its identity, to compare the content of two states. The first property behind the identity is `outputs`. */
function contentOf(text: string): string {
  return text.slice(text.indexOf('"outputs":'));
}
