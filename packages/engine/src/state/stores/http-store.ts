// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { EngineError, type LockInfo } from "../../error.ts";
import { conflictError, contentVersion } from "./content-version.ts";
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

/** Settings of an HTTP store. They are those of OpenTofu's `http` backend. */
export interface HttpStateOptions {
  /** The URL of the state. */
  readonly address: string;
  /** The HTTP method for writing the state. Default `POST`. */
  readonly updateMethod?: string;
  /** The URL for locking. Default: the state is not locked. */
  readonly lockAddress?: string;
  /** The HTTP method for locking. Default `LOCK`. */
  readonly lockMethod?: string;
  /** The URL for unlocking. Default: `lockAddress`. */
  readonly unlockAddress?: string;
  /** The HTTP method for unlocking. Default `UNLOCK`. */
  readonly unlockMethod?: string;
  /** The user of HTTP basic authentication. Default: no authentication. */
  readonly username?: string;
  readonly password?: string;
  /** Further headers of each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum number of retries of a failed request. Default 2. */
  readonly retryMax?: number;
  /** Milliseconds before the first retry. The delay doubles with each further retry. Default 1000. */
  readonly retryWaitMinMs?: number;
  /** Maximum delay before a retry, in milliseconds. Default 30,000. */
  readonly retryWaitMaxMs?: number;
  /** The function that makes the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/**
 * A store with the protocol of OpenTofu's `http` backend. Its only workspace is `default`.
 *
 * The protocol has no conditional writes. A write compares the version with a separate read, so only the lock protects the state from a
 * concurrent write.
 *
 * @throws EngineError `INVALID_OPTIONS` for an address that is not an HTTP or HTTPS URL.
 * @see OpenTofu internal/backend/remote-state/http
 */
export function httpState(options: HttpStateOptions): StateStore {
  return new HttpStore(options);
}

class HttpStore implements StateStore {
  readonly layout = "compact";
  readonly id: string;
  readonly #options: HttpStateOptions;

  constructor(options: HttpStateOptions) {
    for (const url of [options.address, options.lockAddress, options.unlockAddress]) {
      if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
        throw new EngineError("INVALID_OPTIONS", `${JSON.stringify(url)} is not an HTTP or HTTPS URL`);
      }
    }
    this.#options = options;
    const { origin, pathname, search } = new URL(options.address);
    this.id = `http ${origin}${pathname}${search}`;
  }

  async workspaces(): Promise<readonly string[]> {
    return [defaultWorkspace];
  }

  workspace(name: string): WorkspaceStore {
    if (name !== defaultWorkspace) throw new EngineError("WORKSPACE_NOT_FOUND", 'an HTTP store has only the workspace "default"');
    return new HttpState(this.#options);
  }

  async deleteWorkspace(name: string): Promise<void> {
    throw new EngineError("INVALID_OPTIONS", `an HTTP store has no workspaces, so ${JSON.stringify(name)} cannot be deleted`);
  }
}

interface Exchange extends StoreCallOptions {
  readonly what: string;
  readonly method: string;
  readonly url: string;
  readonly body?: Uint8Array;
}

class HttpState implements WorkspaceStore {
  readonly #options: HttpStateOptions;
  #lock: LockInfo | undefined;

  constructor(options: HttpStateOptions) {
    this.#options = options;
  }

  async read({ signal }: StoreCallOptions = {}): Promise<StoredContent | undefined> {
    const response = await this.#exchange({ what: "get state", method: "GET", url: this.#options.address, ...(signal && { signal }) });
    if (response.status === 204 || response.status === 404) return undefined;
    if (response.status !== 200) throw statusError("get state", response.status);
    const content = new Uint8Array(await response.arrayBuffer());
    if (content.length === 0) return undefined;
    const checksum = response.headers.get("content-md5");
    if (checksum !== null && checksum !== md5(content)) {
      throw new EngineError("STORE_FAILED", `the state from ${this.#publicAddress} does not match its checksum`);
    }
    return { content, version: contentVersion(content) };
  }

