// SPDX-License-Identifier: Apache-2.0
import { safeKnownPrefix, safePartOfCut } from "../ctystrings/prefix.ts";
import { CtyError } from "../error.ts";
import { Failure, malformed } from "../failure.ts";
import { numberToBigint, type NumberPayload } from "../number/number.ts";
import { REFINED_WITH_NOTHING, UNKNOWN, type CollectionLength, type NumberBound, type Payload, type Refinement } from "../payload.ts";
import { dynamic, isCollectionType, number, string, type Type } from "../type.ts";
import { refinePayload, type Refinements } from "../unknown-refinement.ts";
import { decodeNumber, encodeNumber } from "./number.ts";
import { isExtension, Reader } from "./reader.ts";
import type { Writer } from "./writer.ts";

/** The extension type of an unknown value with refinements; a bare one is any extension of at most one byte. */
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

/** What stands for an unlimited length in Go. */
const maxInt = 9223372036854775807n;

/**
 * Reads an unknown value. Keys of the refinement map that are not known are refused: go-cty means to skip them, but reads
 * on inside their values. Contradicting refinements are refused where go-cty panics.
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
      // Null goes with promises of what else the value would be, if only they do not contradict each other.
      if (isNull) refinePayload(type, payload, { null: true });
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      throw new Failure(error.code === "LIMIT" ? "LIMIT" : "MALFORMED", error.message, error);
    }
  }
  if (Array.isArray(payload)) reader.believe(payload.length);
  return isNull ? null : payload;
}

/** Go's msgpack library takes null for a map without entries, and skips the header of an extension in front of a map. */
function refinementCount(reader: Reader): number {
  if (isExtension(reader.peek())) reader.extension();
  if (reader.skipNull()) return 0;
  const length = reader.mapLength();
  if (length < 0) throw malformed("");
  return length;
}

/** Whatever is wrong, it is told as this problem. */
function orElse<T>(problem: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Failure ? malformed(problem) : error;
  }
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
      // Go's msgpack library reads null as false here, as "" where a string is meant, and as 0 for an integer.
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
      return Number(key) === lengthMinKey ? { lengthMin: lengthOf(bound) } : bound >= maxInt ? {} : { lengthMax: lengthOf(bound) };
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

function lengthOf(bound: bigint): CollectionLength {
  const narrow = Number(bound);
  return Number.isSafeInteger(narrow) ? narrow : bound;
}

/** An integer of 64 bits with a sign; undefined for anything else. */
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
 * Writes an unknown value: three bytes, or an extension with a map of what is known about it.
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

/** Answers how many entries there are. */
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

/** A long prefix is cut to 255 bytes, and from there to where it is safe to cut. */
function shortened(prefix: string): string {
  const bytes = Buffer.from(prefix);
  if (bytes.length <= longestPrefix) return prefix;
  let end = longestPrefix - 1;
  // UTF-8: bytes after the first of a character begin with 10.
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  const complete = bytes.subarray(0, end).toString();
  return end === longestPrefix - 1 ? safeKnownPrefix(complete) : safePartOfCut(complete);
}
