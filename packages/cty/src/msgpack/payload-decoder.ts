// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints } from "../code-point-order.ts";
import { normalizeString } from "../ctystrings/normalize.ts";
import { Failure, within } from "../failure.ts";
import { sortedMap } from "../map-payload.ts";
import { numberFromBigint, numberFromDouble, numberFromText } from "../number/number.ts";
import { indexStep } from "../path.ts";
import type { Payload } from "../payload.ts";
import { perType } from "../per-type.ts";
import { setPayload } from "../set-internals.ts";
import { string, type ObjectType, type TupleType, type Type } from "../type.ts";
import { friendlyName } from "../type-names.ts";
import { encodedNames } from "./attribute-names.ts";
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
  return code > nil && isExtension(code) ? decodeUnknown(reader, type, decodeNumber) : undefined;
}

/** Compiled once a type without dynamic parts: a function that reads payloads of it. */
export const payloadDecoder: (type: Type) => PayloadDecoder = perType((type): PayloadDecoder => {
  if (type.kind === "string") return decodeStringOrAbsent;
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
    case "list":
      return elementsDecoder("a list is required", payloadDecoder(type.element));
    case "set": {
      const decodeElements = elementsDecoder("a set is required", payloadDecoder(type.element));
      return (reader) => setPayload(type.element, decodeElements(reader));
    }
    case "map":
      return mapDecoder(payloadDecoder(type.element));
    case "tuple":
      return tupleDecoder(type);
    case "object":
      return objectDecoder(type);
    default:
      return () => {
        throw new Failure("UNSUPPORTED", `unsupported type ${friendlyName(type)}`);
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
      throw error instanceof Failure ? new Failure("MALFORMED", required, error.message) : error;
    }
  };
}

function decodeString(reader: Reader): string {
  const length = reader.textLength();
  if (length < 0) throw new Failure("MALFORMED", "string is required");
  return reader.normalText(length);
}

const decodeWholeString: PayloadDecoder = whole(decodeString, "string is required");

function decodeBool(reader: Reader): boolean {
  const code = reader.uint8();
  if (code !== 0xc2 && code !== 0xc3) throw new Failure("MALFORMED", "bool is required");
  return code === 0xc3;
}

/** Integers of all widths, floats, and text for the rest. */
function decodeNumber(reader: Reader): Payload {
  const code = reader.peek();
  if (code < 0x80 || code >= 0xe0) return reader.int8();
  if (code >= 0xca && code <= 0xd3) {
    reader.position++;
    switch (code) {
      case 0xca:
        return double(reader.float32());
      case 0xcb:
        return double(reader.float64());
      case 0xcc:
        return reader.uint8();
      case 0xcd:
        return reader.uint16();
      case 0xce:
        return reader.uint32();
      case 0xcf:
        return numberFromBigint(reader.uint64());
      case 0xd0:
        return reader.int8();
      case 0xd1:
        return reader.int16();
      case 0xd2:
        return reader.int32();
      default:
        return numberFromBigint(reader.int64());
    }
  }
  const length = reader.textLength();
  const number = length < 0 ? undefined : numberFromText(reader.text(length));
  if (number === undefined) throw new Failure("MALFORMED", "number is required");
  return number;
}

function double(value: number): Payload {
  const number = numberFromDouble(value);
  if (number === undefined) throw new Failure("MALFORMED", "number is required");
  return number;
}

function elementsDecoder(required: string, decodeElement: PayloadDecoder): (reader: Reader) => Payload[] {
  return (reader) => {
    const length = reader.arrayLength();
    if (length < 0) throw new Failure("MALFORMED", required);
    reader.enter();
    const elements: Payload[] = [];
    try {
      while (elements.length < length) elements.push(decodeElement(reader));
    } catch (error) {
      throw within(error, indexStep(elements.length));
    }
    reader.leave();
    return elements;
  };
}

