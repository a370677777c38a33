// SPDX-License-Identifier: Apache-2.0
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, test } from "vitest";
import type { OracleResult, Case, Json, TypeNotation } from "./notation.ts";
import { openOracle, type Oracle } from "./oracle.ts";
import { string } from "./picked/build.ts";
import { ownResult } from "./subject/index.ts";

/** An object type with an optional attribute that is an object with an optional attribute. */
const nested: TypeNotation = ["object", { k: ["object", { a: "string" }, ["a"]] }, ["k"]];
const withOptional: TypeNotation = ["object", { a: "string" }, ["a"]];
const plain: TypeNotation = ["object", { a: "string" }];

const convert = (t: TypeNotation, v: Json, to: TypeNotation): Case => ({ op: "convert", args: [{ t, v }, to] });
const decode = (bytes: string, type: TypeNotation): Case => ({ op: "msgpack.unmarshal", args: [bytes, type] });
const regex = (pattern: string): Case => ({ op: "fn.regex", args: [string(pattern), string("a")] });
const unknownList = (r: Readonly<Record<string, Json>>): Json => ({ t: ["list", "string"], v: { $: "unknown", r } });

/** Cases whose answers must equal go-cty's exactly, including paths and messages that `judge` does not compare strictly. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  "drops optional attributes in the null of a map's element": [
    convert(["map", ["map", "string"]], [["b", []]], ["map", nested]),
    convert(["map", ["map", ["map", "string"]]], [["b", [["c", []]]]], ["map", ["map", nested]]),
    convert(["object", { z: ["map", "string"] }], [["z", []]], ["map", nested]),
  ],
  "drops optional attributes in the null of a tuple's element": [
    convert(["tuple", [["map", "string"]]], [[]], ["list", nested]),
    convert(["tuple", [["object", {}]]], [[]], ["list", nested]),
    convert(["tuple", [withOptional]], [{ $: "null" }], ["list", withOptional]),
    convert(["tuple", [withOptional]], [{ $: "null" }], ["set", withOptional]),
  ],
  "converts to a set of objects with optional attributes": [
    convert(["tuple", [withOptional, plain]], [{ $: "null" }, [["a", "x"]]], ["set", withOptional]),
    convert(["set", withOptional], [{ $: "null" }], ["set", withOptional]),
    convert(
      ["set", ["object", { a: "string", b: withOptional }]],
      [
        [
          ["a", "x"],
          ["b", { $: "null" }],
        ],
      ],
      ["set", ["object", { a: "string", b: withOptional }, ["a"]]],
    ),
  ],
  "has go-cty's path for elements without a common type": [
    convert(
      ["tuple", [plain, ["object", { a: ["tuple", ["string"]] }]]],
      [[["a", "x"]], [["a", ["y"]]]],
      ["list", ["object", { a: "dynamic" }]],
    ),
    convert(
      ["object", { p: plain, q: ["object", { a: ["tuple", ["string"]] }] }],
      [
        ["p", [["a", "x"]]],
        ["q", [["a", ["y"]]]],
      ],
      ["map", ["object", { a: "dynamic" }]],
    ),
  ],
  "has no path in the error of a conversion function": [
    { op: "fn.tolist", args: [{ t: ["tuple", ["string", ["tuple", ["string"]]]], v: ["x", ["y"]] }] },
    {
      op: "fn.tolist",
      args: [{ t: ["tuple", [plain, ["object", { a: ["tuple", ["string"]] }]]], v: [[["a", "x"]], [["a", ["y"]]]] }],
    },
    { op: "fn.tonumber", args: [string("x")] },
  ],
  "has go-cty's path for truncated msgpack": [
    ...["82a16101", "82a16101a1", "81", "81a1", "81a161"].map((bytes) => decode(bytes, ["map", "number"])),
    decode("81a16191", ["map", ["list", "number"]]),
    ...["91", "9201", "dc0002", "dc00"].map((bytes) => decode(bytes, ["list", "number"])),
    decode("9201", ["tuple", ["number", "number"]]),
    decode("de00", ["map", "number"]),
    ...["81", "81a1", "81a161"].map((bytes) => decode(bytes, ["object", { a: "number" }])),
    ...["82a16101", "82a16101a1"].map((bytes) => decode(bytes, ["object", { a: "number", b: "number" }])),
  ],
  "treats two normal forms of a JSON property name as one attribute": [
    { op: "json.impliedType", args: ['{"\u00e9":1,"e\u0301":2}'] },
    { op: "json.impliedType", args: ['{"\u00e9":1,"e\u0301":"x"}'] },
    { op: "json.impliedType", args: ['{"e\u0301":1,"e\u0301":"x"}'] },
  ],
  "quotes the original pattern in an error": [
    ..."\\x\\p{L} \\x4\\p{Greek} (?i\\p{Greek}) \\x\\P{Lu} \\pN\\x\\pL a\\x\\p{Greek}b [z-a\\p{Greek}] \\p{Greek}{1001}"
      .split(" ")
      .map(regex),
    { op: "fn.regexreplace", args: [string("a"), string("\\x\\p{L}"), string("a")] },
  ],
  "holds length bounds up to 2^63-1": [
    { op: "value.gostring", args: [unknownList({ lenMin: "9223372036854775807" })] },
    { op: "value.gostring", args: [unknownList({ lenMin: "3", lenMax: "9223372036854775807" })] },
    { op: "value.length", args: [unknownList({ lenMin: "9223372036854775807", lenMax: "9223372036854775807" })] },
    { op: "msgpack.marshal", args: [unknownList({ lenMin: "9223372036854775807" }), ["list", "string"]] },
    { op: "value.rawEquals", args: [unknownList({ lenMax: "9223372036854775807" }), unknownList({ lenMin: "0" })] },
  ],
};

describePeer(["cty-oracle"], "exact answers", () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await openOracle();
  });
  afterAll(() => oracle.close());

  test.for(Object.entries(cases))("%s", async ([, input], { expect }) => {
    const answers = await oracle.ask(input, true);
    for (const [index, one] of input.entries()) {
      const theirs = answers[index]!;
      const possible = "varies" in theirs ? theirs.varies : [theirs];
      expect(possible.map(withoutEmptyPath), JSON.stringify(one)).toContainEqual(withoutEmptyPath(ourAnswer(one)));
    }
  });
});

function ourAnswer(input: Case): OracleResult {
  const ours = ownResult(input)!;
  if ("ok" in ours) return { ok: ours.ok };
  return "err" in ours ? { err: ours.err } : { panic: ours.crash };
}

/** Removes an empty path from an error, which means the same as no path. */
function withoutEmptyPath(answer: OracleResult): OracleResult {
  if (!("err" in answer) || (answer.err.path ?? []).length > 0) return answer;
  const { path: _, ...rest } = answer.err;
  return { err: rest };
}
