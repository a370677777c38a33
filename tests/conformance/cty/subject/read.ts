// SPDX-License-Identifier: Apache-2.0
import {
  attributeStep,
  bool,
  dynamic,
  indexStep,
  list,
  listOf,
  map,
  mapOf,
  nullOf,
  number,
  object,
  objectOf,
  set,
  setOf,
  string,
  tupleOf,
  unknown,
  withMarks,
  type Path,
  type Refinements,
  type Type,
  type Value,
} from "@tenon/cty";
import { type PathMarks } from "@tenon/cty/paths";
import { decodeType } from "@tenon/cty/json";
import {
  BigFloat,
  normalizeString,
  numberFromBigint,
  numberFromDouble,
  numberFromText,
  valueOf,
  type NumberPayload,
} from "@tenon/cty/unstable/payload";
import {
  specialForm,
  type Json,
  type NumberNotation,
  type PathNotation,
  type PayloadNotation,
  type TypeNotation,
  type ValueNotation,
} from "../notation.ts";

type Special = Readonly<Record<string, Json>>;

/** Builds values from the notation with the same steps as the oracle, because their construction is part of the test. */
export function readType(notation: TypeNotation): Type {
  switch (notation) {
    case "string":
      return string;
    case "number":
      return number;
    case "bool":
      return bool;
    case "dynamic":
      return dynamic;
    default:
      return decodeType(JSON.stringify(notation));
  }
}

export function readValue({ t, v }: ValueNotation): Value {
  return readPayload(readType(t), v);
}

function readPayload(type: Type, notation: PayloadNotation): Value {
  const form = specialForm(notation);
  if (form !== undefined) return readSpecial(type, form, notation as Special);
  switch (type.kind) {
    case "string":
      return valueOf(string, normalizeString(notation as string));
    case "bool":
      return valueOf(bool, notation as boolean);
    case "number":
      return valueOf(number, readNumber(notation as NumberNotation));
    case "list":
    case "set": {
      const elements = (notation as readonly PayloadNotation[]).map((element) => readPayload(type.element, element));
      if (elements.length === 0) return valueOf(type.kind === "list" ? list(type.element) : set(type.element), []);
      return type.kind === "list" ? listOf(elements) : setOf(elements);
    }
    case "map": {
      const entries = (notation as readonly (readonly [string, PayloadNotation])[]).map(
        ([key, element]) => [normalizeString(key), readPayload(type.element, element)] as const,
      );
      return entries.length === 0 ? valueOf(map(type.element), new Map()) : mapOf(new Map(entries));
    }
    case "tuple":
      return tupleOf((notation as readonly PayloadNotation[]).map((element, index) => readPayload(type.elements[index]!, element)));
    case "object": {
      const entries = (notation as readonly (readonly [string, PayloadNotation])[]).map(([key, attribute]) => {
        const name = normalizeString(key);
        return [name, readPayload(type.attributes[name]!, attribute)] as const;
      });
      return entries.length === 0 ? valueOf(object({}), []) : objectOf(new Map(entries));
    }
    default:
      throw new TypeError(`not a payload of ${type.kind}: ${JSON.stringify(notation)}`);
  }
}

function readSpecial(type: Type, form: string, notation: Special): Value {
  switch (form) {
    case "null":
      return nullOf(type);
    case "unknown":
      return notation["r"] === undefined ? unknown(type) : unknown(type, readRefinements(notation["r"]));
    case "marked":
      return withMarks(readPayload(type, notation["v"]!), new Set(notation["m"] as readonly string[]));
    case "typed":
      return readPayload(readType(notation["t"]!), notation["v"]!);
    default:
      throw new TypeError(`unknown special form ${form}`);
  }
}

export function readRefinements(notation: Json): Refinements {
  const { null: isNull, min, max, lenMin, lenMax, prefix, prefixTrimmed } = notation as Special;
  return {
    ...(isNull === undefined ? {} : isNull ? { null: true } : { notNull: true }),
    ...(min === undefined ? {} : { min: readBound(min) }),
    ...(max === undefined ? {} : { max: readBound(max) }),
    ...(lenMin === undefined ? {} : { lengthMin: readLength(lenMin) }),
    ...(lenMax === undefined ? {} : { lengthMax: readLength(lenMax) }),
    ...(prefix === undefined ? {} : { prefixFull: prefix as string }),
    ...(prefixTrimmed === undefined ? {} : { prefix: prefixTrimmed as string }),
  };
}

/** go-cty writes an absent upper bound as Go's largest int. */
function readLength(notation: Json): number | bigint {
  const length = Number(notation);
  return Number.isSafeInteger(length) ? length : BigInt(notation as string);
}

function readBound(notation: Json): { value: Value; inclusive: boolean } {
  const [value, inclusive] = notation as readonly [PayloadNotation, boolean];
  return { value: readPayload(number, value), inclusive };
}

export function readNumber({ n, p = 512, x }: NumberNotation): NumberPayload {
  if (x !== undefined) return numberFromBits(x, p);
  const read = p === 512 ? numberFromText(n!) : p === 64 ? numberFromBigint(BigInt(n!)) : numberFromDouble(goDouble(n!));
  if (read === undefined) throw new TypeError(`invalid number: ${n} with precision ${p}`);
  return read;
}

function goDouble(text: string): number {
  return text.endsWith("Inf") ? (text.startsWith("-") ? -Infinity : Infinity) : Number(text);
}

const bitsPattern: RegExp = /^(-?)0x\.([0-9a-f]+)p([+-]\d+)$/;

/** Parses Go's `Text('p', 0)`: a mantissa whose first bit has the value one half, and a binary exponent. */
function numberFromBits(bits: string, precision: number): NumberPayload {
  if (bits === "0" || bits === "-0")
    return new BigFloat(precision, undefined, { negative: bits === "-0", mantissa: 0n, exponent: 0, bits: 0 });
  if (bits.endsWith("Inf")) {
    return new BigFloat(precision, undefined, { negative: bits === "-Inf", mantissa: 1n, exponent: Infinity, bits: 1 });
  }
  const [, sign, digits, scale] = bitsPattern.exec(bits)!;
  let mantissa = BigInt(`0x${digits}`);
  let exponent = Number(scale) - 4 * digits!.length;
  while ((mantissa & 1n) === 0n) {
    mantissa >>= 1n;
    exponent++;
  }
  const negative = sign === "-";
  // A safe integer with 64 bits of precision or a fraction with 53 is always a JavaScript number.
  const narrow = (negative ? -1 : 1) * Number(mantissa) * 2 ** exponent;
  if (precision === 64 && exponent >= 0 && Number.isSafeInteger(narrow) && narrow !== 0) return narrow;
  if (precision === 53 && exponent < 0 && exponent > -1000 && Math.abs(narrow) < 2 ** 60 && !Number.isInteger(narrow)) return narrow;
  return new BigFloat(precision, undefined, { negative, mantissa, exponent, bits: mantissa.toString(2).length });
}

export function readPath(notation: PathNotation): Path {
  return notation.map(([kind, key]) => (kind === "attr" ? attributeStep(key) : indexStep(readValue(key))));
}

export function readPathMarks(notation: Json): readonly PathMarks[] {
  return (notation as readonly (readonly [PathNotation, readonly string[]])[]).map(([path, marks]) => ({
    path: readPath(path),
    marks: new Set(marks),
  }));
}

/** Bytes from hexadecimal text. */
export function readHex(notation: Json): Uint8Array {
  return Uint8Array.from(Buffer.from(notation as string, "hex"));
}
