// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from "vitest";
import { recordChoices, replayChoices, simplerChoices } from "./choice-sequence.ts";
import { createRandom, type Random } from "./random.ts";

const words = (random: Random): readonly string[] => random.times(random.int(5), () => random.pick(["a", "b", "c"]));

describe("choices", () => {
  test("generate the same value again", () => {
    const source = createRandom(3);
    for (let round = 0; round < 100; round += 1) {
      const { value, choices } = recordChoices(words, () => source.int(1 << 30) / (1 << 30));
      expect(replayChoices(words, choices)).toEqual({ value, choices });
    }
  });

  test("that are absent or too large are reduced", () => {
    expect(replayChoices(words, [])).toEqual({ value: [], choices: [0] });
    expect(replayChoices(words, [99, 99])).toEqual({ value: ["c", "a", "a", "a"], choices: [4, 2, 0, 0, 0] });
  });

  test("are followed by simpler ones down to the simplest value with a property", () => {
    const hasC = (value: readonly string[]): boolean => value.includes("c");
    let current = replayChoices(words, [4, 1, 2, 1, 2]);
    for (;;) {
      const simpler = [...simplerChoices(words, current.choices)].find(({ value }) => hasC(value));
      if (simpler === undefined) break;
      current = simpler;
    }
    expect(current.value).toEqual(["c"]);
  });

  test("of impossible alternatives are never made", () => {
    const never = (random: Random): boolean =>
      random.chance(0) ||
      random.weighted([
        [0, true],
        [1, false],
      ] as const);
    expect(replayChoices(never, [1, 1]).value).toBe(false);
  });
});
