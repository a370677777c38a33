// SPDX-License-Identifier: Apache-2.0
import type { Random } from "@tenon/testing/generate";
import type { ExpressionMaker } from "./expression.ts";

/** An expression in JSON syntax; its strings and member names are templates. */
export function jsonExpressionText(random: Random, maker: ExpressionMaker, depth: number = 2): string {
  return random.weighted<() => string>([
    [5, () => JSON.stringify(maker.template())],
    [1, () => random.pick(["0", "1", "-2.5", "1e3", "12345678901234567890"])],
    [1, () => random.pick(["true", "false", "null"])],
    [depth > 0 ? 2 : 0, () => `[${random.times(random.int(4), () => jsonExpressionText(random, maker, depth - 1)).join(", ")}]`],
    [depth > 0 ? 3 : 0, () => `{${random.times(random.int(4), () => member(random, maker, depth)).join(", ")}}`],
  ])();
}

function member(random: Random, maker: ExpressionMaker, depth: number): string {
  const name = random.chance(0.75) ? random.pick(["a", "b", "name", "${s}", "//", "x y"]) : maker.template();
  maker.constructs.add("json member");
  return `${JSON.stringify(name)}: ${jsonExpressionText(random, maker, depth - 1)}`;
}
