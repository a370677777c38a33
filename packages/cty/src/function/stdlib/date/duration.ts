// SPDX-License-Identifier: Apache-2.0
import { callError } from "../../error.ts";
import { timeQuote } from "./rfc3339.ts";

const units: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["\u00b5s", 1_000n],
  ["\u03bcs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

const limit = 2n ** 63n;
const term: RegExp = /(\d*)(?:(\.)(\d*))?([^.\d]*)/y;

/**
 * A duration in nanoseconds, from text like `1h30m`, `-1.5s` or `0`.
 *
 * @throws FunctionError
 * @see go time.ParseDuration
 */
export function parseDuration(text: string): bigint {
  const fail = (problem: string): never => {
    throw callError(`time: ${problem} ${timeQuote(text)}`);
  };
  const [, sign = "", size = ""] = /^([+-]?)(.*)$/s.exec(text)!;
  if (size === "0") return 0n;
  if (size === "") return fail("invalid duration");
  let total = 0n;
  for (term.lastIndex = 0; term.lastIndex < size.length;) {
    const [, whole = "", , fraction = "", name = ""] = term.exec(size)!;
    if (whole === "" && fraction === "") return fail("invalid duration");
    const count = BigInt(whole || 0);
    if (count > limit) return fail("invalid duration");
    if (name === "") return fail("missing unit in duration");
    const unit = units.get(name);
    if (unit === undefined) return fail(`unknown unit ${timeQuote(name)} in duration`);
    if (count > limit / unit) return fail("invalid duration");
    const part = count * unit + fractionOf(fraction, unit);
    total = BigInt.asUintN(64, total + part);
    if (part > limit || total > limit) return fail("invalid duration");
  }
  if (sign === "-") return -total;
  return total > limit - 1n ? fail("invalid duration") : total;
}

/** A fraction of a unit, in nanoseconds. As in Go, digits beyond 64 bits are ignored, and the product is computed with doubles. @see go time.leadingFraction */
function fractionOf(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    if (value > (limit - 1n) / 10n) break;
    const next = value * 10n + BigInt(digit);
    if (next > limit) break;
    value = next;
    scale *= 10;
  }
  return value === 0n ? 0n : BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}
