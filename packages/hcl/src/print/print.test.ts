// SPDX-License-Identifier: Apache-2.0
import { capsule, capsuleOf, list, map, mark, number, of, string, unknown, type Value } from "@tenon/cty";
import { describe, test } from "vitest";
import { HclError } from "../error.ts";
import { parseConfig, parseExpression, parseTemplate, parseTraversal } from "../parse/parse.ts";
import type { BinaryOperator, NativeExpression } from "../syntax/expression.ts";
import type { WithoutRanges } from "../syntax/without-ranges.ts";
import { print, printTemplate, printTraversal } from "./print.ts";

type Node = WithoutRanges<NativeExpression>;

const variable = (...[name, ...attributes]: readonly [string, ...string[]]): Node => ({
  kind: "scopeTraversal",
  traversal: [{ kind: "root", name }, ...attributes.map((one) => ({ kind: "attribute", name: one }) as const)],
});
const literal = (value: Value): Node => ({ kind: "literal", value });
const text = (value: string): Node => literal(of(string, value));
const template = (...parts: readonly Node[]): Node => ({ kind: "template", parts });
const binary = (left: Node, operator: BinaryOperator, right: Node): Node => ({ kind: "binary", left, operator, right });
const conditional = (condition: Node, trueResult: Node, falseResult: Node): Node => ({
  kind: "conditional",
  condition,
  trueResult,
  falseResult,
});
const attribute = (source: Node, name: string): Node => ({ kind: "relativeTraversal", source, traversal: [{ kind: "attribute", name }] });
const [a, b, c] = [variable("a"), variable("b"), variable("c")];
const one = literal(of(number, 1));

function splat(source: Node, each: (item: Node) => Node): Node {
  const item = { kind: "anonymousSymbol" } as const;
  return { kind: "splat", source, item, each: each(item) };
}

describe("a parsed tree", () => {
  test.for<readonly [source: string, printed?: string]>([
    ["(a + b) * -c - !d"],
    ["a ? b : c ? d : e"],
    ["(a ? b : c) ? d : e"],
    ['a .b [ 0 ]["k"] [c].d.0', 'a.b[0]["k"][c].d[0]'],
    ["1 .e5"],
    ["a[*].b[0].c"],
    ["a.*.b.0[1]"],
    ["a.*.0 .1e-1[c]"],
    ["(a[*]).b"],
    ["provider :: x::f(a, b...)", "provider::x::f(a, b...)"],
    ["[for k,v in a: [v, k] if v]", "[for k, v in a : [v, k] if v]"],
    ["{for k, v in a : k => v... if v}", "{ for k, v in a : k => v... if v }"],
    ["[a, [], [1,\n2]]", "[a, [], [1, 2]]"],
    ["[a, {b = 1}]", "[\n  a,\n  {\n    b = 1\n  },\n]"],
    ['{ a = 1, (b) = 2, "c d" : 3, "${e}" = f }', '{\n  a = 1\n  (b) = 2\n  "c d" = 3\n  "${e}" = f\n}'],
    ["{}"],
    ["f({ a = {} })", "f({\n  a = {}\n})"],
    ['"\\u0061\\n\\"\\\\\\t$${%%{$%\u200d"', '"a\\n\\"\\\\\\t$${%%{$%\\u200d"'],
    ['"\\u0024${a}\\u0025%{ if b }c%{ endif }$"', '"\\u0024${a}%${b ? "c" : ""}$"'],
    ['"${a}"'],
    ['" ${~ a }"', '" ${~ a}"'],
    ['"${a} ${~b ~} "', '"${a} ${~ b ~} "'],
    ['"%{ if a }b%{ else }c%{ endif }"'],
    ['"x%{ if a }b%{ else }${c}%{ endif }"', '"x%{ if a }b%{ else }${c}%{ endif }"'],
    ['"x%{ if a ? b : c }d%{ endif }"'],
    ['"%{ for k, v in a ~} ${k}=${v}%{ endfor }"', '"%{ for k, v in a } ${~ k}=${v}%{ endfor }"'],
    ["1e99"],
    ["123456789012345678901234567890"],
    ["0.00001"],
    ["1e-40"],
    ["1e999999999"],
  ])("%s", ([source, printed = source], { expect }) => {
    const { expression, diagnostics } = parseExpression(source, "");
    expect(diagnostics).toEqual([]);
    expect(print(expression)).toBe(printed);
    expect(print(parseExpression(printed, "").expression)).toBe(printed);
  });

  test("keeps the order of a body, and prints long texts at the end of a line as heredocs", ({ expect }) => {
    const source = [
      'a = "one\\ntwo ${b}\\n"',
      "",
      'service "web" "x y" {',
      "  c = [for x in d : { e = x }]",
      "  f = {",
      "    g = <<EOT2",
      "EOT",
      "  %{ if h }i%{ else }",
      "%{ endif }",
      "EOT2",
      "  }",
      "",
      "  nested {",
      "  }",
      "}",
      "",
      'j = ["one\\ntwo\\n"]',
      "",
    ].join("\n");
    const { body, diagnostics } = parseConfig(source, "");
    expect(diagnostics).toEqual([]);
    expect(print(body)).toBe(
      source.replace('"one\\ntwo ${b}\\n"\n', "<<EOT\none\ntwo ${b}\nEOT\n").replace("{ e = x }", "{\n    e = x\n  }"),
    );
  });

  test("prints a template without quotes", ({ expect }) => {
    const sources = ["", 'a\n"${b}" $${ %', "$ ${~ a}", "\ufeff\ufeffa", "${a}", "%{ if a }\nb%{ endif }", "\r$${a}"];
    for (const source of [...sources, "$\r\n${~ a}", '${a ? "\\n" : "\\r"}%']) {
      const { expression, diagnostics } = parseTemplate(source, "");
      expect(diagnostics).toEqual([]);
      expect(printTemplate(expression)).toBe(source);
    }
    expect(printTemplate(template(text("a\rb"), c))).toBe('${"a\\rb"}${c}');
  });

  test("prints a reference in its shortest form", ({ expect }) => {
    expect(printTraversal(parseTraversal('a . b [ "c" ]\n[1]', "").traversal)).toBe('a.b["c"][1]');
    expect(printTraversal([{ kind: "attribute", name: "a" }, { kind: "splat" }])).toBe(".a[*]");
  });
});

