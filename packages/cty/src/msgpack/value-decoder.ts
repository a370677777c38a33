// SPDX-License-Identifier: Apache-2.0
import { malformed, orMalformed } from "../codec/failure.ts";
import { decodeType } from "../json/type.ts";
import { perType } from "../type/per-type.ts";
import { isCollectionType, isExact } from "../type/type.ts";
import type { Type } from "../model/type.ts";
import { composed } from "../construction/value-init.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";
import { partsDecoder, type CompoundType } from "./parts-decoder.ts";
import { decodeAbsent, payloadDecoder } from "./payload-decoder.ts";
import type { Reader } from "./reader.ts";

/** Reads a value whose concrete type is in the input. */
type ValueDecoder = (reader: Reader) => Value;

/** Compiles a decoder for values of a type with dynamic parts or optional attributes, once per type. */
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
    // Elements of different types are an error here: a collection cannot hold them.
    return orMalformed(() => composed(type.kind, values, keys, elementType));
  };
}

/** Reads a value of dynamic type: an array `[type as JSON, value]`. */
function decodeDynamic(reader: Reader): Value {
  const length = reader.arrayLength();
  if (length < 0) throw malformed("msgpack: a dynamic value must be an array");
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
