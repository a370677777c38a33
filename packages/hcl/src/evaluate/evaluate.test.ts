// SPDX-License-Identifier: Apache-2.0
import { bool, capsule, dynamic, goString, list, mark, number, objectOf, of, string, unknown, type Type, type Value } from "@tenon/cty";
import { defineFunction } from "@tenon/cty/function";
import { joinFunc, makeToFunc } from "@tenon/cty/stdlib";
import { describe, test } from "vitest";
import { parseExpression } from "../parse/parse.ts";
import { formatRange } from "../syntax/range.ts";
import { keywordOf } from "../analysis/static-expression.ts";
import { attributeOf, followPath, indexOf } from "./access.ts";
import { customDecoder, expressionClosureType, expressionType, nativeOf, type CustomDecoder } from "./custom-decoding.ts";
import { evaluate, type Evaluation } from "./evaluate.ts";
import { variables } from "../analysis/variables.ts";
import type { IndexExpression, TupleExpression } from "../syntax/expression.ts";
import { createScope, type AnchorPlace, type Scope } from "../syntax/scope.ts";
import type { Traversal } from "../syntax/traversal.ts";
import { canFunction, tryFunction } from "./try.ts";

const run = (source: string, scope?: Scope): Evaluation => evaluate(parseExpression(source, "main.tf").expression, scope);
const shown = ({ value }: Evaluation): string => goString(value);
const details = ({ diagnostics }: Evaluation): readonly string[] => diagnostics.map(({ detail }) => detail);

describe("a scope", () => {
  const outer = createScope({ variables: { a: of(string, "outer"), b: of(string, "b") }, functions: { join: joinFunc } });

  test("hides the names of its parent that it defines itself, and no others", ({ expect }) => {
    const inner = createScope({ variables: { a: of(string, "inner") } }, outer);
    expect(shown(run('"${a}${b}"', inner))).toBe('cty.StringVal("innerb")');
    expect(shown(run('join("", [a])', inner))).toBe('cty.StringVal("inner")');
  });

  test("accepts maps and objects, and ignores inherited properties", ({ expect }) => {
    expect(shown(run("x", createScope({ variables: new Map([["x", of(number, 1)]]) })))).toBe("cty.NumberIntVal(1)");
    expect(details(run("constructor", createScope({ variables: {} })))).toEqual(['There is no variable named "constructor".']);
    expect(details(run("toString()", createScope({ functions: {} })))).toEqual(['There is no function named "toString".']);
  });

  test("without a table differs from one with an empty table", ({ expect }) => {
    expect(details(run("x"))).toEqual(["Variables may not be used here."]);
    expect(details(run("x", createScope({ variables: {} })))).toEqual(['There is no variable named "x".']);
    expect(details(run("f()", createScope({ variables: {} })))).toEqual(["Functions may not be called here."]);
  });
});

describe("a diagnostic", () => {
  test("has the expression, its scope, and the called function", ({ expect }) => {
    const scope = createScope({ variables: { words: of(string, "x") }, functions: { join: joinFunc } });
    const [problem] = run('[for w in ["a"] : join(w, words)]', scope).diagnostics;
    expect(problem).toMatchObject({ summary: "Invalid function argument", extra: { kind: "functionCall", name: "join" } });
    expect(formatRange(problem!.subject!)).toBe("main.tf:1,27-32");
    expect(formatRange(problem!.expression!.range)).toBe("main.tf:1,27-32");
    expect([...problem!.scope!.variables!.keys()]).toEqual(["w"]);
    expect(problem!.scope!.parent).toBe(scope);
  });

  test("has the namespace of an unknown function", ({ expect }) => {
    const [problem] = run("provider::x::f()", createScope({ functions: {} })).diagnostics;
    expect(problem?.extra).toEqual({ kind: "unknownFunction", name: "f", namespace: "provider::x::" });
  });
});

