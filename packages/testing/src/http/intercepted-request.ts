// SPDX-License-Identifier: Apache-2.0
import http, { type ClientRequest, type IncomingMessage, type RequestOptions, type ServerResponse } from "node:http";
import { type Duplex, duplexPair } from "node:stream";
import { urlToHttpOptions } from "node:url";
import { bodyBytes, withEncoding } from "./body.ts";
import type { OpenCassette } from "./cassette.ts";
import {
  hasResponse,
  headerPairs,
  headerValues,
  type HeaderValues,
  type IncomingResponse,
  type OutgoingRequest,
  type RecordedEnd,
} from "./exchange.ts";
import { endOf, errorOf } from "./recorded-end.ts";
import { requestUrl } from "./request-url.ts";

type Send = (options: RequestOptions, callback?: (response: IncomingMessage) => void) => ClientRequest;
/** The functions of Node.js that send requests, by protocol. */
export type Senders = Readonly<Record<string, typeof http.request>>;
type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * A `request` of `node:http` or `node:https` whose requests go through the active cassette. The client is Node's own: its connection leads to a server in
 * this process, which answers from the cassette, or sends the request on.
 */
export function interceptedRequest(
  senders: Senders,
  standard: "http:" | "https:",
  active: () => OpenCassette | undefined,
): typeof http.request {
  const original = senders[standard]!;
  const intercepted = (...args: readonly unknown[]): ClientRequest => {
    const cassette = active();
    const { options, callback } = optionsOf(args);
    const url = urlOf(options, standard);
    if (cassette === undefined || cassette.passes(url)) return (original as (...all: readonly unknown[]) => ClientRequest)(...args);
    if (options.method?.toUpperCase() === "CONNECT")
      throw cassette.refuse(`the tunnel through ${url.host} cannot be recorded`, "let the option passThrough pass it");
    const handle: Handle = (request, response) => answer({ cassette, request, response, url, options, senders });
    const agent = new PairAgent(handle, url.protocol);
    const { createConnection: _, ...rest } = options;
    return (original as unknown as Send)({ ...rest, agent }, callback);
  };
  return intercepted;
}

/** An agent whose connections lead to a handler in this process. */
class PairAgent extends http.Agent {
  readonly #handle: Handle;

  constructor(handle: Handle, protocol: string) {
    super({ keepAlive: false });
    this.#handle = handle;
    // The client checks it, and the types do not declare it.
    (this as unknown as { protocol: string }).protocol = protocol;
  }

  override createConnection(): Duplex {
    const [client, server] = duplexPair();
    // One end of a pair does not know that the other is gone.
    client.once("close", () => server.destroy());
    handlers.set(server, { handle: this.#handle, client });
    pairServer().emit("connection", asSocket(server));
    return asSocket(client);
  }
}

const handlers = new WeakMap<Duplex, { readonly handle: Handle; readonly client: Duplex }>();
let shared: http.Server | undefined;

/** The server of all pairs. It listens nowhere. */
function pairServer(): http.Server {
  shared ??= http.createServer((request, response) => {
    const { handle, client } = handlers.get(request.socket)!;
    // The client's request fails with the error.
    handle(request, response).catch((error: Error) => client.destroy(error));
  });
  return shared;
}

/** Adds what clients expect of a socket. */
function asSocket(stream: Duplex): Duplex {
  const same = (): Duplex => stream;
  return Object.assign(stream, {
    setTimeout: same,
    setNoDelay: same,
    setKeepAlive: same,
    ref: same,
    unref: same,
    encrypted: true,
    authorized: true,
  });
}

interface Answering {
  readonly cassette: OpenCassette;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The URL by the options, whose path may be another one. */
  readonly url: URL;
  readonly options: RequestOptions;
  readonly senders: Senders;
}

async function answer(answering: Answering): Promise<void> {
  const { cassette, request, response } = answering;
  const url = requestUrl(request.url ?? "/", answering.url.origin);
  if (request.headers.upgrade !== undefined)
    throw cassette.refuse(
      `the upgrade of ${url.href} to ${request.headers.upgrade} cannot be recorded`,
      "let the option passThrough pass it",
    );
  const body = Buffer.concat(await request.toArray());
  requireNoTrailers(cassette, request, `the request ${request.method ?? "GET"} ${url.href}`);
  const outgoing: OutgoingRequest = { method: request.method ?? "GET", url, headers: rawHeaderValues(request.rawHeaders), body };
  response.sendDate = false;
  await (cassette.mode === "record" ? record(answering, outgoing) : replay(cassette, outgoing, response));
}

function record({ cassette, request, response, options, senders }: Answering, outgoing: OutgoingRequest): Promise<void> {
  const finish = cassette.begin(outgoing);
  const real = cassette.realUrl(outgoing.url);
  const { path: _path, auth: _auth, headers: _headers, setHost: _host, createConnection, ...connection } = options;
  // Another origin has another connection; the request is the same.
  const target = real === outgoing.url ? { ...connection, ...(createConnection && { createConnection }) } : urlToHttpOptions(real);
  const headers = request.rawHeaders as unknown as http.OutgoingHttpHeaders;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let head: Omit<IncomingResponse, "body"> | undefined;
    const endEarly = (end: RecordedEnd): void => {
      // A failure is kept by the cassette, and fails the test.
      try {
        finish(head === undefined ? { end } : { ...head, body: Buffer.concat(chunks), end });
      } catch {}
    };
    const fail = (error: Error): void => {
      endEarly(response.destroyed ? "cancelled" : endOf(error));
      reject(error);
    };
    const send = senders[real.protocol] as unknown as Send;
    const upstream = send({ ...target, path: request.url, method: request.method, headers });
    const stop = (): void => {
      endEarly("cancelled");
      upstream.destroy();
    };
    cassette.signal.addEventListener("abort", stop, { once: true });
    response.on("close", () => {
      cassette.signal.removeEventListener("abort", stop);
      if (!response.writableFinished) stop();
    });
    upstream.on("error", fail);
    upstream.on("response", (incoming) => {
      const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = incoming;
      head = { status, statusText, headers: rawHeaderValues(rawHeaders), isEncoded: true };
      response.writeHead(status, statusText, rawHeaders);
      response.flushHeaders();
      incoming.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        response.write(chunk);
      });
      incoming.on("error", fail);
      incoming.on("end", () => {
        try {
          requireNoTrailers(cassette, incoming, `the response to ${outgoing.method} ${outgoing.url.href}`);
          finish({ ...head!, body: Buffer.concat(chunks) });
        } catch (error) {
          reject(error);
          return;
        }
        response.end();
        resolve();
      });
    });
    upstream.end(outgoing.body);
  });
}

