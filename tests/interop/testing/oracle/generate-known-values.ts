// SPDX-License-Identifier: Apache-2.0
import type { Json } from "@tenon/testing";
import type { Random } from "@tenon/testing/generate";
import type { KnownValueNotation } from "./known-value-notation.ts";
import { isNumberText } from "./value-paths.ts";

/** A known value for a value: mostly one that accepts it, else one of another value or another kind. */
export function generateKnownValue(random: Random, value: Json | undefined): KnownValueNotation {
  if (random.chance(0.2)) return acceptingValue(random, random.pick(otherValues));
  return acceptingValue(random, value === undefined ? null : value);
}

const otherValues: readonly Json[] = [null, true, false, 0, 1, -7, 0.5, "", "a", "Bread", [], ["a"], ["a", "b"], {}, { a: "a" }];

function acceptingValue(random: Random, value: Json): KnownValueNotation {
  if (random.chance(0.08)) return { kind: random.pick(["Null", "NotNull"]) };
  if (value === null) return { kind: "Null" };
  if (typeof value === "boolean") return random.chance(0.3) ? { kind: "BoolFunc" } : { kind: "Bool", value: random.chance(0.85) === value };
  if (typeof value === "string") return stringValue(random, value);
  if (Array.isArray(value)) return sequenceValue(random, value as readonly Json[]);
  if (typeof value === "number" || isNumberText(value)) return numberValue(random, JSON.stringify(value));
  return mappingValue(random, value as Readonly<Record<string, Json>>);
}

function stringValue(random: Random, value: string): KnownValueNotation {
  const start = value.slice(0, 3).replaceAll(/[^a-zA-Z0-9 ]/g, ".");
  return random.weighted<KnownValueNotation>([
    [4, { kind: "StringExact", value }],
    [1, { kind: "StringExact", value: `${value}x` }],
    [2, { kind: "StringRegexp", value: `^${start}` }],
    [1, { kind: "StringRegexp", value: `${start}$` }],
    [1, { kind: "StringFunc" }],
  ]);
}

function numberValue(random: Random, text: string): KnownValueNotation {
  const value = random.chance(0.85) ? text : "17";
  const isInteger = /^-?\d{1,18}$/.test(value);
  const isSmall = isInteger && Math.abs(Number(value)) < 2 ** 31;
  // Our functions take a double or a bigint, so that they cannot name other numbers.
  const isExact = isInteger || String(Number(value)) === value;
  return random.weighted<KnownValueNotation>([
    [isSmall ? 2 : 0, { kind: "Int32Exact", value }],
    [isInteger ? 2 : 0, { kind: "Int64Exact", value }],
    [isExact ? 2 : 0, { kind: "NumberExact", value }],
    [1, { kind: "Float64Exact", value }],
    [1, { kind: "Float32Exact", value }],
    [1, { kind: random.pick(["Int32Func", "Int64Func", "Float32Func", "Float64Func", "NumberFunc"]) }],
  ]);
}

function sequenceValue(random: Random, elements: readonly Json[]): KnownValueNotation {
  const kind = random.pick(["ListExact", "SetExact", "SetPartial", "TupleExact", "ListPartial", "TuplePartial", "size"]);
  if (kind === "size") {
    const size = String(elements.length + (random.chance(0.3) ? 1 : 0));
    return { kind: random.pick(["ListSizeExact", "SetSizeExact", "TupleSizeExact"]), value: size };
  }
  const expected = elements.map((element) => acceptingValue(random, element));
  if (random.chance(0.15)) expected.push({ kind: "StringExact", value: "another" });
  if (kind.endsWith("Partial") && random.chance(0.5)) expected.pop();
  if (kind.startsWith("Set") && random.chance(0.5)) expected.reverse();
  const isByIndex = kind === "ListPartial" || kind === "TuplePartial";
  return { kind, value: isByIndex ? Object.fromEntries(expected.map((one, index) => [index, one])) : expected };
}

function mappingValue(random: Random, elements: Readonly<Record<string, Json>>): KnownValueNotation {
  const kind = random.pick(["MapExact", "MapPartial", "ObjectExact", "ObjectPartial", "MapSizeExact"]);
  const names = Object.keys(elements);
  if (kind === "MapSizeExact") return { kind, value: String(names.length + (random.chance(0.3) ? 1 : 0)) };
  const kept = kind.endsWith("Partial") ? names.filter(() => random.chance(0.4)) : names.filter(() => random.chance(0.98));
  const expected = Object.fromEntries(kept.map((name) => [name, acceptingValue(random, elements[name]!)]));
  return { kind, value: random.chance(0.1) ? { ...expected, absent: { kind: "Null" } } : expected };
}
