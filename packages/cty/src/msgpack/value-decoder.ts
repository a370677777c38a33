// SPDX-License-Identifier: Apache-2.0
import { malformed, orMalformed } from "../failure.ts";
import { decodeType } from "../json/type.ts";
import { perType } from "../per-type.ts";
import { isCollectionType, isExact, type Type } from "../type.ts";
import { composed } from "../value-init.ts";
import { valueOf, type Value } from "../value.ts";
import { partsDecoder, type CompoundType } from "./parts-decoder.ts";
import { decodeAbsent, payloadDecoder } from "./payload-decoder.ts";
import type { Reader } from "./reader.ts";

/** Reads a value, whose concrete type only the bytes tell. */
type ValueDecoder = (reader: Reader) => Value;

/** Compiled once a type with dynamic parts or optional attributes: a function that reads values, whose types only the bytes tell. */
export const valueDecoder: (type: Type) => ValueDecoder = perType((type): ValueDecoder => {
  if (isExact(type)) {
    const decodePayload = payloadDecoder(type);
    return (reader) => valueOf(type, decodePayload(reader));
  }
  const decodeKnown = type.kind === "dynamic" ? decodeDynamic : compoundDecoder(type as CompoundType);
  return (reader) => {
    const absent = decodeAbsent(reader, type);
    return absent === undefined ? decodeKnown(reader) : valueOf(type, absent);
  };
});

function compoundDecoder(type: CompoundType): ValueDecoder {
  const decodeParts = partsDecoder(type, valueDecoder);
  return (reader) => {
    const parts = decodeParts(reader);
    const values = [...parts.values()];
    const keys = parts instanceof Map ? [...parts.keys()] : type.kind === "object" ? type.names : [];
    const elementType = isCollectionType(type) && values.length === 0 ? type.element : undefined;
    // Elements of different types are refused where they stand: no list can hold them.
    return orMalformed(() => composed(type.kind, values, keys, elementType));
  };
}

/** `[type as JSON, value]` */
function decodeDynamic(reader: Reader): Value {
  const length = reader.arrayLength();
  if (length < 0) throw malformed("msgpack: a dynamic value must be an array of its type and itself");
  if (length !== 2) throw malformed("dynamic value array must have exactly two elements");
  const size = reader.textLength();
  if (size < 0) throw malformed("msgpack: the type of a dynamic value must be bytes");
  reader.enter();
  const json = utf8.decode(reader.slice(size));
  const value = valueDecoder(orMalformed(() => decodeType(json)))(reader);
  reader.leave();
  return value;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
