// SPDX-License-Identifier: Apache-2.0
import { goString, number, string } from "@tenon/cty";
import { test } from "vitest";
import { decode } from "../decode/decode.ts";
import type { Spec } from "../decode/spec.ts";
import { expandDynamicBlocks } from "../dynamic-block/expand.ts";
import { createScope } from "../syntax/scope.ts";
import { parseJson } from "../json/parse.ts";
import { parseConfig } from "../parse/parse.ts";
import type { Body } from "./body.ts";
import { nativeBody } from "./native-body.ts";
import { overrideBody } from "./override-body.ts";

const native = (source: string): Body => nativeBody(parseConfig(source, "a.hcl").body);
const spec: Spec = {
  kind: "object",
  specs: {
    name: { kind: "attribute", name: "name", type: string, required: true },
    size: { kind: "attribute", name: "size", type: number },
    rules: { kind: "blockList", type: "rule", nested: { kind: "attribute", name: "port", type: number } },
    notes: { kind: "blockList", type: "note", nested: { kind: "attribute", name: "text", type: string } },
  },
};
const base = 'name = "a"\nsize = 1\nrule {\n  port = 1\n}\nrule {\n  port = 2\n}\nnote {\n  text = "kept"\n}\n';

test("replaces attributes by name and blocks by type, in either syntax", ({ expect }) => {
  const expected =
    'cty.ObjectVal(map[string]cty.Value{"name":cty.StringVal("a"), "notes":cty.ListVal([]cty.Value{cty.StringVal("kept")}), ' +
    '"rules":cty.ListVal([]cty.Value{cty.NumberIntVal(9)}), "size":cty.NumberIntVal(5)})';
  for (const override of [native("size = 5\nrule {\n  port = 9\n}\n"), parseJson('{"size": 5, "rule": {"port": 9}}', "o.json").body]) {
    const { value, diagnostics } = decode(overrideBody(native(base), override), spec);
    expect(diagnostics).toEqual([]);
    expect(goString(value)).toBe(expected);
  }
});

test("applies before the expansion of dynamic blocks", ({ expect }) => {
  const dynamic = native('dynamic "rule" {\n  for_each = [7, 8]\n  content {\n    port = rule.value\n  }\n}\n');
  const rules: Spec = { kind: "blockList", type: "rule", nested: { kind: "attribute", name: "port", type: number } };
  const decoded = (base: Body, over: Body): string =>
    goString(decode(expandDynamicBlocks(overrideBody(base, over), createScope({})), rules).value);
  const written = native("rule {\n  port = 9\n}\n");
  expect(decoded(written, dynamic)).toBe("cty.ListVal([]cty.Value{cty.NumberIntVal(7), cty.NumberIntVal(8)})");
  expect(decoded(dynamic, written)).toBe("cty.ListVal([]cty.Value{cty.NumberIntVal(9)})");
});

test("reports errors of both bodies, and requires attributes of the base", ({ expect }) => {
  const summaries = (body: Body): readonly string[] =>
    body.content({ attributes: [{ name: "name", required: true }] }).diagnostics.map((d) => d.summary);
  expect(summaries(overrideBody(native("x = 1\n"), native('name = "b"\ny = 1\n')))).toEqual([
    "Missing required argument",
    "Unsupported argument",
    "Unsupported argument",
  ]);
});

test("treats a dynamic block as blocks of its label, in both bodies", ({ expect }) => {
  const schema = { blocks: [{ type: "rule" }, { type: "dynamic", labelNames: ["type"] }] };
  const types = (body: Body): readonly string[] =>
    body.content(schema).content.blocks.map(({ type, labels }) => [type, ...labels].join(" "));
  const dynamic = native('dynamic "rule" {\n}\n');
  const rules = native("rule {\n}\nrule {\n}\n");
  expect(types(overrideBody(rules, dynamic))).toEqual(["dynamic rule"]);
  expect(types(overrideBody(dynamic, rules))).toEqual(["rule", "rule"]);
});

test("also applies to the rest after a partial read", ({ expect }) => {
  const { content, remain } = overrideBody(native("a = 1\nb = 1\nc = 1\n"), native("a = 2\nb = 2\n")).partialContent({
    attributes: [{ name: "a" }],
  });
  expect(content.attributes.get("a")?.range.start.line).toBe(1);
  expect([...remain.justAttributes().attributes].map(([name, { range }]) => [name, range.end.byte])).toEqual([
    ["b", 11],
    ["c", 17],
  ]);
});
