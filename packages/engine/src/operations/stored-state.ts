// SPDX-License-Identifier: Apache-2.0
import { hasErrors, type Diagnostic } from "@tenon/hcl";
import { formatResourceInstance } from "../address/index.ts";
import { keepInterrupted } from "../state/journal/apply-journal.ts";
import { journalBase, openState, type StateLocation } from "../state/journal/recover-journal.ts";
import { readStateFile } from "../state/read-state-file.ts";
import { StateManager } from "../state/state-manager.ts";
import { stateError } from "../state/state-diagnostic.ts";
import { emptyState, isEmptyState, resourceIn, type State } from "../state/state.ts";
import { createStateFile, type StateFile } from "../state/state-file.ts";
import { createLockInfo } from "../state/stores/lock-info.ts";
import { defaultWorkspace, type StateStore, type StoreCallOptions } from "../state/stores/state-store.ts";
import { writeStateFile } from "../state/write-state-file.ts";
import { allInstances, type SelectedInstances } from "./instances.ts";
import { listInstances, type ListOptions } from "./list-instances.ts";
import { moveInstances, type MovedInstances } from "./move-instances.ts";
import { removeInstances, type RemovedInstances } from "./remove-instances.ts";
import { replaceProvider, type ReplacedProvider } from "./replace-provider.ts";
import { noState, type StateChange } from "./state-change.ts";
import { nothingTainted, taintInstance, untaintInstance } from "./taint-instance.ts";

/** Access to the state that an operation works on. */
export interface StateAccess {
  readonly store: StateStore;
  /** Where the state of the workspace and its journal are. */
  readonly location: StateLocation;
  /** Closes the store. */
  close(): Promise<void>;
}

/**
 * The operations of OpenTofu's command line on the stored state of a workspace. Each takes the lock, changes the state, writes the state if it
 * differs, and releases the lock. Errors that OpenTofu reports are returned as diagnostics, and the state stays as it is.
 */
export class StoredState {
  readonly #name: string;
  readonly #open: () => Promise<StateAccess>;
  readonly #calls: StoreCallOptions;

  /**
   * @param name The name of the workspace.
   * @param open Opens the store for an operation.
   * @param calls Options of all calls of the store, such as a signal.
   */
  constructor(name: string, open: () => Promise<StateAccess>, calls: StoreCallOptions = {}) {
    this.#name = name;
    this.#open = open;
    this.#calls = calls;
  }

  /** Lists instances: `tofu state list`. */
  async list(options: ListOptions = {}): Promise<SelectedInstances> {
    const file = await this.#file();
    return file === undefined ? { instances: [], diagnostics: [noState] } : listInstances(file.state, options);
  }

