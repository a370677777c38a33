// SPDX-License-Identifier: Apache-2.0
import { formatPath } from "@tenon/cty";
import type { Diagnostic } from "@tenon/schema";
import { describe, test } from "vitest";
import { attr, block, defineProvider, nested, type Schema } from "../index.ts";
import type { ResourceDefinition } from "../definition/index.ts";
import { between, eachElement, matches, oneOf, size, stringLength, uniqueElements } from "../validators/index.ts";
import { configOf, Unknown, type Data } from "../../test/resource-life.ts";
import { createProvider } from "../server/create-provider.ts";

const house = defineProvider({ name: "house", version: "1.0.0" });

async function validate(
  schema: Schema,
  data: Data,
  more: { readonly validate?: (context: never) => void; readonly deprecated?: string; readonly writeOnly?: boolean } = {},
): Promise<readonly Diagnostic[]> {
  const { writeOnly, ...rest } = more;
  const definition = { schema, create: () => ({}), read: () => undefined, update: () => ({}), delete: () => {}, ...rest };
  const provider = createProvider(
    house.with([house.resource("room", definition as unknown as ResourceDefinition<undefined, Schema, string>)]),
  );
  const { block: body } = (await provider.getProviderSchema({})).resources.get("house_room")!;
  const clientCapabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: writeOnly ?? true };
  return (await provider.validateResourceConfig({ typeName: "house_room", config: configOf(body, data), clientCapabilities })).diagnostics;
}

const short = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.map(({ severity, summary, detail, attribute }) => `${severity} ${formatPath(attribute ?? [])}: ${summary}: ${detail}`);

