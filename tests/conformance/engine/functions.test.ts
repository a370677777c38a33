// SPDX-License-Identifier: Apache-2.0
// Compares the engine's functions with OpenTofu's: their names, their parameters, and the results of random calls.
import { isDeepStrictEqual } from "node:util";
import { createFunctionTable, processEnvironment } from "@tenon/engine/functions";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { createReport, failureLines, tryCases } from "../cty/differential.ts";
import { openOracle } from "../cty/oracle.ts";
import { engineFunctionOperations } from "./function-subject.ts";

/** Functions that the oracle lacks: those of expressions, and those whose results do not depend only on their arguments. */
const absentFromOracle: ReadonlySet<string> = new Set(["try", "can", "timestamp", "plantimestamp", "uuid", "bcrypt"]);

/** Whether all peers are required. Only then does this test run random calls, which are slow; `npm run fuzz` runs them at any time. */
const isPeerRequired = process.env["TENON_PEERS"] === "required";

describePeer(["engine-oracle"], "functions beside OpenTofu", () => {
  test("have the names and the parameters of OpenTofu's", async ({ expect }) => {
    const oracle = await openOracle({ peer: "engine-oracle", repeats: 1 });
    try {
      const ours = [...createFunctionTable(processEnvironment()).keys()];
      const [listed] = await oracle.ask([{ op: "opentofu", args: [] }]);
      expect(listed !== undefined && "ok" in listed && (listed.ok as string[]).sort()).toEqual(ours.sort());
      const signatures = ours
        .filter((name) => !absentFromOracle.has(name.replace("core::", "")))
        .map((name) => ({ op: `opentofu.${name}.signature`, args: [] }));
      const answers = await oracle.ask(signatures);
      const different = signatures.filter(({ op }, index) => !isDeepStrictEqual({ ok: engineFunctionOperations[op]!() }, answers[index]));
      // The engine follows go-cty 1.19, and OpenTofu 1.12 uses go-cty 1.18.
      const newerInCty = ["contains"].flatMap((name) => [`opentofu.${name}.signature`, `opentofu.core::${name}.signature`]);
      expect(different.map(({ op }) => op).sort()).toEqual(newerInCty.sort());
    } finally {
      oracle.close();
    }
  });

  test("return the same for random calls", { timeout: 300_000 }, async ({ expect, skip }) => {
    if (!isPeerRequired) skip("only with TENON_PEERS=required; `npm run fuzz -- functions` runs fresh calls at any time");
    const seed = Math.floor(Math.random() * 2 ** 32);
    console.log(`seed ${seed}`);
    const peer = "engine-oracle";
    const oracles = { quick: await openOracle({ peer, repeats: 2 }), thorough: await openOracle({ peer, repeats: 100 }) };
    const report = createReport("words");
    await tryCases(oracles, report, "opentofu", seed, 0, 5000);
    const failures = await failureLines(oracles, report, seed, "npm run fuzz -- functions");
    oracles.quick.close();
    oracles.thorough.close();
    console.log(report.distribution.rows().join("\n"));
    expect(failures.join("\n")).toBe("");
  });
});
