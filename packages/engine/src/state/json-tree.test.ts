// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, test } from "vitest";
import { formatJsonTree, parseJsonTree } from "./json-tree.ts";

describe("a JSON tree", () => {
  test("keeps every digit of a number", ({ expect }) => {
    const text = "[12345678901234567890,0.1234567890123456789,1e400,1.5,-0.30000000000000004,1E5,100000000000000000000000]";
    expect(formatJsonTree(parseJsonTree(text))).toBe(text);
  });

  test("is written with its names in byte order, also names that look like numbers", ({ expect }) => {
    const text = '{"10":1,"2":{"0":[],"a":{"100":null,"11":""}},"é":2}';
    expect(formatJsonTree(parseJsonTree(text))).toBe(text);
    expect(formatJsonTree(parseJsonTree('{"b":{"9":1,"10":2}}'), 2)).toBe('{\n  "b": {\n    "10": 2,\n    "9": 1\n  }\n}');
  });

  test("is written with the escapes of Go", ({ expect }) => {
    expect(formatJsonTree({ "<a>": "&\u2028\u2029\u0001é" })).toBe(String.raw`{"\u003ca\u003e":"\u0026\u2028\u2029\u0001é"}`);
  });

  test("is equal after a round trip", ({ expect }) => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.boolean(), (value, indented) => {
        const tree = parseJsonTree(JSON.stringify(value));
        expect(JSON.parse(formatJsonTree(tree, indented ? 2 : 0))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 500 },
    );
  });
});
