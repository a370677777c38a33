// SPDX-License-Identifier: Apache-2.0
// Functions for Base64, gzip and URL encoding of strings.
import { TextDecoder } from "node:util";
import { gunzipSync } from "node:zlib";
import { CtyError, of, string, unmark, withMarks, type Value } from "@tenon/cty";
import { defineFunction, type CtyFunction } from "@tenon/cty/function";
import { stringOf } from "@tenon/cty/unstable/native";
import { goQuote } from "@tenon/cty/unstable/payload";
import { redacted } from "../marks/value-marks.ts";
import { decodeBase64 } from "./base64.ts";
import { gzip } from "./gzip.ts";
import { quotedPrefix } from "./quoted-prefix.ts";

const notNull = { notNull: true } as const;
const utf8: TextDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The function `base64decode`: decodes a Base64 string to text.
 *
 * @see OpenTofu funcs.Base64DecodeFunc
 */
export const base64DecodeFunction: CtyFunction = defineFunction({
  description: "Decodes a Base64 string to the text it holds.",
  params: [{ name: "str", type: string, allowMarked: true }],
  type: string,
  refineResult: notNull,
  impl: ([value]) => textFromBase64(value, decodeUtf8),
});

/** Decodes a Base64 string and converts its bytes with `textOf`. The result has the marks of the string. */
function textFromBase64(value: Value, textOf: (bytes: Uint8Array) => string): Value {
  const [plain, marks] = unmark(value);
  const text = stringOf(plain);
  const bytes = decodeBase64(text);
  if (!(bytes instanceof Uint8Array)) {
    throw new CtyError("INVALID_VALUE", `failed to decode base64 data ${redacted(goQuote(text), marks)}`);
  }
  return withMarks(of(string, textOf(bytes)), marks);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new CtyError("INVALID_VALUE", "the result of decoding the provided string is not valid UTF-8");
  }
}

/**
 * The function `base64encode`: encodes the UTF-8 bytes of a string in Base64.
 *
 * @see OpenTofu funcs.Base64EncodeFunc
 */
export const base64EncodeFunction: CtyFunction = defineFunction({
  description: "Encodes a string in Base64.",
  params: [{ name: "str", type: string }],
  type: string,
  refineResult: notNull,
  impl: ([text]) => of(string, Buffer.from(stringOf(text)).toString("base64")),
});

/**
 * The function `base64gzip`: compresses the UTF-8 bytes of a string with gzip, and encodes them in Base64.
 *
 * @see OpenTofu funcs.Base64GzipFunc
 */
export const base64GzipFunction: CtyFunction = defineFunction({
  description: "Compresses a string with gzip and encodes the result in Base64.",
  params: [{ name: "str", type: string }],
  type: string,
  refineResult: notNull,
  impl: ([text]) => of(string, gzip(Buffer.from(stringOf(text))).toString("base64")),
});

/**
 * The function `base64gunzip`: decodes a Base64 string, and decompresses its bytes with gzip.
 *
 * @see OpenTofu funcs.Base64GunzipFunc
 */
export const base64GunzipFunction: CtyFunction = defineFunction({
  description: "Decodes a Base64 string and decompresses it with gzip.",
  params: [{ name: "str", type: string, allowMarked: true }],
  type: string,
  refineResult: notNull,
  impl: ([value]) => textFromBase64(value, (bytes) => decompress(bytes).toString("utf8")),
});

/** Size of the fixed part of a gzip header. */
const headerBytes = 10;
/** Maximum decompressed size in bytes, so that a short text cannot exhaust the memory. */
const maxDecompressedBytes = 256 * 1024 * 1024;

function decompress(bytes: Uint8Array): Buffer {
  if (bytes.length < headerBytes) {
    throw new CtyError("INVALID_VALUE", `failed to gunzip bytestream: ${bytes.length === 0 ? "EOF" : "unexpected EOF"}`);
  }
  try {
    return gunzipSync(bytes, { maxOutputLength: maxDecompressedBytes });
  } catch (error) {
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
      throw new CtyError("INVALID_VALUE", "failed to gunzip bytestream: gzip: invalid header", [], { cause: error });
    }
    throw new CtyError("INVALID_VALUE", `failed to read gunzip raw data: ${gunzipProblem(error)}`, [], { cause: error });
  }
}

function gunzipProblem(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "Z_BUF_ERROR") return "unexpected EOF";
  if (code === "ERR_BUFFER_TOO_LARGE") return `the decompressed data is larger than ${maxDecompressedBytes} bytes`;
  return "gzip: invalid checksum";
}

/**
 * The function `urlencode`: encodes a string as a URL query parameter.
 *
 * @see OpenTofu funcs.URLEncodeFunc
 */
export const urlEncodeFunction: CtyFunction = defineFunction({
  description: "Encodes a string for use in a URL's query.",
  params: [{ name: "str", type: string }],
  type: string,
  refineResult: notNull,
  impl: ([text]) => of(string, queryEscape(stringOf(text))),
});

/** @see go url.QueryEscape */
function queryEscape(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
}

/**
 * The function `urldecode`: decodes a URL query parameter.
 *
 * @see OpenTofu funcs.URLDecodeFunc
 */
export const urlDecodeFunction: CtyFunction = defineFunction({
  description: "Decodes a string from a URL's query.",
  params: [{ name: "str", type: string }],
  type: string,
  refineResult: notNull,
  impl: ([text]) => of(string, queryUnescape(stringOf(text))),
});

/** @see go url.QueryUnescape */
function queryUnescape(text: string): string {
  const malformed = /%(?![0-9a-f]{2})/i.exec(text);
  if (malformed !== null) {
    // Go's error has at most three bytes of the invalid escape. The quoted text before it is always empty.
    throw new CtyError("INVALID_VALUE", `failed to decode URL '': invalid URL escape ${quotedPrefix(text.slice(malformed.index), 3)}`);
  }
  const bytes: number[] = [];
  for (const part of text.match(/%[0-9a-f]{2}|[^%]+/gi) ?? []) {
    if (part.startsWith("%")) bytes.push(Number.parseInt(part.slice(1), 16));
    else bytes.push(...Buffer.from(part.replaceAll("+", " ")));
  }
  return Buffer.from(bytes).toString("utf8");
}