describe("operators", () => {
  const named = createScope({
    variables: { t: of(bool, true), f: of(bool, false), u: unknown(bool), secret: mark(of(bool, true), "secret") },
  });

  test.for([
    ["t && t", "True"],
    ["t && f", "False"],
    ["f || f", "False"],
    ["f || t", "True"],
    ["!f", "True"],
    ["!secret", 'False.Mark("secret")'],
    ["secret && u", 'UnknownVal(cty.Bool).RefineNotNull().Mark("secret")'],
    ["u || t", "True"],
    ['"a" == "a"', "True"],
    ['"a" != "a"', "False"],
    ['1 == "1"', "False"],
    ["t == f", "False"],
    ["2 * 3 - 7 % 4 / 2", "NumberFloatVal(4.5)"],
    ["-(1 + 1)", "NumberIntVal(-2)"],
    ["1 < 2", "True"],
    ["2 >= 3", "False"],
  ] as const)("%s", ([source, expected], { expect }) => {
    expect(shown(run(source, named)).replace("cty.", "")).toBe(expected);
  });
});

describe("nesting depth", () => {
  test("is not limited for chains of operators", ({ expect }) => {
    const source = Array.from({ length: 20_000 }, () => "1").join(" + ");
    expect(shown(run(source))).toBe("cty.NumberIntVal(20000)");
  });

  test("beyond the limit is an error", ({ expect }) => {
    const inner = parseExpression("1", "main.tf").expression;
    let expression = inner;
    for (let level = 0; level < 100_000; level++) expression = { kind: "parentheses", inner: expression, range: inner.range };
    const { value, diagnostics } = evaluate(expression);
    expect(diagnostics.map(({ summary }) => summary)).toEqual(["Expression nested too deeply"]);
    expect(value.type).toBe(dynamic);
    // Each evaluation starts at depth 0.
    expect(shown(run("1"))).toBe("cty.NumberIntVal(1)");
  });

  test("includes evaluations by functions", ({ expect }) => {
    const self: { scope?: Scope; innermost?: readonly string[] } = {};
    const again = defineFunction({
      params: [{ name: "x", type: expressionClosureType }],
      type: number,
      impl: () => {
        const { value, diagnostics } = run("again(1)", self.scope);
        self.innermost ??= diagnostics.map(({ summary }) => summary);
        return value.type === number ? value : of(number, 1);
      },
    });
    self.scope = createScope({ functions: { again } });
    expect(shown(run("again(1)", self.scope))).toBe("cty.NumberIntVal(1)");
    expect(self.innermost).toEqual(["Expression nested too deeply"]);
  });
});

describe("nesting depth of values", () => {
  test.for([
    ["[", "]"],
    ["{ a = ", " }"],
    ["[for y in [", "] : y]"],
    ["tolist([", "])"],
  ] as const)("that expressions make of each other's with %s ends before the stack does", ([open, close], { expect }) => {
    const found = new Set<string | undefined>();
    let x = of(number, 1) as Value;
    for (let round = 0; round < 16; round++) {
      const language = createScope({ variables: { x }, functions: { tolist: makeToFunc(list(dynamic)) } });
      const { value, diagnostics } = run(`${open.repeat(100)}x${close.repeat(100)}`, language);
      found.add(diagnostics[0]?.summary);
      x = value.type === dynamic ? x : value;
      for (const source of ["x == x", "true ? x : 1", '"${x}"', "[x, x][*]", "x + 1"]) expect(() => run(source, language)).not.toThrow();
    }
    expect([...found]).toEqual([undefined, "Value nested too deeply"]);
  });

  test("is not exceeded within one expression", ({ expect }) => {
    const nested = (count: number, inner: string): string => `${"[".repeat(count)}${inner}${"]".repeat(count)}`;
    const deeper = Array.from({ length: 8 }, (_, at) => `[for x${at + 1} in ${nested(400 - 40 * at, `x${at}`)} : `);
    const source = `[for x0 in ${nested(400, "1")} : ${deeper.join("")}x8${"]".repeat(9)}`;
    expect(new Set(details(run(source)))).toEqual(new Set(["Values may be nested 1000 levels deep at most."]));
  });
});

describe("nested calls", () => {
  const language = createScope({ functions: { try: tryFunction, can: canFunction, join: joinFunc }, variables: { xs: unknown(dynamic) } });

  test("of try take time linear in their depth", ({ expect }) => {
    const nested = (count: number): string => `${"try(".repeat(count)}1${")".repeat(count)}`;
    expect(shown(run(nested(60), language))).toBe("cty.NumberIntVal(1)");
    expect(run(nested(400), language).diagnostics[0]?.summary).toBe("Error in function call");
  });

  test.for([
    ['join("", [', "])"],
    ["[for x in [", "] : x]"],
    ["{ a = ", " }"],
    ['"${', '}"'],
    ["true ? ", " : 1"],
    ["(", ")"],
  ] as const)("of %s fit on the stack as deep as they parse", ([open, close], { expect }) => {
    const { expression, diagnostics } = parseExpression(`${open.repeat(240)}"x"${close.repeat(240)}`, "main.tf");
    expect(diagnostics).toEqual([]);
    expect(() => evaluate(expression, language)).not.toThrow();
  });
});

