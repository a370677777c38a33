// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { rawResource } from "../../test/rules/raw-resource.ts";
import { texts } from "../../test/resource-life.ts";
import { attr } from "../index.ts";
import { allOf, anyOf, anyOfWithAllWarnings, eachElement, matches, not, oneOf, stringLength, type Validator } from "../validators/index.ts";

const short = stringLength({ max: 2 });
const letter = matches(/^[a-z]+$/, "must be letters");
const discouraged: Validator<string> = (value) => (value === "x" ? { warning: "is discouraged" } : undefined);
const slow: Validator<string> = async (value) => (value === "taken" ? "must be free" : undefined);

describe("combined validators", () => {
  test.for<readonly [string, Validator<string>, string, unknown]>([
    ["anyOf passes if one passes", anyOf(short, letter), "abc", undefined],
    ["anyOf reports all errors", anyOf(short, letter), "123", "must be at most 2 characters long, or must be letters"],
    ["anyOf reports only the warnings of the first that passes", anyOf(short, discouraged), "x", undefined],
    ["anyOfWithAllWarnings reports all warnings", anyOfWithAllWarnings(short, discouraged), "x", { warning: "is discouraged" }],
    [
      "allOf reports all errors and warnings",
      allOf(letter, stringLength({ min: 2 }), discouraged),
      "x",
      ["must be at least 2 characters long", { warning: "is discouraged" }],
    ],
    ["not fails if the validator passes", not(oneOf(["root"]), "must not be root"), "root", "must not be root"],
    ["not passes if the validator fails", not(oneOf(["root"]), "must not be root"), "me", undefined],
  ])("%s", ([, validator, value, verdict], { expect }) => {
    expect(validator(value)).toEqual(verdict);
  });

  test("wait for asynchronous validators", async ({ expect }) => {
    expect(await anyOf(slow, short)("taken")).toBe("must be free, or must be at most 2 characters long");
    expect(await not(slow, "must be taken")("free")).toBe("must be taken");
    expect(await eachElement(slow)(["free", "taken"])).toBe("element 1 must be free");
  });
});

test("reports the results of asynchronous validators in the order of the attributes", async ({ expect }) => {
  const schema = {
    a: attr.string({ optional: true, validators: [slow, discouraged] }),
    b: attr.string({ optional: true, validators: [short] }),
    c: attr.string({
      optional: true,
      validators: [
        {
          "~standard": {
            version: 1,
            vendor: "test",
            validate: async (value: unknown) => (value === "known" ? { value } : { issues: [{ message: "is not known" }] }),
          },
        },
      ],
    }),
    d: attr.string({
      optional: true,
      validators: [() => Promise.reject(new Error("no network"))],
    }),
  };
  const { provider, value } = await rawResource({ schema });
  const validated = async (data: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const { diagnostics } = await provider.validateResourceConfig({ typeName: "farm_field", config: value(data) });
    return texts(diagnostics).map((text) => text.split("\n")[0]!);
  };
  expect(await validated({ a: "taken", b: "long", c: "?", d: "x" })).toEqual([
    "error: Invalid value: a must be free.",
    "error: Invalid value: b must be at most 2 characters long.",
    "error: Invalid value: c is not valid: is not known.",
    "error: Invalid value: d could not be checked: no network.",
  ]);
  expect(await validated({ a: "x", c: "known" })).toEqual(["warning: Discouraged value: a is discouraged."]);
});
