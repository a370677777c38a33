// SPDX-License-Identifier: Apache-2.0
import { posix } from "node:path";
import { EngineError, type LockInfo } from "../../error.ts";
import { conflictError } from "./content-version.ts";
import { formatLockInfo, lockedError } from "./lock-info.ts";
import type { S3Access } from "./s3-access.ts";
import type { S3StateOptions } from "./s3-options.ts";
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

/**
 * A store in a bucket of S3, or of a server with the same protocol. It shares states, locks and workspaces with OpenTofu's `s3` backend.
 * It needs the package `@aws-sdk/client-s3`; the DynamoDB table, profiles and roles, and the limits of accounts need
 * `@aws-sdk/client-dynamodb`, `@aws-sdk/credential-providers` and `@aws-sdk/client-sts`.
 *
 * Writes are conditional (`If-Match`), so that no write of another run is lost. If the server does not support this, a write compares
 * the version with a separate read. Without `useLockfile` and `dynamodbTable`, states are not locked.
 *
 * @throws EngineError `INVALID_OPTIONS` for an empty bucket, and for a key that is empty or begins or ends with a slash.
 * @see OpenTofu internal/backend/remote-state/s3
 */
export function s3State(options: S3StateOptions): StateStore {
  return new S3Store(options);
}

class S3Store implements StateStore {
  readonly layout = "compact";
  readonly id: string;
  readonly #options: S3StateOptions;
  readonly #prefix: string;
  readonly #access: StoreConnection<S3Access>;

  constructor(options: S3StateOptions) {
    const { bucket, key, workspaceKeyPrefix = "env:" } = options;
    if (bucket === "") throw new EngineError("INVALID_OPTIONS", "the bucket of an s3 store is empty");
    if (key === "" || /^\/|\/$/.test(key)) {
      throw new EngineError("INVALID_OPTIONS", `the key ${JSON.stringify(key)} of an s3 store is empty, or begins or ends with a slash`);
    }
    this.#options = options;
    this.#prefix = workspaceKeyPrefix;
    this.#access = new StoreConnection(() => openAccess(options));
    this.id = `s3 ${JSON.stringify([options.endpoints?.s3 ?? "", bucket, key, workspaceKeyPrefix])}`;
  }