describe("custom decoding", () => {
  test("passes the expression of an argument", ({ expect }) => {
    const wordOf = defineFunction({
      params: [{ name: "word", type: expressionType }],
      type: string,
      impl: ([word]) => of(string, keywordOf(nativeOf(word as Value<typeof expressionType>)) ?? "none"),
    });
    const scope = createScope({ functions: { word: wordOf } });
    expect(shown(run("word(anything)", scope))).toBe('cty.StringVal("anything")');
    expect(shown(run("word(a.b)", scope))).toBe('cty.StringVal("none")');
  });

  test("reports errors of a decoder instead of calling the function", ({ expect }) => {
    const refuse: CustomDecoder = ({ range }) => ({
      diagnostics: [{ severity: "error", summary: "No", detail: "Not this.", subject: range }],
    });
    const refused: Type = capsule("refused", { extensionData: (key) => (key === customDecoder ? refuse : undefined) });
    const never = defineFunction({
      params: [{ name: "x", type: refused }],
      type: string,
      impl: () => {
        throw new Error("called");
      },
    });
    expect(details(run("never(1)", createScope({ functions: { never } })))).toEqual(["Not this."]);
  });
});

describe("access by an application", () => {
  test("follows the rules of the language", ({ expect }) => {
    const value = run('{ a = [{ b = "x" }] }').value;
    expect(shown(attributeOf(value, "a"))).toContain("TupleVal");
    expect(details(indexOf(attributeOf(value, "a").value, of(string, "q")))[0]).toContain("a number is required");
    const path = [
      { kind: "attribute", name: "a" },
      { kind: "index", key: of(string, "0") },
      { kind: "attribute", name: "b" },
    ] as const;
    expect(shown(followPath(value, path))).toBe('cty.StringVal("x")');
    expect(details(followPath(unknown(string), path))).toEqual(["Can't access attributes on a primitive-typed value (string)."]);
  });
});

describe("anchors", () => {
  const { expression } = parseExpression("[a.b.c, a.b.missing, list[k].id, [for a in [1] : a], a.b.c]", "main.tf");
  const traversals = variables(expression);
  const index = (expression as TupleExpression).elements
    .map((element) => (element.kind === "relativeTraversal" ? element.source : element))
    .find((element) => element.kind === "index")!;
  const scope = (values: readonly Value[]): Scope => ({
    variables: new Map([["a", of(string, "a")]]),
    anchors: {
      places: new Map<Traversal | IndexExpression, AnchorPlace>([
        [traversals[0]!, { position: 0, steps: 3 }],
        [traversals[1]!, { position: 1, steps: 2 }],
        [index, { position: 2, steps: 0 }],
      ]),
      values,
    },
  });
  const object = (name: string, value: Value): Value => objectOf(new Map([[name, value]]));

  test("give a value to the references at their positions only", ({ expect }) => {
    const { value, diagnostics } = evaluate(
      expression,
      scope([of(string, "first"), object("missing", of(number, 2)), object("id", of(number, 3))]),
    );
    // The last element is written as the first one, at a place without an anchor.
    expect(diagnostics.map(({ detail }) => detail)).toEqual(["Can't access attributes on a primitive-typed value (string)."]);
    expect(goString(value).replaceAll("cty.", "")).toBe(
      'TupleVal([]Value{StringVal("first"), NumberIntVal(2), NumberIntVal(3), TupleVal([]Value{NumberIntVal(1)}), DynamicVal})',
    );
  });

  test("do not change the ranges of diagnostics", ({ expect }) => {
    const { diagnostics } = evaluate(expression, scope([of(string, "first"), object("other", of(number, 2)), object("id", of(number, 3))]));
    expect(diagnostics.map(({ summary, subject }) => `${formatRange(subject!)} ${summary}`)).toEqual([
      "main.tf:1,12-20 Unsupported attribute",
      "main.tf:1,55-57 Unsupported attribute",
    ]);
  });
});
