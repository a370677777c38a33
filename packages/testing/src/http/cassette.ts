// SPDX-License-Identifier: Apache-2.0
import type { Json } from "../documents/json.ts";
import { TestingError } from "../error.ts";
import { recordedBody, withoutEncoding } from "./body.ts";
import { type CassetteContents, readCassette, writeCassette } from "./cassette-file.ts";
import type { Exchange, IncomingResponse, OutgoingRequest, RecordedEnd, RecordedRequest } from "./exchange.ts";
import { type MatchSettings, requestDifferences } from "./request-difference.ts";
import { notMadeText, notRecordedText } from "./replay-text.ts";
import { requestUrl } from "./request-url.ts";
import { Secrets, type SecretSettings } from "./secrets.ts";

/**
 * What happens with requests: `record` sends them and writes the cassette, `replay` answers them from the cassette, `pass` sends them and writes
 * nothing.
 */
export type CassetteMode = "record" | "replay" | "pass";

/** Options of `withCassette`. */
export interface CassetteOptions extends MatchSettings {
  /** Default: that of the environment variable `TENON_HTTP`, else `replay`. */
  readonly mode?: CassetteMode;
  /** What is masked in the cassette, in addition to the names that are secret everywhere. */
  readonly secrets?: SecretSettings;
  /** Whether the last response to a request answers further equal requests, as for polling whose number of requests varies. Default: false. */
  readonly repeatLast?: boolean;
  /** Whether a replay may make fewer requests than the recording. Default: false. */
  readonly allowUnused?: boolean;
  /** Requests that are sent in every mode, and not recorded. */
  readonly passThrough?: (url: URL) => boolean;
  /**
   * The real origins of requests, by the origin in the cassette: `{ "https://dns.example": service.url }`. Requests to the second are recorded as
   * requests to the first.
   */
  readonly origins?: Readonly<Record<string, string>>;
}

/** Maximum time that the end of a recording waits for unread response bodies, in milliseconds. */
const settleMs = 2_000;

/** A cassette during a test. */
export interface Cassette {
  /** `pass` never occurs in a replay. */
  readonly mode: CassetteMode;
  /**
   * A value that a recording and its replays must share, such as a random name: the recording makes it and stores it, a replay reads it. It is
   * masked as the bodies are.
   */
  readonly remember: <T extends Json>(name: string, make: () => T) => T;
}

/** The state of a cassette that is recorded or replayed. */
export class OpenCassette implements Cassette {
  readonly mode: CassetteMode;
  readonly path: string;
  readonly options: CassetteOptions;
  readonly #secrets: Secrets;
  readonly #recorded: CassetteContents;
  /** The exchanges of a replay that have not been used. */
  readonly #unused: Set<Exchange>;
  /** The exchanges of a recording, in the order of their requests. Those in flight have none yet. */
  readonly #slots: { exchange?: Exchange }[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  readonly #values: Record<string, Json> = {};
  readonly #cancelled = new AbortController();
  #failure: TestingError | undefined;
  #isClosed = false;

  constructor(path: string, mode: CassetteMode, options: CassetteOptions) {
    this.path = path;
    this.mode = mode;
    this.options = options;
    this.#secrets = new Secrets(options.secrets ?? {});
    this.#recorded = mode === "replay" ? readCassette(path) : { values: {}, exchanges: [] };
    this.#unused = new Set(this.#recorded.exchanges);
  }

  /** Aborts when the test is over. */
  get signal(): AbortSignal {
    return this.#cancelled.signal;
  }

  /** Whether the test has ended. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Returns the error for a request that cannot be recorded. The test fails with it, even if the tested code ignores it. */
  refuse(what: string, advice: string, options?: ErrorOptions): TestingError {
    const failure = new TestingError("REQUEST_UNSUPPORTED", `${what}: ${advice}`, options);
    this.#failure ??= failure;
    return failure;
  }

