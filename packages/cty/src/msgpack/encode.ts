// SPDX-License-Identifier: Apache-2.0
import { convert } from "../convert/convert.ts";
import { CtyError } from "../error.ts";
import { Failure, reported, within } from "../failure.ts";
import { encodeType } from "../json/type.ts";
import { exactDouble } from "../number/double.ts";
import { numberText, type NumberPayload } from "../number/number.ts";
import { isInteger, topExponent, truncated } from "../number/binary.ts";
import { indexStep } from "../path.ts";
import { isMarkedPayload, isUnknownPayload, type Payload } from "../payload.ts";
import { perType } from "../per-type.ts";
import { withoutOptionalAttributes, type ListType, type ObjectType, type SetType, type Type } from "../type.ts";
import { conforms } from "../type-conform.ts";
import { friendlyName } from "../type-names.ts";
import { valueOf, type Value } from "../value.ts";
import { encodedNames } from "./attribute-names.ts";
import { encodeUnknown } from "./unknown.ts";
import { Writer } from "./writer.ts";

type Encoder = (writer: Writer, payload: Payload) => void;

const shared = new Writer();
let busy = false;

/**
 * Writes a value as msgpack, byte for byte as go-cty writes it for the type; {@link decode} needs the same type to read it.
 *
 * A value that does not conform to the type is converted first, if that is possible.
 *
 * @throws CtyError `UNSUPPORTED` for marks and capsules, with their path; `CONVERSION` for a value that does not fit.
 * @see go-cty msgpack.Marshal
 */
export function encode(value: Value, type: Type): Uint8Array {
  // A capsule's own code may come back here while the shared writer is in use.
  const writer = busy ? new Writer() : shared;
  busy = true;
  try {
    encodeTo(writer, value, type);
    return writer.take();
  } finally {
    writer.truncate(0);
    if (writer === shared) busy = false;
  }
}

/** {@link encode} into a writer that may hold other things already. */
export function encodeTo(writer: Writer, value: Value, type: Type): void {
  const given = conforms(value.type, type) ? value : convert(value, type);
  reported(() => encoderFor(withoutOptionalAttributes(type), given.type)(writer, given.payload));
}

function encoderFor(target: Type, actual: Type): Encoder {
  return target === actual ? encoderOf(target) : mixedEncoders(target)(actual);
}

/** Compiled once a type: a function that writes payloads of values that have exactly this type. */
const encoderOf: (type: Type) => Encoder = perType((type) => present(type, type));

/** Compiled once a pair of types, for targets with dynamic parts. */
const mixedEncoders: (target: Type) => (actual: Type) => Encoder = perType((target) => perType((actual) => present(target, actual)));

/** Writes what every type allows, marks excepted, and leaves the rest to the type's own encoder. */
function present(target: Type, actual: Type): Encoder {
  if (target.kind === "dynamic" && actual.kind !== "dynamic") return wrapped(actual);
  const encodeKnown = knownEncoder(target, actual);
  return (writer, payload) => {
    if (payload === null) writer.byte(0xc0);
    else if (typeof payload !== "object") encodeKnown(writer, payload);
    else if (isUnknownPayload(payload)) encodeUnknown(writer, payload.refinement, encodeNumber);
    else if (isMarkedPayload(payload)) throw new Failure("UNSUPPORTED", "value has marks, so it cannot be serialized");
    else encodeKnown(writer, payload);
  };
}

/** A value where the target's type is dynamic carries its type along. */
function wrapped(actual: Type): Encoder {
  let type: Uint8Array | undefined;
  return (writer, payload) => {
    if (isMarkedPayload(payload)) throw new Failure("UNSUPPORTED", "value has marks, so it cannot be serialized");
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
    if (error instanceof CtyError) throw new Failure("UNSUPPORTED", `failed to serialize type: ${error.message}`, error);
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
      return encodeNumber;
    case "list":
    case "set":
      return elementsEncoder(target, encoderFor(target.element, (actual as typeof target).element));
    case "map":
      return mapEncoder(encoderFor(target.element, (actual as typeof target).element));
    case "tuple":
      return tupleEncoder(target.elements.map((element, index) => encoderFor(element, (actual as typeof target).elements[index]!)));
    case "object":
      return objectEncoder(
        target,
        target.names.map((name) => {
          const wanted = target.attributes[name]!;
          // A null that go-cty's conversion made can be of an object type that lacks the attribute.
          return encoderFor(wanted, (actual as typeof target).attributes[name] ?? wanted);
        }),
      );
    case "capsule":
      return () => {
        throw new Failure("UNSUPPORTED", "capsule types not supported for msgpack encoding");
      };
    default:
      return () => {
        throw new Failure("UNSUPPORTED", `cannot msgpack-serialize ${friendlyName(target)}`);
      };
  }
}

/** The smallest form that is exact: an integer of 64 bits, a double, or decimal text. */
function encodeNumber(writer: Writer, payload: Payload): void {
  const number = payload as NumberPayload;
  if (typeof number === "number") {
    if (Number.isInteger(number)) writer.integer(number);
    else writer.double(number);
    return;
  }
  const { binary } = number;
  if (isInteger(binary)) {
    const integer = topExponent(binary) <= 64 ? truncated(binary) : undefined;
    if (integer === undefined || BigInt.asIntN(64, integer) !== integer) writer.text(numberText(number));
    else if (Number.isSafeInteger(Number(integer))) writer.integer(Number(integer));
    else writer.integer64(integer);
    return;
  }
  const double = exactDouble(binary);
  if (double === undefined) writer.text(numberText(number));
  else writer.double(double);
}

function elementsEncoder(type: ListType | SetType, encodeElement: Encoder): Encoder {
  return (writer, payload) => {
    const elements = payload as readonly Payload[];
    writer.arrayHeader(elements.length);
    let index = 0;
    try {
      for (; index < elements.length; index++) encodeElement(writer, elements[index]!);
    } catch (error) {
      throw within(error, type.kind === "list" ? indexStep(index) : indexStep(valueOf(type.element, elements[index]!)));
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

function tupleEncoder(encoders: readonly Encoder[]): Encoder {
  return (writer, payload) => {
    const elements = payload as readonly Payload[];
    writer.arrayHeader(encoders.length);
    let index = 0;
    try {
      for (; index < encoders.length; index++) encoders[index]!(writer, elements[index]!);
    } catch (error) {
      throw within(error, indexStep(index));
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
      throw within(error, { kind: "attribute", name: type.names[slot]! });
    }
  };
}
