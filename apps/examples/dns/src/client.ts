// SPDX-License-Identifier: Apache-2.0
// The part of the API that this provider uses. It does not depend on Terraform; handlers pass only an abort signal.
import { currentLog } from "@tenon/provider-sdk";
import { loggedFetch, retry, retryAfter } from "@tenon/provider-sdk/remote";

/** An error response of the API. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** Wait before a retry that the response requests, in milliseconds. */
  readonly wait: number | undefined;

  constructor(request: string, status: number, message: string, wait?: number) {
    super(`${request}: ${status} ${message}`);
    this.status = status;
    this.wait = wait;
  }
}

export interface ClientOptions {
  readonly endpoint: string;
  readonly token: string;
  readonly userAgent: string;
}

export interface RequestOptions {
  readonly body?: object;
  /** Version that the change is based on, so that no other change is lost. */
  readonly version?: string | undefined;
  readonly signal?: AbortSignal;
}

/** An object and its version. */
export interface Versioned<T> {
  readonly object: T;
  readonly version: string;
}

/** A client of the DNS service. */
export class Client {
  readonly #options: ClientOptions;
  // Logs each request with the id of the provider call, and masks the token.
  readonly #fetch = loggedFetch({ log: currentLog, bodies: 2_000 });

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Reads an object; undefined when it does not exist. */
  async get<T>(path: string, options: RequestOptions = {}): Promise<Versioned<T> | undefined> {
    const response = await this.#request("GET", path, options, [404]);
    if (response.status === 404) return undefined;
    return { object: (await response.json()) as T, version: response.headers.get("etag") ?? "" };
  }

  async put<T>(path: string, options: RequestOptions): Promise<Versioned<T>> {
    const response = await this.#request("PUT", path, options);
    return { object: (await response.json()) as T, version: response.headers.get("etag") ?? "" };
  }

  async post<T>(path: string, options: RequestOptions): Promise<T> {
    return (await (await this.#request("POST", path, options)).json()) as T;
  }

  /** Deletes an object; succeeds when it does not exist. */
  async delete(path: string, options: RequestOptions = {}): Promise<void> {
    await this.#request("DELETE", path, options, [404]);
  }

  /** Lists a collection; requests a page only when it is read. */
  async *all<T>(path: string, signal?: AbortSignal): AsyncGenerator<T> {
    let cursor: string | null = "0";
    while (cursor !== null) {
      const response = await this.#request("GET", `${path}?cursor=${cursor}`, signal ? { signal } : {});
      const page = (await response.json()) as { readonly items: readonly T[]; readonly next: string | null };
      yield* page.items;
      cursor = page.next;
    }
  }

  #request(method: string, path: string, { body, version, signal }: RequestOptions, accepted: readonly number[] = []): Promise<Response> {
    const { endpoint, token, userAgent } = this.#options;
    const headers = {
      authorization: `Bearer ${token}`,
      "user-agent": userAgent,
      ...(body ? { "content-type": "application/json" } : {}),
      ...(version ? { "if-match": version } : {}),
    };
    const send = async (): Promise<Response> => {
      const response = await this.#fetch(new URL(path, endpoint), {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
        ...(signal ? { signal } : {}),
      });
      if (response.ok || accepted.includes(response.status)) return response;
      const { error = response.statusText } = (await response.json().catch(() => ({}))) as { readonly error?: string };
      throw new ApiError(`${method} ${path}`, response.status, error, retryAfter(response.headers));
    };
    return retry(send, {
      // After 429 the request had no effect. After 503 it may have had one, so only idempotent requests are retried.
      when: (error) => error instanceof ApiError && (error.status === 429 || (error.status === 503 && method !== "POST")),
      waitFor: (error) => (error instanceof ApiError ? error.wait : undefined),
      backOff: { first: 100 },
      log: currentLog(),
      ...(signal ? { signal } : {}),
    });
  }
}

/** Joins path segments and encodes each. */
export function path(...parts: readonly string[]): string {
  return `/${parts.map(encodeURIComponent).join("/")}`;
}
