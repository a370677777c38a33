// SPDX-License-Identifier: Apache-2.0
import { Agent, request } from "node:https";
import { Readable } from "node:stream";

/** Settings of TLS connections. */
export interface CertifiedFetchOptions {
  /** PEM certificates of the authorities that sign server certificates. Default: the authorities that Node trusts. */
  readonly ca?: string;
  /** PEM certificate of the client. */
  readonly cert?: string;
  /** PEM private key of the client's certificate. */
  readonly key?: string;
  /** Whether to refuse servers without a valid certificate. */
  readonly rejectUnauthorized: boolean;
}

/** Creates a `fetch` with its own TLS settings for HTTPS. It does not follow redirects. The global `fetch` handles other addresses. */
export function certifiedFetch(options: CertifiedFetchOptions): typeof fetch {
  const agent = new Agent(options);
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.protocol !== "https:") return fetch(input, init);
    const { method = "GET", body, signal } = init;
    const headers = Object.fromEntries(new Headers(init.headers));
    const content = body === undefined || body === null ? undefined : Buffer.from(await new Response(body).arrayBuffer());
    // Node sends bodies of DELETE and some other methods without their length, so that servers do not see them.
    if (content !== undefined) headers["content-length"] = String(content.length);
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const sent = request(url, { agent, method, headers, ...(signal && { signal }) }, (received) => {
      const { statusCode = 0, rawHeaders } = received;
      const responseHeaders = new Headers();
      for (let index = 0; index < rawHeaders.length; index += 2) responseHeaders.append(rawHeaders[index]!, rawHeaders[index + 1]!);
      const isEmpty = statusCode === 204 || statusCode === 304;
      if (isEmpty) received.resume();
      resolve(
        new Response(isEmpty ? null : (Readable.toWeb(received) as ReadableStream), { status: statusCode, headers: responseHeaders }),
      );
    });
    sent.on("error", reject);
    sent.end(content);
    return promise;
  };
}
