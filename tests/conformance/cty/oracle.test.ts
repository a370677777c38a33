// SPDX-License-Identifier: Apache-2.0
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, test } from "vitest";
import { makeCase } from "./generate/areas.ts";
import type { OracleResult, Case } from "./notation.ts";
import { openOracle, type Oracle } from "./oracle.ts";
import { readVectors } from "./vector-file.ts";

describePeer(["cty-oracle"], "the oracle", () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await openOracle();
  });
  afterAll(() => oracle.close());

  const ask = async (op: string, ...args: Case["args"]): Promise<OracleResult> => (await oracle.ask([{ op, args }]))[0]!;

  test("has the versions that the vectors were generated with", ({ expect }) => {
    const { oracle: recorded } = readVectors("values").header;
    for (const name of ["go-cty", "unicode", "normalization", "textseg", "msgpack"]) expect(oracle.header[name], name).toBe(recorded[name]);
  });

  test.for<[string, Case["args"]]>([
    ["value.self", [{ t: "string", v: "a", extra: 1 }]],
    ["value.self", [{ t: "number", v: { n: "1", prec: 512 } }]],
    ["value.self", [{ t: "number", v: { n: "0.1", p: 512, x: "0x.8p+1" } }]],
    ["value.self", [{ t: "number", v: { x: "0x.80000001p+1", p: 8 } }]],
    ["value.self", [{ t: "string", v: { $: "unknown", r: { notNull: true } } }]],
    ["value.self", [{ t: ["object", { a: "string" }], v: [] }]],
    ["value.self", [{ t: "string", v: { $: "typed", t: "string", v: "a" } }]],
    ["value.add", [{ t: "number", v: { n: "1" } }]],
    ["value.nope", []],
  ])("rejects arguments that are invalid in its notation: %s %j", async ([op, args], { expect }) => {
    expect(await ask(op, ...args)).toHaveProperty("refused");
  });

  test("reports answers that vary between repetitions", async ({ expect }) => {
    const object = (a: Case["args"][0], b: string): Case["args"][0] => ({
      t: ["object", { a: "number", b: "string" }],
      v: [
        ["a", a!],
        ["b", b],
      ],
    });
    expect(await ask("value.equals", object({ $: "unknown" }, "x"), object({ n: "1" }, "y"))).toHaveProperty("varies");
  });

  test("skips a case that would allocate gigabytes, and runs the others", async ({ expect }) => {
    const huge: Case = { op: "msgpack.unmarshal", args: ["ddffffffff", ["list", "string"]] };
    const answers = await oracle.ask([{ op: "num.parse", args: ["1"] }, huge, { op: "num.parse", args: ["2"] }]);
    expect(answers.map((answer) => Object.keys(answer)[0])).toEqual(["ok", "unasked", "ok"]);
  });

  test("survives a case that crashes go-cty", async ({ expect }) => {
    const deep: Case = { op: "json.impliedType", args: ["[".repeat(9000)] };
    const wide: Case = {
      op: "fn.indent",
      args: [
        { t: "number", v: { n: "3000000000", p: 64 } },
        { t: "string", v: "a\nb" },
      ],
    };
    const answers = await oracle.ask([{ op: "num.parse", args: ["1"] }, deep, wide, { op: "num.parse", args: ["2"] }]);
    expect(answers.map((answer) => Object.keys(answer)[0])).toEqual(["ok", "err", "died", "ok"]);
  });
});

test("makeCase returns the same case for the same seed and index", ({ expect }) => {
  for (const area of ["values", "numbers", "convert", "functions", "json", "msgpack", "malformed"]) {
    expect(makeCase(area, 7, 123)).toEqual(makeCase(area, 7, 123));
    expect(makeCase(area, 7, 123)).not.toEqual(makeCase(area, 8, 123));
  }
});
