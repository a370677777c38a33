// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "@tenon/cty/unstable/payload";

const seconds: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, µs: 1e-6, μs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 };

/** Reads a duration like `1h30m`, or returns the reason why it is malformed. @see go time.ParseDuration */
export function goDuration(text: string): { readonly seconds: number } | { readonly problem: string } {
  const invalid = { problem: `time: invalid duration ${goQuote(text)}` };
  const size = text.replace(/^[+-]/, "");
  if (size === "0") return { seconds: 0 };
  if (size === "") return invalid;
  let total = 0;
  for (let rest = size; rest !== "";) {
    const [all = "", count = "", unit = ""] = /^(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(rest) ?? [];
    if (all === "") return invalid;
    if (unit === "") return { problem: `time: missing unit in duration ${goQuote(text)}` };
    const scale = seconds[unit];
    if (scale === undefined) return { problem: `time: unknown unit ${goQuote(unit)} in duration ${goQuote(text)}` };
    total += Number(count) * scale;
    rest = rest.slice(all.length);
  }
  return { seconds: text.startsWith("-") ? -total : total };
}
