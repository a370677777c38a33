// SPDX-License-Identifier: Apache-2.0
import { safeKnownPrefix, safePartOfCut } from "../ctystrings/prefix.ts";
import { CtyError } from "../error.ts";
import { Failure } from "../failure.ts";
import { numberToBigint, type NumberPayload } from "../number/number.ts";
import type { BigFloat } from "../number/big-float.ts";
import { REFINED_WITH_NOTHING, UNKNOWN, type CollectionLength, type NumberBound, type Payload, type Refinement } from "../payload.ts";
import { isCollectionType, type Type } from "../type.ts";
import { refinePayload, type Refinements } from "../unknown-refinement.ts";
import { isExtension, Reader } from "./reader.ts";
import type { Writer } from "./writer.ts";

/** The extension type of an unknown value with refinements; a bare one is any extension of at most one byte. */
const refinedExtension = 0x0c;
const largestRefinement = 1024;
const longestPrefix = 256;

/** Keys of the refinement map. */
const keys = { nullness: 1, prefix: 2, min: 3, max: 4, lengthMin: 5, lengthMax: 6 } as const;

/** What stands for an unlimited length in Go. */
const maxInt = 9223372036854775807n;

type DecodeNumber = (reader: Reader) => Payload;

/**
 * Reads an unknown value. Keys of the refinement map that are not known are refused: go-cty means to skip them, but reads
 * on inside their values. Contradicting refinements are refused where go-cty panics.
 *
 * @see go-cty msgpack unmarshalUnknownValue
 */
export function decodeUnknown(reader: Reader, type: Type, decodeNumber: DecodeNumber): Payload {
  const { type: extension, length } = orElse("extension code is required for unknown value", () => reader.extension());
  if (length > 1 && extension !== refinedExtension) {
    // Extension types are signed, and Go's format shows it.
    const code = extension < 0 ? extension.toString(16) : extension.toString(16).padStart(2, "0");
    throw new Failure("MALFORMED", `unsupported extension type 0x${code} with len ${length}`);
  }
  if (length > largestRefinement) throw new Failure("LIMIT", "oversize unknown value refinement");
  const body = orElse("failed to read msgpack extension body: unexpected EOF", () => reader.slice(length));
  if (length <= 1) return UNKNOWN;
  const inner = new Reader(body);
  const entries = orElse("failed to decode msgpack extension body: not a map", () => refinementCount(inner));
  if (type.kind === "dynamic") return UNKNOWN;
  let payload: Payload = REFINED_WITH_NOTHING;
  let isNull = false;
  for (let index = 0; index < entries; index++) {
    const { null: makesNull, ...promises } = decodeRefinement(inner, type, decodeNumber);
    isNull ||= makesNull === true;
    try {
      payload = refinePayload(type, payload, promises);
      // Null goes with promises of what else the value would be, if only they do not contradict each other.
      if (isNull) refinePayload(type, payload, { null: true });
    } catch (error) {
      if (error instanceof CtyError) throw new Failure("MALFORMED", error.message, error);
      throw error;
    }
  }
  return isNull ? null : payload;
}

/** Go's msgpack library takes null for a map without entries, and skips the header of an extension in front of a map. */
function refinementCount(reader: Reader): number {
  if (isExtension(reader.peek())) reader.extension();
  if (reader.skipNull()) return 0;
  const length = reader.mapLength();
  if (length < 0) throw malformed("not a map");
  return length;
}

function orElse<T>(problem: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Failure ? new Failure("MALFORMED", problem) : error;
  }
}

function malformed(what: string): Failure {
  return new Failure("MALFORMED", `failed to decode msgpack extension body: ${what}`);
}

