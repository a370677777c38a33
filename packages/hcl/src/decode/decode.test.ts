// SPDX-License-Identifier: Apache-2.0
import { bool, capsuleOf, dynamic, goString, list, map, number, object, of, set, string, tuple, unknown, type Value } from "@tenon/cty";
import { describe, test } from "vitest";
import { nativeBody } from "../body/native-body.ts";
import type { Body } from "../body/body.ts";
import { dynamicVariables } from "../dynamic-block/dynamic-variables.ts";
import { expandDynamicBlocks } from "../dynamic-block/expand.ts";
import { HclError } from "../error.ts";
import { expressionType, nativeOf } from "../evaluate/custom-decoding.ts";
import { createScope } from "../syntax/scope.ts";
import { parseJson } from "../json/parse.ts";
import { parseConfig } from "../parse/parse.ts";
import { blocksAsAttributes, withBlocksForAttributes } from "./blocks-as-attributes.ts";
import { decode, partialDecode } from "./decode.ts";
import { impliedType } from "./implied-type.ts";
import type { Spec } from "./spec.ts";

const bodyOf = (source: string): Body => nativeBody(parseConfig(source, "main.tf").body);
const shown = ({ value }: { readonly value: Value }): string => goString(value).replaceAll("cty.", "");
const scope = createScope({ variables: { many: of(list(string), ["a", "b"]), open: unknown(list(string)) } });

