// SPDX-License-Identifier: Apache-2.0
// `npm run check`: everything that is judged without running a test. `npm run check -- --update-api` accepts the API as it is now.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { styleText } from "node:util";
import { apiReports } from "./api-reports.ts";
import { packedPackages } from "./packed-packages.ts";

const root = join(import.meta.dirname, "..");
const updateApi = process.argv.includes("--update-api");

/** What went wrong, or undefined. */
type Outcome = string | undefined;

const steps: readonly (readonly [name: string, run: () => Outcome | Promise<Outcome>])[] = [
  ["lint", () => command("oxlint", ["--quiet"])],
  ["format", () => command("oxfmt", ["--check"])],
  ["types", () => command("tsc", ["-p", "tsconfig.json"])],
  ["boundaries", () => command("turbo", ["boundaries"])],
  ["build", () => command("turbo", ["run", "build", "--output-logs=errors-only"])],
  ["published packages", () => packedPackages(root)],
  ["API reports", () => apiReports(root, updateApi)],
];

function command(name: string, args: readonly string[]): Outcome {
  const result = spawnSync(name, args, { cwd: root, encoding: "utf8", maxBuffer: 64 << 20, env: { ...process.env, FORCE_COLOR: "0" } });
  if (result.error) return `cannot run ${name}: ${result.error.message}`;
  return result.status === 0 ? undefined : `${result.stdout}${result.stderr}`.trim();
}

let failed = 0;
for (const [name, run] of steps) {
  const start = performance.now();
  const problem = await run();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (problem === undefined) {
    console.log(`${styleText("green", "ok")}      ${name} ${styleText("dim", `${seconds} s`)}`);
  } else {
    failed += 1;
    console.log(`${styleText("red", "failed")}  ${name} ${styleText("dim", `${seconds} s`)}\n${problem}\n`);
  }
}
console.log(`checks: ${steps.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
