// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { getCACertificates } from "node:tls";
import type * as Undici from "undici";
import type { Dispatcher, EnvHttpProxyAgent } from "undici";
import { PluginHostError } from "../../error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of {@link ConnectionPools}. */
export interface ConnectionPoolSettings {
  /** Read for `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in lower case too, and for `SSL_CERT_FILE`. */
  readonly environment: Environment;
  /** Time limit for connecting, for the response headers, and between two parts of a body, in milliseconds. */
  readonly idleTimeoutMs: number;
}

/** Status codes after which a request is retried. */
const retriedStatusCodes = [429, 500, 502, 503, 504, 507, 508, 509, 529];

/** Network errors after which a request is retried. A request is not retried after an invalid certificate. */
const retriedErrorCodes = [
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETDOWN",
  "ENETUNREACH",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_SOCKET",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
];

/**
 * Connections to registries and mirrors, kept open between requests. They use the proxy and the certificates of the environment. Failed
 * requests are retried with backoff, up to half a minute; an interrupted download is resumed.
 */
export class ConnectionPools implements AsyncDisposable {
  readonly #pools: { readonly "https:": EnvHttpProxyAgent; readonly "http:": EnvHttpProxyAgent };
  readonly #retrying: { readonly "https:": Dispatcher; readonly "http:": Dispatcher };
  readonly #undici: typeof Undici.default;

  private constructor(undici: typeof Undici.default, { environment, idleTimeoutMs }: ConnectionPoolSettings) {
    this.#undici = undici;
    const ca = certificateAuthorities(environment);
    const tls = { timeout: idleTimeoutMs, ...(ca ? { ca } : {}) };
    const options = {
      allowH2: false,
      connect: tls,
      requestTls: tls,
      proxyTls: tls,
      headersTimeout: idleTimeoutMs,
      bodyTimeout: idleTimeoutMs,
      noProxy: variable(environment, "NO_PROXY"),
    };
    // Without HTTPS_PROXY, undici would send https: requests to HTTP_PROXY; the CLIs do not.
    const pool = (httpProxy: string, httpsProxy: string): EnvHttpProxyAgent =>
      new undici.EnvHttpProxyAgent({ ...options, httpProxy, httpsProxy });
    this.#pools = { "https:": pool("", proxy(environment, "HTTPS_PROXY")), "http:": pool(proxy(environment, "HTTP_PROXY"), "") };
    const retry = undici.interceptors.retry({
      minTimeout: 250,
      maxTimeout: 30_000,
      statusCodes: retriedStatusCodes,
      errorCodes: retriedErrorCodes,
      // The last response is returned to the caller, even with an error status.
      throwOnError: false,
    });
    this.#retrying = { "https:": this.#pools["https:"].compose(retry), "http:": this.#pools["http:"].compose(retry) };
  }

  /**
   * Loads the HTTP client, which takes tens of milliseconds, and reads the settings.
   *
   * @throws PluginHostError `INVALID_OPTIONS` for an invalid proxy address, or a certificate file that cannot be read
   */
  static async open(settings: ConnectionPoolSettings): Promise<ConnectionPools> {
    // A CommonJS module: in a bundle, only its default export is there.
    return new ConnectionPools((await import("undici")).default, settings);
  }

  /** Sends a GET request, without following redirects. Rejects with the error of the last attempt. */
  async get(
    url: URL,
    headers: Readonly<Record<string, string>>,
    maxRetries: number,
    signal: AbortSignal | undefined,
  ): Promise<Dispatcher.ResponseData> {
    const dispatcher = this.#retrying[url.protocol === "https:" ? "https:" : "http:"];
    const options = { dispatcher, method: "GET" as const, headers, retryOptions: { maxRetries }, ...(signal ? { signal } : {}) };
    return await this.#undici.request(url, options);
  }

  /** Closes all connections. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#pools["https:"].destroy(), this.#pools["http:"].destroy()]);
  }
}

function variable(environment: Environment, name: string): string {
  return environment[name.toLowerCase()] || environment[name] || "";
}

/** Returns the proxy of a variable; empty if the variable is not set. An address without a scheme is `http:`, as in the CLIs. */
function proxy(environment: Environment, name: string): string {
  const text = variable(environment, name);
  if (text === "") return "";
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  if (url?.protocol === "http:" || url?.protocol === "https:") return url.href;
  throw new PluginHostError("INVALID_OPTIONS", `the environment variable ${name} is not the http: or https: address of a proxy`);
}

function certificateAuthorities(environment: Environment): string[] | undefined {
  const file = environment["SSL_CERT_FILE"];
  if (!file) return undefined;
  try {
    return [...getCACertificates("default"), readFileSync(file, "utf8")];
  } catch (cause) {
    const message = `the environment variable SSL_CERT_FILE names a file that cannot be read: ${(cause as Error).message}`;
    throw new PluginHostError("INVALID_OPTIONS", message, { cause });
  }
}