  async workspaces(options: StoreCallOptions = {}): Promise<readonly string[]> {
    const access = await this.#access.get();
    const keys = await access.keys(this.#prefix === "" ? "" : `${this.#prefix}/`, options);
    const names = keys.map((key) => this.#workspaceOf(key)).filter((name) => name !== undefined && name !== defaultWorkspace);
    return [defaultWorkspace, ...(names as string[]).sort()];
  }

  /** The workspace whose state has a key; undefined for other objects. */
  #workspaceOf(key: string): string | undefined {
    const start = this.#prefix === "" ? "" : `${this.#prefix}/`;
    const end = `/${this.#options.key}`;
    if (!key.startsWith(start) || !key.endsWith(end)) return undefined;
    const name = key.slice(start.length, key.length - end.length);
    return name === "" || name.includes("/") ? undefined : name;
  }

  workspace(name: string): WorkspaceStore {
    return new S3State(this.#options, this.#keyOf(name), () => this.#access.get());
  }

  async deleteWorkspace(name: string, options: StoreCallOptions = {}): Promise<void> {
    if (name === defaultWorkspace) throw new EngineError("INVALID_OPTIONS", 'the workspace "default" cannot be deleted');
    const access = await this.#access.get();
    const key = this.#keyOf(name);
    if ((await access.get(key, options)) === undefined) {
      throw new EngineError("WORKSPACE_NOT_FOUND", `there is no workspace ${JSON.stringify(name)} in the bucket ${this.#options.bucket}`);
    }
    await access.delete(key, options);
    await access.table?.deleteDigest(itemOf(this.#options, key), options);
  }

  async close(): Promise<void> {
    (await this.#access.take())?.close();
  }

  #keyOf(name: string): string {
    if (name === defaultWorkspace) return this.#options.key;
    if (name === "" || name === "." || name === ".." || name !== encodeURIComponent(name)) {
      throw new EngineError("INVALID_OPTIONS", `the workspace name ${JSON.stringify(name)} contains characters that cannot stand in a key`);
    }
    return posix.join(this.#prefix, name, this.#options.key);
  }
}

async function openAccess(options: S3StateOptions): Promise<S3Access> {
  const { openS3 } = await import("./s3-access.ts");
  return openS3(options);
}

/** The key of the DynamoDB item that locks a state. */
function itemOf({ bucket }: S3StateOptions, key: string): string {
  return `${bucket}/${key}`;
}

class S3State implements WorkspaceStore {
  readonly #options: S3StateOptions;
  readonly #key: string;
  readonly #open: () => Promise<S3Access>;

  constructor(options: S3StateOptions, key: string, open: () => Promise<S3Access>) {
    this.#options = options;
    this.#key = key;
    this.#open = open;
  }

  get #where(): string {
    return `s3://${this.#options.bucket}/${this.#key}`;
  }

  get #item(): string {
    return itemOf(this.#options, this.#key);
  }

  get #lockKey(): string {
    return `${this.#key}.tflock`;
  }

  async read(options: StoreCallOptions = {}): Promise<StoredContent | undefined> {
    const access = await this.#open();
    if (access.table === undefined) return access.get(this.#key, options);
    const { consistencyTimeoutMs = 10_000 } = this.#options;
    return access.table.readConsistent(this.#item, () => access.get(this.#key, options), { ...options, timeoutMs: consistencyTimeoutMs });
  }

  async write(content: Uint8Array, { expected, ...options }: WriteOptions): Promise<string> {
    const access = await this.#open();
    const version = await access.replace(this.#key, content, expected, options);
    if (version === undefined) throw conflictError(this.#where);
    await access.table?.putDigest(this.#item, content, options);
    return version;
  }

  async lock(info: LockInfo, options: StoreCallOptions = {}): Promise<StateLock> {
    const { useLockfile = false } = this.#options;
    const access = await this.#open();
    const lock: LockInfo = { ...info, Path: this.#item };
    const text = formatLockInfo(lock);
    if (useLockfile) {
      const holder = await access.createLock(this.#lockKey, text, lock.ID, options);
      if (holder !== "created") throw lockedError(this.#where, holder);
    }
    try {
      const holder = access.table === undefined ? "created" : await access.table.createLock(this.#item, text, lock.ID, options);
      if (holder !== "created") throw lockedError(this.#where, holder);
    } catch (error) {
      if (useLockfile) await access.delete(this.#lockKey, {}).catch(() => undefined);
      throw error;
    }
    let isHeld = true;
    return {
      info: lock,
      unlock: async () => {
        if (!isHeld) return;
        isHeld = false;
        await this.#release(lock.ID, {}, false);
      },
    };
  }

  async forceUnlock(id: string, options: StoreCallOptions = {}): Promise<void> {
    await this.#release(id, options, true);
  }

  /** Removes the locks with an ID. Locks with another ID stay. They are an error if `isRequired` is true. */
  async #release(id: string, options: StoreCallOptions, isRequired: boolean): Promise<void> {
    const access = await this.#open();
    const failures: unknown[] = [];
    const attempt = async (release: () => Promise<LockInfo | undefined>): Promise<void> => {
      try {
        const holder = await release();
        if (holder !== undefined && isRequired) failures.push(lockedError(this.#where, holder));
      } catch (error) {
        failures.push(error);
      }
    };
    // Both locks are removed, even if the first removal fails.
    if (this.#options.useLockfile) await attempt(() => access.removeLock(this.#lockKey, id, options));
    const { table } = access;
    if (table !== undefined) await attempt(() => table.removeLock(this.#item, id, options));
    if (failures.length > 0) throw failures[0];
  }
}
