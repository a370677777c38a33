// SPDX-License-Identifier: Apache-2.0
// The structure of compound values, whatever their parts are read as.
import { compareCodePoints } from "../code-point-order.ts";
import { normalizeString } from "../ctystrings/normalize.ts";
import { malformed, within } from "../failure.ts";
import { largeMap, OrderedMap } from "../ordered-map.ts";
import { sortedMap } from "../map-payload.ts";
import { indexStep } from "../path-step.ts";
import { childTypes, type CollectionType, type ListType, type ObjectType, type SetType, type TupleType, type Type } from "../type.ts";
import { encodedNames } from "./attribute-names.ts";
import type { Reader } from "./reader.ts";

/** Reads what comes next. */
type Decoder<Part> = (reader: Reader) => Part;

export type CompoundType = CollectionType | TupleType | ObjectType;

/** For types that have parts: reads them in their order, those of a map by their keys. `decoderOf` makes what reads a part. */
export function partsDecoder<Part>(type: CompoundType, decoderOf: (type: Type) => Decoder<Part>): Decoder<Part[] | Map<string, Part>> {
  const decoders = childTypes(type).map(decoderOf);
  if (type.kind === "map") return mapDecoder(decoders[0]!);
  return type.kind === "object" ? objectDecoder(type, decoders) : sequenceDecoder(type, decoders);
}

/** Of a list or set there is one decoder for all elements. */
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

/** The key of a map's element; null stands for an empty one, as for Go's msgpack library. */
function decodeKey(reader: Reader): string {
  const length = reader.skipNull() ? 0 : reader.textLength();
  if (length < 0) throw malformed("non-string key in map");
  return reader.normalText(length);
}

/** Reads the attributes, and answers them in the order of their names. */
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

/** The rest of an object whose attributes are not in order: Go's plugin libraries write them at random. */
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

/** A key exactly as the bytes have it: go-cty does not normalise it before it looks for the attribute. */
function decodeAttribute(reader: Reader, type: ObjectType): number {
  // Go's msgpack library takes null for an empty string here.
  const length = reader.skipNull() ? 0 : reader.textLength();
  if (length < 0) throw malformed("all keys must be strings");
  const name = reader.text(length);
  const slot = type.slots.get(name);
  if (slot === undefined) throw within(malformed("unsupported attribute"), indexStep(normalizeString(name)));
  return slot;
}
