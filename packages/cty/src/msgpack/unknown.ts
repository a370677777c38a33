// SPDX-License-Identifier: Apache-2.0
import { safeKnownPrefix, safePartOfCut } from "../text/prefix.ts";
import { CtyError } from "../error/error.ts";
import { Failure, malformed, orElse } from "../codec/failure.ts";
import { numberToBigint } from "../number/number.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import {
  REFINED_WITH_NOTHING,
  UNKNOWN,
  type CollectionLength,
  type NumberBound,
  type Payload,
  type Refinement,
} from "../payload/payload.ts";
import { dynamic, isCollectionType, number, string } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import { refinePayload, type Refinements } from "../refinement/unknown-refinement.ts";
import { decodeNumber, encodeNumber } from "./number.ts";
import { isExtension, Reader } from "./reader.ts";
import type { Writer } from "./writer.ts";

/** The extension type of an unknown value with refinements. Any extension of at most one byte is an unknown value without refinements. */
const refinedExtension = 0x0c;
const largestRefinement = 1024;
const longestPrefix = 256;

/** Keys of the refinement map. */
const nullnessKey = 1;
const prefixKey = 2;
const minKey = 3;
const maxKey = 4;
const lengthMinKey = 5;
const lengthMaxKey = 6;

/**
 * Reads an unknown value. Unknown keys of the refinement map are rejected: go-cty intends to skip them, but continues inside their
 * values. Contradicting refinements, for which go-cty panics, are rejected too.
 *
 * @see go-cty msgpack unmarshalUnknownValue
 */
export function decodeUnknown(reader: Reader, type: Type): Payload {
  const { type: extension, length } = orElse("extension code is required for unknown value", () => reader.extension());
  if (length > 1 && extension !== refinedExtension) {
    // Extension types are signed, and Go's format shows it.
    const code = extension < 0 ? extension.toString(16) : extension.toString(16).padStart(2, "0");
    throw malformed(`unsupported extension type 0x${code} with len ${length}`);
  }
  if (length > largestRefinement) throw new Failure("LIMIT", "oversize unknown value refinement");
  const body = orElse("failed to read msgpack extension body: unexpected EOF", () => reader.slice(length));
  if (length <= 1) return UNKNOWN;
  const inner = new Reader(body);
  const entries = orElse(`${inBody}not a map`, () => refinementCount(inner));
  if (type === dynamic) return UNKNOWN;
  let payload: Payload = REFINED_WITH_NOTHING;
  let isNull = false;
  for (let index = 0; index < entries; index++) {
    const { null: makesNull, ...promises } = decodeRefinement(inner, type);
    isNull ||= makesNull === true;
    try {
      payload = refinePayload(type, payload, promises);
      // A null refinement may occur together with other refinements if these do not contradict each other.
      if (isNull) refinePayload(type, payload, { null: true });
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      throw new Failure(error.code === "LIMIT" ? "LIMIT" : "MALFORMED", error.message, error);
    }
  }
  if (Array.isArray(payload)) reader.reserve(payload.length);
  return isNull ? null : payload;
}

/** Reads the number of refinements. Go's msgpack library reads null as an empty map, and skips an extension header before a map. */
function refinementCount(reader: Reader): number {
  if (isExtension(reader.peek())) reader.extension();
  if (reader.skipNull()) return 0;
  const length = reader.mapLength();
  if (length < 0) throw malformed("");
  return length;
}

const inBody = "failed to decode msgpack extension body: ";

function malformedBody(what: string): Failure {
  return malformed(inBody + what);
}

