// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { startLife, texts, type Data, type ResourceLife } from "../../test/resource-life.ts";
import { attr, defineProvider } from "../index.ts";
import {
  allOf,
  anyOf,
  eachValue,
  matches,
  noneOfIgnoringCase,
  noNullElements,
  stringLength,
  type StandardSchema,
  type Validator,
} from "../validators/index.ts";
import {
  cidr,
  duration,
  ipAddress,
  ipv4Address,
  ipv4Cidr,
  ipv6Address,
  ipv6Cidr,
  jsonText,
  milliseconds,
  textType,
  timeouts,
  timestamp,
  type TextType,
} from "../values/index.ts";

const check = (type: TextType, text: string): unknown => {
  const { validators = [] } = type({ required: true }).options;
  return (validators as readonly Validator<string>[]).map((one) => one(text)).find((wrong) => wrong !== undefined);
};
const same = (type: TextType, a: string, b: string): boolean => type({ required: true }).options.equivalent!(a, b);

describe("text types", () => {
  test.for<readonly [string, TextType, string, string, boolean]>([
    ["JSON in another order", jsonText, '{"a": 1, "b": [true, null]}', '{"b":[true,null],"a":1}', true],
    ["JSON with a number in another format", jsonText, '{"a": 1.50}', '{"a":15e-1}', true],
    ["JSON with a list in another order", jsonText, "[1,2]", "[2,1]", false],
    ["JSON with numbers that are one double", jsonText, "[9007199254740993]", "[9007199254740992]", false],
    ["JSON zero", jsonText, "0", "0.0", true],
    ["JSON with another member", jsonText, '{"a":1}', '{"b":1}', false],
    ["JSON with an object in place of a number", jsonText, '{"a":{}}', '{"a":1.5}', false],
    ["a time in another zone", timestamp, "2026-01-02T03:04:05Z", "2026-01-02T05:04:05+02:00", true],
    ["a time to the nanosecond", timestamp, "2026-01-02T03:04:05.000000001Z", "2026-01-02T03:04:05Z", false],
    ["a time with zeros", timestamp, "2026-01-02T03:04:05.100Z", "2026-01-02T03:04:05.1z", true],
    ["an IPv6 address", ipAddress, "2001:0db8:0:0:0:0:0:1", "2001:DB8::1", true],
    ["an IPv4 address", ipAddress, "10.0.0.1", "10.0.0.2", false],
    ["a network", cidr, "2001:db8:0::/32", "2001:db8::/32", true],
    ["a network of another length", cidr, "10.0.0.0/8", "10.0.0.0/9", false],
    ["a duration", duration, "1h30m", "1.5h", true],
    ["a duration of zero", duration, "0", "0s", true],
    ["another duration", duration, "1m", "1ms", false],
  ])("%s", ([, type, a, b, expected], { expect }) => {
    expect([check(type, a), check(type, b)]).toEqual([undefined, undefined]);
    expect([same(type, a, b), same(type, b, a)]).toEqual([expected, expected]);
  });

  test.for<readonly [TextType, readonly string[]]>([
    [jsonText, ["", "{", "undefined", "{a:1}"]],
    [
      timestamp,
      ["2026-01-02", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-02 03:04:05Z", "2026-01-02T24:00:00Z", "2026-01-02T03:04:05"],
    ],
    [ipAddress, ["", "10.0.0", "10.0.0.256", "010.0.0.1", "::1%eth0", "1::2::3", "[::1]", ":"]],
    [ipv4Address, ["::1", "10.0.0", ""]],
    [ipv6Address, ["10.0.0.1", "1::2::3"]],
    [ipv4Cidr, ["::/8", "10.0.0.0/33"]],
    [ipv6Cidr, ["10.0.0.0/8", "::/129"]],
    [cidr, ["10.0.0.0", "10.0.0.0/33", "::/129", "10.0.0.0/08", "/8"]],
    [duration, ["", "1", "h", "1 h", "1d", "-", ".s", "1h-1m"]],
  ])("reject invalid texts", ([type, wrong], { expect }) => {
    for (const text of wrong) expect(check(type, text), text).toMatch(/^must be /);
  });

  test("accept further validators, and can be defined by an author", ({ expect }) => {
    const short = jsonText({ required: true, validators: [stringLength({ max: 3 })] });
    expect((short.options.validators as readonly Validator<string>[]).map((one) => one("[1,2]"))).toEqual([
      undefined,
      "must be at most 3 characters long",
    ]);
    const host = textType({ equivalent: (a, b) => a.toLowerCase() === b.toLowerCase() });
    expect(same(host, "A", "a")).toBe(true);
  });

  test("keep equivalent recorded values, also in elements", async ({ expect }) => {
    const net = defineProvider({ name: "net", version: "1.0.0" });
    const schema = {
      policy: jsonText({ required: true }),
      ranges: attr.list(cidr(), { optional: true }),
      hosts: attr.set(attr.object({ at: ipAddress() }), { optional: true }),
      limits: attr.map(duration(), { optional: true }),
    };
    const rules = net.resource("rules", {
      schema,
      // The remote system returns equivalent texts in another format.
      create: ({ planned }) => ({
        ...planned,
        policy: JSON.stringify(JSON.parse(planned.policy)),
        ranges: planned.ranges && ["2001:db8:0:0::/32"],
      }),
      read: ({ state }) => state,
      update: ({ planned }) => planned,
      delete: () => {},
    });
    const life: ResourceLife = await startLife(net.with([rules]), "net_rules");
    const written: Data = { policy: '{ "a": 1 }', ranges: ["2001:db8::/32"], hosts: [{ at: "::1" }, { at: "::2" }], limits: { a: "60s" } };
    expect(texts((await life.apply(written)).diagnostics)).toEqual([]);
    expect(life.state()).toEqual(written);
    const otherwise = { policy: '{"a":1}', ranges: ["2001:0db8::/32"], hosts: [{ at: "0::2" }, { at: "0::1" }], limits: { a: "1m" } };
    expect((await life.plan(otherwise)).planned?.action).toBe("noOp");
    expect((await life.plan({ ...otherwise, limits: { a: "2m" } })).planned?.action).toBe("update");
  });
});

describe("timeouts", () => {
  const limits = timeouts({ create: "20m", delete: "1.5s" });

  test("use the configured limit or the default", ({ expect }) => {
    expect(milliseconds("1m30s")).toBe(90_000);
    expect(limits.milliseconds(null, "create")).toBe(1_200_000);
    expect(limits.milliseconds({ create: "10ms", delete: null }, "create")).toBe(10);
    expect(limits.milliseconds({ create: "10ms", delete: null }, "delete")).toBe(1_500);
    expect(() => timeouts({ create: "soon" })).toThrow(expect.objectContaining({ code: "INVALID_DEFINITION" }));
  });

  test("abort an operation that exceeds its limit, and name the limit", async ({ expect }) => {
    const shed = defineProvider({ name: "shed", version: "1.0.0" });
    const box = shed.resource("box", {
      schema: { size: attr.number({ required: true }), timeouts: limits.attribute },
      create: ({ planned, signal }) =>
        new Promise((_, reject) => {
          const limit = limits.signal(planned.timeouts, "create", signal);
          limit.addEventListener("abort", () => reject(limit.reason as Error));
        }),
      read: ({ state }) => state,
      update: ({ planned }) => planned,
      delete: () => {},
    });
    const chest = shed.resource("chest", {
      schema: { timeouts: limits.block },
      create: ({ planned }) => planned,
      read: ({ state }) => state,
      update: ({ planned }) => planned,
      delete: () => {},
    });
    const life = await startLife(shed.with([box, chest]), "shed_box");
    const { diagnostics } = await life.apply({ size: 1, timeouts: { create: "20ms" } });
    expect(texts(diagnostics)).toEqual([expect.stringContaining("create took longer than 0.02 s")]);
    const invalid = await life.provider.validateResourceConfig({
      typeName: "shed_box",
      config: life.config({ size: 1, timeouts: { create: "-1s" } }),
    });
    expect(texts(invalid.diagnostics)).toEqual([expect.stringContaining("timeouts.create must be a duration above zero")]);
    const { resources } = await life.provider.getProviderSchema({});
    expect(resources.get("shed_chest")!.block.blocks["timeouts"]).toMatchObject({ nesting: "single", minItems: 0 });
    expect(resources.get("shed_box")!.block.attributes["timeouts"]!.nested!.attributes["delete"]!.description).toContain("Default: `1.5s`");
  });
});

describe("validators", () => {
  test("accept schemas of libraries that implement Standard Schema", async ({ expect }) => {
    const even: StandardSchema<number> = {
      "~standard": {
        version: 1,
        vendor: "ours",
        validate: (value) => (Number(value) % 2 === 0 ? { value } : { issues: [{ message: "odd", path: ["x", { key: 0 }] }] }),
      },
    };
    const later: StandardSchema<number> = {
      "~standard": { version: 1, vendor: "ours", validate: async () => ({ issues: [{ message: "late" }] }) },
    };
    const lab = defineProvider({ name: "lab", version: "1.0.0" });
    const sample = lab.resource("sample", {
      schema: {
        n: attr.number({ optional: true, validators: [even] }),
        list: attr.list(attr.number({ validators: [even] }), { optional: true }),
        m: attr.number({ optional: true, validators: [later] }),
      },
      create: ({ planned }) => planned,
      read: ({ state }) => state,
      update: ({ planned }) => planned,
      delete: () => {},
    });
    const life = await startLife(lab.with([sample]), "lab_sample");
    const validate = async (data: Data): Promise<readonly string[]> =>
      texts((await life.provider.validateResourceConfig({ typeName: "lab_sample", config: life.config(data) })).diagnostics);
    expect(await validate({ n: 2, list: [4] })).toEqual([]);
    expect(await validate({ n: 1 })).toEqual(["error: Invalid value: n is not valid: x.0: odd.\n\nIt is 1."]);
    expect(await validate({ list: [4, 5] })).toEqual([expect.stringContaining("list[1] is not valid: x.0: odd")]);
    expect(await validate({ m: 1 })).toEqual([expect.stringContaining("m is not valid: late")]);
  });

  test("can be combined, and validate the values of maps", ({ expect }) => {
    const either = anyOf(stringLength({ max: 2 }), allOf(matches(/^x/, "must begin with x"), stringLength({ max: 4 })));
    expect([either("ab"), either("xyz"), either("abc")]).toEqual([
      undefined,
      undefined,
      "must be at most 2 characters long, or must begin with x",
    ]);
    expect(either.description).toBe("must be at most 2 characters long or must begin with x and must be at most 4 characters long");
    expect(noneOfIgnoringCase(["Root"])("ROOT")).toBe('must be none of "Root", in upper or lower case');
    expect(eachValue(stringLength({ max: 1 }))({ a: "1", b: "22" })).toBe('the value of "b" must be at most 1 character long');
    expect([noNullElements()(["a", null]), noNullElements()({ a: 1 })]).toEqual(["must not contain null", undefined]);
  });
});
