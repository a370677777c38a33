// SPDX-License-Identifier: Apache-2.0
// The API as this provider uses it. It knows nothing of Terraform; what handlers hand over is a signal.
import { currentLog } from "@tenon/provider-sdk";
import { loggedFetch, retry, retryAfter } from "@tenon/provider-sdk/remote";

/** What the API says when it does not do what was asked. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** Milliseconds it asks to wait; undefined where it does not say. */
  readonly wait: number | undefined;

  constructor(what: string, status: number, said: string, wait?: number) {
    super(`${what}: ${status} ${said}`);
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
  /** The version that is to be changed, so that nobody else's change is lost. */
  readonly version?: string | undefined;
  readonly signal?: AbortSignal;
}

/** An object with the version it has. */
export interface Versioned<T> {
  readonly object: T;
  readonly version: string;
}

/** A client of the name service. */
export class Client {
  readonly #options: ClientOptions;
  // Each request is a line in the core's log, with the id of the call it is made for and with the token masked.
  readonly #fetch = loggedFetch({ log: currentLog, bodies: 2_000 });

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** An object; undefined where there is none. */
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

  /** Gone already is gone. */
  async delete(path: string, options: RequestOptions = {}): Promise<void> {
    await this.#request("DELETE", path, options, [404]);
  }

  /** All objects of a collection, page after page; nobody asks for a page that is not read. */
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
      // 429: it has done nothing. 503: it may have, so only what can be said twice is said again.
      when: (error) => error instanceof ApiError && (error.status === 429 || (error.status === 503 && method !== "POST")),
      waitFor: (error) => (error instanceof ApiError ? error.wait : undefined),
      backOff: { first: 100 },
      log: currentLog(),
      ...(signal ? { signal } : {}),
    });
  }
}

/** A path of parts that may hold anything. */
export function path(...parts: readonly string[]): string {
  return `/${parts.map(encodeURIComponent).join("/")}`;
}
