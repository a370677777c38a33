// SPDX-License-Identifier: Apache-2.0
import {
  brotliCompressSync,
  brotliDecompressSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateRawSync,
  inflateSync,
  zstdCompressSync,
  zstdDecompressSync,
} from "node:zlib";
import { parseJson } from "../documents/json.ts";
import { TestingError } from "../error.ts";
import { type Body, headerText, type HeaderValues } from "./exchange.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The body of a message as it is recorded; undefined if it is empty.
 *
 * @param isRequest Whether to look for JSON also in plain text: `fetch` gives a text this type if its caller names none.
 */
export function recordedBody(bytes: Uint8Array, headers: HeaderValues, isRequest: boolean): Body | undefined {
  if (bytes.length === 0) return undefined;
  const text = textOf(bytes);
  if (text === undefined) return { base64: Buffer.from(bytes).toString("base64") };
  const type = headerText(headers, "content-type");
  if (/json/.test(type) || (isRequest && /^(text\/plain\b.*)?$/.test(type) && /^\s*[[{]/.test(text))) {
    try {
      return { json: parseJson(text) };
    } catch {
      return { text };
    }
  }
  return { text };
}

/** The bytes of a recorded body. */
export function bodyBytes(body: Body | undefined): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if ("base64" in body) return Buffer.from(body.base64, "base64");
  return Buffer.from("text" in body ? body.text : JSON.stringify(body.json));
}

/** Text of UTF-8 without control characters; undefined for other bytes. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = utf8.decode(bytes);
    // eslint-disable-next-line no-control-regex
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

type Coding = readonly [decode: (bytes: Uint8Array) => Buffer, encode: (bytes: Uint8Array) => Buffer];

const codings: Readonly<Record<string, Coding>> = {
  gzip: [gunzipSync, gzipSync],
  "x-gzip": [gunzipSync, gzipSync],
  // Some servers send deflate without the zlib header.
  deflate: [(bytes) => (((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes) : inflateRawSync(bytes)), deflateSync],
  br: [brotliDecompressSync, brotliCompressSync],
  zstd: [zstdDecompressSync, zstdCompressSync],
};

/**
 * Removes the content encoding of a body, so that secrets in it are found.
 *
 * @param isPartial Whether the body ended early.
 * @throws TestingError `REQUEST_UNSUPPORTED` for an unknown encoding, a body that does not have it, or a part of an encoded body.
 */
export function withoutEncoding(bytes: Uint8Array, headers: HeaderValues, url: URL, isPartial: boolean): Uint8Array {
  if (bytes.length === 0) return bytes;
  const codingsOfBody = codingsOf(headers, url);
  const [first] = codingsOfBody;
  if (isPartial && first !== undefined)
    throw unsupported(`the body has the content encoding ${first[0]} and ended early, so that secrets in it could not be masked`, url);
  return codingsOfBody.reduceRight((body: Uint8Array, [name, [decode]]) => {
    try {
      return decode(body);
    } catch (cause) {
      throw unsupported(`the body has the content encoding ${name}, but cannot be decoded: ${(cause as Error).message}`, url, cause);
    }
  }, bytes);
}

/** Adds the content encoding that the headers name. */
export function withEncoding(bytes: Uint8Array, headers: HeaderValues, url: URL): Uint8Array {
  return codingsOf(headers, url).reduce((body: Uint8Array, [, [, encode]]) => encode(body), bytes);
}

function codingsOf(headers: HeaderValues, url: URL): readonly (readonly [name: string, Coding])[] {
  const names = headerText(headers, "content-encoding")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  return names
    .filter((name) => name !== "" && name !== "identity")
    .map((name) => {
      const coding = codings[name];
      if (coding === undefined)
        throw unsupported(`the content encoding ${name} cannot be decoded, so that secrets could not be masked`, url);
      return [name, coding] as const;
    });
}

function unsupported(what: string, url: URL, cause?: unknown): TestingError {
  return new TestingError("REQUEST_UNSUPPORTED", `the exchange with ${url.origin}${url.pathname} cannot be recorded: ${what}`, { cause });
}