/** @throws TestingError `REQUEST_UNSUPPORTED` for a message with trailers, which a cassette does not store */
function requireNoTrailers(cassette: OpenCassette, { rawTrailers }: IncomingMessage, what: string): void {
  if (rawTrailers.length === 0) return;
  const names = rawTrailers.filter((_, index) => index % 2 === 0).join(", ");
  throw cassette.refuse(`${what} has trailers, which cannot be recorded: ${names}`, "let the option passThrough pass it");
}

async function replay(cassette: OpenCassette, outgoing: OutgoingRequest, response: ServerResponse): Promise<void> {
  const recorded = cassette.replay(outgoing);
  const { end } = recorded;
  const isOpen = end === "cancelled";
  if (isOpen) cassette.signal.addEventListener("abort", () => response.destroy(), { once: true });
  if (hasResponse(recorded)) {
    const plain = bodyBytes(recorded.body);
    // An early end is recorded as it arrived.
    const body = end === undefined ? withEncoding(plain, recorded.headers, outgoing.url) : plain;
    const pairs = headerPairs(recorded.headers).flat();
    response.writeHead(
      recorded.status,
      recorded.statusText,
      end === undefined && body.length > 0 ? [...pairs, "content-length", String(body.length)] : pairs,
    );
    if (end === undefined) {
      response.end(body);
      return;
    }
    response.flushHeaders();
    await new Promise((resolve) => response.write(body, resolve));
  }
  if (end !== undefined && end !== "cancelled") throw errorOf(end);
}

function rawHeaderValues(raw: readonly string[]): HeaderValues {
  return headerValues(Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index]!, raw[2 * index + 1]!] as const));
}

/** The arguments of `request`: a URL, options and a callback, or only some of them. */
function optionsOf(args: readonly unknown[]): {
  readonly options: RequestOptions;
  readonly callback?: (response: IncomingMessage) => void;
} {
  const [first, ...rest] = args;
  const isUrl = typeof first === "string" || first instanceof URL;
  const given = (isUrl ? rest.find((one) => typeof one === "object" && one !== null) : first) as RequestOptions | undefined;
  const callback = args.find((one) => typeof one === "function") as ((response: IncomingMessage) => void) | undefined;
  return { options: { ...(isUrl ? urlToHttpOptions(new URL(first)) : {}), ...given }, ...(callback && { callback }) };
}

function urlOf({ method, protocol, agent, hostname, host, port, path, socketPath }: RequestOptions, standard: string): URL {
  const scheme = protocol ?? (agent as { readonly protocol?: string } | undefined)?.protocol ?? standard;
  const name = hostname ?? (host?.replace(/:\d+$/, "") || "localhost");
  const authority = name.includes(":") && !name.startsWith("[") ? `[${name}]` : name;
  // The path of a socket has no place in a URL; the server behind it is this machine.
  const url = new URL(`${scheme}//${socketPath ? "localhost" : authority}`);
  if (port !== undefined && port !== null && port !== "" && !socketPath) url.port = String(port);
  // The path of CONNECT is the authority of another server.
  return method?.toUpperCase() === "CONNECT" ? url : requestUrl(path ?? "/", url.origin);
}
