// SPDX-License-Identifier: Apache-2.0
import { subscribe } from "node:diagnostics_channel";
import type http2 from "node:http2";
import type { OpenCassette } from "./cassette.ts";
import { requestUrl } from "./request-url.ts";

type Connect = typeof http2.connect;

/**
 * Fails the test of a cassette for requests of undici that bypass it: those of the package, of a `WebSocket`, or of a `fetch` that a module has kept in
 * a variable. Both the package and Node.js publish their requests on a diagnostics channel.
 *
 * @param active Returns the cassette that the current request bypasses; undefined if there is none.
 */
export function refuseUnrecordedRequests(active: () => OpenCassette | undefined): void {
  subscribe("undici:request:create", (message) => {
    const cassette = active();
    if (cassette === undefined) return;
    const { method, origin = "http://localhost", path } = (message as UndiciMessage).request;
    const url = requestUrl(path, new URL(origin).origin);
    // An error of a subscriber would end the process. The cassette keeps that of the option passThrough, and the test fails with it.
    try {
      if (cassette.isClosed || cassette.passes(url)) return;
    } catch {
      return;
    }
    cassette.refuse(
      `${method} ${url.href} bypassed the cassette: it was sent by the package undici, by a WebSocket, or by a fetch that a module kept before the first withCassette`,
      "use the global fetch or node:http, or let the option passThrough pass the request",
    );
  });
}

interface UndiciMessage {
  readonly request: { readonly method: string; readonly origin?: string | URL; readonly path: string };
}

/** Wraps `connect` of `node:http2`: it refuses connections that the active cassette does not let pass. It accepts connections that the caller has opened. */
export function interceptedConnect(original: Connect, active: () => OpenCassette | undefined): Connect {
  const intercepted = (...args: Parameters<Connect>): ReturnType<Connect> => {
    const [authority, options] = args;
    const cassette = active();
    const isOpened = typeof options === "object" && options.createConnection !== undefined;
    if (cassette === undefined || isOpened) return original(...args);
    const url = urlOf(authority);
    if (cassette.passes(url)) return original(...args);
    throw cassette.refuse(`the HTTP/2 connection to ${url.origin} cannot be recorded`, "let the option passThrough pass it");
  };
  return intercepted as Connect;
}

interface AuthorityObject {
  readonly protocol?: string;
  readonly hostname?: string;
  readonly host?: string;
  readonly port?: string | number;
}

/** Returns the URL of an authority. Node.js also accepts an object with the properties of a URL. */
function urlOf(authority: string | URL): URL {
  if (typeof authority === "string" || authority instanceof URL) return new URL(authority);
  const { protocol, hostname, host, port } = authority as AuthorityObject;
  const url = new URL(`${protocol ?? "https:"}//${hostname ?? host ?? "localhost"}`);
  if (port !== undefined) url.port = String(port);
  return url;
}
