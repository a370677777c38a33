// SPDX-License-Identifier: Apache-2.0
import { toJs } from "@tenon/cty";
import { describe, test } from "vitest";
import type { BodySyntax } from "../syntax/body.ts";
import type { NativeExpression } from "../syntax/expression.ts";
import { formatRange } from "../syntax/range.ts";
import type { Traversal } from "../syntax/traversal.ts";
import { parseConfig, parseExpression, parseTemplate, parseTraversal, parseTraversalPartial } from "./parse.ts";

/** Writes a tree as nested brackets, without ranges. */
function shape(node: NativeExpression): string {
  const all = (...nodes: readonly NativeExpression[]): string => nodes.map(shape).join(" ");
  switch (node.kind) {
    case "literal":
      return JSON.stringify(toJs(node.value));
    case "parentheses":
      return `(${shape(node.inner)})`;
    case "scopeTraversal":
      return steps(node.traversal);
    case "relativeTraversal":
      return `<${shape(node.source)}>${steps(node.traversal)}`;
    case "functionCall":
      return `${node.name}(${all(...node.arguments)}${node.expandFinal ? "..." : ""})`;
    case "conditional":
      return `{? ${all(node.condition, node.trueResult, node.falseResult)}}`;
    case "binary":
      return `{${node.operator} ${all(node.left, node.right)}}`;
    case "unary":
      return `{${node.operator} ${shape(node.operand)}}`;
    case "index":
      return `{index ${all(node.collection, node.key)}}`;
    case "tuple":
      return `[${all(...node.elements)}]`;
    case "object":
      return `{${node.items.map(({ key, value }) => `${all(key)}=${shape(value)}`).join(" ")}}`;
    case "objectKey":
      return `${node.forceNonLiteral ? "!" : ""}${shape(node.wrapped)}`;
    case "for":
      return `{for ${node.keyName ?? "-"} ${node.valueName} ${all(...[node.collection, node.key, node.value, node.condition].filter((one) => one !== undefined))}${node.group ? "..." : ""}}`;
    case "splat":
      return `{splat ${all(node.source, node.each)}}`;
    case "anonymousSymbol":
      return "@";
    case "template":
      return `"${all(...node.parts)}"`;
    case "templateJoin":
      return `{join ${shape(node.tuple)}}`;
    case "templateWrap":
      return `"$${shape(node.wrapped)}"`;
    default:
      return "{error}";
  }
}

function steps(traversal: Traversal): string {
  return traversal
    .map((step) =>
      step.kind === "root"
        ? step.name
        : step.kind === "attribute"
          ? `.${step.name}`
          : step.kind === "index"
            ? `[${JSON.stringify(toJs(step.key))}]`
            : "[*]",
    )
    .join("");
}

