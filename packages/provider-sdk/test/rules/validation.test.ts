// SPDX-License-Identifier: Apache-2.0
// Rules 10 to 12: validation of a configuration. They describe the server of terraform-plugin-framework (internal/fwserver);
// `scripts/mutate/rules` refers to them by number.
import { of, type Type } from "@tenon/cty";
import { impliedType } from "@tenon/schema";
import { describe, test } from "vitest";
import { attr, block, createProvider, defineProvider, type ValidateContext } from "../../src/index.ts";
import { stringLength } from "../../src/validators/index.ts";
import { texts, Unknown, type Data } from "../resource-life.ts";
import { core, rawResource, type Definition } from "./raw-resource.ts";
import type { Schema } from "../../src/index.ts";

async function validate(definition: Definition<Schema>, data: Data, capabilities = core): Promise<readonly string[]> {
  const { provider, value } = await rawResource(definition);
  const { diagnostics } = await provider.validateResourceConfig({
    typeName: "farm_field",
    config: value(data),
    clientCapabilities: capabilities,
  });
  return texts(diagnostics).map((text) => text.split("\n")[0]!);
}

const short = stringLength({ max: 2 });

describe("rule 10", () => {
  const definition: Definition<Schema> = {
    deprecated: "use meadow",
    schema: {
      a: attr.string({ required: true }),
      b: attr.string({ optional: true, validators: [short] }),
      c: block.list({ d: attr.string({ required: true }) }),
    },
    validate: ({ warn }: ValidateContext<Schema>) => warn("validate ran"),
  };

  test("rule 10: reports all errors: of attributes, then of blocks, then the deprecation of the resource", async ({ expect }) => {
    expect(await validate(definition, { b: "long", c: [{}, {}] })).toEqual([
      "error: Missing required attribute: a is required, but not set.",
      "error: Invalid value: b must be at most 2 characters long.",
      "error: Missing required attribute: c[0].d is required, but not set.",
      "error: Missing required attribute: c[1].d is required, but not set.",
      "warning: Deprecated: farm_field is deprecated: use meadow",
    ]);
  });

  test("rule 10: the author's validate runs only if the schema reports no error", async ({ expect }) => {
    expect(await validate(definition, { a: "x" })).toEqual([
      "warning: validate ran: ",
      "warning: Deprecated: farm_field is deprecated: use meadow",
    ]);
  });
});

describe("rule 11", () => {
  const schema: Schema = {
    id: attr.string({ computed: true }),
    title: attr.string({ required: true, validators: [short, stringLength({ min: 5 })] }),
    secret: attr.string({ optional: true, writeOnly: true }),
    old: attr.string({ optional: true, deprecated: "use title" }),
    any: attr.dynamic({ optional: true, deprecated: "use title" }),
  };

  test("rule 11: refuses a configured value for a read-only attribute", async ({ expect }) => {
    expect(await validate({ schema }, { title: Unknown, id: "x" })).toEqual([
      "error: Value for a read-only attribute: id is set by the provider: it cannot be in a configuration.",
    ]);
  });

  test("rule 11: a required attribute must be set; an unknown value counts as set", async ({ expect }) => {
    expect(await validate({ schema }, {})).toEqual(["error: Missing required attribute: title is required, but not set."]);
    expect(await validate({ schema }, { title: Unknown })).toEqual([]);
  });

  test("rule 11: refuses a write-only value from a core that does not support write-only attributes", async ({ expect }) => {
    const old = { ...core, writeOnlyAttributesAllowed: false };
    expect((await validate({ schema }, { title: Unknown, secret: "x" }, old))[0]).toContain("Write-only attribute not supported: secret");
    expect(await validate({ schema }, { title: Unknown, secret: "x" })).toEqual([]);
    expect(await validate({ schema }, { title: Unknown }, old)).toEqual([]);
  });

  test("rule 11: runs all validators, but none on unknown or null values", async ({ expect }) => {
    expect(await validate({ schema }, { title: "abc" })).toEqual([
      "error: Invalid value: title must be at most 2 characters long.",
      "error: Invalid value: title must be at least 5 characters long.",
    ]);
    let runs = 0;
    const counting = attr.string({ optional: true, validators: [() => (runs++, undefined)] });
    for (const value of [null, Unknown, "x"]) await validate({ schema: { a: counting } }, { a: value });
    const elements = attr.list(attr.string(), { optional: true, validators: [() => (runs++, undefined)] });
    for (const value of [[Unknown], ["x"]]) await validate({ schema: { a: elements } }, { a: value });
    expect(runs).toBe(2);
  });

  test("rule 11: a deprecated attribute warns when it is known and not null", async ({ expect }) => {
    for (const [old, warned] of [
      ["x", true],
      [Unknown, false],
      [null, false],
    ] as const) {
      expect(await validate({ schema }, { title: Unknown, old })).toEqual(
        warned ? ["warning: Deprecated attribute: old is deprecated: use title"] : [],
      );
    }
    expect(await validate({ schema }, { title: Unknown, any: Unknown })).toEqual([]);
  });
});

test("rule 12: validates the provider's configuration without changing it", async ({ expect }) => {
  const validated: unknown[] = [];
  const farm = defineProvider({
    name: "farm",
    version: "1.0.0",
    schema: { path: attr.string({ required: true, validators: [short] }) },
    validate: ({ config }) => void validated.push(config),
  });
  const provider = createProvider(farm.with([]));
  const schema = (await provider.getProviderSchema({})).provider!;
  const config = (path: string | null): ReturnType<typeof of<Type>> => of<Type>(impliedType(schema.block), { path });
  expect(texts((await provider.validateProviderConfig({ config: config(null) })).diagnostics)).toEqual([
    "error: Missing required attribute: path is required, but not set.",
  ]);
  expect(await provider.validateProviderConfig({ config: config("a") })).toEqual({ diagnostics: [] });
  expect(validated).toEqual([{ path: "a" }]);
});
