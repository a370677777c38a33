// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { parseConfig } from "../parse/parse.ts";
import { attributeAt, blocksAt, expressionAt, outermostExpressionAt } from "./at-position.ts";

describe("the nodes at an offset", () => {
  const source = 'a = 1\nb "c" {\n  d {\n    é = f(g.h, "x ${i}")\n  }\n}\n';
  const { body } = parseConfig(source, "");
  const at = (text: string): number => Buffer.byteLength(source.slice(0, source.indexOf(text)));

  test("include all enclosing blocks, the outermost first", ({ expect }) => {
    expect(blocksAt(body, at("a")).map(({ type }) => type)).toEqual([]);
    expect(blocksAt(body, at('"c"')).map(({ type }) => type)).toEqual(["b"]);
    expect(blocksAt(body, at("g.h")).map(({ type }) => type)).toEqual(["b", "d"]);
  });

  test("include the attribute, also at its name", ({ expect }) => {
    expect(attributeAt(body, at("a"))?.name).toBe("a");
    expect(attributeAt(body, at("é"))?.name).toBe("é");
    expect(attributeAt(body, at("i}"))?.name).toBe("é");
    expect(attributeAt(body, at("d {"))).toBeUndefined();
  });

  test("include the outermost and the innermost expression", ({ expect }) => {
    expect(outermostExpressionAt(body, at("i}"))?.kind).toBe("functionCall");
    expect(outermostExpressionAt(body, at("é"))).toBeUndefined();
    expect(expressionAt(body, at("g.h"))?.kind).toBe("scopeTraversal");
    expect(expressionAt(body, at("i}"))?.kind).toBe("scopeTraversal");
    expect(expressionAt(body, at("x "))?.kind).toBe("literal");
    expect(expressionAt(body, at("f("))?.kind).toBe("functionCall");
    expect(expressionAt(body, source.length + 5)).toBeUndefined();
  });
});