function decodeRefinement(reader: Reader, type: Type, decodeNumber: DecodeNumber): Refinements {
  const key = integer(reader, decodeNumber) ?? malformed("non-integer key in map");
  if (key instanceof Failure) throw key;
  switch (Number(key)) {
    case keys.nullness: {
      // Go's msgpack library reads null as false here, as "" where a string is meant, and as 0 for an integer.
      if (reader.skipNull()) return { notNull: true };
      const code = reader.uint8();
      if (code !== 0xc2 && code !== 0xc3) throw malformed("null refinement is not boolean");
      return code === 0xc3 ? { null: true } : { notNull: true };
    }
    case keys.prefix: {
      if (type.kind !== "string") throw malformed("string prefix refinement for non-string type");
      if (reader.skipNull()) return { prefixFull: "" };
      const length = reader.textLength();
      if (length < 0) throw malformed("string prefix refinement is not string");
      try {
        return { prefixFull: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(reader.slice(length)) };
      } catch (error) {
        if (error instanceof Failure) throw error;
        throw malformed("string prefix refinement is not valid UTF-8");
      }
    }
    case keys.lengthMin:
    case keys.lengthMax: {
      if (!isCollectionType(type)) throw malformed("length lower bound refinement for non-collection type");
      const bound = integer(reader, decodeNumber);
      if (bound === undefined) throw malformed("length bound refinement must be integer or [integer, bool] array");
      return key === BigInt(keys.lengthMin) ? { lengthMin: lengthOf(bound) } : bound >= maxInt ? {} : { lengthMax: lengthOf(bound) };
    }
    case keys.min:
    case keys.max: {
      if (type.kind !== "number") throw malformed("numeric bound refinement for non-number type");
      const bound = decodeBound(reader, decodeNumber);
      return key === BigInt(keys.min) ? { min: bound } : { max: bound };
    }
    default:
      throw malformed(`unsupported refinement ${key}`);
  }
}

function lengthOf(bound: bigint): CollectionLength {
  const narrow = Number(bound);
  return Number.isSafeInteger(narrow) ? narrow : bound;
}

/** An integer of 64 bits with a sign; undefined for anything else. */
function integer(reader: Reader, decodeNumber: DecodeNumber): bigint | undefined {
  if (reader.skipNull()) return 0n;
  const code = reader.peek();
  const isNumber = code < 0x80 || code >= 0xe0 || (code >= 0xcc && code <= 0xd3);
  if (!isNumber) return undefined;
  return BigInt.asIntN(64, numberToBigint(decodeNumber(reader) as NumberPayload)!);
}

function decodeBound(reader: Reader, decodeNumber: DecodeNumber): { readonly value: number | BigFloat; readonly inclusive: boolean } {
  const problem = "length bound refinement must be [number, bool] array";
  try {
    if (reader.arrayLength() !== 2) throw malformed(problem);
    const value = decodeNumber(reader) as number | BigFloat;
    const code = reader.uint8();
    if (code !== 0xc2 && code !== 0xc3) throw malformed(problem);
    return { value, inclusive: code === 0xc3 };
  } catch (error) {
    throw error instanceof Failure ? malformed(problem) : error;
  }
}

/**
 * Writes an unknown value: three bytes, or an extension with a map of what is known about it.
 *
 * @see go-cty msgpack marshalUnknownValue
 */
export function encodeUnknown(
  writer: Writer,
  refinement: Refinement | undefined,
  encodeNumber: (writer: Writer, number: Payload) => void,
): void {
  const start = writer.length;
  const entries = refinement === undefined ? 0 : encodeRefinement(writer, refinement, encodeNumber);
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

function encodeRefinement(writer: Writer, refinement: Refinement, encodeNumber: (writer: Writer, number: Payload) => void): number {
  const { notNull, prefix, min, max, lengthMin, lengthMax } = refinement;
  let entries = 0;
  const entry = (key: number, encodeBody: () => void): void => {
    entries++;
    writer.integer(key);
    encodeBody();
  };
  const bound = ({ value, inclusive }: NumberBound): void => {
    writer.arrayHeader(2);
    encodeNumber(writer, value);
    writer.byte(inclusive ? 0xc3 : 0xc2);
  };
  if (notNull) entry(keys.nullness, () => writer.byte(0xc2));
  if (prefix) entry(keys.prefix, () => writer.text(shortened(prefix)));
  if (min) entry(keys.min, () => bound(min));
  if (max) entry(keys.max, () => bound(max));
  const length = (bound: CollectionLength): void => (typeof bound === "bigint" ? writer.integer64(bound) : writer.integer(bound));
  if (lengthMin) entry(keys.lengthMin, () => length(lengthMin));
  if (lengthMax !== undefined) entry(keys.lengthMax, () => length(lengthMax));
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
