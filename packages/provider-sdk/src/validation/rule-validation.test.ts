// SPDX-License-Identifier: Apache-2.0
import { formatPath } from "@tenon/cty";
import type { Provider } from "@tenon/schema";
import { describe, test } from "vitest";
import { configOf, Unknown, type Data } from "../../test/resource-life.ts";
import { attr, block, createProvider, defineProvider, nested, replaceInstead } from "../index.ts";
import {
  anyRule,
  atLeastOneOf,
  atLeastSumOf,
  atMostSumOf,
  conflicting,
  equalToProductOf,
  equalToSumOf,
  everyRule,
  exactlyOneOf,
  preferWriteOnly,
  requiredTogether,
  requires,
  type ConfigRule,
} from "../rules/index.ts";

const text = attr.string({ optional: true });
const number = attr.number({ optional: true });
const pair = { x: text, y: text };
const house = defineProvider({ name: "house", version: "1.0.0" });
const schema = {
  a: text,
  b: text,
  c: text,
  secret: attr.string({ optional: true, writeOnly: true }),
  n: number,
  m: number,
  big: attr.bigint({ optional: true }),
  id: attr.string({ computed: true }),
  box: block.list(pair, { rules: [exactlyOneOf("x", "y")] }),
  wall: nested.map(pair, { optional: true, rules: [requiredTogether("x", "y")] }),
  door: block.single({ hinge: nested.single(pair, { optional: true, rules: [conflicting("x", "y")] }) }),
};
const handlers = { create: () => ({}) as never, read: () => undefined, update: replaceInstead, delete: () => {} };

async function violationsOf(rules: readonly ConfigRule<keyof typeof schema>[], data: Data): Promise<readonly string[]> {
  const provider: Provider = createProvider(house.with([house.resource("room", { schema, rules, ...handlers })]));
  const { block: room } = (await provider.getProviderSchema({})).resources.get("house_room")!;
  const { diagnostics } = await provider.validateResourceConfig({
    typeName: "house_room",
    config: configOf(room, data),
    clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed: true },
  });
  return diagnostics.map(({ severity, detail, attribute = [] }) => `${severity} at ${formatPath(attribute)}: ${detail}`);
}

