// SPDX-License-Identifier: Apache-2.0
import type { Json } from "../documents/json.ts";

/** Headers by lower-case name. A header that occurs several times is an array. */
export type HeaderValues = Readonly<Record<string, string | readonly string[]>>;

/** A body without its content encoding: JSON as a value, other text, or bytes as base64. */
export type Body = { readonly json: Json } | { readonly text: string } | { readonly base64: string };

/** A request of a cassette. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderValues;
  /** Absent if empty. */
  readonly body?: Body;
}

/** A failed or cancelled exchange: `cancelled` if the client gave up. */
export type RecordedEnd = "cancelled" | { readonly code?: string; readonly message: string };

/** A response of a cassette. */
export interface RecordedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderValues;
  /** Absent if empty. */
  readonly body?: Body;
  /** The URL after redirects that `fetch` followed. */
  readonly redirectedTo?: string;
  /** How the body ended early. Absent if it is complete. */
  readonly end?: RecordedEnd;
}

/** A request and its response, or the error in place of one. */
export interface Exchange {
  readonly request: RecordedRequest;
  readonly response: RecordedResponse | { readonly end: RecordedEnd };
}

/** Whether an exchange has a response. */
export function hasResponse(response: Exchange["response"]): response is RecordedResponse {
  return "status" in response;
}

/** A request as a client sends it. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderValues;
  readonly body: Uint8Array;
}

/** A response as a server sent it. */
export interface IncomingResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderValues;
  readonly body: Uint8Array;
  /** Whether the body still has its content encoding. */
  readonly isEncoded: boolean;
  readonly redirectedTo?: string;
  readonly end?: RecordedEnd;
}

/** Headers of one connection. They are not recorded; a replay has its own. */
const connectionHeaders: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "host",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
]);

/** Headers of a list of names and values in turn, without those of the connection. */
export function headerValues(pairs: Iterable<readonly [name: string, value: string]>): HeaderValues {
  const headers: Record<string, string | readonly string[]> = {};
  for (const [given, value] of pairs) {
    const name = given.toLowerCase();
    if (connectionHeaders.has(name)) continue;
    const before = headers[name];
    headers[name] = before === undefined ? value : [...(typeof before === "string" ? [before] : before), value];
  }
  return headers;
}

/** The pairs of headers, one for each value. */
export function headerPairs(headers: HeaderValues): readonly (readonly [name: string, value: string])[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : value.map((one) => [name, one] as const),
  );
}

/** The first value of a header; empty if it is absent. */
export function headerText(headers: HeaderValues, name: string): string {
  const value = headers[name] ?? "";
  return typeof value === "string" ? value : (value[0] ?? "");
}