describe("a spec", () => {
  test("is rejected if it is invalid", ({ expect }) => {
    const label: Spec = { kind: "blockLabel", index: 0, name: "name" };
    expect(() => decode(bodyOf(""), label)).toThrow(expect.objectContaining({ code: "INVALID_SPEC" }));
    const attribute: Spec = { kind: "attribute", name: "a", type: dynamic };
    const dynamicMap: Spec = { kind: "blockMap", type: "b", labels: ["name"], nested: attribute };
    expect(() => decode(bodyOf(""), dynamicMap)).toThrow(HclError);
    expect(() => decode(bodyOf(""), { kind: "blockObject", type: "b", labels: [], nested: attribute })).toThrow(
      "must have at least one label name",
    );
  });

  test.for<[string, Spec, string]>([
    ["a map and a list", { kind: "blockList", type: "rule", nested: { kind: "literal", value: of(number, 1) } }, "1 labels, another 0"],
    ["a map and attributes", { kind: "blockAttributes", type: "rule", elementType: string }, "1 labels, another 0"],
    [
      "two maps of another depth",
      { kind: "blockMap", type: "rule", labels: ["a", "b"], nested: { kind: "literal", value: of(number, 1) } },
      "1 labels, another 2",
    ],
  ])("is rejected if it decodes the blocks of one type as %s", ([, other, message], { expect }) => {
    const rules: Spec = { kind: "blockMap", type: "rule", labels: ["name"], nested: { kind: "literal", value: of(number, 1) } };
    const refused = expect.objectContaining({ code: "INVALID_SPEC", message: expect.stringContaining(message) });
    for (const spec of [
      { kind: "object", specs: { rules, other } },
      { kind: "tuple", specs: [rules, other] },
    ] satisfies Spec[]) {
      expect(() => decode(bodyOf("rule {\n}\n"), spec)).toThrow(refused);
    }
  });

  test("can decode the blocks of one type in two ways that take the same labels", ({ expect }) => {
    const name: Spec = { kind: "blockLabel", index: 0, name: "name" };
    const rules: Spec = { kind: "blockMap", type: "rule", labels: ["name"], nested: { kind: "literal", value: of(number, 1) } };
    const both: Spec = { kind: "tuple", specs: [rules, { kind: "blockList", type: "rule", nested: name }] };
    expect(shown(decode(bodyOf('rule "a" {\n}\n'), both))).toBe(
      'TupleVal([]Value{MapVal(map[string]Value{"a":NumberIntVal(1)}), ListVal([]Value{StringVal("a")})})',
    );
  });

  test("can refine a value several times in one step", ({ expect }) => {
    const wrapped: Spec = { kind: "attribute", name: "a", type: number };
    const spec: Spec = { kind: "refine", wrapped, refinements: [{ notNull: true, min: 1 }, { min: 3 }] };
    const size = createScope({ variables: { size: unknown(number) } });
    expect(shown(decode(bodyOf("a = size\n"), spec, size))).toBe(
      "UnknownVal(Number).Refine().NotNull().NumberLowerBound(NumberIntVal(3), true).NewValue()",
    );
  });

  test("is rejected if it is nested too deeply or contains itself", ({ expect }) => {
    let deep: Spec = { kind: "literal", value: of(number, 1) };
    for (let level = 0; level < 100_000; level++) deep = { kind: "tuple", specs: [deep] };
    const specs: Record<string, Spec> = {};
    const endless: Spec = { kind: "object", specs };
    specs["again"] = { kind: "blockList", type: "again", nested: endless };
    for (const spec of [deep, endless]) {
      const refused = expect.objectContaining({ code: "INVALID_SPEC", message: "specs may be nested 1000 levels deep at most" });
      expect(() => decode(bodyOf(""), spec)).toThrow(refused);
      expect(() => impliedType(spec)).toThrow(refused);
    }
  });

  test("can be nested as deep as blocks parse", ({ expect }) => {
    let spec: Spec = { kind: "object", specs: { a: { kind: "attribute", name: "a", type: number } } };
    for (let level = 0; level < 490; level++) spec = { kind: "object", specs: { b: { kind: "block", type: "b", nested: spec } } };
    const { diagnostics } = decode(bodyOf(`${"b {\n".repeat(490)}a = 1\n${"}\n".repeat(490)}`), spec);
    expect(diagnostics).toEqual([]);
  });

  test("passes the expression of an attribute to a custom decoder", ({ expect }) => {
    const { value } = decode(bodyOf("a = x.y\n"), { kind: "attribute", name: "a", type: expressionType });
    expect(nativeOf(value as Value<typeof expressionType>)).toMatchObject({ kind: "scopeTraversal" });
    expect(value.type).toBe(capsuleOf(expressionType, nativeOf(value as Value<typeof expressionType>)).type);
  });

  test("can leave the rest of a body for another spec", ({ expect }) => {
    const { value, diagnostics, remain } = partialDecode(bodyOf("a = 1\nb = 2\nc {}\n"), { kind: "attribute", name: "a", type: number });
    expect([goString(value), diagnostics]).toEqual(["cty.NumberIntVal(1)", []]);
    expect([...remain.justAttributes().attributes.keys()]).toEqual(["b"]);
    expect(remain.content({}).diagnostics.map(({ summary }) => summary)).toEqual(["Unsupported argument", "Unsupported block type"]);
  });

  test("for a map of attributes of dynamic type requires a common type", ({ expect }) => {
    const spec: Spec = { kind: "blockAttributes", type: "b", elementType: dynamic };
    expect(shown(decode(bodyOf('b {\n x = 1\n y = "z"\n}\n'), spec))).toBe(
      'MapVal(map[string]Value{"x":StringVal("1"), "y":StringVal("z")})',
    );
    const { diagnostics } = decode(bodyOf("b {\n x = []\n y = true\n}\n"), spec);
    expect(diagnostics.map(({ summary }) => summary)).toEqual(["Inconsistent attribute types in b block"]);
  });

  test("decodes an attribute named __proto__", ({ expect }) => {
    const specs = Object.create(null) as Record<string, Spec>;
    specs["__proto__"] = { kind: "attribute", name: "__proto__", type: string };
    expect(shown(decode(parseJson('{"__proto__": "x"}', "a.json").body, { kind: "object", specs }))).toBe(
      'ObjectVal(map[string]Value{"__proto__":StringVal("x")})',
    );
  });
});

