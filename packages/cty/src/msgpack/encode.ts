// SPDX-License-Identifier: Apache-2.0
import { conformingTo, type EncodeOptions } from "../codec/encode-options.ts";
import { CtyError } from "../error/error.ts";
import { reported, unsupported, within } from "../codec/failure.ts";
import { encodeType } from "../json/type.ts";
import { attributeStep, indexStep } from "../value/path-step.ts";
import type { NumberPayload } from "../payload/number-payload.ts";
import { isMarkedPayload, isUnknownPayload, type Payload } from "../payload/payload.ts";
import { perType } from "../type/per-type.ts";
import { dynamic, withoutOptionalAttributes } from "../type/type.ts";
import type { ListType, ObjectType, SetType, TupleType, Type } from "../model/type.ts";
import { friendlyName } from "../type/type-names.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";
import { encodedNames } from "./attribute-names.ts";
import { encodeNumber } from "./number.ts";
import { encodeUnknown } from "./unknown.ts";
import { Writer } from "./writer.ts";

type Encoder = (writer: Writer, payload: Payload) => void;

const shared = new Writer();
let busy = false;

/**
 * Encodes a value as msgpack, byte for byte like go-cty. {@link decode} needs the same type to read it.
 *
 * Like Node's own buffers, short results are views of a larger `buffer` that is shared with other results. Copy a result before you
 * use its `buffer`, or to release the rest of the memory.
 *
 * @throws CtyError `UNSUPPORTED` for marks and capsules, `CONFORMANCE` for a value of another type, with their path.
 * @see go-cty msgpack.Marshal
 */
export function encode(value: Value, type: Type, options?: EncodeOptions): Uint8Array {
  // The operations of a capsule type may call `encode` while the shared writer is in use.
  const writer = busy ? new Writer() : shared;
  busy = true;
  try {
    encodeTo(writer, value, type, options);
    return writer.finish();
  } finally {
    writer.truncate(0);
    if (writer === shared) busy = false;
  }
}

/** Like {@link encode}, but appends to a writer. */
export function encodeTo(writer: Writer, value: Value, type: Type, options?: EncodeOptions): void {
  const given = conformingTo(type, value, options);
  reported(() => encoderFor(withoutOptionalAttributes(type), given.type)(writer, given.payload));
}

/** The encoder for values of type `given`. Unknown and null values from go-cty's conversion can have another type, or one that lacks a part. */
function encoderFor(target: Type, given: Type | undefined): Encoder {
  const actual = given !== undefined && (target === dynamic || given.kind === target.kind) ? given : target;
  return target === actual ? encoderOf(target) : mixedEncoders(target)(actual);
}

/** Compiles an encoder for payloads of exactly this type, once per type. */
const encoderOf: (type: Type) => Encoder = perType((type) => present(type, type));

/** Compiles an encoder for a target with dynamic parts, once per pair of types. */
const mixedEncoders: (target: Type) => (actual: Type) => Encoder = perType((target) => perType((actual) => present(target, actual)));

/** An encoder that writes null and unknown values, rejects marks, and passes other payloads to the type's own encoder. */
function present(target: Type, actual: Type): Encoder {
  if (target === dynamic && actual !== dynamic) return wrapped(actual);
  const encodeKnown = knownEncoder(target, actual);
  return (writer, payload) => {
    if (payload === null) writer.byte(0xc0);
    else if (typeof payload !== "object") encodeKnown(writer, payload);
    else if (isUnknownPayload(payload)) encodeUnknown(writer, payload.refinement);
    else if (isMarkedPayload(payload)) throw unsupported("value has marks, so it cannot be serialized");
    else encodeKnown(writer, payload);
  };
}

/** An encoder for a target of dynamic type: it writes the value together with its type. */
function wrapped(actual: Type): Encoder {
  let type: Uint8Array | undefined;
  return (writer, payload) => {
    if (isMarkedPayload(payload)) throw unsupported("value has marks, so it cannot be serialized");
    type ??= typeBytes(actual);
    writer.byte(0x92);
    writer.binary(type);
    encoderOf(actual)(writer, payload);
  };
}

function typeBytes(type: Type): Uint8Array {
  try {
    return new TextEncoder().encode(encodeType(type));
  } catch (error) {
    if (error instanceof CtyError) throw unsupported(`failed to serialize type: ${error.message}`, error);
    throw error;
  }
}

function knownEncoder(target: Type, actual: Type): Encoder {
  switch (target.kind) {
    case "string":
      return (writer, payload) => writer.text(payload as string);
    case "bool":
      return (writer, payload) => writer.byte(payload === true ? 0xc3 : 0xc2);
    case "number":
      return (writer, payload) => encodeNumber(writer, payload as NumberPayload);
    case "list":
    case "set":
      return sequenceEncoder(target, [encoderFor(target.element, (actual as typeof target).element)]);
    case "map":
      return mapEncoder(encoderFor(target.element, (actual as typeof target).element));
    case "tuple":
      return sequenceEncoder(
        target,
        target.elements.map((element, index) => encoderFor(element, (actual as typeof target).elements[index])),
      );
    case "object":
      return objectEncoder(
        target,
        target.names.map((name) => encoderFor(target.attributes[name]!, (actual as typeof target).attributes[name])),
      );
    case "capsule":
      return () => {
        throw unsupported("capsule types not supported for msgpack encoding");
      };
    default:
      return () => {
        throw unsupported(`cannot msgpack-serialize ${friendlyName(target)}`);
      };
  }
}

/** An encoder for lists, sets and tuples. Lists and sets have one encoder for all elements. */
function sequenceEncoder(type: ListType | SetType | TupleType, encoders: readonly Encoder[]): Encoder {
  const single = type.kind === "tuple" ? undefined : encoders[0];
  return (writer, payload) => {
    const elements = payload as readonly Payload[];
    const { length } = elements;
    writer.arrayHeader(length);
    let index = 0;
    try {
      for (; index < length; index++) (single ?? encoders[index]!)(writer, elements[index]!);
    } catch (error) {
      throw within(error, indexStep(type.kind === "set" ? valueOf(type.element, elements[index]!) : index));
    }
  };
}

function mapEncoder(encodeElement: Encoder): Encoder {
  return (writer, payload) => {
    const elements = payload as ReadonlyMap<string, Payload>;
    writer.mapHeader(elements.size);
    for (const [key, element] of elements) {
      writer.text(key);
      try {
        encodeElement(writer, element);
      } catch (error) {
        throw within(error, indexStep(key));
      }
    }
  };
}

function objectEncoder(type: ObjectType, encoders: readonly Encoder[]): Encoder {
  const names = encodedNames(type);
  return (writer, payload) => {
    const slots = payload as readonly Payload[];
    writer.mapHeader(names.length);
    let slot = 0;
    try {
      for (; slot < names.length; slot++) {
        writer.raw(names[slot]!);
        encoders[slot]!(writer, slots[slot]!);
      }
    } catch (error) {
      throw within(error, attributeStep(type.names[slot]!));
    }
  };
}