describe("expressions", () => {
  test.for([
    ["a || b && c == d != e < f + g * h", "{|| a {&& b {!= {== c d} {< e {+ f {* g h}}}}}}"],
    ["a - b - c", "{- {- a b} c}"],
    ["-a + !b.c", "{+ {- a} {! b.c}}"],
    ["a ? b : c ? d : e", "{? a b {? c d e}}"],
    ["(a + b) * c", "{* ({+ a b}) c}"],
    ["true == null", "{== true null}"],
    ['a.b[0]["k"].2[c].d', '<{index a.b[0]["k"][2] c}>.d'],
    ['a["x${y}"]', '{index a ""x" y"}'],
    ["a[*].b[0].c", "{splat a <@>.b[0].c}"],
    ["a.*.b.c[0]", "<{splat a <@>.b.c}>[0]"],
    ["a[*][*].b", "{splat a {splat @ <@>.b}}"],
    ["f(a, [b]...)", "f(a [b]...)"],
    ["provider::x::f()", "provider::x::f()"],
    ["[a, b,]", "[a b]"],
    ['{a = 1, (b) : 2\n"c" = 3}', '{a=1 !(b)=2 ""c""=3}'],
    ["[for v in a : v]", "{for - v a v}"],
    ["{for k, v in a : k => v... if b}", "{for k v a k v b...}"],
    ['"a ${b} c"', '""a " b " c""'],
    ['"${a}"', '"$a"'],
    ['""', '""""'],
    ['"x ${~ a ~} y"', '""x" a "y""'],
    ['"%{ if a }b%{ else }c%{ endif }"', '"{? a ""b"" ""c""}"'],
    ['"%{ for v in a ~} ${v} %{~ endfor }"', '"{join {for - v a """ v """}}"'],
    ["<<E\na\n  b\nE\n", '""a\\n  b\\n""'],
    ["<<-E\n    a\n\n  b ${c}\n  E\n", '""  a\\n\\nb " c "\\n""'],
    ['"\\n\\u00e9$${a}%%{b}$c"', '""\\né${a}%{b}$c""'],
    ["(\n# c\na /* d */ + // e\nb)", "({+ a b})"],
  ])("%j", ([source, expected], { expect }) => {
    const { expression, diagnostics } = parseExpression(source!, "");
    expect(diagnostics).toEqual([]);
    expect(shape(expression)).toBe(expected);
    expect(formatRange(expression.range)).toMatch(/^:1,1-/);
  });

  test("normalizes texts to Unicode normal form C", ({ expect }) => {
    expect(shape(parseExpression('"e\u0301"', "").expression)).toBe('""é""');
  });

  test("keeps all digits of numbers", ({ expect }) => {
    expect(shape(parseTemplate("${12345678901234567890.5}", "").expression)).toContain("12345678901234567890.5");
  });
});

describe("bodies", () => {
  function outline(body: BodySyntax): string {
    const attributes = [...body.attributes.values()].map(({ name, expression }) => `${name}=${shape(expression)}`);
    const blocks = body.blocks.map(({ type, labels, body }) => `${[type, ...labels].join(" ")} {${outline(body)}}`);
    return [...attributes, ...blocks].join("; ");
  }

  test.for([
    ["", ""],
    ["\ufeffa = 1", "a=1"],
    ["a = 1 # b\r\n/* c */ d = 2 // e\n", "a=1; d=2"],
    ['a "b c" d {\n  e = 1\n  f {}\n}\ng { h = 2 }\n', "a b c d {e=1; f {}}; g {h=2}"],
    ["a = [\n1,\n2\n]\nb = {\nc = 1\n\nd = 2 }\n", "a=[1 2]; b={c=1 d=2}"],
  ])("%j", ([source, expected], { expect }) => {
    const { body, diagnostics } = parseConfig(source!, "");
    expect(diagnostics).toEqual([]);
    expect(outline(body)).toBe(expected);
  });

  test("have the ranges of all their parts", ({ expect }) => {
    const { body } = parseConfig('a "b" {\n  c = 1\n}\n', "f.hcl");
    const [block] = body.blocks;
    const attribute = block!.body.attributes.get("c")!;
    expect(
      [block!.range, block!.typeRange, ...block!.labelRanges, block!.openBraceRange, block!.closeBraceRange, block!.body.range].map(
        formatRange,
      ),
    ).toEqual(["f.hcl:1,1-3,2", "f.hcl:1,1-2", "f.hcl:1,3-6", "f.hcl:1,7-8", "f.hcl:3,1-2", "f.hcl:1,7-3,2"]);
    expect([attribute.range, attribute.nameRange, attribute.equalsRange, attribute.expression.range].map(formatRange)).toEqual([
      "f.hcl:2,3-8",
      "f.hcl:2,3-4",
      "f.hcl:2,5-6",
      "f.hcl:2,7-8",
    ]);
  });

  test("are the same from bytes", ({ expect }) => {
    const source = 'é = "日本 ${x}"\n';
    expect(parseConfig(Buffer.from(source), "")).toEqual(parseConfig(source, ""));
  });
});

describe("references", () => {
  test("consist of names, attributes and constant indices", ({ expect }) => {
    expect(steps(parseTraversal('a.b[0]["c"].d', "").traversal)).toBe('a.b[0]["c"].d');
    expect(steps(parseTraversalPartial("a[*].b", "").traversal)).toBe("a[*].b");
  });
});