describe("dynamic blocks", () => {
  const spec: Spec = { kind: "blockSet", type: "rule", nested: { kind: "attribute", name: "name", type: string } };
  const source = (each: string): string => `dynamic "rule" {\n for_each = ${each}\n content {\n name = rule.value\n }\n}\n`;

  test("are decoded as the blocks they generate", ({ expect }) => {
    expect(shown(decode(expandDynamicBlocks(bodyOf(source("many")), scope), spec, scope))).toBe(
      'SetVal([]Value{StringVal("a"), StringVal("b")})',
    );
  });

  test("give an unknown value if their number is unknown", ({ expect }) => {
    expect(shown(decode(expandDynamicBlocks(bodyOf(source("open")), scope), spec, scope))).toBe("UnknownVal(Set(String))");
  });

  test("can be refused by the application", ({ expect }) => {
    const body = expandDynamicBlocks(bodyOf(source("many")), scope, {
      checkForEach: [(value, { range }) => [{ severity: "error", summary: "Not here", detail: goString(value), subject: range }]],
    });
    const { diagnostics } = decode(body, spec, scope);
    expect(diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`)).toEqual([
      'Not here: cty.ListVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b")})',
    ]);
  });

  test("of a type that an earlier schema read are not in the rest", ({ expect }) => {
    const body = expandDynamicBlocks(bodyOf(`${source("many")}a = 1\n`), scope);
    const { content, remain } = body.partialContent({ blocks: [{ type: "rule" }] });
    expect(content.blocks).toHaveLength(2);
    expect(remain.content({ attributes: [{ name: "a" }] })).toMatchObject({ diagnostics: [], content: { blocks: [] } });
  });
});

describe("blocks that stand for attributes", () => {
  const rule = object({ name: string, ports: list(object({ port: number })) });
  const spec: Spec = {
    kind: "object",
    specs: { rules: { kind: "attribute", name: "rules", type: set(rule) }, on: { kind: "attribute", name: "on", type: bool } },
  };
  const fixed = (source: string): Body => blocksAsAttributes(bodyOf(source), { attributes: { rules: set(rule), on: bool } });
  const wanted =
    'ObjectVal(map[string]Value{"on":True, "rules":SetVal([]Value{ObjectVal(map[string]Value{"name":StringVal("a"), "ports":ListVal([]Value{ObjectVal(map[string]Value{"port":NumberIntVal(1)}), ObjectVal(map[string]Value{"port":NumberIntVal(2)})})})})})';

  test("are decoded as the attribute", ({ expect }) => {
    expect(shown(decode(fixed('on = true\nrules {\n name = "a"\n ports {\n port = 1\n }\n ports {\n port = 2\n }\n}\n'), spec))).toBe(
      wanted,
    );
    expect(shown(decode(fixed('on = true\nrules = [{ name = "a", ports = [{ port = 1 }, { port = 2 }] }]\n'), spec))).toBe(wanted);
    expect(shown(decode(fixed("on = true\n"), spec))).toContain('"rules":NullVal(');
  });

  test("are an error beside the attribute, and report errors inside", ({ expect }) => {
    const both = decode(fixed("rules = []\nrules {}\n"), spec);
    expect(both.diagnostics.map(({ summary }) => summary)).toContain("Unsupported block type");
    const wrong = decode(fixed("rules {\n nam = 1\n}\n"), spec);
    expect(wrong.diagnostics.map(({ detail }) => detail)).toEqual(['An argument named "nam" is not expected here. Did you mean "name"?']);
  });

  test("are not read with a schema that no legacy provider can have", ({ expect }) => {
    const body = bodyOf("");
    for (const type of [tuple(), object({}), map(object({})), list(list(object({})))]) {
      expect(blocksAsAttributes(body, { attributes: { rules: set(rule), other: type } })).toBe(body);
    }
    expect(blocksAsAttributes(body, { attributes: {}, blocks: { b: { attributes: { other: tuple() } } } })).toBe(body);
  });
});

test("references in blocks that stand for attributes are found before the expansion of dynamic blocks", ({ expect }) => {
  const type = list(object({ port: number, inner: set(object({ name: string })) }));
  const spec: Spec = { kind: "object", specs: { rule: { kind: "attribute", name: "rule", type } } };
  const inner =
    'inner {\n      name = c\n    }\n    dynamic "inner" {\n      for_each = d\n      content {\n        name = rule.value + inner.key + e\n      }\n    }';
  const body = bodyOf(`rule {\n  port = a\n}\ndynamic "rule" {\n  for_each = b\n  content {\n    ${inner}\n  }\n}\n`);
  const roots = dynamicVariables(body, withBlocksForAttributes(spec)).map(([root]) => root?.kind === "root" && root.name);
  expect(new Set(roots)).toEqual(new Set(["a", "b", "c", "d", "e"]));
  expect(dynamicVariables(bodyOf("rule = f\n"), withBlocksForAttributes(spec))).toHaveLength(1);
});
