// SPDX-License-Identifier: Apache-2.0
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { createReport, failureLines, tryCases } from "./differential.ts";
import type { Strictness } from "./judge.ts";
import { openOracle } from "./oracle.ts";

const everyArea: readonly string[] = ["values", "convert", "functions", "json", "msgpack", "numbers"];

/** What `npm run fuzz` does, where nothing may be left out; elsewhere it would make the tests slow. */
const isGate = process.env["TENON_PEERS"] === "required";

/** The same cases every time: a gate says of the same sources the same. Fresh ones are `npm run fuzz`'s. */
const seed = 4;

describePeer(["cty-oracle"], "twenty thousand cases beside go-cty", () => {
  test.for<[string, readonly string[], number, Strictness]>([
    ["cty", everyArea, 20_000, "words"],
    ["cty-malformed", ["malformed"], 5_000, "verdict"],
  ])("%s", { timeout: 300_000 }, async ([name, areas, cases, strictness], { expect, skip }) => {
    if (!isGate) skip("only with TENON_PEERS=required; `npm run fuzz` tries fresh cases at any time");
    const oracles = { quick: await openOracle(), thorough: await openOracle({ repeats: 400 }) };
    const report = createReport(strictness);
    for (const area of areas) await tryCases(oracles, report, area, seed, 0, Math.ceil(cases / areas.length));
    const failures = await failureLines(oracles, report, seed, `npm run fuzz -- ${name}`);
    oracles.quick.close();
    oracles.thorough.close();
    console.log([`seed ${seed}`, ...report.distribution.rows()].join("\n"));
    expect(failures.join("\n")).toBe("");
  });
});
