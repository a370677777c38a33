// SPDX-License-Identifier: Apache-2.0
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { createReport, failureLines, tryCases } from "./differential.ts";
import type { Strictness } from "./judge.ts";
import { openOracle } from "./oracle.ts";

const everyArea: readonly string[] = ["values", "convert", "functions", "json", "msgpack", "numbers"];

/** Whether to run the generated cases: only where peers are required, because they take minutes. */
const isGate = process.env["TENON_PEERS"] === "required";

/** A new seed for each run. Each failure is printed with the command that reproduces it. */
const seed = Math.floor(Math.random() * 2 ** 32);

describePeer(["cty-oracle"], "generated cases give go-cty's answers", () => {
  test.for<[string, readonly string[], number, Strictness]>([
    ["cty", everyArea, 20_000, "words"],
    ["cty-malformed", ["malformed"], 5_000, "verdict"],
  ])("%s", { timeout: 300_000 }, async ([name, areas, cases, strictness], { expect, skip }) => {
    if (!isGate) skip("only with TENON_PEERS=required; `npm run fuzz` tries fresh cases at any time");
    console.log(`seed ${seed}`);
    const oracles = { quick: await openOracle({ repeats: 2 }), thorough: await openOracle({ repeats: 400 }) };
    const report = createReport(strictness);
    for (const area of areas) await tryCases(oracles, report, area, seed, 0, Math.ceil(cases / areas.length));
    const failures = await failureLines(oracles, report, seed, `npm run fuzz -- ${name}`);
    oracles.quick.close();
    oracles.thorough.close();
    console.log(report.distribution.rows().join("\n"));
    expect(failures.join("\n")).toBe("");
  });
});
