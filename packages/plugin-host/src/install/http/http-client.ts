// SPDX-License-Identifier: Apache-2.0
import { createWriteStream, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { Agent as PlainAgent, type IncomingMessage, request as plainRequest } from "node:http";
import { Agent, request } from "node:https";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { getCACertificates } from "node:tls";
import { PluginHostError } from "../../error.ts";
import { asCacheFailure } from "../cache/cache-failure.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How requests are made. */
export interface HttpSettings {
  /** For `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in both spellings, and `SSL_CERT_FILE`. */
  readonly environment: Environment;
  /** How long nothing may come, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** One request. */
export interface HttpRequest {
  readonly accept?: string;
  /** Sent as `Authorization`, and only to the origin of the first address: a redirect to another takes it away. */
  readonly authorization?: string | undefined;
  /** Further attempts after a failed connection, or an answer that says to come again: 429 and 5xx, but not 501. */
  readonly retries: number;
  readonly maxRedirects: number;
}

/** What a server answered. */
export interface HttpAnswer {
  readonly status: number;
  /** Media type without parameters, in lower case; empty where there is none. */
  readonly contentType: string;
  /** Of `WWW-Authenticate`. */
  readonly challenge: string;
  /** `Link`. */
  readonly link: string;
  /** The address that answered, after redirects. */
  readonly url: URL;
  readonly body: Uint8Array;
}

/** How far a download is. `total` is absent where the server does not say. */
export type ByteProgress = (received: number, total: number | undefined) => void;

/**
 * Fetches from registries and mirrors: through proxies where the environment names one, with certificates it names, never with
 * credentials for another host, and never from `https:` to `http:`.
 */
export class HttpClient implements Disposable {
  private readonly settings: HttpSettings;
  private readonly agents: { readonly "https:": Agent; readonly "http:": PlainAgent };

  constructor(settings: HttpSettings) {
    this.settings = settings;
    const { environment } = settings;
    refuseProxyOnOldNode(environment);
    const certificates = environment["SSL_CERT_FILE"];
    const ca = certificates ? { ca: [...getCACertificates("default"), readFileSync(certificates, "utf8")] } : {};
    const shared = { keepAlive: true, proxyEnv: { ...environment } };
    this.agents = { "https:": new Agent({ ...shared, ...ca }), "http:": new PlainAgent(shared) };
  }

  /** The whole answer, which must not be larger than `maxBytes`. */
  async get(url: URL, wanted: HttpRequest, maxBytes: number): Promise<HttpAnswer> {
    return await this.attempt(url, wanted, async (answer, final) => {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxBytes)
          throw new PluginHostError("SOURCE_FAILED", `${withoutSecrets(final)} answers with more than ${maxBytes} bytes`);
        chunks.push(chunk);
      }
      return {
        status: answer.statusCode ?? 0,
        contentType: (answer.headers["content-type"] ?? "").replace(/;.*$/s, "").trim().toLowerCase(),
        challenge: answer.headers["www-authenticate"] ?? "",
        link: String(answer.headers["link"] ?? ""),
        url: final,
        body: Buffer.concat(chunks),
      };
    });
  }

  /** Writes what the server has to a new file. Answers that are not 200 are errors. On failure there is no file. */
  async download(url: URL, wanted: HttpRequest, path: string, maxBytes: number, onProgress: ByteProgress): Promise<void> {
    await this.attempt(url, wanted, async (answer, final) => {
      if (answer.statusCode !== 200) throw unexpectedStatus(final, answer.statusCode ?? 0);
      const total = answer.headers["content-length"] === undefined ? undefined : Number(answer.headers["content-length"]);
      let received = 0;
      const counting = new Transform({
        transform(chunk: Buffer, _encoding, done): void {
          received += chunk.length;
          onProgress(received, total);
          done(
            received > maxBytes ? new PluginHostError("SOURCE_FAILED", `${withoutSecrets(final)} is larger than ${maxBytes} bytes`) : null,
            chunk,
          );
        },
      });
      try {
        await pipeline(answer, counting, createWriteStream(path, { flags: "wx" }));
      } catch (error) {
        await rm(path, { force: true }).catch(() => {});
        // Not the server's fault, and no better the next time.
        throw asCacheFailure(error, path);
      }
    });
  }

  /** Ends connections that are kept for the next request. */
  [Symbol.dispose](): void {
    this.agents["https:"].destroy();
    this.agents["http:"].destroy();
  }

  private async attempt<Result>(
    url: URL,
    wanted: HttpRequest,
    read: (answer: IncomingMessage, final: URL) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= wanted.retries;
      try {
        const { answer, final } = await this.follow(url, wanted);
        if (!isLast && saysComeAgain(answer.statusCode ?? 0)) {
          answer.resume();
          await this.pause(attempt, Number(answer.headers["retry-after"]));
          continue;
        }
        return await read(answer, final);
      } catch (cause) {
        this.settings.signal?.throwIfAborted();
        if (cause instanceof PluginHostError) throw cause;
        if (isLast) throw new PluginHostError("SOURCE_FAILED", `${withoutSecrets(url)} cannot be read: ${reasonOf(cause)}`, { cause });
        await this.pause(attempt, Number.NaN);
      }
    }
  }

  private async follow(url: URL, wanted: HttpRequest): Promise<{ answer: IncomingMessage; final: URL }> {
    let current = url;
    for (let redirects = 0; ; redirects++) {
      const authorization = current.origin === url.origin ? wanted.authorization : undefined;
      const answer = await this.send(current, wanted.accept, authorization);
      const { location } = answer.headers;
      if (!isRedirect(answer.statusCode ?? 0) || location === undefined) return { answer, final: current };
      answer.resume();
      const next = resolveUrl(location, current);
      if (!next || !isHttp(next)) throw refusedRedirect(current, location, "it is no http: or https: address");
      if (current.protocol === "https:" && next.protocol !== "https:") throw refusedRedirect(current, location, "it is not protected");
      if (redirects >= wanted.maxRedirects) throw refusedRedirect(current, location, `there were ${redirects} redirects already`);
      current = next;
    }
  }

  private async send(url: URL, accept: string | undefined, authorization: string | undefined): Promise<IncomingMessage> {
    const { signal, timeoutMs } = this.settings;
    const headers = {
      "user-agent": "tenon",
      "accept-encoding": "identity",
      ...(accept === undefined ? {} : { accept }),
      ...(authorization === undefined ? {} : { authorization }),
    };
    return await new Promise((resolve, reject) => {
      const options = { headers, timeout: timeoutMs, ...(signal ? { signal } : {}) };
      const onAnswer = (answer: IncomingMessage): void => {
        answer.setTimeout(timeoutMs, () => answer.destroy(new Error(`nothing came for ${timeoutMs} ms`)));
        resolve(answer);
      };
      const sent =
        url.protocol === "https:"
          ? request(url, { ...options, agent: this.agents["https:"] }, onAnswer)
          : plainRequest(url, { ...options, agent: this.agents["http:"] }, onAnswer);
      sent.on("timeout", () => sent.destroy(new Error(`nothing came for ${timeoutMs} ms`)));
      sent.on("error", reject);
      sent.end();
    });
  }

  /** Twice as long each time, up to half a minute; or as long as the server wants, up to the same. */
  private async pause(attempt: number, retryAfterSeconds: number): Promise<void> {
    const wanted = Number.isFinite(retryAfterSeconds) ? retryAfterSeconds * 1_000 : 250 * 2 ** attempt;
    const { signal } = this.settings;
    await sleep(Math.min(wanted, 30_000), undefined, signal ? { signal } : {});
  }
}

