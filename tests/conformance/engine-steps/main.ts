// SPDX-License-Identifier: Apache-2.0
// `npm run engine -- <folder>`: runs the steps of a folder through the engine, and writes the documents of each step. README.md of this folder
// documents the form.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { parseStepFile, type StepFile } from "./step-file.ts";
import type { EquivalenceSpec } from "./equivalence-folder.ts";
import { runEquivalence } from "./run-equivalence.ts";
import { givenProviders, runSteps } from "./run-steps.ts";

const usage = "usage: npm run engine -- <folder> [<folder> …] [--out <folder>] [--provider <address>=<source>] [--quiet]";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string" },
    provider: { type: "string", multiple: true, default: [] },
    quiet: { type: "boolean", default: false },
  },
});
if (positionals.length === 0) {
  console.error(usage);
  process.exit(2);
}

const start = process.cwd();
let failures = 0;
for (const folder of positionals) {
  const source = resolve(start, folder);
  const out =
    values.out === undefined ? join(source, ".engine") : positionals.length === 1 ? values.out : join(values.out, basename(source));
  const failed = await runFolder(source, resolve(start, out));
  if (failed > 0) console.error(`${relative(start, source)}: ${failed} failures`);
  failures += failed;
}
process.exitCode = failures > 0 ? 1 : 0;

/** Runs the steps of a folder in a copy of it. Returns how many did not end as expected. */
async function runFolder(source: string, out: string): Promise<number> {
  const file = withProviders(stepFileOf(source));
  const work = join(out, "work");
  rmSync(out, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  for (const name of readdirSync(source)) {
    const path = join(source, name);
    if (path !== out && !out.startsWith(`${path}/`) && name !== "steps.json") cpSync(path, join(work, name), { recursive: true });
  }
  process.chdir(work);
  let failed = 0;
  try {
    const spec = join(source, "spec.json");
    if (existsSync(spec) && !existsSync(join(source, "steps.json"))) {
      await runEquivalence(JSON.parse(readFileSync(spec, "utf8")) as EquivalenceSpec, await givenProviders(file, source), out);
      return 0;
    }
    for await (const { name, outcome, asExpected, report } of runSteps(file, source, out)) {
      if (!asExpected) failed++;
      if (!values.quiet || !asExpected) console.log(`${name}: ${outcome}${asExpected ? "" : " (not expected)"}`);
      if (report !== "" && !asExpected) console.log(report);
    }
  } catch (error) {
    console.error(`${relative(start, source)}: ${error instanceof Error ? error.message : String(error)}`);
    failed++;
  } finally {
    process.chdir(start);
  }
  return failed;
}

/** The steps of a folder. A folder without a file of steps is planned and applied once. */
function stepFileOf(source: string): StepFile {
  const path = join(source, "steps.json");
  return existsSync(path) ? parseStepFile(readFileSync(path, "utf8")) : { steps: [{ name: "apply" }] };
}

/** The options `--provider` replace what the file says. */
function withProviders(file: StepFile): StepFile {
  const given = values.provider.map((option) => {
    const [address, ...source] = option.split("=");
    if (address === undefined || source.length === 0) throw new RangeError(`${option} must be <address>=<source>`);
    const text = source.join("=");
    const [module, name] = text.split("#") as [string, string | undefined];
    if (!module.endsWith(".ts") && !module.endsWith(".js")) return [address, text.startsWith(".") ? resolve(start, text) : text] as const;
    return [address, { module: resolve(start, module), ...(name !== undefined && { export: name }) }] as const;
  });
  return { ...file, providers: { ...file.providers, ...Object.fromEntries(given) } };
}
