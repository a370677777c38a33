// SPDX-License-Identifier: Apache-2.0
import { range, type Mark, type Path, type Type, type Value } from "@tenon/cty";
import { encodeType } from "@tenon/cty/json";
import {
  isMarkedPayload,
  isUnknownPayload,
  numberText,
  valueOf,
  type NumberPayload,
  type Payload,
  type Refinement,
} from "@tenon/cty/unstable/payload";
import type { Json, NumberNotation, PathNotation, PayloadNotation, TypeNotation, ValueNotation } from "../notation.ts";

export function writeType(type: Type): TypeNotation {
  return type.kind === "string" || type.kind === "number" || type.kind === "bool" ? type.kind : (JSON.parse(encodeType(type)) as Json);
}

/** Writes values in the notation. Does not sort anything, so that the order of our values is tested. */
export function writeValue(value: Value): ValueNotation {
  return { t: writeType(value.type), v: writePayload(value.type, value.payload) };
}

function writePayload(type: Type, payload: Payload): PayloadNotation {
  if (isMarkedPayload(payload)) return { $: "marked", m: writeMarks(payload.marks), v: writePayload(type, payload.payload) };
  if (isUnknownPayload(payload)) {
    const refined = writeRefinement(range(valueOf(type, payload)));
    return Object.keys(refined).length === 0 ? { $: "unknown" } : { $: "unknown", r: refined };
  }
  if (payload === null) return { $: "null" };
  switch (type.kind) {
    case "string":
      return payload as string;
    case "bool":
      return payload as boolean;
    case "number":
      return writeNumber(payload as NumberPayload);
    case "list":
    case "set":
      return (payload as readonly Payload[]).map((element) => writePayload(type.element, element));
    case "tuple":
      return (payload as readonly Payload[]).map((element, index) => writePayload(type.elements[index]!, element));
    case "map":
      return [...(payload as ReadonlyMap<string, Payload>)].map(([key, element]) => [key, writePayload(type.element, element)]);
    case "object":
      return (payload as readonly Payload[]).map((attribute, index) => {
        const name = type.names[index]!;
        return [name, writePayload(type.attributes[name]!, attribute)];
      });
    default:
      throw new TypeError(`a value of type ${type.kind} cannot be written`);
  }
}

export function writeMarks(marks: ReadonlySet<Mark>): Json {
  return [...(marks as ReadonlySet<string>)].sort();
}

/** Refinements in the order of the oracle's keys. go-cty cannot distinguish an infinite bound from no bound. */
export function writeRefinement({ notNull, prefix, min, max, lengthMin, lengthMax }: Refinement): Readonly<Record<string, Json>> {
  return {
    ...(notNull ? { null: false } : {}),
    ...(prefix ? { prefix } : {}),
    ...(min && bitsOf(min.value) !== "-Inf" ? { min: [writeNumber(min.value), min.inclusive] } : {}),
    ...(max && bitsOf(max.value) !== "+Inf" ? { max: [writeNumber(max.value), max.inclusive] } : {}),
    ...(lengthMin ? { lenMin: String(lengthMin) } : {}),
    ...(lengthMax === undefined || lengthMax === Infinity ? {} : { lenMax: String(lengthMax) }),
  };
}

/** Text, precision and bits, which together identify a number. */
export function writeNumber(payload: NumberPayload): NumberNotation {
  return { n: numberText(payload), p: precisionOf(payload), x: bitsOf(payload) };
}

function precisionOf(payload: NumberPayload): number {
  return typeof payload !== "number" ? payload.precision : Number.isSafeInteger(payload) ? 64 : 53;
}

/** The number as Go's `Text('p', 0)` writes it. */
export function bitsOf(payload: NumberPayload): string {
  if (payload === 0) return "0";
  const { negative, mantissa, exponent } = typeof payload === "number" ? doubleParts(payload) : payload.binary;
  const sign = negative ? "-" : "";
  if (mantissa === 0n) return `${sign}0`;
  if (exponent === Infinity) return negative ? "-Inf" : "+Inf";
  const bits = mantissa.toString(2).length;
  const digits = (mantissa << BigInt((4 - (bits % 4)) % 4)).toString(16).replace(/0+$/, "");
  const scale = exponent + bits;
  return `${sign}0x.${digits}p${scale < 0 ? "" : "+"}${scale}`;
}

const view = new DataView(new ArrayBuffer(8));

/** Computed from the bits of the double, independent of the code under test. */
function doubleParts(double: number): { negative: boolean; mantissa: bigint; exponent: number } {
  view.setFloat64(0, double);
  const word = view.getBigUint64(0);
  const biased = Number((word >> 52n) & 0x7ffn);
  const fraction = word & 0xfffffffffffffn;
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n);
  return { negative: double < 0, mantissa, exponent: Math.max(biased, 1) - 1075 };
}

export function writePath(path: Path): PathNotation {
  return path.map((step) => (step.kind === "attribute" ? (["attr", step.name] as const) : (["index", writeValue(step.key)] as const)));
}

export function writeHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
