// SPDX-License-Identifier: Apache-2.0
import { parseArgs } from "node:util";
import { createReport, failureLines, tryCases } from "./differential.ts";
import type { Strictness } from "./judge.ts";
import { openOracle, type OracleOptions } from "./oracle.ts";

/**
 * Runs the same number of cases in each area. Prints the seed, the distribution of the cases, the minimised failures, and last
 * `N passed, N failed`. Sets a non-zero exit code if a case failed.
 */
export async function fuzz(
  name: string,
  areas: readonly string[],
  strictness: Strictness = "words",
  peer: NonNullable<OracleOptions["peer"]> = "cty-oracle",
): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      cases: { type: "string", default: "20000" },
      seed: { type: "string" },
      area: { type: "string", multiple: true },
      only: { type: "string" },
    },
  });
  const seed = options.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(options.seed);
  const wanted = options.only === undefined ? (options.area ?? areas) : [options.only.split(":")[0]!];
  for (const area of wanted) if (!areas.includes(area)) throw new RangeError(`unknown area ${area}; the areas are ${areas.join(", ")}`);

  // Cases that differ are repeated often, because only for them it matters whether go-cty's answer varies.
  const oracles = { quick: await openOracle({ peer, repeats: 2 }), thorough: await openOracle({ peer, repeats: 400 }) };
  const { header } = oracles.quick;
  console.log(`seed ${seed}, go-cty ${header["go-cty"]} built with Go ${header["go"]}, Unicode ${header["unicode"]}`);
  const report = createReport(strictness);
  const start = performance.now();
  if (options.only === undefined) {
    const each = Math.ceil(Number(options.cases) / wanted.length);
    for (const area of wanted) await tryCases(oracles, report, area, seed, 0, each);
  } else {
    const index = Number(options.only.split(":")[1]);
    await tryCases(oracles, report, wanted[0]!, seed, index, index + 1);
  }
  const seconds = (performance.now() - start) / 1000;

  for (const row of report.distribution.rows()) console.log(row);
  for (const [deviation, count] of report.deviations) console.log(`deviation  ${String(count).padStart(8)} cases  ${deviation}`);
  if (report.absent.size > 0)
    console.log(
      `not built  ${[...report.absent.values()].reduce((a, b) => a + b)} cases of ${report.absent.size} operations: ${[...report.absent.keys()].join(" ").slice(0, 400)}`,
    );
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(
    `${seconds.toFixed(1)} s, ${Math.round((report.passed + report.failed) / seconds)} cases a second; our slowest took ${report.slowest.toFixed(0)} ms; ${peak} MiB at most`,
  );
  for (const line of await failureLines(oracles, report, seed, `npm run fuzz -- ${name}`)) console.log(line);
  oracles.quick.close();
  oracles.thorough.close();
  console.log(`${report.passed} passed, ${report.failed} failed`);
  if (report.failed > 0) process.exitCode = 1;
}