function decodeRefinement(reader: Reader, type: Type): Refinements {
  const key = integer(reader);
  if (key === undefined) throw malformedBody("non-integer key in map");
  switch (Number(key)) {
    case nullnessKey: {
      // Go's msgpack library reads null as false here, as "" in place of a string, and as 0 in place of an integer.
      const isNull = !reader.skipNull() && reader.bool();
      if (isNull === undefined) throw malformedBody("null refinement is not boolean");
      return isNull ? { null: true } : { notNull: true };
    }
    case prefixKey: {
      if (type !== string) throw malformedBody("string prefix refinement for non-string type");
      const length = reader.skipNull() ? 0 : reader.textLength();
      if (length < 0) throw malformedBody("string prefix refinement is not string");
      const bytes = reader.slice(length);
      try {
        return { prefixFull: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
      } catch {
        throw malformedBody("string prefix refinement is not valid UTF-8");
      }
    }
    case lengthMinKey:
    case lengthMaxKey: {
      if (!isCollectionType(type)) throw malformedBody("length lower bound refinement for non-collection type");
      const bound = integer(reader);
      if (bound === undefined) throw malformedBody("length bound refinement must be integer or [integer, bool] array");
      return Number(key) === lengthMinKey ? { lengthMin: bound } : { lengthMax: bound };
    }
    case minKey:
    case maxKey: {
      if (type !== number) throw malformedBody("numeric bound refinement for non-number type");
      const bound = orElse(`${inBody}length bound refinement must be [number, bool] array`, () => decodeBound(reader));
      return Number(key) === minKey ? { min: bound } : { max: bound };
    }
    default:
      throw malformedBody(`unsupported refinement ${key}`);
  }
}

/** Reads a signed integer of 64 bits; undefined for any other value. */
function integer(reader: Reader): bigint | undefined {
  if (reader.skipNull()) return 0n;
  const code = reader.peek();
  const isNumber = code < 0x80 || code >= 0xe0 || (code >= 0xcc && code <= 0xd3);
  return isNumber ? BigInt.asIntN(64, numberToBigint(decodeNumber(reader))!) : undefined;
}

function decodeBound(reader: Reader): NumberBound {
  const length = reader.arrayLength();
  const value: NumberPayload = decodeNumber(reader);
  const inclusive = reader.bool();
  if (length !== 2 || inclusive === undefined) throw malformed("");
  return { value, inclusive };
}

/**
 * Writes an unknown value: three bytes, or an extension with a map of its refinements.
 *
 * @see go-cty msgpack marshalUnknownValue
 */
export function encodeUnknown(writer: Writer, refinement: Refinement = {}): void {
  const start = writer.length;
  const entries = encodeRefinement(writer, refinement);
  if (entries === 0) {
    writer.extensionHeader(0, 1);
    writer.byte(0);
    return;
  }
  const body = writer.take(start);
  writer.extensionHeader(refinedExtension, body.length + 1);
  writer.mapHeader(entries);
  writer.raw(body);
}

/** Writes the entries of the refinement map, and returns their number. */
function encodeRefinement(writer: Writer, { notNull, prefix, min, max, lengthMin, lengthMax }: Refinement): number {
  let entries = 0;
  const key = (key: number): void => {
    entries++;
    writer.integer(key);
  };
  const bound = (boundKey: number, { value, inclusive }: NumberBound): void => {
    key(boundKey);
    writer.arrayHeader(2);
    encodeNumber(writer, value);
    writer.byte(inclusive ? 0xc3 : 0xc2);
  };
  const length = (lengthKey: number, limit: CollectionLength): void => {
    key(lengthKey);
    if (typeof limit === "bigint") writer.integer64(limit);
    else writer.integer(limit);
  };
  if (notNull) {
    key(nullnessKey);
    writer.byte(0xc2);
  }
  if (prefix) {
    key(prefixKey);
    writer.text(shortened(prefix));
  }
  if (min) bound(minKey, min);
  if (max) bound(maxKey, max);
  if (lengthMin) length(lengthMinKey, lengthMin);
  if (lengthMax !== undefined) length(lengthMaxKey, lengthMax);
  return entries;
}

/** Shortens a long prefix to 255 bytes, and then to the last position where no following character can change it. */
function shortened(prefix: string): string {
  const bytes = Buffer.from(prefix);
  if (bytes.length <= longestPrefix) return prefix;
  let end = longestPrefix - 1;
  // In UTF-8, all bytes of a character after the first begin with the bits 10.
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  const complete = bytes.subarray(0, end).toString();
  return end === longestPrefix - 1 ? safeKnownPrefix(complete) : safePartOfCut(complete);
}
