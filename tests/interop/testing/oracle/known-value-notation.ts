// SPDX-License-Identifier: Apache-2.0
import type { KnownValue } from "@tenon/testing";
import * as known from "@tenon/testing/known-value";

/** A known value in the notation of testing-oracle: the function of Go's package `knownvalue`, and its argument. Numbers are text. */
export interface KnownValueNotation {
  readonly kind: string;
  readonly value?: unknown;
}

type Elements = readonly KnownValueNotation[];
type Keyed = Readonly<Record<string, KnownValueNotation>>;

/** The number of a text; a bigint if a double cannot hold it. */
function numberOf(text: string): number | bigint {
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text)) ? BigInt(text) : Number(text);
}

const isPositive = (value: number): boolean => value > 0;
const all = (elements: Elements): readonly KnownValue[] => elements.map(ourKnownValue);
const keyed = (elements: Keyed): Readonly<Record<string, KnownValue>> =>
  Object.fromEntries(Object.entries(elements).map(([key, element]) => [key, ourKnownValue(element)]));

/** Our function for each of Go's. */
const functions: Readonly<Record<string, (value: never) => KnownValue>> = {
  Null: () => known.nullExact(),
  NotNull: () => known.notNull(),
  Bool: (value: boolean) => known.boolExact(value),
  BoolFunc: () => known.boolFunc((value) => value),
  StringExact: (value: string) => known.stringExact(value),
  StringRegexp: (value: string) => known.stringRegexp(new RegExp(value)),
  StringFunc: () => known.stringFunc((value) => value !== ""),
  Int32Exact: (value: string) => known.int32Exact(Number(value)),
  Int64Exact: (value: string) => known.int64Exact(numberOf(value)),
  Float32Exact: (value: string) => known.float32Exact(Number(value)),
  Float64Exact: (value: string) => known.float64Exact(Number(value)),
  NumberExact: (value: string) => known.numberExact(numberOf(value)),
  Int32Func: () => known.numberFunc(isPositive),
  Int64Func: () => known.numberFunc(isPositive),
  Float32Func: () => known.numberFunc(isPositive),
  Float64Func: () => known.numberFunc(isPositive),
  NumberFunc: () => known.numberFunc(isPositive),
  ListExact: (value: Elements) => known.listExact(all(value)),
  ListPartial: (value: Keyed) => known.listPartial(keyed(value)),
  ListSizeExact: (value: string) => known.listSizeExact(Number(value)),
  SetExact: (value: Elements) => known.setExact(all(value)),
  SetPartial: (value: Elements) => known.setPartial(all(value)),
  SetSizeExact: (value: string) => known.setSizeExact(Number(value)),
  TupleExact: (value: Elements) => known.tupleExact(all(value)),
  TuplePartial: (value: Keyed) => known.tuplePartial(keyed(value)),
  TupleSizeExact: (value: string) => known.tupleSizeExact(Number(value)),
  MapExact: (value: Keyed) => known.mapExact(keyed(value)),
  MapPartial: (value: Keyed) => known.mapPartial(keyed(value)),
  MapSizeExact: (value: string) => known.mapSizeExact(Number(value)),
  ObjectExact: (value: Keyed) => known.objectExact(keyed(value)),
  ObjectPartial: (value: Keyed) => known.objectPartial(keyed(value)),
};

/** The functions of Go's package `knownvalue`. */
export const knownValueKinds: readonly string[] = Object.keys(functions);

/** Our known value for one in notation. */
export function ourKnownValue({ kind, value }: KnownValueNotation): KnownValue {
  const create = functions[kind];
  if (create === undefined) throw new TypeError(`no known value ${kind}`);
  return create(value as never);
}

/** Whether a known value, or one inside it, satisfies a condition. */
export function someKnownValue(notation: KnownValueNotation, matches: (one: KnownValueNotation) => boolean): boolean {
  if (matches(notation)) return true;
  const { value } = notation;
  const inside = typeof value === "object" && value !== null ? (Object.values(value) as Elements) : [];
  return inside.some((one) => someKnownValue(one, matches));
}
