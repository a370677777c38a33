// SPDX-License-Identifier: Apache-2.0
import { bool, dynamic, list, mark, nullOf, number, objectOf, of, set, setOf, string, unknown, type Value } from "@tenon/cty";
import { parseExpression } from "@tenon/hcl";
import { createScope, evaluate } from "@tenon/hcl/evaluate";
import { describe, test } from "vitest";
import type { ForEachRules } from "../configuration/for-each.ts";
import type { Report } from "../configuration/report.ts";
import { markDeprecated } from "../configuration/deprecation.ts";
import { EPHEMERAL, SENSITIVE } from "../marks/value-marks.ts";
import { countOf, countValueOf, enabledOf, forEachOf, forEachValueOf, instancesOf } from "./repetition.ts";

const variable = parseExpression("v", "main.tf").expression;

function given(value: Value): readonly [typeof variable, ReturnType<typeof evaluate>, ReturnType<typeof createScope>] {
  const scope = createScope({ variables: { v: value } });
  return [variable, evaluate(variable, scope), scope];
}

function outcome<T>(run: (report: Report) => T): { readonly result: T; readonly details: readonly string[] } {
  const report: Report = [];
  const result = run(report);
  return { result, details: report.map(({ detail }) => detail) };
}

describe("instancesOf", () => {
  test("gives a block without repetition one instance without a key", ({ expect }) => {
    expect(instancesOf({ kind: "single" })).toEqual([{ key: undefined, data: {} }]);
  });
  test("gives a block with count the keys from zero", ({ expect }) => {
    expect(instancesOf({ kind: "count", count: 2 })).toEqual([
      { key: 0, data: { countIndex: of(number, 0) } },
      { key: 1, data: { countIndex: of(number, 1) } },
    ]);
  });
  test("gives a block with for_each its keys in their order", ({ expect }) => {
    const values = new Map([
      ["a", of(string, "x")],
      ["b", of(string, "y")],
    ]);
    expect(instancesOf({ kind: "forEach", values }).map(({ key, data }) => [key, data.eachKey?.payload, data.eachValue?.payload])).toEqual([
      ["a", "a", "x"],
      ["b", "b", "y"],
    ]);
  });
  test("gives no instance to a block that is not enabled", ({ expect }) => {
    expect(instancesOf({ kind: "enabled", enabled: false })).toEqual([]);
    expect(instancesOf({ kind: "enabled", enabled: true })).toHaveLength(1);
  });
});

const integerRange = "between -9223372036854775808 and 9223372036854775807";
const unsuitableCount = 'The given "count" argument value is unsuitable:';

