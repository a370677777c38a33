// SPDX-License-Identifier: Apache-2.0
// Test cases of @tenon/testing in process, compared with the same cases under tofu, and the time to import the package.
//
//   npm run bench -- testing [--runs 15] [--suites 1]
import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { goCases, ownCases, runSuiteCase } from "@tenon/interop/testing-suite";
import { requirePeer } from "@tenon/peers";
import { installBuilt } from "./built-packages.ts";
import { plainEnvironment, untilExit } from "./launched-provider.ts";
import { median, medians, report } from "./measurement.ts";

const { values } = parseArgs({ options: { runs: { type: "string", default: "15" }, suites: { type: "string", default: "1" } } });
const runs = Number(values.runs);
const tofu = requirePeer("tofu").path;
/** Cases that run at the same time, on both sides. */
const concurrency = 2;
const cases = [
  ...ownCases,
  ...goCases({ framework: requirePeer("framework-provider").path, sdkv2: requirePeer("sdkv2-provider").path }),
].filter(({ skips }) => skips?.tofu === undefined);

const folder = mkdtempSync(join(tmpdir(), "tenon-testing-"));
try {
  installBuilt(["cty", "protocol", "hcl", "schema", "provider-sdk", "plugin-host", "engine", "testing"], folder);
  const program = join(folder, "run-case.ts");
  copyFileSync(join(import.meta.dirname, "tested-case/run-case.ts"), program);
  const imports = join(folder, "import.mjs");
  writeFileSync(imports, 'import "@tenon/testing";\n');

  /** Runs the case in one process. The program fails unless the case passes. */
  const durations = async (runner: string, count: number): Promise<readonly number[]> => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, runner, String(count)], { env: plainEnvironment });
    return JSON.parse(stdout) as readonly number[];
  };
  // The first runs compile the code.
  const warm = async (runner: string): Promise<number> => median((await durations(runner, 20)).slice(10));
  const cold = async (runner: string): Promise<number> => {
    const start = performance.now();
    await durations(runner, 1);
    return performance.now() - start;
  };
  const started = await medians(runs, {
    node: () => untilExit(process.execPath, ["-e", "0"]),
    ours: () => untilExit(process.execPath, [imports]),
  });
  const single = await medians(Math.min(runs, 5), {
    warm: () => warm("in-process"),
    cold: () => cold("in-process"),
    tofu: async () => median(await durations(tofu, 2)),
    tofuCold: () => cold(tofu),
  });
  const suites = { cold: await runSuite("in-process"), ours: [] as number[], tofu: [] as number[] };
  for (let run = 0; run < Number(values.suites); run += 1) {
    const ours = await runSuite("in-process");
    const theirs = await runSuite(tofu);
    if (ours.verdicts !== theirs.verdicts) throw new Error(`the verdicts differ:\n${ours.verdicts}\n\n${theirs.verdicts}`);
    suites.ours.push(ours.ms);
    suites.tofu.push(theirs.ms);
  }
  console.log(`the suite has ${cases.length} cases`);
  report("testing", [
    { name: "case-in-process", ours: single.warm, peer: single.tofu, unit: "ms" },
    { name: "case-in-process-cold", ours: single.cold, peer: single.tofuCold, unit: "ms" },
    { name: "suite-60", ours: median(suites.ours), peer: median(suites.tofu), unit: "ms" },
    { name: "suite-60-cold", ours: suites.cold.ms, peer: median(suites.tofu), unit: "ms" },
    { name: "start", ours: started.ours, peer: started.node, unit: "ms" },
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs all cases; the verdicts have a line for each. */
async function runSuite(runner: string): Promise<{ readonly ms: number; readonly verdicts: string }> {
  const verdicts: string[] = [];
  const start = performance.now();
  const queue = cases.entries();
  const lane = async (): Promise<void> => {
    for (const [index, suiteCase] of queue) {
      const outcome = await runSuiteCase(suiteCase, runner);
      verdicts[index] = `${suiteCase.name}: ${outcome instanceof Error ? "failed" : outcome.status}`;
      if (outcome instanceof Error !== (suiteCase.fails !== undefined))
        throw new Error(`${suiteCase.name} ends in another way`, { cause: outcome });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return { ms: performance.now() - start, verdicts: verdicts.join("\n") };
}
