// SPDX-License-Identifier: Apache-2.0
import { listed, rule, type ConfigRule } from "./rule.ts";

/** The attribute is not below the sum of the others; what is not set counts as nothing. */
export function atLeastSumOf<const N extends string>(name: N, ...parts: readonly [N, ...N[]]): ConfigRule<N> {
  return compared(name, parts, "at least the sum", sum, (value, result) => value >= result);
}

/** The attribute is not above the sum of the others; what is not set counts as nothing. */
export function atMostSumOf<const N extends string>(name: N, ...parts: readonly [N, ...N[]]): ConfigRule<N> {
  return compared(name, parts, "at most the sum", sum, (value, result) => value <= result);
}

/** The attribute is the sum of the others; what is not set counts as nothing. */
export function equalToSumOf<const N extends string>(name: N, ...parts: readonly [N, ...N[]]): ConfigRule<N> {
  return compared(name, parts, "the sum", sum, (value, result) => value === result);
}

/** The attribute is the product of the others; what is not set is left out of it. */
export function equalToProductOf<const N extends string>(name: N, ...factors: readonly [N, ...N[]]): ConfigRule<N> {
  return compared(name, factors, "the product", product, (value, result) => value === result);
}

type Numeric = number | bigint;

/** Nothing is said while any of them is unknown. */
function compared<N extends string>(
  name: N,
  parts: readonly N[],
  relation: string,
  combine: (values: readonly bigint[] | readonly number[]) => Numeric,
  holds: (value: Numeric, result: Numeric) => boolean,
): ConfigRule<N> {
  const description = `${name} must be ${relation} of ${listed(parts)}`;
  return rule([name, ...parts], description, (view) => {
    const all = [name, ...parts];
    if (view.stateOf(name) !== "set" || all.some((one) => view.stateOf(one) === "unknown")) return [];
    const set = all.filter((one) => view.stateOf(one) === "set").map((one) => view.valueOf(one));
    const [value, ...values] = sameKind(set) ?? [];
    if (value === undefined) return [];
    const combined = combine(values as readonly bigint[] | readonly number[]);
    // Of nothing at all it is a number, whatever it is compared with.
    const result = typeof value === "bigint" ? BigInt(combined) : combined;
    return holds(value, result) ? [] : [{ attribute: name, detail: `${description}, which is ${result}; it is ${value}.` }];
  });
}

/** All of them as bigints where they are whole, so that nothing is rounded; undefined where one is no number. */
function sameKind(values: readonly unknown[]): readonly bigint[] | readonly number[] | undefined {
  if (values.every((value) => typeof value === "bigint" || Number.isSafeInteger(value)))
    return values.map((value) => BigInt(value as Numeric));
  return values.every((value) => typeof value === "number" || typeof value === "bigint") ? values.map(Number) : undefined;
}

function sum(values: readonly bigint[] | readonly number[]): Numeric {
  return isBig(values) ? values.reduce((a, b) => a + b, 0n) : values.reduce((a, b) => a + b, 0);
}

function product(values: readonly bigint[] | readonly number[]): Numeric {
  return isBig(values) ? values.reduce((a, b) => a * b, 1n) : values.reduce((a, b) => a * b, 1);
}

function isBig(values: readonly bigint[] | readonly number[]): values is readonly bigint[] {
  return typeof values[0] === "bigint";
}
