// SPDX-License-Identifier: Apache-2.0
import { EngineError, type LockInfo } from "../../error.ts";
import { conflictError, contentVersion } from "./content-version.ts";
import { lockedError } from "./lock-info.ts";
import {
  defaultWorkspace,
  type StateLock,
  type StateStore,
  type StoredContent,
  type WorkspaceStore,
  type WriteOptions,
} from "./state-store.ts";

interface Slot {
  stored?: StoredContent;
  lock?: LockInfo;
}

/** A store in memory. It lasts as long as the process. */
export function memoryState(): StateStore {
  return new MemoryStore();
}

class MemoryStore implements StateStore {
  readonly layout = "compact";
  readonly #slots = new Map<string, Slot>();

  async workspaces(): Promise<readonly string[]> {
    const others = [...this.#slots].filter(([name, { stored }]) => name !== defaultWorkspace && stored !== undefined);
    return [defaultWorkspace, ...others.map(([name]) => name).sort()];
  }

  workspace(name: string): WorkspaceStore {
    let slot = this.#slots.get(name);
    if (slot === undefined) this.#slots.set(name, (slot = {}));
    return new MemoryWorkspace(name, slot);
  }

  async deleteWorkspace(name: string): Promise<void> {
    if (name === defaultWorkspace) throw new EngineError("INVALID_OPTIONS", 'the workspace "default" cannot be deleted');
    if (this.#slots.get(name)?.stored === undefined)
      throw new EngineError("WORKSPACE_NOT_FOUND", `there is no workspace ${JSON.stringify(name)}`);
    this.#slots.delete(name);
  }
}

class MemoryWorkspace implements WorkspaceStore {
  readonly #name: string;
  readonly #slot: Slot;

  constructor(name: string, slot: Slot) {
    this.#name = name;
    this.#slot = slot;
  }

  async read(): Promise<StoredContent | undefined> {
    return this.#slot.stored;
  }

  async write(content: Uint8Array, { expected }: WriteOptions): Promise<string> {
    if (this.#slot.stored?.version !== expected) throw conflictError(`workspace ${this.#name}`);
    const version = contentVersion(content);
    this.#slot.stored = { content: Uint8Array.from(content), version };
    return version;
  }

  async lock(info: LockInfo): Promise<StateLock> {
    if (this.#slot.lock !== undefined) throw lockedError(`workspace ${this.#name}`, this.#slot.lock);
    this.#slot.lock = info;
    return {
      info,
      unlock: async () => {
        if (this.#slot.lock === info) delete this.#slot.lock;
      },
    };
  }

  async forceUnlock(id: string): Promise<void> {
    if (this.#slot.lock === undefined) return;
    if (this.#slot.lock.ID !== id) throw lockedError(`workspace ${this.#name}`, this.#slot.lock);
    delete this.#slot.lock;
  }
}
