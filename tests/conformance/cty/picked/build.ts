// SPDX-License-Identifier: Apache-2.0
import type { Case, Json, PayloadNotation, TypeNotation, ValueNotation } from "../notation.ts";

/** Constructors for values and cases. */
export const value = (t: TypeNotation, v: PayloadNotation): ValueNotation => ({ t, v });
export const string = (text: string): ValueNotation => value("string", text);
export const bool = (truth: boolean): ValueNotation => value("bool", truth);
/** A number from text, from an integer, and from a double. */
export const decimal = (n: string): ValueNotation => value("number", { n, p: 512 });
export const integer = (n: number | bigint): ValueNotation => value("number", { n: String(n), p: 64 });
export const double = (n: string): ValueNotation => value("number", { n, p: 53 });
export const bits = (x: string, p: number): ValueNotation => value("number", { x, p });
export const infinity: ValueNotation = bits("+Inf", 512);
export const minusInfinity: ValueNotation = bits("-Inf", 512);
export const minusZero: ValueNotation = bits("-0", 512);

export const nullOf = (t: TypeNotation): ValueNotation => value(t, { $: "null" });
export const unknown = (t: TypeNotation, r?: Readonly<Record<string, Json>>): ValueNotation =>
  value(t, r === undefined ? { $: "unknown" } : { $: "unknown", r });
export const marked = ({ t, v }: ValueNotation, ...m: readonly string[]): ValueNotation => value(t, { $: "marked", m, v });

export const list = (t: TypeNotation, ...elements: readonly PayloadNotation[]): ValueNotation => value(["list", t], elements);
export const set = (t: TypeNotation, ...elements: readonly PayloadNotation[]): ValueNotation => value(["set", t], elements);
export const map = (t: TypeNotation, entries: Readonly<Record<string, PayloadNotation>>): ValueNotation =>
  value(["map", t], Object.entries(entries));
export const tuple = (...elements: readonly ValueNotation[]): ValueNotation =>
  value(
    ["tuple", elements.map(({ t }) => t)],
    elements.map(({ v }) => v),
  );
export const object = (attributes: Readonly<Record<string, ValueNotation>>): ValueNotation =>
  value(
    ["object", Object.fromEntries(Object.entries(attributes).map(([name, { t }]) => [name, t]))],
    Object.entries(attributes).map(([name, { v }]) => [name, v]),
  );

export const ask = (op: string, ...args: readonly Json[]): Case => ({ op, args });
/** The operation on each of the values. */
export const each = (op: string, values: readonly Json[]): Case[] => values.map((one) => ask(op, one));
/** The operation on each ordered pair of values. */
export const pairs = (op: string, left: readonly Json[], right: readonly Json[] = left): Case[] =>
  left.flatMap((a) => right.map((b) => ask(op, a, b)));
