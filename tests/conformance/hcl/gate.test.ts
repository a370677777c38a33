// SPDX-License-Identifier: Apache-2.0
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, test } from "vitest";
import type { OracleResult, Json } from "../cty/notation.ts";
import { openOracle, type Oracle } from "../cty/oracle.ts";
import { openOracles, Report, reportLines, tryCases } from "./fuzz.ts";
import { areas, makeCase } from "./generate/areas.ts";

/** Whether to run the 20,000 cases: only where peers are required, because they take minutes. */
const isGate = process.env["TENON_PEERS"] === "required";

/** Fixed seed, so that every run compares the same cases. `npm run fuzz` uses fresh seeds. */
const seed = 7;

describePeer(["hcl-oracle"], "generated cases", () => {
  test("twenty thousand answers equal those of the HCL library for Go", { timeout: 600_000 }, async ({ expect, skip }) => {
    if (!isGate) skip("only with TENON_PEERS=required; `npm run fuzz -- hcl` tries fresh cases at any time");
    const oracles = await openOracles();
    const report = new Report();
    const names = Object.keys(areas);
    for (const area of names) await tryCases(oracles, report, area, seed, 0, Math.ceil(20_000 / names.length));
    const lines = await reportLines(oracles, report, seed);
    oracles.quick.close();
    oracles.thorough.close();
    oracles.patient.close();
    console.log([`seed ${seed}`, ...lines].join("\n"));
    expect(report.failed).toBe(0);
    expect(report.passed).toBeGreaterThanOrEqual(20_000);
    // Require a balance of cases with and without diagnostics.
    const share = (report.kinds.get("with diagnostics") ?? 0) / report.passed;
    expect(share).toBeGreaterThan(0.25);
    expect(share).toBeLessThan(0.75);
    expect(report.summaries.size).toBeGreaterThan(100);
  });
});

describePeer(["hcl-oracle"], "the oracle", () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await openOracle({ peer: "hcl-oracle", repeats: 8 });
  });
  afterAll(() => oracle.close());

  test.for<[string, readonly Json[]]>([
    ["evaluate", ["native", "1"]],
    ["evaluate", ["hcl", "1", null]],
    ["evaluate", ["native", "1", []]],
    ["evaluate", ["native", "1", [{ vars: [] }]]],
    ["evaluate", ["native", "1", [{ functions: ["nope"] }]]],
    ["evaluate", ["native", { text: "1" }, null]],
    ["content", ["native", "", [{ attribute: [] }]]],
    ["content", ["native", "", []]],
    ["content", ["template", "", [{}]]],
    ["decode", ["native", "", { kind: "attribute", name: "a", type: "string", optional: true }, null]],
    ["decode", ["native", "", { kind: "nope" }, null]],
    ["typeexpr.apply", ["string(", { t: "string", v: "a" }]],
    ["nope", []],
  ])("rejects arguments that are invalid in its notation: %s %j", async ([op, args], { expect }) => {
    expect((await oracle.ask([{ op, args }]))[0]).toHaveProperty("refused");
  });

  test("accepts bytes that are invalid UTF-8", async ({ expect }) => {
    const [answer] = await oracle.ask([{ op: "parse.expression", args: [{ hex: "22ff22" }] }]);
    expect(JSON.stringify(answer)).toContain("Invalid character encoding");
  });

  test("reports answers that vary between repetitions", async ({ expect }) => {
    const variables = ["aa", "ab", "ac"].map((name): Json => [name, { t: "bool", v: true }]);
    const input = Array.from({ length: 20 }, () => ({ op: "evaluate", args: ["native", "ad", [{ variables }]] as Json[] }));
    const answers: readonly OracleResult[] = await oracle.ask(input);
    expect(answers.some((answer) => "varies" in answer)).toBe(true);
  });
});

test("makeCase returns the same case for the same seed and index", ({ expect }) => {
  for (const area of Object.keys(areas)) {
    const cases = (seed: number): unknown => Array.from({ length: 5 }, (_, index) => makeCase(area, seed, 100 + index).input);
    expect(cases(7)).toEqual(cases(7));
    expect(cases(7)).not.toEqual(cases(8));
  }
});
