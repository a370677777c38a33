// SPDX-License-Identifier: Apache-2.0

/** A decoded header block. The same object may stand for several equal blocks: nobody changes it. */
export class HeaderList {
  /** Names and values in turn. */
  readonly fields: readonly string[];
  /** It was longer than we take; `fields` are its beginning. */
  readonly oversized: boolean;
  /** Why it may not be, if it may not. */
  readonly malformed: string | undefined;
  /** What somebody has made of it, to be there when it comes again. */
  memo: unknown = undefined;

  constructor(fields: readonly string[], oversized: boolean) {
    this.fields = fields;
    this.oversized = oversized;
    this.malformed = malformation(fields);
  }

  /** The first value of a name. */
  get(name: string): string | undefined {
    for (let index = 0; index < this.fields.length; index += 2) {
      if (this.fields[index] === name) return this.fields[index + 1];
    }
    return undefined;
  }
}

const pseudoHeaders: ReadonlySet<string> = new Set([":authority", ":method", ":path", ":scheme", ":status"]);

/** They belong to HTTP/1. */
const connectionHeaders: ReadonlySet<string> = new Set(["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]);

/** @see RFC 9113, sections 8.2 and 8.3 */
function malformation(fields: readonly string[]): string | undefined {
  const seen = new Set<string>();
  let regular = false;
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index]!;
    const value = fields[index + 1]!;
    if (name.startsWith(":")) {
      if (!pseudoHeaders.has(name)) return `the unknown header ${JSON.stringify(name)}`;
      if (regular) return `the header ${name} after others`;
      if (seen.has(name)) return `two headers ${name}`;
      seen.add(name);
    } else {
      regular = true;
      if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name)) return `the header name ${JSON.stringify(name)}`;
      if (connectionHeaders.has(name)) return `the header ${name}`;
    }
    // oxlint-disable-next-line no-control-regex -- these are what is looked for
    if (/[\0\r\n]/.test(value)) return `a line break in the header ${name}`;
  }
  return undefined;
}
