// SPDX-License-Identifier: Apache-2.0
import { AsyncLocalStorage } from "node:async_hooks";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";
import type { OpenCassette } from "./cassette.ts";
import { interceptedFetch } from "./intercepted-fetch.ts";
import { interceptedRequest, type Senders } from "./intercepted-request.ts";
import { interceptedConnect, refuseUnrecordedRequests } from "./unrecorded-requests.ts";

const current = new AsyncLocalStorage<OpenCassette>();
/** Set while the original `fetch` runs, whose requests the cassette knows. */
const isSending = new AsyncLocalStorage<true>();
let isInstalled = false;

/** Runs a function whose requests, and those of all that it starts, go through a cassette. */
export function withInterception<T>(cassette: OpenCassette, run: () => Promise<T>): Promise<T> {
  install();
  return current.run(cassette, run);
}

/**
 * Replaces `fetch`, and the functions of `node:http`, `node:https` and `node:http2` that send requests. Without a cassette, they do what they did before.
 */
function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  const active = (): OpenCassette | undefined => current.getStore();
  const original = globalThis.fetch;
  globalThis.fetch = interceptedFetch((input, init) => isSending.run(true, original, input, init), active);
  refuseUnrecordedRequests(() => (isSending.getStore() === true ? undefined : active()));
  http2.connect = interceptedConnect(http2.connect, active);
  const senders: Senders = { "http:": http.request, "https:": https.request };
  http.request = interceptedRequest(senders, "http:", active);
  https.request = interceptedRequest(senders, "https:", active);
  http.get = ((...args: Parameters<typeof http.get>) => ended(http.request(...args))) as typeof http.get;
  https.get = ((...args: Parameters<typeof https.get>) => ended(https.request(...args))) as typeof https.get;
  // So that modules see them that import names: `import { request } from "node:http"`.
  syncBuiltinESMExports();
}

function ended(request: http.ClientRequest): http.ClientRequest {
  request.end();
  return request;
}
