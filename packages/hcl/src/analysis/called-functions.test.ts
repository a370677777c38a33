// SPDX-License-Identifier: Apache-2.0
import { list, object, string } from "@tenon/cty";
import { describe, test } from "vitest";
import { nativeBody } from "../body/native-body.ts";
import type { Body } from "../body/body.ts";
import { blocksAsAttributes } from "../decode/blocks-as-attributes.ts";
import { specFunctions, specVariables } from "../decode/spec-variables.ts";
import type { Spec } from "../decode/spec.ts";
import { dynamicFunctions, expansionFunctions } from "../dynamic-block/dynamic-variables.ts";
import { parseJson, parseJsonExpression } from "../json/parse.ts";
import { parseConfig, parseExpression, parseTemplate } from "../parse/parse.ts";
import { formatRange } from "../syntax/range.ts";
import { rootName } from "../syntax/traversal.ts";
import type { CalledFunction } from "../syntax/called-function.ts";
import { calledFunctions } from "./called-functions.ts";

const described = (all: readonly CalledFunction[]): readonly string[] => all.map(({ name, range }) => `${name} ${formatRange(range)}`);
const names = (all: readonly CalledFunction[]): readonly string[] => all.map(({ name }) => name);
const bodyOf = (source: string): Body => nativeBody(parseConfig(source, "m").body);

describe("calledFunctions", () => {
  test("finds the calls in every kind of expression, with their ranges", ({ expect }) => {
    const { expression } = parseExpression("provider::x::f(a(), [for b in c(b) : { (d()) = e() } if g()][*].h[i()]...)", "m");
    expect(described(calledFunctions(expression))).toEqual([
      "provider::x::f m:1,1-15",
      "a m:1,16-17",
      "c m:1,31-32",
      "d m:1,41-42",
      "e m:1,48-49",
      "g m:1,57-58",
      "i m:1,67-68",
    ]);
    const template = parseTemplate("${a()}%{ if b() }%{ for c in d() }${e()}%{ endfor }%{ endif }", "m").expression;
    expect(names(calledFunctions(template))).toEqual(["a", "b", "d", "e"]);
  });

  test("finds calls in strings and member names of JSON", ({ expect }) => {
    const { expression } = parseJsonExpression('{"${a()}": ["x", "${b::c(d())}"], "e": "${"}', "m");
    expect(described(calledFunctions(expression))).toEqual(["a m:1,5-6", "b::c m:1,21-25", "d m:1,26-27"]);
  });

  test("accepts chains of operators of any length", ({ expect }) => {
    expect(calledFunctions(parseExpression(Array.from({ length: 20_000 }, () => "f()").join(" + "), "m").expression)).toHaveLength(20_000);
  });
});

describe("calls in bodies", () => {
  const spec: Spec = {
    kind: "object",
    specs: {
      a: { kind: "attribute", name: "a", type: string },
      b: { kind: "blockList", type: "b", nested: { kind: "attribute", name: "c", type: string } },
      d: { kind: "blockAttributes", type: "d", elementType: string },
      e: { kind: "expression", expression: parseExpression("inspec()", "spec").expression },
    },
  };
  const source = 'a = f(x)\nother = no()\nb {\n  c = g(y)\n}\nd {\n  k = h()\n  i = "${j()}"\n}\n';

  test("are found only in the parts that the spec decodes", ({ expect }) => {
    expect(names(specFunctions(bodyOf(source), spec))).toEqual(["f", "g", "h", "j", "inspec"]);
    const { body } = parseJson('{"a": "${f(x)}", "b": {"c": "${g()}"}, "other": "${no()}"}', "m");
    expect(names(specFunctions(body, spec))).toEqual(["f", "g", "inspec"]);
  });

  test("are found in dynamic blocks, all or only those for the expansion", ({ expect }) => {
    const dynamic = bodyOf('a = f()\ndynamic "b" {\n  for_each = g()\n  labels = [h()]\n  content {\n    c = i(b.value)\n  }\n}\n');
    expect(names(dynamicFunctions(dynamic, spec))).toEqual(["f", "g", "h", "i"]);
    expect(names(expansionFunctions(dynamic, spec))).toEqual(["g", "h"]);
  });

  test("are found with references in nested blocks that stand for attributes", ({ expect }) => {
    const inner = object({ name: string });
    const schema = { attributes: { outer: list(object({ inner: list(inner) })) } };
    const body = blocksAsAttributes(bodyOf("outer {\n  inner {\n    name = f(x)\n  }\n}\n"), schema);
    const attribute: Spec = { kind: "attribute", name: "outer", type: schema.attributes.outer };
    expect(names(specFunctions(body, attribute))).toEqual(["f"]);
    expect(specVariables(body, attribute).map(rootName)).toEqual(["x"]);
  });
});
