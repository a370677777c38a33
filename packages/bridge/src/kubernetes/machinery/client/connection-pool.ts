// SPDX-License-Identifier: Apache-2.0
import type * as Undici from "undici";
import type { Dispatcher } from "undici";
import type { ClusterAccess } from "./cluster-access.ts";
import type { ClientCertificate, Credential } from "./credentials.ts";
import { LimitedSignal } from "./limited-signal.ts";

/** An HTTP request. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path with query. */
  readonly path: string;
  readonly headers: Record<string, string | string[]>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Time limit of the connection and the response, in milliseconds. */
  readonly timeoutMs: number;
}

/** A complete HTTP response. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** An HTTP response whose body is a stream. */
export interface HttpStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: AsyncIterable<Buffer>;
}

/** Options of a {@link ConnectionPool}. */
export interface ConnectionPoolSettings {
  /** Maximum number of connections for requests. Each stream has an additional connection. */
  readonly connections: number;
  readonly connectTimeoutMs: number;
}

/**
 * HTTP/1.1 connections to one API server, which are kept open between requests. HTTP/2 was measured, and was not faster: the server is the
 * bottleneck.
 *
 * After an exec plugin has renewed the client certificate, new connections are opened; requests in flight finish on the earlier connections.
 */
export class ConnectionPool {
  readonly #undici: typeof Undici.default;
  readonly #access: ClusterAccess;
  readonly #settings: ConnectionPoolSettings;
  #certificate: ClientCertificate | undefined;
  #dispatchers: { readonly requests: Dispatcher; readonly streams: Dispatcher } | undefined;
  #closed = false;

  private constructor(undici: typeof Undici.default, access: ClusterAccess, settings: ConnectionPoolSettings) {
    this.#undici = undici;
    this.#access = access;
    this.#settings = settings;
  }

  /** Loads the HTTP library, and creates a pool without connections. */
  static async open(access: ClusterAccess, settings: ConnectionPoolSettings): Promise<ConnectionPool> {
    // A CommonJS module: in a bundle, only its default export is there.
    return new ConnectionPool((await import("undici")).default, access, settings);
  }

  /** Sends a request, and reads the whole response. Uses the handlers of undici, because its promises halve the rate. */
  send(request: HttpRequest, { certificate }: Credential): Promise<HttpResponse> {
    const { requests } = this.#dispatchersFor(certificate);
    const { method, path, headers, body, timeoutMs } = request;
    const limited = new LimitedSignal(timeoutMs, request.signal ? [request.signal] : []);
    return new Promise((resolve, reject) => {
      const collector = new ResponseCollector(limited, resolve, reject);
      if (limited.signal.aborted) return;
      requests.dispatch({ origin: this.#access.server.origin, method, path, headers, body: body ?? null }, collector);
    });
  }

  /**
   * Sends a request, and returns the response as a stream. The stream fails if no data arrive for `timeoutMs`.
   *
   * @throws The error of undici if no response arrives.
   */
  async stream(request: HttpRequest, { certificate }: Credential): Promise<HttpStream> {
    const { streams } = this.#dispatchersFor(certificate);
    const { method, path, headers, signal, timeoutMs } = request;
    const {
      statusCode,
      headers: received,
      body,
    } = await streams.request({
      origin: this.#access.server.origin,
      method,
      path,
      headers,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      ...(signal ? { signal } : {}),
    });
    return { status: statusCode, headers: received, body };
  }

  /** Closes all connections. Requests in flight fail. */
  async close(): Promise<void> {
    this.#closed = true;
    const dispatchers = this.#dispatchers;
    this.#dispatchers = undefined;
    await Promise.all([dispatchers?.requests.destroy(), dispatchers?.streams.destroy()]);
  }

  #dispatchersFor(certificate: ClientCertificate | undefined): { readonly requests: Dispatcher; readonly streams: Dispatcher } {
    if (this.#closed) throw new Error("the client is closed");
    if (this.#dispatchers && certificate?.cert === this.#certificate?.cert) return this.#dispatchers;
    const earlier = this.#dispatchers;
    void earlier?.requests.close();
    void earlier?.streams.close();
    this.#certificate = certificate;
    this.#dispatchers = { requests: this.#dispatcher(this.#settings.connections), streams: this.#dispatcher(null) };
    return this.#dispatchers;
  }

  #dispatcher(connections: number | null): Dispatcher {
    const { server, certificateAuthorities, insecure, serverName, proxy } = this.#access;
    const timeout = this.#settings.connectTimeoutMs;
    const tls = {
      timeout,
      keepAlive: true,
      ...(certificateAuthorities === undefined ? {} : { ca: certificateAuthorities }),
      ...(serverName ? { servername: serverName } : {}),
      ...(insecure ? { rejectUnauthorized: false } : {}),
      ...this.#certificate,
    };
    const options = { connections, allowH2: false, pipelining: 1 };
    return proxy
      ? new this.#undici.ProxyAgent({ uri: proxy.href, requestTls: tls, ...options })
      : new this.#undici.Pool(server.origin, { connect: tls, ...options });
  }
}

/** Collects a response. Calls back once: with the response, the error, or the reason of the signal. */
class ResponseCollector implements Dispatcher.DispatchHandler {
  readonly #limited: LimitedSignal;
  readonly #resolve: (response: HttpResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Buffer[] = [];
  #status = 0;
  #headers: HttpResponse["headers"] = {};
  #controller: Dispatcher.DispatchController | undefined;

  constructor(limited: LimitedSignal, resolve: (response: HttpResponse) => void, reject: (error: Error) => void) {
    this.#limited = limited;
    this.#resolve = resolve;
    this.#reject = reject;
    if (limited.signal.aborted) this.#abort();
    else limited.signal.addEventListener("abort", this.#abort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The signal was aborted while the request waited for a connection.
    if (this.#limited.signal.aborted) this.#abort();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpResponse["headers"]): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#limited[Symbol.dispose]();
    this.#resolve({ status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks).toString("utf8") });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#limited[Symbol.dispose]();
    this.#reject(error);
  }

  readonly #abort = (): void => {
    const reason = this.#limited.signal.reason as Error;
    this.#limited[Symbol.dispose]();
    this.#reject(reason);
    this.#controller?.abort(reason);
  };
}
