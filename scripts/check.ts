// SPDX-License-Identifier: Apache-2.0
// `npm run check`: every check that needs no test run.
//   --only <step>[,<step>…]  runs some of the steps; `-` may stand for a space in a step's name
//   --update-api             accepts the current public API: writes the API reports
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs, styleText } from "node:util";
import { apiReports } from "./api-reports.ts";
import { runInstalledReadmes } from "./release/installed-readmes.ts";
import { checkOptionalDependencies } from "./release/optional-dependencies.ts";
import { lintPackages, PackedPackages } from "./release/packed-packages.ts";
import { PackageStructure, type StructureReport } from "./structure/package-structure.ts";

const root = join(import.meta.dirname, "..");
const { values: options } = parseArgs({
  options: { only: { type: "string" }, "update-api": { type: "boolean", default: false } },
});

/** The problem a step found, if any; a report may have a note about a step that passes. */
type Outcome = string | undefined | StructureReport;

let loadedStructure: PackageStructure | undefined;
const structure = (): PackageStructure => (loadedStructure ??= new PackageStructure(root));

using cleanup = new DisposableStack();
let packedPackages: PackedPackages | undefined;
const packages = (): PackedPackages => (packedPackages ??= cleanup.use(new PackedPackages(root)));

const steps: readonly (readonly [name: string, run: () => Outcome])[] = [
  ["docstrings", () => structure().docstrings()],
  ["folder order", () => structure().folderOrder()],
  ["type circles", () => structure().typeCircles()],
  ["lint", () => command("oxlint", ["--quiet"])],
  ["format", () => command("oxfmt", ["--check"])],
  ["types", () => command("tsc", ["-p", "tsconfig.json"])],
  ["boundaries", () => command("turbo", ["boundaries"])],
  ["build", () => command("turbo", ["run", "build", "--output-logs=errors-only"])],
  ["published packages", () => lintPackages(root, packages())],
  ["installed packages", installedPackages],
  ["optional dependencies", () => checkOptionalDependencies(root, packages())],
  ["API reports", () => apiReports(root, options["update-api"])],
];

/** Installs each package in an empty project and runs its README's first program. */
function installedPackages(): Outcome {
  const skipped = [...runInstalledReadmes(root, packages())].flatMap((run) =>
    run.skipped === undefined ? [] : [`${run.name}: ${run.skipped}`],
  );
  return skipped.length === 0 ? undefined : { note: skipped.join("; ") };
}

function command(name: string, args: readonly string[]): Outcome {
  const result = spawnSync(name, args, { cwd: root, encoding: "utf8", maxBuffer: 64 << 20, env: { ...process.env, FORCE_COLOR: "0" } });
  if (result.error) return `cannot run ${name}: ${result.error.message}`;
  return result.status === 0 ? undefined : `${result.stdout}${result.stderr}`.trim();
}

/** The steps that `--only` names, or all. */
function selectedSteps(): typeof steps {
  if (options.only === undefined) return steps;
  const names = options.only.split(",").map((name) => name.replaceAll("-", " ").toLowerCase());
  const unknown = names.filter((name) => !steps.some(([step]) => step.toLowerCase() === name));
  if (unknown.length > 0) {
    console.error(`no step ${unknown.join(", ")}; the steps are ${steps.map(([step]) => step.replaceAll(" ", "-")).join(", ")}`);
    process.exit(1);
  }
  return steps.filter(([step]) => names.includes(step.toLowerCase()));
}

/** The outcome of a step; an error that it throws is its problem. */
function attempt(run: () => Outcome): Outcome {
  try {
    return run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const selected = selectedSteps();
let failed = 0;
for (const [name, run] of selected) {
  const start = performance.now();
  const outcome = attempt(run);
  const { problem, note = "" }: StructureReport = typeof outcome === "string" ? { problem: outcome } : (outcome ?? {});
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  if (problem === undefined) {
    console.log(`${styleText("green", "ok")}      ${name} ${styleText("dim", `${seconds} s${note === "" ? "" : `; ${note}`}`)}`);
  } else {
    failed += 1;
    console.log(`${styleText("red", "failed")}  ${name} ${styleText("dim", `${seconds} s`)}\n${problem}\n`);
  }
}
console.log(`checks: ${selected.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
