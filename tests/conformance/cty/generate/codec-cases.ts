// SPDX-License-Identifier: Apache-2.0
import type { TypeNotation, ValueNotation } from "../notation.ts";
import { kindOf } from "../notation.ts";
import type { Random } from "@tenon/testing/generate";
import { jsonTextOf, mutatedText } from "./json-text.ts";
import { msgpackOf, mutatedBytes } from "./msgpack-bytes.ts";
import { anyType, attributesOf, elementOf, nearType, tupleElementsOf } from "./types.ts";
import type { Arguments } from "./value-cases.ts";
import { absentWithOptionals, knownOrNull, mixed, payloadOf, unmarked, valueOfType, type ValueOptions } from "./values.ts";

const hex = (bytes: readonly number[]): string => Buffer.from(bytes).toString("hex");

/** The type with some parts replaced by dynamic: a type to write its values as. */
function loosened(random: Random, type: TypeNotation): TypeNotation {
  if (random.chance(0.2)) return "dynamic";
  switch (kindOf(type)) {
    case "list":
    case "set":
    case "map":
      return [kindOf(type), loosened(random, elementOf(type))];
    case "tuple":
      return ["tuple", tupleElementsOf(type).map((element) => loosened(random, element))];
    case "object": {
      const attributes = Object.create(null) as Record<string, TypeNotation>;
      for (const [name, attribute] of Object.entries(attributesOf(type))) attributes[name] = loosened(random, attribute);
      return ["object", attributes];
    }
    default:
      return type;
  }
}

/** A value and the type to write it as: its own type, one with dynamic parts, or one that needs a conversion. */
const marshalling =
  (options: ValueOptions): Arguments =>
  (random) => {
    const value: ValueNotation = random.chance(0.03)
      ? absentWithOptionals(random, 2)
      : valueOfType(random, anyType(random, random.int(4)), random.chance(0.95) ? options : mixed);
    const type = random.weighted<() => TypeNotation>([
      [6, () => value.t],
      [3, () => loosened(random, value.t)],
      [1, () => nearType(random, value.t, { dynamic: true, optional: true })],
    ])();
    return [value, type];
  };

/** A type to read a value as; parts of it may be dynamic. */
function readingType(random: Random): TypeNotation {
  return anyType(random, random.int(4), { dynamic: random.chance(0.4), optional: random.chance(0.2) });
}

function jsonFor(random: Random, type: TypeNotation): string {
  return jsonTextOf(random, type, payloadOf(random, type, knownOrNull));
}

const unmarshallingJson: Arguments = (random) => {
  const type = readingType(random);
  const text = jsonFor(random, random.chance(0.93) ? type : nearType(random, type));
  return [random.chance(0.2) ? mutatedText(random, text) : text, type];
};

/** Generators of arguments for the JSON operations. */
export const jsonArguments: Readonly<Record<string, Arguments>> = {
  "json.marshal": marshalling(knownOrNull),
  "json.unmarshal": unmarshallingJson,
  "json.impliedType": (random) => {
    const text = jsonFor(random, anyType(random, 3));
    return [random.chance(0.2) ? mutatedText(random, text) : text];
  },
};

const unmarshallingBytes: Arguments = (random) => {
  const type = readingType(random);
  const written = random.chance(0.95) ? type : nearType(random, type);
  const bytes = msgpackOf(random, written, payloadOf(random, written, unmarked));
  return [hex(random.chance(0.15) ? mutatedBytes(random, bytes) : bytes), type];
};

/** Generators of arguments for the msgpack operations. */
export const msgpackArguments: Readonly<Record<string, Arguments>> = {
  "msgpack.marshal": marshalling(unmarked),
  "msgpack.unmarshal": unmarshallingBytes,
  "msgpack.impliedType": (random) => {
    const type = anyType(random, 3);
    const bytes = msgpackOf(random, type, payloadOf(random, type, random.chance(0.9) ? knownOrNull : unmarked));
    return [hex(random.chance(0.15) ? mutatedBytes(random, bytes) : bytes)];
  },
};

/** Generators of damaged input for the decoders. */
export const malformedArguments: Readonly<Record<string, Arguments>> = {
  "json.unmarshalBytes": (random) => {
    const type = readingType(random);
    const bytes = Buffer.from(mutatedText(random, jsonFor(random, type)));
    return [hex(random.chance(0.3) ? mutatedBytes(random, [...bytes]) : [...bytes]), type];
  },
  "json.impliedType": (random) => [mutatedText(random, jsonFor(random, anyType(random, 3)))],
  "msgpack.unmarshal": (random) => {
    const type = readingType(random);
    return [hex(mutatedBytes(random, msgpackOf(random, type, payloadOf(random, type, unmarked)))), type];
  },
  "msgpack.impliedType": (random) => {
    const type = anyType(random, 3);
    return [hex(mutatedBytes(random, msgpackOf(random, type, payloadOf(random, type, knownOrNull))))];
  },
};
