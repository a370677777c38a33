// SPDX-License-Identifier: Apache-2.0
import { listed, rule } from "./rule.ts";
import type { ConfigRule } from "../definition/config-rule.ts";

/** Requires the attribute to be at least the sum of the others. Attributes that are not set count as 0. */
export function atLeastSumOf<const N extends string>(name: N, ...parts: readonly [N, ...N[]]): ConfigRule<N> {
  return compared(name, parts, "at least the sum", sum, (value, result) => value >= result);
}

/** Requires the attribute to be at most the sum of the others. Attributes that are not set count as 0. */
export function atMostSumOf<const N extends string>(name: N, ...parts: readonly [N, ...N[]]): ConfigRule<N> {
  return compared(name, parts, "at most the sum", sum, (value, result) => value <= result);
}

/** Requires the attribute to equal the sum of the others. Attributes that are not set count as 0. */
export function equalToSumOf<const N extends string>(name: N, ...parts: readonly [N, ...N[]]): ConfigRule<N> {
  return compared(name, parts, "the sum", sum, (value, result) => value === result);
}

/** Requires the attribute to equal the product of the others. Passes if one of them is not set, like the framework's rule. */
export function equalToProductOf<const N extends string>(name: N, ...factors: readonly [N, ...N[]]): ConfigRule<N> {
  return compared(name, factors, "the product", product, (value, result) => value === result, true);
}

type Numeric = number | bigint;

/** A rule that compares an attribute with a combination of others. Passes if one of them is unknown. */
function compared<N extends string>(
  name: N,
  parts: readonly N[],
  relation: string,
  combine: (values: readonly bigint[] | readonly number[]) => Numeric,
  holds: (value: Numeric, result: Numeric) => boolean,
  needsAll = false,
): ConfigRule<N> {
  const description = `${name} must be ${relation} of ${listed(parts)}`;
  return rule([name, ...parts], description, (view) => {
    const all = [name, ...parts];
    if (view.stateOf(name) !== "set" || all.some((one) => view.stateOf(one) === "unknown")) return [];
    if (needsAll && parts.some((one) => view.stateOf(one) === "unset")) return [];
    const set = all.filter((one) => view.stateOf(one) === "set").map((one) => view.valueOf(one));
    const [value, ...values] = sameKind(set) ?? [];
    if (value === undefined) return [];
    const combined = combine(values as readonly bigint[] | readonly number[]);
    // The sum of no values is a number even if the attribute is a bigint.
    const result = typeof value === "bigint" ? BigInt(combined) : combined;
    return holds(value, result) ? [] : [{ attribute: name, detail: `${description}, which is ${result}; it is ${value}.` }];
  });
}

/** Converts integers to bigints, to avoid rounding, and other numbers to doubles. Returns undefined if one is not a number. */
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
