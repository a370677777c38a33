// SPDX-License-Identifier: Apache-2.0
import { list, object, of, string, type Value } from "@tenon/cty";
import { parseConfig, type Body } from "@tenon/hcl";
import { nativeBody } from "@tenon/hcl/body";
import { createAttribute, createBlock, type Block } from "@tenon/schema";
import { describe, test } from "vitest";
import { openWorkspace } from "../workspace/workspace.ts";
import { objectFiles } from "../configuration/file-system.ts";
import { RepeatedBody } from "./repeated-body.ts";

const optional = { optional: true } as const;

function bodyOf(text: string): Body {
  return nativeBody(parseConfig(text, "main.tf").body);
}

function schemaOf(...names: readonly string[]): Block {
  return createBlock({ attributes: Object.fromEntries(names.map((name) => [name, createAttribute({ type: string, ...optional })])) });
}

/** The kinds of the expressions of a body's attributes after the first instance was decoded. */
function kindsAfterFirst(text: string): Readonly<Record<string, string>> {
  const body = bodyOf(text);
  const names = [...body.justAttributes().attributes.keys()];
  const repeated = new RepeatedBody(body, schemaOf(...names));
  repeated.learn(of(object(Object.fromEntries(names.map((name) => [name, string]))), Object.fromEntries(names.map((name) => [name, "x"]))));
  const { content } = repeated.content({ attributes: names.map((name) => ({ name })) });
  return Object.fromEntries([...content.attributes].map(([name, { expression }]) => [name, expression.kind]));
}

describe("the body of a repeated block", () => {
  test("keeps expressions whose values can differ between instances", ({ expect }) => {
    const kinds = kindsAfterFirst(`
      a = var.name
      b = upper(local.name)
      c = [for each in var.names : each]
      d = count.index
      e = "\${each.key}"
      f = self.id
      g = uuid()
      h = core::timestamp()
      i = templatefile("a.tftpl", {})
      j = provider::time::parse(var.name)
    `);
    const constant = Object.entries(kinds).filter(([, kind]) => kind === "literal");
    expect(constant.map(([name]) => name)).toEqual(["a", "b", "c"]);
  });

  test("has only attributes if no block can be in it", ({ expect }) => {
    const value = of(object({ a: string }), { a: "x" });
    const learned = (text: string, schema: Block, decoded: Value = value): boolean => {
      const repeated = new RepeatedBody(bodyOf(text), schema);
      repeated.learn(decoded);
      return repeated.hasOnlyAttributes;
    };
    const nested = createBlock({
      attributes: schemaOf("a").attributes,
      blocks: { part: { nesting: "list", block: schemaOf("b"), minItems: 0, maxItems: 0 } },
    });
    expect(learned('a = "x"', nested)).toBe(true);
    expect(learned('a = "x"\npart {}', nested)).toBe(false);
    expect(learned('a = "x"\ndynamic "part" {\n  for_each = []\n  content {}\n}', nested)).toBe(false);
    const ambiguous = createBlock({ attributes: { a: createAttribute({ type: list(object({ b: string })), ...optional }) } });
    expect(learned("", ambiguous)).toBe(false);
  });

  test("is evaluated for each instance if its function returns another value each time", async ({ expect }) => {
    const main = 'resource "terraform_data" "a" {\n  count = 3\n  input = [uuid(), "same", count.index]\n}\n';
    await using workspace = openWorkspace({ configuration: objectFiles({ "main.tf": main }) });
    const { state } = await (await workspace.plan()).apply();
    const inputs = [...state.resources.get("terraform_data.a")!.instances.values()].map(({ current }) => current!.attributes!["input"]);
    expect(new Set(inputs.map((input) => JSON.stringify(input))).size).toBe(3);
  });
});