describe("countOf", () => {
  test.for([
    ["a number", of(number, 3), 3],
    ["a text with a number", of(string, "2"), 2],
    ["a sensitive number", mark(of(number, 1), SENSITIVE), 1],
  ] as const)("accepts %s", ([, value, count], { expect }) => {
    expect(outcome((report) => countOf(...given(value), "a.b", report))).toEqual({ result: count, details: [] });
  });

  test.for([
    ["null", nullOf(number), 'The given "count" argument value is null. An integer is required.'],
    ["a negative number", of(number, -1), `${unsuitableCount} must be greater than or equal to zero.`],
    ["a fraction", of(number, 1.5), `${unsuitableCount} value must be a whole number, ${integerRange}.`],
    ["a number of more than 64 bits", of(number, 2n ** 63n), `${unsuitableCount} value must be a whole number, ${integerRange}.`],
    ["a truth value", of(bool, true), "Invalid expression value: number required, but have bool."],
    [
      "an ephemeral number",
      mark(of(number, 1), EPHEMERAL),
      "Ephemeral values, or values derived from ephemeral values, cannot be used as count arguments. If used, the ephemeral value could be exposed as a resource instance key.",
    ],
  ] as const)("refuses %s", ([, value, detail], { expect }) => {
    expect(outcome((report) => countOf(...given(value), "a.b", report))).toEqual({ result: undefined, details: [detail] });
  });

  test("refuses an unknown number, and suggests what to exclude", ({ expect }) => {
    // The difference `excluded-address-quoting`: the same quotes on every system.
    const report: Report = [];
    expect(countOf(...given(unknown(number)), 'module.m["x y"].a.b', report)).toBeUndefined();
    expect(report).toMatchObject([
      {
        summary: "Invalid count argument",
        subject: variable.range,
        extra: { kind: "valueCause", cause: "unknown" },
        detail: `The "count" value depends on resource attributes that cannot be determined until apply, so OpenTofu cannot predict how many instances will be created.\n\nTo work around this, use the planning option -exclude='module.m["x y"].a.b' to first apply without this object, and then apply normally to converge.`,
      },
    ]);
  });

  test("suggests to target dependencies when the object has no address", ({ expect }) => {
    const { details } = outcome((report) => countOf(...given(unknown(number)), undefined, report));
    expect(details[0]).toContain(
      "To work around this, use the -target option to first apply only the resources that the count depends on,",
    );
  });

  test("warns of a deprecated number and uses it", ({ expect }) => {
    const value = markDeprecated(of(number, 1), {}, { by: "module.a.b", message: "use c", isFromRemoteModule: false });
    expect(outcome((report) => countOf(...given(value), "a.b", report))).toEqual({
      result: 1,
      details: ["This value is derived from module.a.b, which is deprecated with the following message:\n\nuse c"],
    });
  });

  test("reports errors of the evaluation only", ({ expect }) => {
    const expression = parseExpression("missing", "main.tf").expression;
    const report: Report = [];
    expect(countOf(expression, evaluate(expression, createScope({ variables: {} })), undefined, "a.b", report)).toBeUndefined();
    expect(report.map(({ summary }) => summary)).toEqual(["Unknown variable"]);
  });
});

describe("countValueOf", () => {
  test("accepts an unknown number", ({ expect }) => {
    expect(outcome((report) => countValueOf(...given(unknown(number)), report))).toEqual({ result: unknown(number), details: [] });
  });
});

const unsuitableForEach = 'The given "for_each" argument value is unsuitable:';

describe("forEachOf", () => {
  test("sorts keys by code point", ({ expect }) => {
    const value = setOf(["b", "\u{10000}", "\u{ffff}", "a"].map((text) => of(string, text)));
    const { result, details } = outcome((report) => forEachOf(...given(value), "a.b", report));
    expect(details).toEqual([]);
    expect([...result!.keys()]).toEqual(["a", "b", "\u{ffff}", "\u{10000}"]);
  });
  test("keeps marks of an object's elements", ({ expect }) => {
    const value = objectOf(new Map([["a", mark(of(string, "x"), SENSITIVE)]]));
    expect(outcome((report) => forEachOf(...given(value), "a.b", report)).result?.get("a")).toEqual(mark(of(string, "x"), SENSITIVE));
  });
  test("accepts an empty map", ({ expect }) => {
    expect(outcome((report) => forEachOf(...given(objectOf(new Map())), "a.b", report))).toEqual({ result: new Map(), details: [] });
  });

  const sensitive =
    "Sensitive values, or values derived from sensitive values, cannot be used as for_each arguments. If used, the sensitive value could be exposed as a resource instance key.";
  const nothing = `${unsuitableForEach} the given "for_each" argument value is null.`;
  const mapOrSet = `${unsuitableForEach} the "for_each" argument must be a map, or set of strings, and you have provided a value of type`;
  test.for([
    ["a sensitive object", mark(objectOf(new Map([["a", of(string, "")]])), SENSITIVE), [sensitive]],
    ["a set with a sensitive element", setOf([mark(of(string, "a"), SENSITIVE)]), [sensitive]],
    ["null of no type", nullOf(dynamic), [nothing]],
    ["a set that is null", nullOf(set(string)), [nothing]],
    ["a list", nullOf(list(string)), [nothing, `${mapOrSet} list of string.`]],
    ["a text", of(string, "a"), [`${mapOrSet} string.`]],
    [
      "a set of numbers",
      setOf([of(number, 1)]),
      [`${unsuitableForEach} "for_each" supports sets of strings, but you have provided a set containing type number.`],
    ],
    ["a set with null", setOf([nullOf(string)]), [`${unsuitableForEach} "for_each" sets must not contain null values.`]],
  ] as const)("refuses %s", ([, value, details], { expect }) => {
    expect(outcome((report) => forEachOf(...given(value), "a.b", report))).toEqual({ result: undefined, details });
  });

  test.for([
    ["map", unknown(objectOf(new Map([["a", of(string, "")]])).type), 'The "for_each" map includes keys'],
    ["set", unknown(set(string)), 'The "for_each" set includes values'],
    ["set", setOf([unknown(string)]), 'The "for_each" set includes values'],
    ["value", unknown(dynamic), 'The "for_each" value includes keys or set values'],
  ] as const)("refuses an unknown %s, and suggests what to exclude", ([, value, start], { expect }) => {
    const { result, details } = outcome((report) => forEachOf(...given(value), 'a.b["c"]', report));
    expect(result).toBeUndefined();
    expect(details).toHaveLength(1);
    expect(details[0]!.startsWith(start)).toBe(true);
    expect(details[0]).toContain(String.raw`-exclude=a.b\[\"c\"\] to first apply without this object`);
  });

  test("drops marks of deprecation inside the value, with a warning each", ({ expect }) => {
    const cause = { by: "module.a.b", message: "", isFromRemoteModule: true };
    const value = objectOf(new Map([["a", markDeprecated(of(string, "x"), {}, cause)]]));
    const { result, details } = outcome((report) => forEachOf(...given(value), "a.b", report));
    expect(result?.get("a")).toEqual(of(string, "x"));
    expect(details).toEqual(["This value's attribute a is derived from module.a.b, which is deprecated."]);
  });
});

