// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, test } from "vitest";
import { typedValues } from "../../test/arbitrary.ts";
import {
  bool,
  capsule,
  capsuleOf,
  dynamic,
  list,
  map,
  mark,
  number,
  object,
  of,
  optional,
  same,
  set,
  string,
  tuple,
  unknown,
  type CtyError,
  type Type,
  type Value,
} from "../index.ts";
import { decode, encode, fromTree, parseTree, toTree, type Tree } from "./index.ts";

function failureOf(run: () => unknown): { readonly message: string; readonly path: unknown } | undefined {
  try {
    run();
  } catch (error) {
    const { message, path } = error as CtyError;
    return { message, path };
  }
  return undefined;
}

/** Values that JSON can represent. */
const jsonValues = typedValues({ unknown: false }).filter((value) => failureOf(() => encode(value, value.type)) === undefined);

describe("toTree", () => {
  test("returns what JSON.parse returns for the encoded value", ({ expect }) => {
    fc.assert(
      fc.property(jsonValues, fc.boolean(), (value, open) => {
        const type = open ? dynamic : value.type;
        expect(parseTree(JSON.stringify(toTree(value, type)))).toEqual(parseTree(encode(value, type)));
      }),
    );
  });

  test("keeps every digit of a number", ({ expect }) => {
    const value = decode("[1e21, 0.1000000000000000000001, 123456789012345678901234567890, -0, 1e-7, 0.5]", list(number));
    expect(JSON.stringify(toTree(value, list(number)))).toBe(
      "[1000000000000000000000,0.1000000000000000000001,123456789012345678901234567890,-0,0.0000001,0.5]",
    );
  });

  test.for<[Value, Type]>([
    [of(list(string), ["a", mark(of(string, "b"), "m")]), list(string)],
    [of(object({ a: string }), { a: unknown(string) }), object({ a: string })],
    [of(list(number), [Infinity]), list(number)],
    [of(list(number), [Infinity]), dynamic],
    [of(map(list(number)), { a: [1], b: [Infinity] }), map(list(number))],
    [of(set(number), [-Infinity]), set(number)],
    [of(tuple(string, number), ["a", Infinity]), tuple(string, number)],
    [capsuleOf(capsule<string>("blob"), "x"), capsule("blob")],
    [of(number, 1), string],
  ])("rejects %o with the error of encode", ([value, type], { expect }) => {
    const error = failureOf(() => toTree(value, type));
    expect(error).toBeDefined();
    expect(error).toEqual(failureOf(() => encode(value, type)));
  });

  test("uses the JSON of a capsule", ({ expect }) => {
    const blob = capsule<string>("blob", {
      toJson: (native) => JSON.stringify({ native }),
      fromJson: (text) => (JSON.parse(text) as { native: string }).native,
    });
    const tree = toTree(capsuleOf(blob, "x"), blob);
    expect(tree).toEqual({ native: "x" });
    expect(fromTree(tree, blob).payload).toMatchObject({ native: "x" });
  });
});

describe("fromTree", () => {
  test("returns the value that decode returns", ({ expect }) => {
    fc.assert(
      fc.property(jsonValues, fc.boolean(), (value, open) => {
        const type = open ? dynamic : value.type;
        const text = encode(value, type);
        const decoded = decode(text, type);
        const read = fromTree(parseTree(text), type);
        expect(read.type).toBe(decoded.type);
        expect(same(read, decoded)).toBe(true);
        expect(encode(read, type)).toBe(text);
      }),
    );
  });

  test("sets missing attributes to null, and skips other attributes with ignoreUndefinedAttributes", ({ expect }) => {
    const type = object({ a: string, b: optional(number) });
    const read = fromTree({ a: "x", c: true }, type, { ignoreUndefinedAttributes: true });
    expect(same(read, decode('{"a":"x","c":true}', type, { ignoreUndefinedAttributes: true }))).toBe(true);
  });

  test("reads numbers and booleans as strings, and strings as numbers and booleans", ({ expect }) => {
    for (const [text, type] of [
      ['"1.50"', number],
      ["1.5", string],
      ["true", string],
      ['"true"', bool],
    ] as const) {
      expect(same(fromTree(parseTree(text), type), decode(text, type))).toBe(true);
    }
  });

  test.for<[string, Type]>([
    ["1", list(string)],
    ["[true, {}]", list(string)],
    ['{"a": []}', map(number)],
    ['{"a": "x"}', map(number)],
    ["[1]", tuple(number, number)],
    ["[1, 2, 3]", tuple(number, number)],
    ['[[1], "x"]', tuple(list(bool), string)],
    ['{"a": {"b": 1}}', object({ a: object({ c: string }) })],
    ["[]", object({})],
    ["1e400", map(string)],
    ['"yes"', bool],
    ["1", bool],
    ['{"value": 1}', dynamic],
    ['{"type": "string"}', dynamic],
    ['{"type": "string", "value": 1, "more": 2}', dynamic],
    ['{"type": "nope", "value": 1}', dynamic],
    ['[{"type": "string", "value": "a"}, {"type": "number", "value": 1}]', list(dynamic)],
  ])("rejects %s for %o with the error of decode", ([text, type], { expect }) => {
    const error = failureOf(() => fromTree(parseTree(text), type));
    expect(error).toBeDefined();
    expect(error).toEqual(failureOf(() => decode(text, type)));
  });

  test("rejects more than 1000 nested levels", ({ expect }) => {
    let tree: Tree = [];
    for (let depth = 0; depth < 1100; depth++) tree = { type: "dynamic", value: tree };
    expect(() => fromTree(tree, dynamic)).toThrow("nested more than 1000 levels deep");
  });
});

describe("parseTree", () => {
  test("keeps the digits that a double loses, and no others", ({ expect }) => {
    const text = '{"a":[0.1,1e-400,1234567890123456789,-0.10000000000000000001],"b":"12345678901234567890","1e999":1e999}';
    expect(JSON.stringify(parseTree(text))).toBe(
      '{"a":[0.1,1e-400,1234567890123456789,-0.10000000000000000001],"b":"12345678901234567890","1e999":1e999}',
    );
    expect(parseTree("[0.1, 123]")).toEqual([0.1, 123]);
  });

  test("finds every number that JSON.parse rounds", ({ expect }) => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: -400, max: 400 }), (digits, exponent) => {
        const text = `[${digits}e${exponent},${digits}.${exponent < 0 ? -exponent : exponent}]`;
        expect(same(fromTree(parseTree(text), list(number)), decode(text, list(number)))).toBe(true);
      }),
    );
  });
});
