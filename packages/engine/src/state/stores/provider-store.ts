// SPDX-License-Identifier: Apache-2.0
import type { ConfigInput, PluginHostError, ProviderClient, StateStoreHandle } from "@tenon/plugin-host";
import type { ProviderFactory } from "@tenon/schema";
import { EngineError, type LockInfo } from "../../error.ts";
import { conflictError, contentVersion } from "./content-version.ts";
import { StoreConnection } from "./store-connection.ts";
import {
  defaultWorkspace,
  type StateLock,
  type StateStore,
  type StoreCallOptions,
  type StoredContent,
  type WorkspaceStore,
  type WriteOptions,
} from "./state-store.ts";

/** Settings of a store in a provider. */
export interface ProviderStateOptions {
  /** Opens an instance of the provider. The first call opens it; `close` closes it. */
  readonly provider: ProviderFactory;
  /** The type of the state store, such as `notebook_shelf`. */
  readonly type: string;
  /** The configuration of the state store. Default: empty. */
  readonly config?: ConfigInput<Readonly<Record<string, unknown>>>;
  /** The configuration of the provider. Default: empty. */
  readonly providerConfig?: ConfigInput<Readonly<Record<string, unknown>>>;
}

/**
 * A store in a provider of protocol 6, in this process or launched. Workspaces are the states of the provider's state store.
 *
 * The protocol has no conditional writes. A write compares the version with a separate read, so only the lock protects the state from a
 * concurrent write. The `ID` of a lock is the one that the provider returned; a store without locks returns none.
 *
 * Calls reject with `STORE_FAILED` for errors of the provider; `STATE_LOCKED` for those of LockState, because the protocol has no other
 * answer for a locked state.
 */
export function providerState(options: ProviderStateOptions): StateStore {
  return new ProviderStore(options);
}

interface OpenedProvider {
  readonly client: ProviderClient;
  readonly handle: StateStoreHandle;
}

class ProviderStore implements StateStore {
  readonly layout = "compact";
  readonly #options: ProviderStateOptions;
  readonly #connection: StoreConnection<OpenedProvider>;

  constructor(options: ProviderStateOptions) {
    this.#options = options;
    this.#connection = new StoreConnection(() => openStateStore(options));
  }

  async workspaces(options: StoreCallOptions = {}): Promise<readonly string[]> {
    const names = await this.call("list the states", options, (handle) => handle.list(settings(options)));
    return [defaultWorkspace, ...names.filter((name) => name !== defaultWorkspace).sort()];
  }

  workspace(name: string): WorkspaceStore {
    if (name === "") throw new EngineError("INVALID_OPTIONS", "the name of a workspace is empty");
    return new ProviderState(this, name, `state ${JSON.stringify(name)} of ${this.#options.type}`);
  }

  async deleteWorkspace(name: string, options: StoreCallOptions = {}): Promise<void> {
    if (name === defaultWorkspace) throw new EngineError("INVALID_OPTIONS", 'the workspace "default" cannot be deleted');
    if (!(await this.workspaces(options)).includes(name)) {
      throw new EngineError("WORKSPACE_NOT_FOUND", `there is no state ${JSON.stringify(name)} in ${this.#options.type}`);
    }
    await this.call("delete the state", options, (handle) => handle.delete(name, settings(options)));
  }

  async close(): Promise<void> {
    await (await this.#connection.take())?.client.close();
  }

  /** Calls the provider; errors are reported as those of a store. */
  async call<T>(what: string, { signal }: StoreCallOptions, run: (handle: StateStoreHandle) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    try {
      const { handle } = await this.#connection.get();
      return await run(handle);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof EngineError) throw error;
      const code = await hostErrorCode(error);
      const isCallerError = code === "INVALID_CONFIG" || code === "NOT_OFFERED";
      const reason = error instanceof Error ? error.message : String(error);
      throw new EngineError(isCallerError ? "INVALID_OPTIONS" : "STORE_FAILED", `cannot ${what}: ${reason}`, { cause: error });
    }
  }
}

async function openStateStore({ provider, type, config = {}, providerConfig = {} }: ProviderStateOptions): Promise<OpenedProvider> {
  const { openProvider } = await import("@tenon/plugin-host");
  const client = await openProvider(await provider(), { config: providerConfig });
  try {
    return { client, handle: await client.stateStore(type, config) };
  } catch (error) {
    await client.close();
    throw error;
  }
}

class ProviderState implements WorkspaceStore {
  readonly #store: ProviderStore;
  readonly #name: string;
  readonly #where: string;

  constructor(store: ProviderStore, name: string, where: string) {
    this.#store = store;
    this.#name = name;
    this.#where = where;
  }

  async read(options: StoreCallOptions = {}): Promise<StoredContent | undefined> {
    const content = await this.#store.call(`read the ${this.#where}`, options, (handle) => handle.read(this.#name, settings(options)));
    return content === undefined || content.length === 0 ? undefined : { content, version: contentVersion(content) };
  }

  async write(content: Uint8Array, { expected, ...options }: WriteOptions): Promise<string> {
    if ((await this.read(options))?.version !== expected) throw conflictError(this.#where);
    await this.#store.call(`write the ${this.#where}`, options, (handle) => handle.write(this.#name, content, settings(options)));
    return contentVersion(content);
  }

  async lock(info: LockInfo, options: StoreCallOptions = {}): Promise<StateLock> {
    const what = `lock the ${this.#where}`;
    const taken = await this.#store.call(what, options, (handle) =>
      handle.lock(this.#name, operationOf(info), settings(options)).catch(async (error: unknown) => {
        if (!(error instanceof Error) || (await hostErrorCode(error)) !== "DIAGNOSTICS") throw error;
        throw new EngineError("STATE_LOCKED", `the ${this.#where} is locked: ${error.message}`, { cause: error });
      }),
    );
    return {
      info: { ...info, ID: taken.lockId || info.ID, Path: this.#name },
      // A store without locks returns no ID.
      unlock: () => this.#store.call(`unlock the ${this.#where}`, {}, async () => (taken.lockId === "" ? undefined : taken.release())),
    };
  }

  async forceUnlock(id: string, options: StoreCallOptions = {}): Promise<void> {
    await this.#store.call(`unlock the ${this.#where}`, options, (handle) => handle.unlock(this.#name, id, settings(options)));
  }
}

/** The code of an error of the provider's host. The host is loaded with the first call, because other stores do not need it. */
async function hostErrorCode(error: unknown): Promise<PluginHostError["code"] | undefined> {
  const host = await import("@tenon/plugin-host");
  return error instanceof host.PluginHostError ? error.code : undefined;
}

/** The protocol's name of an operation: `plan`, `apply`. */
function operationOf({ Operation }: LockInfo): string {
  return Operation.replace(/^OperationType/, "").toLowerCase();
}

function settings({ signal }: StoreCallOptions): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
