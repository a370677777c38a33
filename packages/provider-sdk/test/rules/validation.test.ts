// SPDX-License-Identifier: Apache-2.0
// Rules 10 to 12: what is said of a configuration.
import { of, type Type } from "@tenon/cty";
import { impliedType } from "@tenon/schema";
import { describe, test } from "vitest";
import { attr, block, createProvider, defineProvider, stringLength, type ValidateContext } from "../../src/index.ts";
import { texts, Unknown, type Data } from "../resource-life.ts";
import { core, rawResource, type Definition } from "./raw-resource.ts";
import type { Schema } from "../../src/index.ts";

async function said(definition: Definition<Schema>, data: Data, capabilities = core): Promise<readonly string[]> {
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
    validate: ({ warn }: ValidateContext<Schema>) => warn("the author was asked"),
  };

  test("rule 10: nothing stops at the first fault: attributes, then blocks, then the deprecation of the whole", async ({ expect }) => {
    expect(await said(definition, { b: "long", c: [{}, {}] })).toEqual([
      "error: Missing required attribute: a is required, and is not set.",
      "error: Invalid value: b must be at most 2 characters long.",
      "error: Missing required attribute: c[0].d is required, and is not set.",
      "error: Missing required attribute: c[1].d is required, and is not set.",
      "warning: Deprecated: farm_field is deprecated: use meadow",
    ]);
  });

  test("rule 10: the author is asked once the schema has nothing to say, as the types of validate promise", async ({ expect }) => {
    expect(await said(definition, { a: "x" })).toEqual([
      "warning: the author was asked: ",
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

  test("rule 11: what only the provider sets cannot be configured", async ({ expect }) => {
    expect(await said({ schema }, { title: Unknown, id: "x" })).toEqual([
      "error: Value for a read-only attribute: id is set by the provider: it cannot be in a configuration.",
    ]);
  });

  test("rule 11: what is required must be set, and what is unknown is set", async ({ expect }) => {
    expect(await said({ schema }, {})).toEqual(["error: Missing required attribute: title is required, and is not set."]);
    expect(await said({ schema }, { title: Unknown })).toEqual([]);
  });

  test("rule 11: a write-only value takes a core that knows of them", async ({ expect }) => {
    const old = { ...core, writeOnlyAttributesAllowed: false };
    expect((await said({ schema }, { title: Unknown, secret: "x" }, old))[0]).toContain("Write-only attribute not supported: secret");
    expect(await said({ schema }, { title: Unknown, secret: "x" })).toEqual([]);
    expect(await said({ schema }, { title: Unknown }, old)).toEqual([]);
  });

  test("rule 11: all validators run, and none on what is unknown or null", async ({ expect }) => {
    expect(await said({ schema }, { title: "abc" })).toEqual([
      "error: Invalid value: title must be at most 2 characters long.",
      "error: Invalid value: title must be at least 5 characters long.",
    ]);
    let asked = 0;
    const counting = attr.string({ optional: true, validators: [() => (asked++, undefined)] });
    for (const value of [null, Unknown, "x"]) await said({ schema: { a: counting } }, { a: value });
    const elements = attr.list(attr.string(), { optional: true, validators: [() => (asked++, undefined)] });
    for (const value of [[Unknown], ["x"]]) await said({ schema: { a: elements } }, { a: value });
    expect(asked).toBe(2);
  });

  test("rule 11: a deprecated attribute warns when it is known and not null", async ({ expect }) => {
    for (const [old, warned] of [
      ["x", true],
      [Unknown, false],
      [null, false],
    ] as const) {
      expect(await said({ schema }, { title: Unknown, old })).toEqual(
        warned ? ["warning: Deprecated attribute: old is deprecated: use title"] : [],
      );
    }
    expect(await said({ schema }, { title: Unknown, any: Unknown })).toEqual([]);
  });
});

test("rule 12: a provider validates its configuration, and neither changes it nor fills it in", async ({ expect }) => {
  const asked: unknown[] = [];
  const farm = defineProvider({
    name: "farm",
    version: "1.0.0",
    schema: { path: attr.string({ required: true, validators: [short] }) },
    validate: ({ config }) => void asked.push(config),
  });
  const provider = createProvider(farm.with([]));
  const schema = (await provider.getProviderSchema({})).provider!;
  const config = (path: string | null): ReturnType<typeof of<Type>> => of<Type>(impliedType(schema.block), { path });
  expect(texts((await provider.validateProviderConfig({ config: config(null) })).diagnostics)).toEqual([
    "error: Missing required attribute: path is required, and is not set.",
  ]);
  expect(await provider.validateProviderConfig({ config: config("a") })).toEqual({ diagnostics: [] });
  expect(asked).toEqual([{ path: "a" }]);
});
