// SPDX-License-Identifier: Apache-2.0
// Decodes the structure of compound values; the caller decodes the parts.
import { compareCodePoints } from "../text/code-point-order.ts";
import { normalizeString } from "../text/normalize.ts";
import { malformed, orElse, within } from "../codec/failure.ts";
import { largeMap, OrderedMap } from "../payload/ordered-map.ts";
import { sortedMap } from "../payload/map-payload.ts";
import { indexStep } from "../value/path-step.ts";
import { childTypes } from "../type/type.ts";
import type { CollectionType, ListType, ObjectType, SetType, TupleType, Type } from "../model/type.ts";
import { encodedNames } from "./attribute-names.ts";
import type { Reader } from "./reader.ts";

/** Decodes the next value. */
type Decoder<Part> = (reader: Reader) => Part;

/** A type whose values have parts. */
export type CompoundType = CollectionType | TupleType | ObjectType;

/** Returns the decoder of the parts of a compound type. `decoderOf` returns the decoder of a part. */
export function partsDecoder<Part>(type: CompoundType, decoderOf: (type: Type) => Decoder<Part>): Decoder<Part[] | Map<string, Part>> {
  const decoders = childTypes(type).map(decoderOf);
  if (type.kind === "map") return mapDecoder(decoders[0]!);
  return type.kind === "object" ? objectDecoder(type, decoders) : sequenceDecoder(type, decoders);
}

/** Decodes the elements of a list, set or tuple. A list or set has one decoder for all elements. */
function sequenceDecoder<Part>(type: ListType | SetType | TupleType, decoders: readonly Decoder<Part>[]): Decoder<Part[]> {
  const single = type.kind === "tuple" ? undefined : decoders[0];
  return (reader) => {
    const length = reader.arrayLength();
    if (length < 0) throw malformed(`a ${type.kind} is required`);
    if (single === undefined && length !== decoders.length) throw malformed(`a tuple of length ${decoders.length} is required`);
    reader.enter();
    const elements: Part[] = [];
    try {
      while (elements.length < length) elements.push((single ?? decoders[elements.length]!)(reader));
    } catch (error) {
      throw within(error, indexStep(elements.length));
    }
    reader.leave();
    return elements;
  };
}

function mapDecoder<Part>(decodeElement: Decoder<Part>): Decoder<Map<string, Part>> {
  return (reader) => {
    const length = reader.mapLength();
    if (length < 0) throw malformed("a map is required");
    reader.enter();
    const entries = length < largeMap ? new Map<string, Part>() : undefined;
    const keys: string[] = [];
    const elements: Part[] = [];
    let key: string | undefined;
    let previous: string | undefined;
    let sorted = true;
    try {
      for (let index = 0; index < length; index++) {
        key = undefined;
        key = decodeKey(reader);
        sorted &&= previous === undefined || compareCodePoints(previous, key) < 0;
        const element = decodeElement(reader);
        if (entries !== undefined) entries.set(key, element);
        else {
          keys.push(key);
          elements.push(element);
        }
        previous = key;
      }
    } catch (error) {
      throw key === undefined ? error : within(error, indexStep(key));
    }
    reader.leave();
    if (!sorted) return sortedMap(entries ?? new Map(keys.map((each, index) => [each, elements[index]!])));
    return entries ?? new OrderedMap(keys, elements);
  };
}

/**
 * Reads the key of a map's element. Null stands for an empty key, as for Go's msgpack library. A truncated key is reported as go-cty
 * does: as the end of the input at the element with an empty key.
 */
function decodeKey(reader: Reader): string {
  let length = 0;
  try {
    if (!reader.skipNull()) length = reader.textLength();
    if (length >= 0) return reader.normalText(length);
  } catch {
    throw within(malformed("EOF"), indexStep(""));
  }
  throw malformed("non-string key in map");
}

/** Decodes the attributes, and returns them in the order of their names. */
function objectDecoder<Part>(type: ObjectType, decoders: readonly Decoder<Part>[]): Decoder<Part[]> {
  const names = encodedNames(type);
  const total = names.length;
  return (reader) => {
    const length = reader.mapLength();
    if (length < 0) throw malformed("an object is required");
    if (length !== total) throw malformed(`an object with ${total} attributes is required (${length} given)`);
    reader.enter();
    const slots: Part[] = [];
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

/** Decodes the rest of an object whose attributes are not in order. Go's plugin libraries write them in random order. */
function decodeUnordered<Part>(reader: Reader, type: ObjectType, slots: Part[], decoders: readonly Decoder<Part>[]): void {
  const ordered = slots.length;
  const total = type.names.length;
  const rest = new Map<number, Part>();
  while (ordered + rest.size < total) {
    const slot = decodeAttribute(reader, type);
    const step = indexStep(type.names[slot]!);
    if (slot < ordered || rest.has(slot)) throw within(malformed("duplicate attribute"), step);
    try {
      rest.set(slot, decoders[slot]!(reader));
    } catch (error) {
      throw within(error, step);
    }
  }
  for (let slot = ordered; slot < total; slot++) slots.push(rest.get(slot)!);
}

/** Decodes an attribute name and returns its slot. As in go-cty, the name is not normalised first. */
function decodeAttribute(reader: Reader, type: ObjectType): number {
  const name = orElse("all keys must be strings", () => {
    // Go's msgpack library reads null as an empty string here.
    const length = reader.skipNull() ? 0 : reader.textLength();
    if (length < 0) throw malformed("");
    return reader.text(length);
  });
  const slot = type.slots.get(name);
  if (slot === undefined) throw within(malformed("unsupported attribute"), indexStep(normalizeString(name)));
  return slot;
}
