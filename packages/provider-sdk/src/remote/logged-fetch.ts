// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import type { Log } from "../logger.ts";

/** Options of `loggedFetch`. */
export interface LoggedFetchOptions {
  /** The handler's log, or a function that returns the log of the running call: `currentLog`. */
  readonly log: Log | (() => Log);
  /** Function that sends the request. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Additional names of headers, query parameters and JSON members whose values are masked. */
  readonly secrets?: readonly string[];
  /** Maximum number of characters of a JSON or text body to log, at level trace. Default: 0, which logs no bodies. */
  readonly bodies?: number;
}

const mask = "(sensitive value)";
/** Names that mark a value as secret. */
const secretName = /auth|cookie|token|secret|passw|api-?_?key|access-?_?key|private-?_?key|credential|signature|session/i;

/**
 * Creates a `fetch` that logs each request and its response at level debug, with the messages and fields of terraform-plugin-sdk's
 * logging transport. Masks secrets in headers, in the query, in the URL's user and password, and in members of JSON bodies.
 *
 * @see terraform-plugin-sdk helper/logging, logging_http_transport.go
 */
export function loggedFetch(options: LoggedFetchOptions): typeof fetch {
  const send = options.fetch ?? ((input, init) => fetch(input, init));
  const more = new Set((options.secrets ?? []).map((name) => name.toLowerCase()));
  const isSecret = (name: string): boolean => secretName.test(name) || more.has(name.toLowerCase());
  const limit = options.bodies ?? 0;
  return async (input, init) => {
    const log = typeof options.log === "function" ? options.log() : options.log;
    // Do not create `new Request(input, init)`: it would consume the body of the request.
    const given = input instanceof Request ? input : undefined;
    const about = {
      tf_http_trans_id: randomUUID(),
      tf_http_req_method: init?.method ?? given?.method ?? "GET",
      tf_http_req_uri: maskedUrl(new URL(input instanceof Request ? input.url : input), isSecret),
    };
    const headers = new Headers(init?.headers ?? given?.headers);
    log.debug("Sending HTTP request", { ...about, tf_http_op_type: "request", ...maskedHeaders(headers, isSecret) });
    const sent = init?.body;
    if (limit > 0 && typeof sent === "string")
      log.trace("HTTP request body", { ...about, tf_http_req_body: maskedBody(sent, isSecret, limit) });
    const start = performance.now();
    try {
      const response = await send(input, init);
      log.debug("Received HTTP response", {
        ...about,
        tf_http_op_type: "response",
        tf_http_res_status_code: response.status,
        tf_http_res_status_reason: response.statusText,
        tf_http_duration_ms: Math.round(performance.now() - start),
        ...maskedHeaders(response.headers, isSecret),
      });
      if (limit > 0 && isText(response.headers)) {
        const body = await response.clone().text();
        log.trace("HTTP response body", { ...about, tf_http_res_body: maskedBody(body, isSecret, limit) });
      }
      return response;
    } catch (error) {
      log.warn("HTTP request failed", { ...about, error: String(error), tf_http_duration_ms: Math.round(performance.now() - start) });
      throw error;
    }
  };
}

type IsSecret = (name: string) => boolean;

function maskedHeaders(headers: Headers, isSecret: IsSecret): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].map(([name, value]) => [name, isSecret(name) ? mask : value]));
}

function maskedUrl(url: URL, isSecret: IsSecret): string {
  for (const name of new Set(url.searchParams.keys())) if (isSecret(name)) url.searchParams.set(name, "sensitive");
  if (url.username !== "" || url.password !== "") {
    url.username = "sensitive";
    url.password = "";
  }
  return url.href;
}

function isText(headers: Headers): boolean {
  return /json|^text\//.test(headers.get("content-type") ?? "") && !/event-stream/.test(headers.get("content-type") ?? "");
}

function maskedBody(text: string, isSecret: IsSecret, limit: number): string {
  const shown = (body: string): string => (body.length > limit ? `${body.slice(0, limit)}… (${body.length} characters)` : body);
  try {
    return shown(JSON.stringify(JSON.parse(text, (name, value: unknown) => (isSecret(name) && value !== null ? mask : value))));
  } catch {
    // The body is not JSON; mask it as form data.
    return shown(text.replaceAll(/([^&=\s]+)=([^&\s]*)/g, (pair, name: string) => (isSecret(name) ? `${name}=${mask}` : pair)));
  }
}