  /** Moves a module, a resource or an instance to another address: `tofu state mv`. */
  async move(from: string, to: string): Promise<MovedInstances> {
    return this.#change(
      "state-mv",
      (state) => moveInstances(state, from, to),
      (failure) => ({ ...failure, moved: [] }),
    );
  }

  /** Removes instances from the state without destroying their objects: `tofu state rm`. */
  async remove(...addresses: readonly string[]): Promise<RemovedInstances> {
    return this.#change(
      "state-rm",
      (state) => removeInstances(state, addresses),
      (failure) => ({ ...failure, removed: [] }),
    );
  }

  /** Replaces one provider by another in all resources: `tofu state replace-provider`. */
  async replaceProvider(from: string, to: string): Promise<ReplacedProvider> {
    return this.#change(
      "state-replace-provider",
      (state) => replaceProvider(state, from, to),
      (failure) => ({ ...failure, resources: [] }),
    );
  }

  /** Marks the object of an instance as tainted, so that the next apply replaces it: `tofu taint`. */
  async taint(address: string): Promise<StateChange> {
    return this.#change(
      "taint",
      (state) => taintInstance(state, address),
      (failure) => failure,
      nothingTainted,
    );
  }

  /** Marks a tainted object as not tainted: `tofu untaint`. */
  async untaint(address: string): Promise<StateChange> {
    return this.#change(
      "untaint",
      (state) => untaintInstance(state, address),
      (failure) => failure,
      nothingTainted,
    );
  }

  /** The state as a state file; undefined if none is stored: `tofu state pull`. */
  async pull(): Promise<string | undefined> {
    const file = await this.#file();
    return file === undefined ? undefined : writeStateFile(file);
  }

  /**
   * Replaces the stored state by a state file: `tofu state push`. Without `force`, a state with another lineage or an earlier serial number than
   * the stored state is an error.
   */
  async push(source: string | Uint8Array, { force = false }: { readonly force?: boolean } = {}): Promise<readonly Diagnostic[]> {
    const { file, diagnostics } = readStateFile(source);
    if (file === undefined) return diagnostics;
    return this.#locked("state-push", async ({ location: { store, layout } }) => {
      const stored = await store.read(this.#calls);
      const existing = stored && readStateFile(stored.content).file;
      const reason = force || existing === undefined ? undefined : reasonAgainstPush(file, existing);
      if (reason !== undefined) return [stateError("Failed to write the imported state", reason)];
      const content = Buffer.from(writeStateFile(file, layout));
      if (stored === undefined || !content.equals(stored.content))
        await store.write(content, { ...this.#calls, expected: stored?.version });
      return [];
    });
  }

  /**
   * Releases the lock with the given ID, also if another process holds it: `tofu force-unlock`.
   *
   * @throws EngineError `STATE_LOCKED` if the lock has another ID.
   */
  async forceUnlock(id: string): Promise<void> {
    await this.#with(({ location }) => location.store.forceUnlock(id, this.#calls));
  }

  /** The names of the workspaces of the store: `tofu workspace list`. */
  async workspaces(): Promise<readonly string[]> {
    return this.#with(({ store }) => store.workspaces(this.#calls));
  }

  /** Creates a workspace with a copy of a state, or without objects: `tofu workspace new`. */
  async createWorkspace(name: string, { state = emptyState }: { readonly state?: State } = {}): Promise<readonly Diagnostic[]> {
    if (!isWorkspaceName(name)) {
      const detail = `The workspace name ${JSON.stringify(name)} is not allowed. The name must contain only URL safe characters, and no path separators.`;
      return [stateError("Invalid workspace name", detail)];
    }
    return this.#with(async ({ store }) => {
      if ((await store.workspaces(this.#calls)).includes(name)) {
        return [stateError(`Workspace ${JSON.stringify(name)} already exists`, "A workspace having the given name already exists")];
      }
      const created = store.workspace(name);
      const lock = await created.lock(createLockInfo("workspace-new"), this.#calls);
      try {
        const file = { ...createStateFile(state), serial: isEmptyState(state) ? 0 : 1 };
        await created.write(Buffer.from(writeStateFile(file, store.layout)), {
          ...this.#calls,
          expected: (await created.read(this.#calls))?.version,
        });
        return [];
      } finally {
        await lock.unlock();
      }
    });
  }

  /** Deletes a workspace: `tofu workspace delete`. If it has objects, `force` is required; the objects continue to exist. */
  async deleteWorkspace(name: string, { force = false }: { readonly force?: boolean } = {}): Promise<readonly Diagnostic[]> {
    return this.#with(({ store }) => this.#delete(store, name, force));
  }

  async #delete(store: StateStore, name: string, force: boolean): Promise<readonly Diagnostic[]> {
    const shown = JSON.stringify(name);
    if (!(await store.workspaces(this.#calls)).includes(name)) {
      const detail =
        'You can create this workspace with the "new" subcommand \nor include the "-or-create" flag with the "select" subcommand.';
      return [stateError(`Workspace ${shown} doesn't exist`, detail)];
    }
    if (name === this.#name) {
      const detail = "You cannot delete the currently active workspace. Please switch to another workspace and try again.";
      return [stateError(`Workspace ${shown} is your active workspace`, detail)];
    }
    const { file } = await StateManager.open(store.workspace(name), store.layout, this.#calls);
    const tracked = force ? [] : trackedObjects(file.state);
    if (tracked.length > 0) {
      const list = tracked.map((object) => `\n  - ${object}`).join("");
      const detail = `Workspace ${shown} is currently tracking the following resource instances:${list}\n\nDeleting this workspace would cause OpenTofu to lose track of any associated remote objects, which would then require you to delete them manually outside of OpenTofu. You should destroy these objects with OpenTofu before deleting the workspace.\n\nIf you want to delete this workspace anyway, and have OpenTofu forget about these managed objects, use the -force option to disable this safety check.`;
      return [stateError("Workspace is not empty", detail)];
    }
    if (name === defaultWorkspace) return [stateError("Error deleting workspace", "cannot delete default state")];
    await store.deleteWorkspace(name, this.#calls);
    return [];
  }

  async #file(): Promise<StateFile | undefined> {
    return this.#with(async ({ location: { store, layout } }) => {
      const manager = await StateManager.open(store, layout, this.#calls);
      return manager.stored === undefined ? undefined : manager.file;
    });
  }

  /**
   * Changes the stored state under its lock. Finished changes of an interrupted apply are recovered before.
   *
   * @param failed Converts an error to the result of the operation.
   * @param absent The error if no state is stored.
   */
  async #change<Change extends StateChange>(
    operation: string,
    change: (state: State) => Change,
    failed: (failure: StateChange) => Change,
    absent: Diagnostic = noState,
  ): Promise<Change> {
    return this.#locked(operation, async ({ location }) => {
      const { manager, journal, interrupted } = await openState(location, this.#calls);
      if (manager.stored === undefined) return failed({ state: emptyState, diagnostics: [absent] });
      const changed = change(manager.file.state);
      if (hasErrors(changed.diagnostics) || !(await manager.save(changed.state, this.#calls))) return changed;
      if (journal !== undefined && interrupted.length > 0) await keepInterrupted(journal, journalBase(manager), interrupted);
      return changed;
    });
  }

  /** Runs a task with the store, under the lock of the state. */
  async #locked<Result>(operation: string, task: (access: StateAccess) => Promise<Result>): Promise<Result> {
    return this.#with(async (access) => {
      const lock = await access.location.store.lock(createLockInfo(operation), this.#calls);
      try {
        return await task(access);
      } finally {
        await lock.unlock();
      }
    });
  }

  /** Runs a task with the store, and closes the store. */
  async #with<Result>(task: (access: StateAccess) => Promise<Result>): Promise<Result> {
    this.#calls.signal?.throwIfAborted();
    const access = await this.#open();
    try {
      return await task(access);
    } finally {
      await access.close();
    }
  }
}

/** All objects of a state as texts; empty if it has none of a managed resource. */
function trackedObjects(state: State): readonly string[] {
  const all = allInstances(state);
  if (all.every(({ resource }) => resource.mode !== "managed")) return [];
  return all.flatMap((instance) => {
    const { current, deposed } = resourceIn(state, instance)!.instances.get(instance.key)!;
    const text = formatResourceInstance(instance);
    return [...(current ? [text] : []), ...[...deposed.keys()].sort().map((key) => `${text} (deposed object ${key})`)];
  });
}

function isWorkspaceName(name: string): boolean {
  return name !== "" && name === encodeURIComponent(name);
}

/** Why a state file may not replace the stored state; undefined if it may. @see OpenTofu statemgr.CheckValidImport */
function reasonAgainstPush(pushed: StateFile, existing: StateFile): string | undefined {
  if (isEmptyState(existing.state) || pushed.lineage === "" || existing.lineage === "") return undefined;
  if (pushed.lineage !== existing.lineage) {
    return `cannot import state with lineage ${JSON.stringify(pushed.lineage)} over unrelated state with lineage ${JSON.stringify(existing.lineage)}`;
  }
  if (pushed.serial > existing.serial) return undefined;
  if (pushed.serial < existing.serial) {
    return `cannot import state with serial ${pushed.serial} over newer state with serial ${existing.serial}`;
  }
  const [first, second] = [pushed, existing].map((file) => writeStateFile({ ...file, terraformVersion: "" }, "compact"));
  if (first === second) return undefined;
  return `cannot overwrite existing state with serial ${pushed.serial} with a different state that has the same serial`;
}