  /** Whether a request goes to its server, unrecorded. @throws TestingError `REQUEST_UNSUPPORTED` after the test, and if the option `passThrough` throws. */
  passes(url: URL): boolean {
    if (this.mode === "pass" || this.#isPassedThrough(url)) return true;
    if (!this.#isClosed) return false;
    throw new TestingError(
      "REQUEST_UNSUPPORTED",
      `a request to ${url.origin}${url.pathname} was made after the test of the cassette ${this.path} had ended: await everything in the test`,
    );
  }

  #isPassedThrough(url: URL): boolean {
    try {
      return this.options.passThrough?.(url) ?? false;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw this.refuse(`the option passThrough threw an error for ${url.origin}${url.pathname}`, reason, { cause });
    }
  }

  readonly remember = <T extends Json>(name: string, make: () => T): T => {
    if (this.mode !== "replay") {
      const value = make();
      this.#values[name] = value;
      return value;
    }
    const value = this.#recorded.values[name];
    if (value === undefined)
      throw new TestingError("CASSETTE_INVALID", `the cassette ${this.path} has no value ${name}: record it again with TENON_HTTP=record`);
    return value as T;
  };

  /**
   * Finds the recorded exchange for a request.
   *
   * @throws TestingError `REQUEST_NOT_RECORDED`
   */
  replay(outgoing: OutgoingRequest): Exchange["response"] {
    const request = requestOf(outgoing);
    this.#secrets.learnFromRequest(request);
    const masked = this.#secrets.maskRequest(request);
    const isSame = (exchange: Exchange): boolean => requestDifferences(exchange.request, masked, this.options).length === 0;
    const found =
      [...this.#unused].find(isSame) ?? (this.options.repeatLast === true ? this.#recorded.exchanges.findLast(isSame) : undefined);
    if (found === undefined) {
      const text = notRecordedText(this.path, masked, this.#recorded.exchanges, this.#unused, this.options);
      const failure = new TestingError("REQUEST_NOT_RECORDED", text);
      this.#failure ??= failure;
      throw failure;
    }
    this.#unused.delete(found);
    return found.response;
  }

  /** Begins an exchange of a recording, and returns the function that ends it. */
  begin(outgoing: OutgoingRequest): (response: IncomingResponse | { readonly end: RecordedEnd }) => void {
    const request = requestOf({ ...outgoing, url: this.#recordedUrl(outgoing.url) });
    const slot: { exchange?: Exchange } = {};
    this.#slots.push(slot);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#inFlight.add(promise);
    return (response) => {
      this.#inFlight.delete(promise);
      resolve();
      try {
        slot.exchange ??= { request, response: "status" in response ? this.#responseOf(response, outgoing.url) : response };
      } catch (error) {
        if (error instanceof TestingError) this.#failure ??= error;
        throw error;
      }
    };
  }

  /** The real URL of a request. */
  realUrl(url: URL): URL {
    const origin = this.options.origins?.[url.origin];
    return origin === undefined ? url : requestUrl(`${url.pathname}${url.search}`, new URL(origin).origin);
  }

  /**
   * Ends the test. Writes the cassette of a recording if the test succeeded. Waits at most two seconds for response bodies that the test has not
   * read.
   *
   * @throws TestingError `REQUEST_NOT_RECORDED`, also if the tested code ignored it; `REQUEST_NOT_MADE`; `CASSETTE_INVALID`
   */
  async close(hasSucceeded: boolean): Promise<void> {
    this.#isClosed = true;
    if (hasSucceeded && this.#inFlight.size > 0) {
      const limit = setTimeout(() => this.#stop(), settleMs);
      await Promise.all(this.#inFlight);
      clearTimeout(limit);
    }
    this.#stop();
    if (!hasSucceeded) return;
    if (this.#failure !== undefined) throw this.#failure;
    if (this.mode === "record") this.#write();
    else if (this.#unused.size > 0 && this.options.allowUnused !== true)
      throw new TestingError("REQUEST_NOT_MADE", notMadeText(this.path, [...this.#unused], this.#recorded.exchanges.length));
  }

  #stop(): void {
    this.#cancelled.abort(new Error(`the test of the cassette ${this.path} has ended`));
  }

  #write(): void {
    const exchanges = this.#slots.flatMap(({ exchange }) => exchange ?? []);
    // First all are read: what one shows as a secret may be anywhere in another.
    for (const exchange of exchanges) this.#secrets.learnFrom(exchange);
    const values = Object.fromEntries(Object.entries(this.#values).map(([name, value]) => [name, this.#secrets.json(value)]));
    writeCassette(this.path, { values, exchanges: exchanges.map((exchange) => this.#secrets.mask(exchange)) });
  }

  #responseOf({ body, isEncoded, redirectedTo, ...response }: IncomingResponse, url: URL): Exchange["response"] {
    const plain = isEncoded ? withoutEncoding(body, response.headers, url, response.end !== undefined) : body;
    const recorded = recordedBody(plain, response.headers, false);
    return {
      ...response,
      ...(redirectedTo !== undefined && { redirectedTo: this.#recordedUrl(new URL(redirectedTo)).href }),
      ...(recorded && { body: recorded }),
    };
  }

  #recordedUrl(url: URL): URL {
    const [origin] = Object.entries(this.options.origins ?? {}).find(([, real]) => new URL(real).origin === url.origin) ?? [];
    return origin === undefined ? url : requestUrl(`${url.pathname}${url.search}`, new URL(origin).origin);
  }
}

function requestOf({ method, url, headers, body }: OutgoingRequest): RecordedRequest {
  const recorded = recordedBody(body, headers, true);
  return { method, url: url.href, headers, ...(recorded && { body: recorded }) };
}