describe("rules about several attributes", () => {
  test.for<readonly [string, ConfigRule<keyof typeof schema>, Data, readonly string[]]>([
    ["exactlyOneOf: one", exactlyOneOf("a", "b"), { a: "1" }, []],
    [
      "exactlyOneOf: two",
      exactlyOneOf("a", "b", "c"),
      { a: "1", c: "1" },
      ["error at .c: Exactly one of a, b and c must be set, but a and c are."],
    ],
    ["exactlyOneOf: none", exactlyOneOf("a", "b"), {}, ["error at : Exactly one of a and b must be set, but none is."]],
    ["exactlyOneOf: one unknown", exactlyOneOf("a", "b"), { a: Unknown }, []],
    ["exactlyOneOf: one set, one unknown", exactlyOneOf("a", "b"), { a: Unknown, b: "1" }, []],
    ["exactlyOneOf: an empty list of blocks", exactlyOneOf("a", "box"), { a: "1" }, []],
    ["exactlyOneOf: a block", exactlyOneOf("a", "box"), { box: [{ x: "1" }] }, []],
    ["atLeastOneOf: two", atLeastOneOf("a", "b"), { a: "1", b: "1" }, []],
    ["atLeastOneOf: none", atLeastOneOf("a", "b"), {}, ["error at : At least one of a and b must be set, but none is."]],
    ["atLeastOneOf: one unknown", atLeastOneOf("a", "b"), { a: Unknown }, []],
    ["conflicting: none", conflicting("a", "b"), {}, []],
    ["conflicting: two", conflicting("a", "b"), { a: "1", b: "1" }, ["error at .b: Only one of a and b can be set, but a and b are."]],
    ["conflicting: one set, one unknown", conflicting("a", "b"), { a: "1", b: Unknown }, []],
    ["requiredTogether: none", requiredTogether("a", "b"), {}, []],
    [
      "requiredTogether: one",
      requiredTogether("a", "b", "c"),
      { b: "1" },
      ["error at .b: A, b and c must be set together, but a and c are not."],
    ],
    ["requiredTogether: one set, one unknown", requiredTogether("a", "b"), { a: "1", b: Unknown }, []],
    ["requires: first not set", requires("a", "b"), { b: "1" }, []],
    ["requires: one of the others missing", requires("a", "b", "c"), { a: "1", b: "1" }, ["error at .a: a needs c to be set as well."]],
    [
      "preferWriteOnly: recorded",
      preferWriteOnly("a", "secret"),
      { a: "1" },
      ["warning at .a: Prefer secret over a, which is recorded in the state."],
    ],
    ["preferWriteOnly: write-only", preferWriteOnly("a", "secret"), { secret: "1" }, []],
    ["atLeastSumOf: more", atLeastSumOf("n", "m", "big"), { n: 5, m: 2, big: 2n }, []],
    [
      "atLeastSumOf: less",
      atLeastSumOf("n", "m", "big"),
      { n: 3, m: 2, big: 2n },
      ["error at .n: n must be at least the sum of m and big, which is 4; it is 3."],
    ],
    ["atMostSumOf: no addends set", atMostSumOf("n", "m"), { n: 1 }, ["error at .n: n must be at most the sum of m, which is 0; it is 1."]],
    ["atMostSumOf: an unknown addend", atMostSumOf("n", "m"), { n: 1, m: Unknown }, []],
    [
      "equalToSumOf: an integer beyond 2^53",
      equalToSumOf("big", "n"),
      { big: 2n ** 64n, n: 1 },
      ["error at .big: big must be the sum of n, which is 1; it is 18446744073709551616."],
    ],
    ["equalToSumOf: fractions", equalToSumOf("n", "m"), { n: 0.5, m: 0.5 }, []],
    ["equalToSumOf: no addends set", equalToSumOf("n", "m"), { n: 0 }, []],
    ["equalToProductOf: no factors set", equalToProductOf("n", "m"), { n: 1 }, []],
    ["equalToProductOf: a factor that is not set", equalToProductOf("n", "m", "big"), { n: 3, m: 6 }, []],
    [
      "equalToProductOf: another product",
      equalToProductOf("n", "m", "big"),
      { n: 7, m: 2, big: 3n },
      ["error at .n: n must be the product of m and big, which is 6; it is 7."],
    ],
    ["anyRule: the second passes", anyRule(atLeastOneOf("a", "b"), requires("n", "c")), {}, []],
    [
      "anyRule: none passes",
      anyRule(requires("a", "b"), everyRule(requires("a", "c"), conflicting("a", "n"))),
      { a: "1", n: 1 },
      [
        "error at .a: a needs b to be set as well.",
        "error at .a: a needs c to be set as well.",
        "error at .n: Only one of a and n can be set, but a and n are.",
      ],
    ],
  ])("%s", async ([, rule, data, expected], { expect }) => {
    expect(await violationsOf([rule], data)).toEqual(expected);
  });

  test("apply to each element, with its path", async ({ expect }) => {
    const data = {
      box: [{ x: "1" }, { x: "1", y: "1" }, {}],
      wall: { north: { x: "1", y: "1" }, south: { y: "1" } },
      door: { hinge: { x: "1", y: "1" } },
    };
    expect(await violationsOf([], data)).toEqual([
      'error at .wall["south"].y: In wall["south"]: X and y must be set together, but x is not.',
      "error at .box[1].y: In box[1]: Exactly one of x and y must be set, but x and y are.",
      "error at .box[2]: In box[2]: Exactly one of x and y must be set, but none is.",
      "error at .door.hinge.y: In door.hinge: Only one of x and y can be set, but x and y are.",
    ]);
  });

  test("reject names that a configuration cannot set", ({ expect }) => {
    const define = (rules: unknown): unknown => house.resource("room", { schema, rules: rules as never, ...handlers });
    expect(() => define([exactlyOneOf("a", "z")])).toThrow('the rule "exactly one of a and z must be set" names "z", which does not exist');
    expect(() => define([exactlyOneOf("a", "id")])).toThrow(
      'attribute id: the rule "exactly one of a and id must be set" names "id", which only the provider sets',
    );
    expect(() => define("a")).toThrow("rules must be a list of rules");
  });
});
