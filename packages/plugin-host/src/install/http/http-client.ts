// SPDX-License-Identifier: Apache-2.0
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Dispatcher } from "undici";
import { PluginHostError } from "../../error.ts";
import { asCacheFailure } from "../cache/cache-failure.ts";
import { ConnectionPools, type ConnectionPoolSettings } from "./connection-pools.ts";
import { isHttp, resolveUrl, withoutSecrets } from "./http-url.ts";

/** Settings of an {@link HttpClient}. */
export interface HttpSettings extends ConnectionPoolSettings {
  readonly signal: AbortSignal | undefined;
}

/** Options of one request. */
export interface HttpRequest {
  readonly accept?: string;
  /** Value of the `Authorization` header, sent to the origin of the first URL only: a redirect to another origin drops it. */
  readonly authorization?: string | undefined;
  /** Number of retries after a failed connection, or a status of 429 or 5xx (except 501), for each URL of a redirect chain. */
  readonly retries: number;
  readonly maxRedirects: number;
}

/** A response with its whole body. */
export interface HttpResponse {
  readonly status: number;
  /** Media type without parameters, in lower case; empty if absent. */
  readonly contentType: string;
  /** The `WWW-Authenticate` header; empty if absent. */
  readonly challenge: string;
  /** The `Link` header; empty if absent. */
  readonly link: string;
  /** The `X-Terraform-Get` header, in which registries name the location of a module; empty if absent. */
  readonly moduleLocation: string;
  /** The final URL, after redirects. */
  readonly url: URL;
  readonly body: Uint8Array;
}

/** Progress of a download in bytes. `total` is undefined if the server sends no length. */
export type ByteProgress = (received: number, total: number | undefined) => void;

/** A response whose body has not been read. */
interface UnreadResponse {
  readonly data: Dispatcher.ResponseData;
  /** The final URL, after redirects. */
  readonly url: URL;
}

/** Fetches from registries and mirrors. Credentials never go to another origin, and no redirect leads from `https:` to `http:`. */
export class HttpClient implements AsyncDisposable {
  readonly #settings: HttpSettings;
  #pools: Promise<ConnectionPools> | undefined;

  constructor(settings: HttpSettings) {
    this.#settings = settings;
  }

  /** Fetches a URL, with a body of at most `maxBytes`. */
  async get(url: URL, request: HttpRequest, maxBytes: number): Promise<HttpResponse> {
    return await this.#fetch(url, request, async ({ data, url: final }) => {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of data.body as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxBytes) throw new PluginHostError("SOURCE_FAILED", `${withoutSecrets(final)} returned more than ${maxBytes} bytes`);
        chunks.push(chunk);
      }
      return {
        status: data.statusCode,
        contentType: header(data, "content-type").replace(/;.*$/s, "").trim().toLowerCase(),
        challenge: header(data, "www-authenticate"),
        link: header(data, "link"),
        moduleLocation: header(data, "x-terraform-get"),
        url: final,
        body: Buffer.concat(chunks),
      };
    });
  }

  /** Downloads a URL to a new file. A status other than 200 is an error. On failure the file is removed. */
  async download(url: URL, request: HttpRequest, path: string, maxBytes: number, onProgress: ByteProgress): Promise<void> {
    await this.#fetch(url, request, async ({ data, url: final }) => {
      if (data.statusCode !== 200) throw unexpectedStatus(final, data.statusCode);
      const length = header(data, "content-length");
      const total = length === "" ? undefined : Number(length);
      let received = 0;
      const counting = new Transform({
        transform(chunk: Buffer, _encoding, done): void {
          received += chunk.length;
          onProgress(received, total);
          const isTooLarge = received > maxBytes;
          done(
            isTooLarge ? new PluginHostError("SOURCE_FAILED", `${withoutSecrets(final)} is larger than ${maxBytes} bytes`) : null,
            chunk,
          );
        },
      });
      try {
        await pipeline(data.body, counting, createWriteStream(path, { flags: "wx" }));
      } catch (error) {
        await rm(path, { force: true }).catch(() => {});
        // An error of the file system is not the server's fault, and a retry would not help.
        throw asCacheFailure(error, path);
      }
    });
  }

  /** Closes the open connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    const pools = await this.#pools?.catch(() => undefined);
    await pools?.[Symbol.asyncDispose]();
  }

  async #fetch<Result>(url: URL, request: HttpRequest, read: (response: UnreadResponse) => Promise<Result>): Promise<Result> {
    const { signal, environment, idleTimeoutMs } = this.#settings;
    this.#pools ??= ConnectionPools.open({ environment, idleTimeoutMs });
    const pools = await this.#pools;
    for (let restarts = 0; ; restarts++) {
      let response: UnreadResponse | undefined;
      try {
        signal?.throwIfAborted();
        response = await this.#follow(pools, url, request);
        return await read(response);
      } catch (cause) {
        response?.data.body.on("error", () => {}).destroy();
        signal?.throwIfAborted();
        if (cause instanceof PluginHostError) throw cause;
        if (cannotResume(cause) && restarts < request.retries) continue;
        throw new PluginHostError("SOURCE_FAILED", `${withoutSecrets(url)} cannot be read: ${reasonOf(cause)}`, { cause });
      }
    }
  }

  async #follow(pools: ConnectionPools, url: URL, request: HttpRequest): Promise<UnreadResponse> {
    let current = url;
    for (let redirects = 0; ; redirects++) {
      const authorization = current.origin === url.origin ? request.authorization : undefined;
      const headers = {
        "user-agent": "tenon",
        "accept-encoding": "identity",
        ...(request.accept === undefined ? {} : { accept: request.accept }),
        ...(authorization === undefined ? {} : { authorization }),
      };
      const data = await pools.get(current, headers, request.retries, this.#settings.signal);
      const location = header(data, "location");
      if (!isRedirect(data.statusCode) || location === "") return { data, url: current };
      data.body.on("error", () => {}).destroy();
      const next = resolveUrl(location, current);
      if (!next || !isHttp(next)) throw refusedRedirect(current, location, "it is not an http: or https: address");
      if (current.protocol === "https:" && next.protocol !== "https:")
        throw refusedRedirect(current, location, "it is not an https: address");
      if (redirects >= request.maxRedirects) throw refusedRedirect(current, location, `the limit is ${redirects} redirects`);
      current = next;
    }
  }
}

/** Creates the error for a response with an unexpected status. */
export function unexpectedStatus(url: URL, status: number): PluginHostError {
  const code = status === 401 || status === 403 ? "UNAUTHORIZED" : "SOURCE_FAILED";
  return new PluginHostError(code, `${withoutSecrets(url)} returned status ${status}`);
}

function header({ headers }: Dispatcher.ResponseData, name: string): string {
  const value = headers[name] ?? "";
  return typeof value === "string" ? value : value.join(", ");
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** Whether the connection was lost during a body and the server cannot resume it: the request must start again. */
function cannotResume(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "UND_ERR_REQ_RETRY";
}

function refusedRedirect(from: URL, to: string, reason: string): PluginHostError {
  const url = resolveUrl(to, from);
  const target = url ? withoutSecrets(url) : JSON.stringify(to);
  return new PluginHostError("SOURCE_FAILED", `${withoutSecrets(from)} redirects to ${target}, which is not followed: ${reason}`);
}

function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join("; ");
  return cause instanceof Error ? cause.message : String(cause);
}
