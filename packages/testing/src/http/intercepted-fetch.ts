// SPDX-License-Identifier: Apache-2.0
import { bodyBytes } from "./body.ts";
import type { OpenCassette } from "./cassette.ts";
import { hasResponse, headerPairs, headerValues, type IncomingResponse, type OutgoingRequest, type RecordedEnd } from "./exchange.ts";
import { cancellation, endOf, errorOf } from "./recorded-end.ts";

type Fetch = typeof globalThis.fetch;

/** A `fetch` whose requests go through the active cassette. */
export function interceptedFetch(original: Fetch, active: () => OpenCassette | undefined): Fetch {
  return async (input, init) => {
    const cassette = active();
    if (cassette === undefined) return original(input, init);
    const given = new URL(input instanceof Request ? input.url : String(input));
    if (cassette.passes(given)) return original(input, init);
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const outgoing: OutgoingRequest = {
      method: request.method,
      url: given,
      headers: headerValues(request.headers),
      body: new Uint8Array(await request.arrayBuffer()),
    };
    return cassette.mode === "record"
      ? recordFetch(cassette, outgoing, request, (url, settings) => original(url, { ...init, ...settings }))
      : replayFetch(cassette, outgoing, request);
  };
}

type Send = (url: URL, init: RequestInit) => Promise<Response>;

async function recordFetch(cassette: OpenCassette, outgoing: OutgoingRequest, request: Request, send: Send): Promise<Response> {
  const finish = cassette.begin(outgoing);
  const { method, headers, redirect, signal } = request;
  const body = outgoing.body.length > 0 ? { body: outgoing.body as Uint8Array<ArrayBuffer> } : { body: null };
  let response: Response;
  const real = cassette.realUrl(outgoing.url);
  try {
    response = await send(real, { method, headers, redirect, signal, ...body });
  } catch (error) {
    finish({ end: signal.aborted ? "cancelled" : endOf((error as Error).cause ?? error) });
    throw error;
  }
  const head = {
    status: response.status,
    statusText: response.statusText,
    headers: headerValues(response.headers),
    isEncoded: false,
    ...(response.redirected && { redirectedTo: response.url }),
  };
  if (response.body === null) {
    finish({ ...head, body: new Uint8Array() });
    return response;
  }
  const passed = recordedStream(response.body, cassette.signal, (bytes, end) => {
    const whole: IncomingResponse = { ...head, body: bytes, ...(end !== undefined && { end }) };
    // A failure is kept by the cassette, and fails the test.
    try {
      finish(whole);
    } catch {}
  });
  return likeResponse(
    new Response(passed, { status: response.status, statusText: response.statusText, headers: response.headers }),
    response,
  );
}

/** Passes a body on as it arrives. It is read to its end even if the client does not read it, unless the client cancels it. */
function recordedStream(
  source: ReadableStream<Uint8Array>,
  testEnd: AbortSignal,
  finish: (bytes: Uint8Array, end: RecordedEnd | undefined) => void,
): ReadableStream<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const reader = source.getReader();
  const cancel = (reason?: unknown): Promise<void> => {
    finish(Buffer.concat(chunks), "cancelled");
    return reader.cancel(reason);
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const stop = (): void => void cancel(testEnd.reason).catch(() => {});
      testEnd.addEventListener("abort", stop, { once: true });
      const pump = async (): Promise<void> => {
        try {
          for (let part = await reader.read(); !part.done; part = await reader.read()) {
            chunks.push(part.value);
            controller.enqueue(part.value);
          }
          finish(Buffer.concat(chunks), undefined);
          controller.close();
        } catch (error) {
          finish(Buffer.concat(chunks), (error as Error).name === "AbortError" ? "cancelled" : endOf((error as Error).cause ?? error));
          controller.error(error);
        } finally {
          testEnd.removeEventListener("abort", stop);
        }
      };
      // A client that cancelled its stream cannot be told of anything.
      void pump().catch(() => {});
    },
    cancel,
  });
}

async function replayFetch(cassette: OpenCassette, outgoing: OutgoingRequest, { signal }: Request): Promise<Response> {
  const recorded = cassette.replay(outgoing);
  if (!hasResponse(recorded)) {
    if (recorded.end === "cancelled") throw await cancellation(signal, cassette.signal);
    throw new TypeError("fetch failed", { cause: errorOf(recorded.end) });
  }
  const { status, statusText, end, redirectedTo } = recorded;
  const bytes = bodyBytes(recorded.body);
  const isEmpty = [204, 205, 304].includes(status) || outgoing.method === "HEAD";
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      if (end === undefined) controller.close();
      else if (end === "cancelled") void cancellation(signal, cassette.signal).then((reason) => controller.error(reason));
      else controller.error(new TypeError("terminated", { cause: errorOf(end) }));
    },
  });
  const headers = new Headers(headerPairs(recorded.headers).map(([name, value]): [string, string] => [name, value]));
  const response = new Response(isEmpty ? null : body, { status, statusText, headers });
  return likeResponse(response, { url: redirectedTo ?? outgoing.url.href, redirected: redirectedTo !== undefined });
}

/** Gives a response what only `fetch` can set. */
function likeResponse(response: Response, { url, redirected }: Pick<Response, "url" | "redirected">): Response {
  return Object.defineProperties(response, { url: { value: url }, redirected: { value: redirected } });
}
