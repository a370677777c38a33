// SPDX-License-Identifier: Apache-2.0
import { isKnown, isNull, isWhollyKnown, number, set, string, type Value } from "@tenon/cty";
import { createAttribute, createBlock, createNestedBlock } from "@tenon/schema";
import { describe, test } from "vitest";
import { changeConfiguration, creationPlan, generateBlock, generatePrior } from "./block-value.ts";
import { attributeOf, elementsOf } from "./body.ts";
import { createRandom, type Random } from "./random.ts";
import { generateValue } from "./type-value.ts";
import type { ValueSettings } from "./value-settings.ts";

const rule = createBlock({
  attributes: { port: createAttribute({ type: number, required: true }), note: createAttribute({ type: string, optional: true }) },
});
const block = createBlock({
  attributes: {
    name: createAttribute({ type: string, required: true }),
    id: createAttribute({ type: string, computed: true }),
    secret: createAttribute({ type: string, optional: true, writeOnly: true }),
    tags: createAttribute({ type: set(string), optional: true }),
  },
  blocks: { rule: createNestedBlock("list", rule, { minItems: 1 }), part: createNestedBlock("set", rule) },
});

/** Generates many values, each from a source of its own. */
function many<T>(generate: (random: Random) => T): readonly T[] {
  return Array.from({ length: 300 }, (_, seed) => generate(createRandom(seed)));
}

const configurations = (settings: ValueSettings): readonly Value[] =>
  many((random) => generateBlock(random, block, "configuration", settings));
const count = (config: Value, name: string): number => elementsOf("list", attributeOf(config, name)).length;

describe("the settings of generated values", () => {
  test("make attributes, blocks and elements unknown in configurations alone", ({ expect }) => {
    expect(configurations({}).every(isWhollyKnown)).toBe(true);
    const unknown = configurations({ unknowns: 0.3 });
    for (const name of ["name", "secret", "tags", "rule"]) expect(unknown.some((config) => !isKnown(attributeOf(config, name)))).toBe(true);
    expect(unknown.every((config) => isNull(attributeOf(config, "id")))).toBe(true);
    const tags = unknown.map((config) => attributeOf(config, "tags"));
    expect(tags.some((value) => isKnown(value) && !isWhollyKnown(value))).toBe(true);
    expect(many((random) => generateBlock(random, block, "state", { unknowns: 0.3 })).every(isWhollyKnown)).toBe(true);
  });

  test("break the schema where faults are wanted", ({ expect }) => {
    const isFaulty = (config: Value): boolean => isNull(attributeOf(config, "name")) || !isNull(attributeOf(config, "id"));
    expect(configurations({}).some(isFaulty)).toBe(false);
    const faulty = configurations({ faults: 0.3 });
    expect(faulty.some((config) => isNull(attributeOf(config, "name")))).toBe(true);
    expect(faulty.some((config) => !isNull(attributeOf(config, "id")))).toBe(true);
  });

  test("remove elements in changes, as many as the schema allows", ({ expect }) => {
    const settings: ValueSettings = { elementChanges: 0.8, present: 1 };
    const changes = many((random) => {
      const before = generateBlock(random, block, "configuration", settings);
      return [before, changeConfiguration(random, block, before, settings)] as const;
    });
    expect(changes.filter(([before, after]) => count(after, "rule") < count(before, "rule")).length).toBeGreaterThan(100);
    expect(changes.every(([, after]) => count(after, "rule") >= 1)).toBe(true);
  });

  test("keep elements of a set that differ in optional attributes alone, if they may be similar", ({ expect }) => {
    const hasSimilar = (config: Value): boolean => {
      const ports = elementsOf("set", attributeOf(config, "part")).map(([, element]) => attributeOf(element, "port").payload);
      return new Set(ports).size < ports.length;
    };
    const numbers = ["1", "2"];
    expect(configurations({ numbers }).some(hasSimilar)).toBe(false);
    expect(configurations({ numbers, similarElements: true }).some(hasSimilar)).toBe(true);
  });

  test("give single attributes contents of their own", ({ expect }) => {
    const contents = new Map([["rule.note", { texts: ["only"] }]]);
    const notes = configurations({ contents, present: 1 }).flatMap((config) =>
      elementsOf("list", attributeOf(config, "rule")).map(([, element]) => attributeOf(element, "note").payload),
    );
    expect(new Set(notes)).toEqual(new Set(["only"]));
    expect(new Set(configurations({ contents }).map((config) => attributeOf(config, "name").payload))).not.toContain("only");
  });

  test("leave elements of values known unless unknown ones are wanted", ({ expect }) => {
    const values = (settings: ValueSettings): readonly Value[] => many((random) => generateValue(random, set(string), settings));
    expect(values({}).every(isWhollyKnown)).toBe(true);
    expect(values({ unknowns: 0.5 }).every(isWhollyKnown)).toBe(false);
  });
});

describe("creationPlan", () => {
  test("has unknown computed attributes and no write-only ones, and generatePrior completes it", ({ expect }) => {
    for (const config of configurations({ present: 1 })) {
      const planned = creationPlan(block, config);
      expect(isKnown(attributeOf(planned, "id"))).toBe(false);
      expect(isNull(attributeOf(planned, "secret"))).toBe(true);
      expect(attributeOf(planned, "name")).toEqual(attributeOf(config, "name"));
      const state = generatePrior(createRandom(1), block, planned);
      expect([isWhollyKnown(state), isNull(attributeOf(state, "id"))]).toEqual([true, false]);
    }
  });
});
