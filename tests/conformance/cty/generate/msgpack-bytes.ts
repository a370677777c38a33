// SPDX-License-Identifier: Apache-2.0
import { kindOf, specialForm, type Json, type NumberNotation, type PayloadNotation, type TypeNotation } from "../notation.ts";
import type { Random } from "@tenon/testing/generate";
import { attributesOf, elementOf, tupleElementsOf, withOptionals } from "./types.ts";

/**
 * The msgpack bytes of a value, in one of the forms that a decoder must accept: wider heads than necessary, bin for str, floats
 * for integers, attributes in another order, refinements of every kind. Independent of the encoder of @tenon/cty.
 */
export function msgpackOf(random: Random, type: TypeNotation, payload: PayloadNotation): number[] {
  const form = specialForm(payload);
  const special = payload as Readonly<Record<string, Json>>;
  if (form === "marked") return msgpackOf(random, type, special["v"]!);
  if (form === "null") return [0xc0];
  if (form === "unknown") return unknownBytes(random, kindOf(type), special["r"] as Readonly<Record<string, Json>> | undefined);
  if (form === "typed") return dynamicBytes(random, special["t"]!, special["v"]!);
  const parts = payload as readonly Json[];
  switch (kindOf(type)) {
    case "string":
      return text(random, payload as string);
    case "bool":
      return [payload === true ? 0xc3 : 0xc2];
    case "number":
      return numberBytes(random, payload as NumberNotation);
    case "list":
    case "set":
      return [...head(random, 0x90, parts.length), ...parts.flatMap((element) => msgpackOf(random, elementOf(type), element))];
    case "tuple":
      return [
        ...head(random, 0x90, parts.length),
        ...parts.flatMap((element, index) => msgpackOf(random, tupleElementsOf(type)[index]!, element)),
      ];
    case "map":
    case "object": {
      const entries = (parts as readonly (readonly [string, Json])[]).map(([key, value]) =>
        text(random, key).concat(msgpackOf(random, kindOf(type) === "map" ? elementOf(type) : attributesOf(type)[key]!, value)),
      );
      if (random.chance(0.3)) entries.reverse();
      if (entries.length > 0 && random.chance(0.02)) entries.push(entries[0]!);
      return [...head(random, 0x80, entries.length), ...entries.flat()];
    }
    default:
      return [0xc0];
  }
}

function bigEndian(value: bigint, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, index) => Number((value >> BigInt(8 * (bytes - 1 - index))) & 0xffn));
}

/** The head of an array (0x90) or map (0x80), sometimes wider than necessary. */
function head(random: Random, fixed: 0x80 | 0x90, length: number): number[] {
  const [two, four] = fixed === 0x90 ? [0xdc, 0xdd] : [0xde, 0xdf];
  if (length < 16 && random.chance(0.95)) return [fixed + length];
  return random.chance(0.8) ? [two, ...bigEndian(BigInt(length), 2)] : [four, ...bigEndian(BigInt(length), 4)];
}

const utf8 = new TextEncoder();

function text(random: Random, value: string): number[] {
  const bytes = [...utf8.encode(value)];
  const length = BigInt(bytes.length);
  const width =
    bytes.length < 256
      ? random.weighted([
          [8, 1],
          [1, 2],
          [1, 4],
        ])
      : random.weighted([
          [8, 2],
          [1, 4],
        ]);
  if (random.chance(0.05)) return [{ 1: 0xc4, 2: 0xc5, 4: 0xc6 }[width]!, ...bigEndian(length, width), ...bytes];
  if (bytes.length < 32 && random.chance(0.9)) return [0xa0 + bytes.length, ...bytes];
  return [{ 1: 0xd9, 2: 0xda, 4: 0xdb }[width]!, ...bigEndian(length, width), ...bytes];
}

const view = new DataView(new ArrayBuffer(8));

function float(random: Random, double: number): number[] {
  if (random.chance(0.1)) {
    view.setFloat32(0, double);
    return [0xca, ...new Uint8Array(view.buffer, 0, 4)];
  }
  view.setFloat64(0, double);
  return [0xcb, ...new Uint8Array(view.buffer)];
}

function numberBytes(random: Random, { n }: NumberNotation): number[] {
  if (n === undefined) return float(random, Number(random.bits(53)) / 2 ** random.int(60));
  if (n.endsWith("Inf")) return float(random, n.startsWith("-") ? -Infinity : Infinity);
  if (!/^-?\d+$/.test(n)) return random.chance(0.6) ? text(random, n) : float(random, Number(n));
  if (random.chance(0.08)) return text(random, n);
  if (random.chance(0.05)) return float(random, Number(n));
  return integerBytes(random, BigInt(n)) ?? text(random, n);
}

