// SPDX-License-Identifier: Apache-2.0
import { quoted } from "../../carrier/quoted.ts";

/** Use of a header list. Each use has its own rules for pseudo-headers. */
export type HeaderRole = "request" | "response" | "trailers";

/** A decoded header block. One object may represent several equal blocks, so its fields never change. */
export class HeaderList {
  /** Names and values, alternating. */
  readonly fields: readonly string[];
  /** Whether the list exceeded the size limit; `fields` is then truncated. */
  readonly oversized: boolean;
  /** A result that the caller has computed from the list, cached for the next equal block. */
  memo: unknown = undefined;
  readonly #faults = new Map<HeaderRole, string | undefined>();

  constructor(fields: readonly string[], oversized: boolean) {
    this.fields = fields;
    this.oversized = oversized;
  }

  /** First value of a name. */
  get(name: string): string | undefined {
    for (let index = 0; index < this.fields.length; index += 2) {
      if (this.fields[index] === name) return this.fields[index + 1];
    }
    return undefined;
  }

  /** Fault of the list in that role, for an error text; undefined when the list is well-formed. */
  faultAs(role: HeaderRole): string | undefined {
    if (!this.#faults.has(role)) this.#faults.set(role, faultOf(this, role));
    return this.#faults.get(role);
  }

  /** Value of `content-length`; undefined without one. The list must be well-formed. */
  get contentLength(): number | undefined {
    const value = this.get("content-length");
    return value === undefined ? undefined : Number(value);
  }
}

/** Pseudo-headers that a list may have in each role. */
const allowedPseudoHeaders: Readonly<Record<HeaderRole, ReadonlySet<string>>> = {
  request: new Set([":authority", ":method", ":path", ":scheme"]),
  response: new Set([":status"]),
  trailers: new Set(),
};

/** Headers of HTTP/1 connections. */
const connectionHeaders: ReadonlySet<string> = new Set(["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]);

/** @see RFC 9113, sections 8.1.1, 8.2 and 8.3 */
function faultOf(list: HeaderList, role: HeaderRole): string | undefined {
  const { fields } = list;
  const seen = new Set<string>();
  let regular = false;
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index]!;
    const value = fields[index + 1]!;
    if (name.startsWith(":")) {
      if (!allowedPseudoHeaders[role].has(name)) return `the pseudo-header ${quoted(name)} in ${role === "trailers" ? role : `a ${role}`}`;
      if (regular) return `the pseudo-header ${name} after other headers`;
      if (seen.has(name)) return `the pseudo-header ${name} twice`;
      seen.add(name);
    } else {
      regular = true;
      if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name)) return `the invalid header name ${quoted(name)}`;
      if (connectionHeaders.has(name)) return `the connection header ${name}`;
      if (name === "te" && value !== "trailers") return `the header te with the value ${quoted(value)}`;
      if (name === "content-length" && (!/^\d{1,15}$/.test(value) || list.get(name) !== value)) return "an invalid content-length";
    }
    // oxlint-disable-next-line no-control-regex -- the test is about control characters
    if (/[\0\r\n]/.test(value)) return `a line break in the header ${name}`;
  }
  // A header that is missing from a truncated list may be in the truncated part.
  return list.oversized ? undefined : missingPseudoHeader(list, role);
}

function missingPseudoHeader(list: HeaderList, role: HeaderRole): string | undefined {
  if (role === "trailers") return undefined;
  if (role === "response") return list.get(":status") === undefined ? "a response without :status" : undefined;
  if (list.get(":method") === "CONNECT") return undefined;
  const missing = [":method", ":scheme", ":path"].find((name) => (list.get(name) ?? "") === "");
  return missing === undefined ? undefined : `a request without ${missing}`;
}