describe("validateResourceConfig", () => {
  test("reports all errors, each at its attribute", async ({ expect }) => {
    const schema = {
      name: attr.string({ required: true, validators: [stringLength({ max: 3 }), matches(/^[a-z]+$/, "must be lower-case letters")] }),
      size: attr.number({ required: true }),
      floor: attr.number({ optional: true, validators: [between(0, 9)] }),
      id: attr.string({ computed: true }),
      secret: attr.string({ optional: true, sensitive: true, validators: [stringLength({ min: 9 })] }),
    };
    expect(short(await validate(schema, { name: "HALL", floor: 12, id: "1", secret: "psst" }))).toEqual([
      "error .floor: Invalid value: floor must be between 0 and 9.\n\nIt is 12.",
      "error .id: Value for a read-only attribute: id is set by the provider: it cannot be in a configuration.",
      'error .name: Invalid value: name must be at most 3 characters long.\n\nIt is "HALL".',
      'error .name: Invalid value: name must be lower-case letters.\n\nIt is "HALL".',
      "error .secret: Invalid value: secret must be at least 9 characters long.",
      "error .size: Missing required attribute: size is required, but not set.",
    ]);
  });

  test("reports errors at any depth, in every nesting mode", async ({ expect }) => {
    const lamp = { color: attr.string({ required: true, validators: [oneOf(["red", "white"])] }), watts: attr.number({ optional: true }) };
    const schema = {
      list: nested.list({ inner: nested.map(lamp, { required: true }) }, { optional: true }),
      lamps: block.set(lamp, { min: 2 }),
      shelf: block.single({ lamp: block.list(lamp, { max: 1 }) }, { required: true }),
      labels: attr.map(attr.list(attr.string({ validators: [stringLength({ max: 2 })] })), { optional: true }),
    };
    const wrong = { color: "blue" };
    expect(
      short(
        await validate(schema, {
          list: [{ inner: { a: { color: "red" }, b: wrong } }, { inner: {} }],
          lamps: [wrong],
          shelf: { lamp: [{ color: "white" }, { color: "red", watts: 4 }] },
          labels: { x: ["ok", "long"] },
        }),
      ),
    ).toEqual([
      'error .labels["x"][1]: Invalid value: labels["x"][1] must be at most 2 characters long.\n\nIt is "long".',
      'error .list[0].inner["b"].color: Invalid value: list[0].inner["b"].color must be one of "red", "white".\n\nIt is "blue".',
      'error .lamps[...].color: Invalid value: lamps[...].color must be one of "red", "white".\n\nIt is "blue".',
      "error .lamps: Too few blocks: The number of lamps blocks must be at least 2, but is 1.",
      "error .shelf.lamp: Too many blocks: The number of shelf.lamp blocks must be at most 1, but is 2.",
    ]);
    expect(short(await validate(schema, { lamps: [wrong] }))).toContain(
      "error .shelf: Missing required block: The block shelf is required, but missing.",
    );
  });

  test("accepts unknown values without calling validators", async ({ expect }) => {
    const seen: unknown[] = [];
    const spy = (value: unknown): undefined => void seen.push(value);
    const schema = {
      name: attr.string({ required: true, validators: [spy] }),
      labels: attr.list(attr.string({ validators: [spy] }), {
        optional: true,
        validators: [size({ max: 1 }), eachElement(stringLength({ max: 1 }))],
      }),
      lamps: nested.list({ color: attr.string({ required: true }) }, { optional: true, validators: [spy] }),
      nothing: attr.string({ optional: true, validators: [spy] }),
    };
    expect(await validate(schema, { name: Unknown, labels: [Unknown, "long"], lamps: [{ color: Unknown }] })).toEqual([]);
    expect(await validate(schema, { name: "a", labels: Unknown, lamps: Unknown })).toEqual([]);
    expect(seen).toEqual(["long", "a"]);
  });

  test("rejects null in a collection and inexact numbers at their paths", async ({ expect }) => {
    const schema = {
      names: attr.list(attr.string(), { optional: true }),
      size: attr.number({ optional: true }),
      count_: attr.bigint({ optional: true }),
    };
    const exact = { names: ["a", null], size: 9007199254740993n, count_: 0.5 };
    expect(short(await validate(schema, exact))).toEqual([
      "error .count_: Invalid value: count_ must be a whole number.",
      "error .names[1]: Invalid value: names[1] is null, but must not be.",
      "error .size: Invalid value: size is not exactly representable as a JavaScript number; the provider must declare it as attr.bigint or attr.decimal.",
    ]);
    const other = { size: attr.decimal({ optional: true }), count_: attr.bigint({ optional: true }) };
    expect(await validate(other, { size: 9007199254740993n, count_: 9007199254740993n })).toEqual([]);
  });

  test("requires a core that supports write-only attributes", async ({ expect }) => {
    const schema = { token: attr.string({ optional: true, writeOnly: true }) };
    expect(await validate(schema, { token: "abc" })).toEqual([]);
    expect(await validate(schema, {}, { writeOnly: false })).toEqual([]);
    expect(short(await validate(schema, { token: "abc" }, { writeOnly: false }))[0]).toContain("Write-only attribute not supported");
  });

  test("warns at a deprecated attribute that is set", async ({ expect }) => {
    const schema = {
      old: attr.string({ optional: true, deprecated: "use new" }),
      olds: block.list({ a: attr.string({ optional: true }) }, { deprecated: "use news" }),
    };
    expect(await validate(schema, {})).toEqual([]);
    expect(short(await validate(schema, { old: "x", olds: [{}] }, { deprecated: "use house_flat" }))).toEqual([
      "warning .old: Deprecated attribute: old is deprecated: use new",
      "warning .olds: Deprecated block: olds is deprecated: use news",
      "warning : Deprecated: house_room is deprecated: use house_flat",
    ]);
  });

  test("reports a deprecated provider in its schema, and warns when it is configured", async ({ expect }) => {
    const schema = { level: attr.number({ required: true }) };
    const provider = createProvider(
      defineProvider({ name: "shed", version: "1.0.0", schema, deprecated: "Use the house provider." }).with([]),
    );
    const { block: body } = (await provider.getProviderSchema({})).provider!;
    expect(body).toMatchObject({ deprecated: true, deprecationMessage: "Use the house provider." });
    const validated = async (data: Data): Promise<readonly string[]> =>
      short((await provider.validateProviderConfig({ config: configOf(body, data) })).diagnostics);
    const warning = "warning : Deprecated: provider shed is deprecated: Use the house provider.";
    expect(await validated({ level: 1 })).toEqual([warning]);
    expect(await validated({})).toEqual(["error .level: Missing required attribute: level is required, but not set.", warning]);
  });

  test("calls the author's validate if the schema reports no error, and reports its errors at their attributes", async ({ expect }) => {
    let calls = 0;
    const handler = ({ config, error }: { readonly config: Data; readonly error: (attribute: unknown, summary: string) => void }): void => {
      calls++;
      if (config["from"] === config["to"]) error("to", "must differ from the source");
      error(["lamps", 0, "color"], "is not supported");
      error(["bulbs", 0, "color"], "is too dark");
      throw new Error("and more");
    };
    const schema = {
      from: attr.string({ required: true }),
      to: attr.string({ required: true }),
      lamps: nested.list({ color: attr.string({ required: true }) }, { optional: true }),
      bulbs: nested.set({ color: attr.string({ required: true }) }, { optional: true }),
    };
    expect(await validate(schema, { from: "a" }, { validate: handler as never })).toHaveLength(1);
    expect(calls).toBe(0);
    expect(short(await validate(schema, { from: "a", to: "a" }, { validate: handler as never }))).toEqual([
      "error .to: must differ from the source: to: must differ from the source",
      "error .lamps[0].color: is not supported: lamps[0].color: is not supported",
      "error .bulbs: is too dark: bulbs: is too dark",
      "error : Cannot validate house_room: and more",
    ]);
  });

  test("validates a collection in addition to its elements, unless a required attribute is missing", async ({ expect }) => {
    const lamp = {
      color: attr.string({ required: true, validators: [oneOf(["red"])] }),
      shade: attr.string({ optional: true, deprecated: "use color" }),
    };
    const schema = { lamps: nested.list(lamp, { optional: true, validators: [size({ max: 1 }) as never] }) };
    const tooMany = "error .lamps: Invalid value: lamps must have at most 1 element.";
    const lamps = [{ color: "red", shade: "x" }, { color: "blue" }];
    expect(short(await validate(schema, { lamps }))).toEqual([
      expect.stringContaining("deprecated"),
      expect.stringContaining("blue"),
      tooMany,
    ]);
    expect(short(await validate(schema, { lamps: [{ color: "red" }, {}] }))).toEqual([expect.stringContaining("is required")]);
  });

  test("also runs the validators of a computed attribute that the configuration sets", async ({ expect }) => {
    const schema = { id: attr.string({ computed: true, validators: [stringLength({ max: 1 })] }) };
    expect(short(await validate(schema, { id: "abc" }))).toEqual([
      expect.stringContaining("Value for a read-only attribute"),
      expect.stringContaining("id must be at most 1 character long"),
    ]);
  });

  test("does not run the validators of a collection in which a read-only attribute has a value", async ({ expect }) => {
    const lamps = nested.list({ id: attr.string({ computed: true }) }, { optional: true, validators: [uniqueElements() as never] });
    expect(short(await validate({ lamps }, { lamps: [{ id: "a" }, { id: "b" }] }))).toEqual([
      expect.stringMatching(/^error \.lamps\[0\]\.id: Value for a read-only attribute/),
      expect.stringMatching(/^error \.lamps\[1\]\.id: Value for a read-only attribute/),
    ]);
    expect(short(await validate({ lamps }, { lamps: [{}, {}] }))).toEqual([expect.stringContaining("must not contain an element twice")]);
  });

  test("reports the error of a validator that throws", async ({ expect }) => {
    const boom = (): never => {
      throw new Error("boom");
    };
    expect(short(await validate({ name: attr.string({ required: true, validators: [boom] }) }, { name: "a" }))).toEqual([
      'error .name: Invalid value: name could not be checked: boom.\n\nIt is "a".',
    ]);
  });
});