/** The integer in any width that can hold it. */
function integerBytes(random: Random, integer: bigint): number[] | undefined {
  if (integer >= -32n && integer < 128n && random.chance(0.8)) return [Number(integer & 0xffn)];
  const widths: [number, number][] = [];
  for (const [index, bytes] of [1, 2, 4, 8].entries()) {
    const bits = BigInt(8 * bytes);
    if (integer >= 0n && integer < 1n << bits) widths.push([0xcc + index, bytes]);
    if (integer >= -(1n << (bits - 1n)) && integer < 1n << (bits - 1n)) widths.push([0xd0 + index, bytes]);
  }
  if (widths.length === 0) return undefined;
  const [code, bytes] = random.pick(widths);
  return [code, ...bigEndian(BigInt.asUintN(8 * bytes, integer), bytes)];
}

function dynamicBytes(random: Random, type: TypeNotation, payload: PayloadNotation): number[] {
  const described = [...utf8.encode(JSON.stringify(withOptionals(random, type)))];
  const length = BigInt(described.length);
  const wrapped = described.length < 256 ? [0xc4, ...bigEndian(length, 1)] : [0xc5, ...bigEndian(length, 2)];
  return [...head(random, 0x90, random.chance(0.98) ? 2 : 3), ...wrapped, ...described, ...msgpackOf(random, type, payload)];
}

function unknownBytes(random: Random, kind: string, r: Readonly<Record<string, Json>> | undefined): number[] {
  if (r === undefined)
    return random.weighted<() => number[]>([
      [8, () => [0xd4, 0x00, 0x00]],
      [1, () => [0xd4, random.int(256), random.int(256)]],
      [1, () => [0xc7, 0x00, random.int(256)]],
    ])();
  const fields: number[][] = [];
  if (r["null"] !== undefined) fields.push([1, r["null"] === true ? 0xc3 : 0xc2]);
  if (r["prefix"] !== undefined) fields.push([2, ...text(random, r["prefix"] as string)]);
  for (const [key, name] of [
    [3, "min"],
    [4, "max"],
  ] as const) {
    if (r[name] === undefined) continue;
    const [bound, inclusive] = r[name] as readonly [NumberNotation, boolean];
    fields.push([key, 0x92, ...numberBytes(random, bound), inclusive ? 0xc3 : 0xc2]);
  }
  for (const [key, name] of [
    [5, "lenMin"],
    [6, "lenMax"],
  ] as const) {
    if (r[name] !== undefined) fields.push([key, ...integerBytes(random, BigInt(r[name] as string))!]);
  }
  // A refinement that is invalid for the type.
  if (random.chance(0.03))
    fields.push(
      random.pick([
        [2, 0xa1, 0x61],
        [3, 0x92, 0x01, 0xc3],
        [5, 0x01],
        [7, 0x01],
        [1, 0xc0],
      ]),
    );
  if (kind !== "number" && random.chance(0.05)) fields.reverse();
  const body = [...head(random, 0x80, fields.length), ...fields.flat()];
  return [...extensionHead(random, body.length), random.chance(0.98) ? 0x0c : random.int(256), ...body];
}

function extensionHead(random: Random, length: number): number[] {
  const fixed = [1, 2, 4, 8, 16].indexOf(length);
  if (fixed >= 0 && random.chance(0.8)) return [0xd4 + fixed];
  return length < 256 && random.chance(0.9) ? [0xc7, length] : [0xc8, ...bigEndian(BigInt(length), 2)];
}

const codes: readonly number[] = [
  0x00, 0x7f, 0x80, 0x81, 0x8f, 0x90, 0x91, 0x92, 0xa0, 0xa1, 0xbf, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb,
  0xcc, 0xcd, 0xce, 0xcf, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf, 0xe0, 0xff,
];

/** The bytes with one or two small random edits. */
export function mutatedBytes(random: Random, bytes: readonly number[]): number[] {
  if (bytes.length === 0) return [random.pick(codes)];
  let mutated = [...bytes];
  for (let count = random.int(2) + 1; count > 0; count--) {
    const at = random.int(mutated.length + 1);
    mutated = random.weighted<() => number[]>([
      [4, () => mutated.with(Math.min(at, mutated.length - 1), random.pick(codes))],
      [2, () => mutated.toSpliced(at, 0, random.pick(codes))],
      [2, () => mutated.slice(0, at)],
      [2, () => mutated.toSpliced(at, random.int(3) + 1)],
      [1, () => mutated.map((byte, index) => (index === at ? byte ^ (1 << random.int(8)) : byte))],
      [1, () => mutated.toSpliced(at, 0, ...mutated.slice(at, at + 6))],
    ])();
    if (mutated.length === 0) return [random.pick(codes)];
  }
  return mutated;
}