function mapDecoder(decodeElement: PayloadDecoder): PayloadDecoder {
  return (reader) => {
    const length = reader.mapLength();
    if (length < 0) throw new Failure("MALFORMED", "a map is required");
    reader.enter();
    const entries = new Map<string, Payload>();
    let key: string | undefined;
    let previous: string | undefined;
    let sorted = true;
    try {
      for (let index = 0; index < length; index++) {
        key = undefined;
        key = decodeKey(reader);
        sorted &&= previous === undefined || compareCodePoints(previous, key) <= 0;
        entries.set(key, decodeElement(reader));
        previous = key;
      }
    } catch (error) {
      throw key === undefined ? error : within(error, indexStep(key));
    }
    reader.leave();
    return sorted ? entries : sortedMap(entries);
  };
}

/** The key of a map's element; null stands for an empty one, as for Go's msgpack library. */
export function decodeKey(reader: Reader): string {
  const length = reader.skipNull() ? 0 : reader.textLength();
  if (length < 0) throw new Failure("MALFORMED", "non-string key in map");
  return reader.normalText(length);
}

function tupleDecoder(type: TupleType): PayloadDecoder {
  const decoders = type.elements.map(payloadDecoder);
  return (reader) => {
    checkTupleLength(reader, type);
    reader.enter();
    const elements: Payload[] = [];
    try {
      for (const decodeElement of decoders) elements.push(decodeElement(reader));
    } catch (error) {
      throw within(error, indexStep(elements.length));
    }
    reader.leave();
    return elements;
  };
}

export function checkTupleLength(reader: Reader, type: TupleType): void {
  const length = reader.arrayLength();
  if (length < 0) throw new Failure("MALFORMED", "a tuple is required");
  if (length !== type.elements.length) throw new Failure("MALFORMED", `a tuple of length ${type.elements.length} is required`);
}

export function checkObjectLength(reader: Reader, type: ObjectType): void {
  const length = reader.mapLength();
  if (length < 0) throw new Failure("MALFORMED", "an object is required");
  const wanted = type.names.length;
  if (length !== wanted) throw new Failure("MALFORMED", `an object with ${wanted} attributes is required (${length} given)`);
}

/** A key exactly as the bytes have it: go-cty does not normalise it before it looks for the attribute. */
export function decodeAttribute(reader: Reader, type: ObjectType): number {
  // Go's msgpack library takes null for an empty string here.
  const length = reader.skipNull() ? 0 : reader.textLength();
  if (length < 0) throw new Failure("MALFORMED", "all keys must be strings");
  const name = reader.text(length);
  const slot = type.slots.get(name);
  if (slot === undefined) throw within(new Failure("MALFORMED", "unsupported attribute"), indexStep(normalizeString(name)));
  return slot;
}

function objectDecoder(type: ObjectType): PayloadDecoder {
  const names = encodedNames(type);
  const decoders = type.names.map((name) => payloadDecoder(type.attributes[name]!));
  const total = names.length;
  return (reader) => {
    checkObjectLength(reader, type);
    reader.enter();
    const slots: Payload[] = [];
    try {
      while (slots.length < total && reader.skipIf(names[slots.length]!)) slots.push(decoders[slots.length]!(reader));
    } catch (error) {
      throw within(error, indexStep(type.names[slots.length]!));
    }
    if (slots.length < total) decodeUnordered(reader, type, slots, decoders);
    reader.leave();
    return slots;
  };
}

/** The rest of an object whose attributes are not in order: Go's plugin libraries write them at random. */
function decodeUnordered(reader: Reader, type: ObjectType, slots: Payload[], decoders: readonly PayloadDecoder[]): void {
  const ordered = slots.length;
  const total = type.names.length;
  const rest = new Map<number, Payload>();
  while (ordered + rest.size < total) {
    const slot = decodeAttribute(reader, type);
    const name = type.names[slot]!;
    if (slot < ordered || rest.has(slot)) throw within(new Failure("MALFORMED", "duplicate attribute"), indexStep(name));
    try {
      rest.set(slot, decoders[slot]!(reader));
    } catch (error) {
      throw within(error, indexStep(name));
    }
  }
  for (let slot = ordered; slot < total; slot++) slots.push(rest.get(slot)!);
}
