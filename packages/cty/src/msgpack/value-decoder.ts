// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../error.ts";
import { Failure, within } from "../failure.ts";
import { decodeType } from "../json/type.ts";
import { indexStep } from "../path.ts";
import { perType } from "../per-type.ts";
import { hasDynamic, withoutOptionalAttributes, type ObjectType, type TupleType, type Type } from "../type.ts";
import { listOf, mapOf, objectOf, setOf, tupleOf } from "../value-init.ts";
import { valueOf, type Value } from "../value.ts";
import { checkObjectLength, checkTupleLength, decodeAbsent, decodeAttribute, decodeKey, payloadDecoder } from "./payload-decoder.ts";
import type { Reader } from "./reader.ts";

/** Reads a value, whose concrete type only the bytes tell. */
type ValueDecoder = (reader: Reader) => Value;

/** Compiled once a type with dynamic parts: a function that reads values, whose types only the bytes tell. */
export const valueDecoder: (type: Type) => ValueDecoder = perType((type): ValueDecoder => {
  if (!hasDynamic(type)) {
    const decodePayload = payloadDecoder(type);
    return (reader) => valueOf(type, decodePayload(reader));
  }
  const decodeKnown = knownValueDecoder(type);
  return (reader) => {
    const absent = decodeAbsent(reader, type);
    return absent === undefined ? decodeKnown(reader) : valueOf(type, absent);
  };
});

function knownValueDecoder(type: Type): ValueDecoder {
  switch (type.kind) {
    case "list":
    case "set":
      return collectionValueDecoder(type.kind, type.element);
    case "map":
      return mapValueDecoder(type.element);
    case "tuple":
      return tupleValueDecoder(type);
    case "object":
      return objectValueDecoder(type);
    default:
      return decodeDynamic;
  }
}

/** `[type as JSON, value]` */
function decodeDynamic(reader: Reader): Value {
  const length = reader.arrayLength();
  if (length < 0) throw new Failure("MALFORMED", "msgpack: a dynamic value must be an array of its type and itself");
  if (length !== 2) throw new Failure("MALFORMED", "dynamic value array must have exactly two elements");
  const size = reader.textLength();
  if (size < 0) throw new Failure("MALFORMED", "msgpack: the type of a dynamic value must be bytes");
  reader.enter();
  const value = valueDecoder(typeOf(reader.slice(size)))(reader);
  reader.leave();
  return value;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function typeOf(json: Uint8Array): Type {
  try {
    return withoutOptionalAttributes(decodeType(utf8.decode(json)));
  } catch (error) {
    if (error instanceof CtyError) throw new Failure("MALFORMED", error.message, error);
    throw error;
  }
}

/** Elements of different types are refused where they stand: no list can hold them. */
function collected(collect: () => Value): Value {
  try {
    return collect();
  } catch (error) {
    if (error instanceof CtyError) throw new Failure("MALFORMED", error.message, error);
    throw error;
  }
}

function collectionValueDecoder(kind: "list" | "set", elementType: Type): ValueDecoder {
  const decodeElement = valueDecoder(elementType);
  return (reader) => {
    const length = reader.arrayLength();
    if (length < 0) throw new Failure("MALFORMED", `a ${kind} is required`);
    const elements: Value[] = [];
    reader.enter();
    try {
      while (elements.length < length) elements.push(decodeElement(reader));
    } catch (error) {
      throw within(error, indexStep(elements.length));
    }
    reader.leave();
    const known = length === 0 ? elementType : undefined;
    return collected(() => (kind === "list" ? listOf(elements, known) : setOf(elements, known)));
  };
}

function mapValueDecoder(elementType: Type): ValueDecoder {
  const decodeElement = valueDecoder(elementType);
  return (reader) => {
    const length = reader.mapLength();
    if (length < 0) throw new Failure("MALFORMED", "a map is required");
    reader.enter();
    const entries = new Map<string, Value>();
    for (let index = 0; index < length; index++) {
      const key = decodeKey(reader);
      try {
        entries.set(key, decodeElement(reader));
      } catch (error) {
        throw within(error, indexStep(key));
      }
    }
    reader.leave();
    return collected(() => mapOf(entries, length === 0 ? elementType : undefined));
  };
}

function tupleValueDecoder(type: TupleType): ValueDecoder {
  const decoders = type.elements.map(valueDecoder);
  return (reader) => {
    checkTupleLength(reader, type);
    reader.enter();
    const elements: Value[] = [];
    try {
      for (const decodeElement of decoders) elements.push(decodeElement(reader));
    } catch (error) {
      throw within(error, indexStep(elements.length));
    }
    reader.leave();
    return tupleOf(elements);
  };
}

function objectValueDecoder(type: ObjectType): ValueDecoder {
  const decoders = type.names.map((name) => valueDecoder(type.attributes[name]!));
  return (reader) => {
    checkObjectLength(reader, type);
    reader.enter();
    const attributes = new Map<string, Value>();
    while (attributes.size < decoders.length) {
      const slot = decodeAttribute(reader, type);
      const name = type.names[slot]!;
      if (attributes.has(name)) throw within(new Failure("MALFORMED", "duplicate attribute"), indexStep(name));
      try {
        attributes.set(name, decoders[slot]!(reader));
      } catch (error) {
        throw within(error, indexStep(name));
      }
    }
    reader.leave();
    return objectOf(attributes);
  };
}
