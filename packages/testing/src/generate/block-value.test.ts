// SPDX-License-Identifier: Apache-2.0
import { isKnown, isWhollyKnown, list, same, string } from "@tenon/cty";
import { createAttribute, createBlock } from "@tenon/schema";
import { describe, test } from "vitest";
import { changeOnePart, generateBlock, withUnknowns } from "./block-value.ts";
import { attributeOf } from "./body.ts";
import { randomFor } from "./random.ts";
import { generateSchema } from "./schema.ts";

describe("changeOnePart", () => {
  test("changes one attribute or block, and makes unknown what it changes", ({ expect }) => {
    let changes = 0;
    for (let index = 0; index < 300; index += 1) {
      const random = randomFor(1, "change one part", index);
      const { block } = generateSchema(random);
      const change = changeOnePart(random, block, generateBlock(random, block, "configuration"));
      if (change === undefined) continue;
      const { before, after, unknowns } = change;
      const names = before.type.kind === "object" ? before.type.names : [];
      const changed = names.filter((name) => !same(attributeOf(before, name), attributeOf(after, name)));
      expect(changed.length).toBeLessThanOrEqual(1);
      changes += changed.length;
      expect(isWhollyKnown(before) && isWhollyKnown(after)).toBe(true);
      const unknown = names.filter((name) => !isWhollyKnown(attributeOf(unknowns, name)));
      expect(unknown.length).toBeLessThanOrEqual(1);
    }
    // A part with few possible values may get the same one again.
    expect(changes).toBeGreaterThan(200);
  });

  test("returns undefined where a configuration can set nothing", ({ expect }) => {
    const random = randomFor(1, "nothing", 0);
    const block = createBlock({ attributes: { id: createAttribute({ type: string, computed: true }) } });
    expect(changeOnePart(random, block, generateBlock(random, block, "configuration"))).toBeUndefined();
  });
});

test("withUnknowns makes elements of a list unknown", ({ expect }) => {
  const block = createBlock({ attributes: { words: createAttribute({ type: list(string), required: true }) } });
  const values = Array.from({ length: 100 }, (_, index) => {
    const random = randomFor(1, "unknown elements", index);
    return attributeOf(withUnknowns(random, block, generateBlock(random, block, "configuration")), "words");
  });
  expect(values.some((value) => isKnown(value) && !isWhollyKnown(value))).toBe(true);
  expect(values.some((value) => !isKnown(value))).toBe(true);
});

test("withUnknowns keeps what a configuration already has as unknown", ({ expect }) => {
  const block = createBlock({ attributes: { words: createAttribute({ type: list(string), required: true }) } });
  for (let index = 0; index < 20; index += 1) {
    const random = randomFor(1, "unknown before", index);
    const config = generateBlock(random, block, "configuration", { unknowns: 1 });
    expect(isKnown(attributeOf(withUnknowns(random, block, config), "words"))).toBe(false);
  }
});