describe("forEachValueOf", () => {
  const rules: ForEachRules = { allowTuple: true, allowUnknown: true };
  test("accepts a tuple if the rules allow one", ({ expect }) => {
    const expression = parseExpression("[1]", "main.tf").expression;
    const { result, details } = outcome((report) => forEachValueOf(expression, evaluate(expression), undefined, rules, report));
    expect(details).toEqual([]);
    expect(result?.type.kind).toBe("tuple");
  });
  test("returns undefined without an error for an unknown value that the rules allow", ({ expect }) => {
    expect(outcome((report) => forEachValueOf(...given(unknown(set(string))), rules, report))).toEqual({ result: undefined, details: [] });
  });
  test("names tuples among the allowed types", ({ expect }) => {
    const { details } = outcome((report) => forEachValueOf(...given(of(string, "a")), rules, report));
    expect(details[0]).toContain("must be a map, set of strings, or a tuple, and you have provided a value of type string.");
  });
});

const unsuitableEnabled = 'The given "enabled" argument value is unsuitable:';

describe("enabledOf", () => {
  test.for([
    [of(bool, true), true],
    [of(bool, false), false],
    [of(string, "true"), true],
  ] as const)("accepts %o", ([value, enabled], { expect }) => {
    expect(outcome((report) => enabledOf(...given(value), report))).toEqual({ result: enabled, details: [] });
  });
  test.for([
    ["null", nullOf(bool), `${unsuitableEnabled} the given value is null.`],
    ["a number", of(number, 1), `${unsuitableEnabled} bool required, but have number.`],
    ["a list", of(list(string), ["a"]), `${unsuitableEnabled} bool required, but have list of string.`],
    ["an ephemeral value", mark(of(bool, true), EPHEMERAL), `${unsuitableEnabled} the given value is ephemeral.`],
    [
      "a sensitive value",
      mark(of(bool, true), SENSITIVE),
      'Sensitive values, or values derived from sensitive values, cannot be used in "enabled" arguments. If used, the sensitive value would be exposed by whether an instance is present.',
    ],
    [
      "an unknown value",
      unknown(bool),
      'The given "enabled" argument value is derived from a value that won\'t be known until the apply phase, so OpenTofu cannot determine whether an instance of this object is declared or not.',
    ],
  ] as const)("refuses %s", ([, value, detail], { expect }) => {
    expect(outcome((report) => enabledOf(...given(value), report))).toEqual({ result: undefined, details: [detail] });
  });
});