/** The error for an answer nobody can use. */
export function unexpectedStatus(url: URL, status: number): PluginHostError {
  const code = status === 401 || status === 403 ? "UNAUTHORIZED" : "SOURCE_FAILED";
  return new PluginHostError(code, `${withoutSecrets(url)} answers with status ${status}`);
}

/** An address as errors may show it: addresses of downloads are signed in what follows the path. */
export function withoutSecrets(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** An address relative to another; undefined where it is none. */
export function resolveUrl(text: string, base: URL): URL | undefined {
  return URL.parse(text, base.href) ?? undefined;
}

export function isHttp(url: URL): boolean {
  return url.protocol === "https:" || url.protocol === "http:";
}

function saysComeAgain(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

function refusedRedirect(from: URL, to: string, reason: string): PluginHostError {
  const url = resolveUrl(to, from);
  const target = url ? withoutSecrets(url) : JSON.stringify(to);
  return new PluginHostError("SOURCE_FAILED", `${withoutSecrets(from)} redirects to ${target}, where nobody follows: ${reason}`);
}

function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join("; ");
  return cause instanceof Error ? cause.message : String(cause);
}

function refuseProxyOnOldNode(environment: Environment): void {
  const isSet = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"].some((name) => environment[name]);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (!isSet || major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21)) return;
  const message = `a proxy is set in the environment, and Node ${process.versions.node} cannot use one: 22.21 and 24.5 can`;
  throw new PluginHostError("INVALID_OPTIONS", message);
}