describe("a tree built by a program", () => {
  test.for<readonly [node: Node, printed: string]>([
    [binary(binary(a, "+", b), "*", c), "(a + b) * c"],
    [binary(a, "-", binary(b, "-", c)), "a - (b - c)"],
    [binary(binary(a, "-", b), "-", c), "a - b - c"],
    [binary(a, "&&", binary(b, "||", c)), "a && (b || c)"],
    [binary(a, "||", binary(b, "&&", c)), "a || b && c"],
    [binary(conditional(a, b, c), "+", one), "(a ? b : c) + 1"],
    [conditional(conditional(a, b, c), a, conditional(a, b, c)), "(a ? b : c) ? a : a ? b : c"],
    [{ kind: "unary", operator: "-", operand: binary(a, "+", b) }, "-(a + b)"],
    [{ kind: "unary", operator: "-", operand: { kind: "unary", operator: "-", operand: a } }, "--a"],
    [attribute(binary(a, "+", b), "c"), "(a + b).c"],
    [attribute({ kind: "unary", operator: "!", operand: a }, "c"), "(!a).c"],
    [attribute(a, "b"), "(a).b"],
    [attribute(one, "e1"), "1 .e1"],
    [attribute(literal(of(number, -1)), "b"), "(-1).b"],
    [{ kind: "index", collection: a, key: one }, "a[(1)]"],
    [{ kind: "index", collection: a, key: literal(of(number, -1)) }, "a[-1]"],
    [
      attribute(
        splat(a, (item) => item),
        "b",
      ),
      "(a[*]).b",
    ],
    [{ kind: "index", collection: splat(a, (item) => attribute(item, "b")), key: c }, "a.*.b[c]"],
    [{ kind: "index", collection: splat(a, (item) => ({ kind: "index", collection: item, key: b })), key: c }, "(a[*][b])[c]"],
    [{ kind: "tuple", elements: [variable("for", "x"), variable("for")] }, "[(for.x), for]"],
    [
      {
        kind: "object",
        items: [
          { key: { kind: "objectKey", wrapped: variable("for"), forceNonLiteral: false }, value: one },
          { key: { kind: "objectKey", wrapped: variable("null"), forceNonLiteral: false }, value: one },
          { key: { kind: "objectKey", wrapped: a, forceNonLiteral: true }, value: one },
        ],
      },
      '{\n  "for" = 1\n  null = 1\n  (a) = 1\n}',
    ],
    [template(text("a"), text("$"), text("{"), b), '"a$${${b}"'],
    [template(a), '" ${~ a}"'],
    [template(), '""'],
    [text("a\n"), '"a\\n"'],
    [
      { kind: "templateJoin", tuple: { kind: "for", valueName: "x", collection: a, value: variable("x"), group: false } },
      '"%{ for x in a }${x}%{ endfor }"',
    ],
    [literal(of(number, 0.1)), "0.1"],
    [literal(of(list(string), ["a", "${"])), '["a", "$${"]'],
    [literal(of(map(list(number)), { "a b": [1], for: [] })), '{\n  "a b" = [1]\n  "for" = []\n}'],
  ])("%j", ([node, printed], { expect }) => {
    expect(print(node)).toBe(printed);
    const { expression, diagnostics } = parseExpression(printed, "");
    expect(diagnostics).toEqual([]);
    expect(print(expression)).toBe(printed);
  });

  test("has attributes first without ranges, and new attributes beside parsed ones", ({ expect }) => {
    const { body } = parseConfig("a = 1\nb {\n}\nc = 2\n", "");
    const attributes = new Map<string, WithoutRanges<NonNullable<ReturnType<typeof body.attributes.get>>>>([
      ...body.attributes,
      ["d", { kind: "attribute", name: "d", expression: one }],
    ]);
    const block = { kind: "block", type: "e", labels: ['f"${'], body: { kind: "body", attributes: new Map(), blocks: [] } } as const;
    expect(print({ kind: "body", attributes, blocks: [...body.blocks, block] })).toBe(
      'a = 1\n\nb {\n}\n\nc = 2\nd = 1\n\ne "f\\"$${" {\n}\n',
    );
  });

  test.for<readonly [why: string, node: Node]>([
    ['"a b" as the name of a variable', variable("a b")],
    ['"1" as the name of an attribute', variable("a", "1")],
    ["a variable named true", variable("true")],
    ["a reference that does not start with a variable", { kind: "scopeTraversal", traversal: [{ kind: "attribute", name: "a" }] }],
    ["an unknown value", literal(unknown(string))],
    ["a marked value", literal(mark(of(string, "secret"), "sensitive"))],
    ["a value of type", literal(capsuleOf(capsule("c", {}), {}))],
    ["the element symbol of a splat outside of that splat", { kind: "anonymousSymbol" }],
    ["a splat whose element expression", splat(a, (item) => binary(item, "+", one))],
    ["the placeholder of a syntax error", { kind: "syntaxError", diagnostics: [] }],
    ["a for expression that groups", { kind: "for", valueName: "x", collection: a, value: b, group: true }],
    ["a call that expands", { kind: "functionCall", name: "f", arguments: [], expandFinal: true }],
    ["a number this large", parseExpression("1e20000", "").expression],
  ])("throws an error about %s", ([why, node], { expect }) => {
    expect(() => print(node)).toThrow(HclError);
    expect(() => print(node)).toThrow(expect.objectContaining({ code: "UNPRINTABLE", message: expect.stringContaining(why) }));
    expect(() => print(node)).not.toThrow("secret");
  });

  test("is printed at any depth of operators and chains", ({ expect }) => {
    for (const source of [
      `${"a||a&&a==a<a+a*(".repeat(400)}a${")".repeat(400)}`,
      `a${" + a".repeat(20_000)}`,
      `${"[{a=f(".repeat(160)}1${")}]".repeat(160)}`,
      Array.from({ length: 50 }).reduce<string>((inner) => `a[${inner}]${"[b]".repeat(400)}`, "a"),
    ]) {
      const printed = print(parseExpression(source, "").expression);
      expect(print(parseExpression(printed, "").expression)).toBe(printed);
    }
  });
});