  async write(content: Uint8Array, { expected, signal }: WriteOptions): Promise<string> {
    const before = await this.read(signal === undefined ? {} : { signal });
    if (before?.version !== expected) throw conflictError(this.#publicAddress);
    const url = new URL(this.#options.address);
    if (this.#lock !== undefined) url.searchParams.set("ID", this.#lock.ID);
    const method = this.#options.updateMethod ?? "POST";
    const { status } = await this.#exchange({ what: "upload state", method, url: url.href, body: content, ...(signal && { signal }) });
    if (status !== 200 && status !== 201 && status !== 204) throw statusError("upload state", status);
    return contentVersion(content);
  }

  async lock(info: LockInfo, { signal }: StoreCallOptions = {}): Promise<StateLock> {
    const { lockAddress, lockMethod = "LOCK" } = this.#options;
    if (lockAddress === undefined) return { info, unlock: async () => {} };
    const body = Buffer.from(JSON.stringify(info));
    const response = await this.#exchange({ what: "lock", method: lockMethod, url: lockAddress, body, ...(signal && { signal }) });
    if (response.status === 409 || response.status === 423) throw lockedError(this.#publicAddress, parseLockInfo(await response.text()));
    if (response.status !== 200) throw statusError("lock", response.status);
    this.#lock = info;
    return {
      info,
      unlock: async () => {
        if (this.#lock !== info) return;
        this.#lock = undefined;
        await this.#unlock(info);
      },
    };
  }

  async forceUnlock(id: string, { signal }: StoreCallOptions = {}): Promise<void> {
    if (this.#lock !== undefined && this.#lock.ID !== id) throw lockedError(this.#publicAddress, this.#lock);
    this.#lock = undefined;
    const unknownHolder = { Operation: "", Info: "", Who: "", Version: "", Created: "0001-01-01T00:00:00Z", Path: "" };
    await this.#unlock({ ID: id, ...unknownHolder }, signal);
  }

  async #unlock(info: LockInfo, signal?: AbortSignal): Promise<void> {
    const { lockAddress, unlockAddress = lockAddress, unlockMethod = "UNLOCK" } = this.#options;
    if (unlockAddress === undefined) return;
    const body = Buffer.from(JSON.stringify(info));
    const { status } = await this.#exchange({ what: "unlock", method: unlockMethod, url: unlockAddress, body, ...(signal && { signal }) });
    if (status !== 200) throw statusError("unlock", status);
  }

  /** The address for error texts: without user, password and query, which may contain secrets. */
  get #publicAddress(): string {
    const { origin, pathname } = new URL(this.#options.address);
    return origin + pathname;
  }

  /** Makes a request. Retries it without a response, and for the statuses 429 and 5xx except 501. */
  async #exchange({ what, method, url, body, signal }: Exchange): Promise<Response> {
    const { retryMax = 2, retryWaitMinMs = 1000, retryWaitMaxMs = 30_000, fetch: request = fetch } = this.#options;
    const init: RequestInit = { method, headers: this.#headers(body), ...(body && { body }), ...(signal && { signal }) };
    for (let attempt = 0; ; attempt++) {
      let failure: unknown;
      try {
        const response = await request(url, init);
        const isTemporary = response.status === 429 || (response.status >= 500 && response.status !== 501);
        if (!isTemporary || attempt >= retryMax) return response;
        await response.body?.cancel();
      } catch (error) {
        signal?.throwIfAborted();
        failure = error;
      }
      if (failure !== undefined && attempt >= retryMax) {
        const reason =
          failure instanceof Error ? (failure.cause instanceof Error ? failure.cause.message : failure.message) : "no response";
        throw new EngineError("STORE_FAILED", `cannot ${what} at ${this.#publicAddress}: ${reason}`, { cause: failure });
      }
      await delay(Math.min(retryWaitMinMs * 2 ** attempt, retryWaitMaxMs), undefined, signal === undefined ? {} : { signal });
    }
  }

  #headers(body: Uint8Array | undefined): Headers {
    const { headers, username, password = "" } = this.#options;
    const all = new Headers(headers);
    if (username !== undefined) all.set("authorization", `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`);
    if (body !== undefined) {
      all.set("content-type", "application/json");
      all.set("content-md5", md5(body));
    }
    return all;
  }
}

function md5(content: Uint8Array): string {
  return createHash("md5").update(content).digest("base64");
}

function statusError(what: string, status: number): EngineError {
  const reasons: Readonly<Record<number, string>> = {
    401: "HTTP remote state endpoint requires auth",
    403: "HTTP remote state endpoint invalid auth",
    500: "HTTP remote state internal server error",
  };
  return new EngineError("STORE_FAILED", `cannot ${what}: ${reasons[status] ?? `unexpected HTTP response code ${status}`}`);
}
