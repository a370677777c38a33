// SPDX-License-Identifier: Apache-2.0
import { Failure, malformed, unsupported } from "../codec/failure.ts";
import type { Payload } from "../payload/payload.ts";
import { perType } from "../type/per-type.ts";
import { setPayload } from "../equality/set-internals.ts";
import { string } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import { friendlyName } from "../type/type-names.ts";
import { decodeNumber } from "./number.ts";
import { partsDecoder } from "./parts-decoder.ts";
import { isExtension, type Reader } from "./reader.ts";
import { decodeUnknown } from "./unknown.ts";

/** Reads a payload of a fixed type. */
export type PayloadDecoder = (reader: Reader) => Payload;

const nil = 0xc0;

/** Reads null or an unknown value, which every type allows. Returns undefined if the next value is neither. */
export function decodeAbsent(reader: Reader, type: Type): Payload | undefined {
  const code = reader.peek();
  if (code === nil) {
    reader.position++;
    return null;
  }
  // All codes of extensions are above those of null, arrays, maps and short strings.
  return code > nil && isExtension(code) ? decodeUnknown(reader, type) : undefined;
}

/** Compiles a decoder for payloads of a type without dynamic parts, once per type. */
export const payloadDecoder: (type: Type) => PayloadDecoder = perType((type): PayloadDecoder => {
  if (type === string) return decodeStringOrAbsent;
  const decodeKnown = knownDecoder(type);
  return (reader) => {
    const absent = decodeAbsent(reader, type);
    return absent === undefined ? decodeKnown(reader) : absent;
  };
});

function knownDecoder(type: Type): PayloadDecoder {
  switch (type.kind) {
    case "string":
      return decodeStringOrAbsent;
    case "number":
      return whole(decodeNumber, "number is required");
    case "bool":
      return decodeBool;
    case "set": {
      const decodeElements = partsDecoder(type, payloadDecoder);
      return (reader) => setPayload(type.element, decodeElements(reader) as Payload[]);
    }
    case "list":
    case "map":
    case "tuple":
    case "object":
      return partsDecoder(type, payloadDecoder);
    default:
      return () => {
        throw unsupported(`unsupported type ${friendlyName(type)}`);
      };
  }
}

/** Reads a string, null or an unknown value. Strings are by far the most common type, so they have a fast path. */
function decodeStringOrAbsent(reader: Reader): Payload {
  const code = reader.peek();
  if (code < nil || code === 0xd9 || code === 0xda || code === 0xdb) return decodeWholeString(reader);
  const absent = decodeAbsent(reader, string);
  return absent === undefined ? decodeWholeString(reader) : absent;
}

/** A decoder that reports truncated input as a missing value, like go-cty. */
function whole(decodeWhole: PayloadDecoder, required: string): PayloadDecoder {
  return (reader) => {
    try {
      return decodeWhole(reader);
    } catch (error) {
      throw error instanceof Failure ? malformed(required, error.message) : error;
    }
  };
}

function decodeString(reader: Reader): string {
  const length = reader.textLength();
  if (length < 0) throw malformed("string is required");
  return reader.normalText(length);
}

const decodeWholeString: PayloadDecoder = whole(decodeString, "string is required");

function decodeBool(reader: Reader): boolean {
  const value = reader.bool();
  if (value === undefined) throw malformed("bool is required");
  return value;
}
