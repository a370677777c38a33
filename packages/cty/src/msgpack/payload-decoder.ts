// SPDX-License-Identifier: Apache-2.0
import { Failure, malformed, unsupported } from "../failure.ts";
import type { Payload } from "../payload.ts";
import { perType } from "../per-type.ts";
import { setPayload } from "../set-internals.ts";
import { string, type Type } from "../type.ts";
import { friendlyName } from "../type-names.ts";
import { decodeNumber } from "./number.ts";
import { partsDecoder } from "./parts-decoder.ts";
import { isExtension, type Reader } from "./reader.ts";
import { decodeUnknown } from "./unknown.ts";

/** Reads a payload of the type it was made for. */
export type PayloadDecoder = (reader: Reader) => Payload;

const nil = 0xc0;

/** Reads what every type allows: null, and unknown. Undefined if something else comes next. */
export function decodeAbsent(reader: Reader, type: Type): Payload | undefined {
  const code = reader.peek();
  if (code === nil) {
    reader.position++;
    return null;
  }
  // All codes of extensions lie above those of null, arrays, maps and short strings.
  return code > nil && isExtension(code) ? decodeUnknown(reader, type) : undefined;
}

/** Compiled once a type without dynamic parts: a function that reads payloads of it. */
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

/** The most common type by far has a short way. */
function decodeStringOrAbsent(reader: Reader): Payload {
  const code = reader.peek();
  if (code < nil || code === 0xd9 || code === 0xda || code === 0xdb) return decodeWholeString(reader);
  const absent = decodeAbsent(reader, string);
  return absent === undefined ? decodeWholeString(reader) : absent;
}

/** A value that is cut off is told as one that is none. */
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
