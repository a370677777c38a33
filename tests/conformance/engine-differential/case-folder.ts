// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Failure } from "./differential.ts";
import type { PeerProviderPaths } from "./peer-providers.ts";
import type { StepReport } from "./run-case.ts";

/** Writes a failing case as a folder that `npm run engine` runs, with what both sides had after its last step. */
export function writeCaseFolder(folder: string, { reports, dynamicResources, differences }: Failure, providers: PeerProviderPaths): void {
  rmSync(folder, { recursive: true, force: true });
  const write = (name: string, content: unknown): void => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : `${JSON.stringify(content, undefined, 2)}\n`);
  };
  const steps = reports.filter(({ isAgain }, index) => !isAgain || index === reports.length - 1);
  write("dynamic_resources.json", dynamicResources);
  let before: readonly string[] = [];
  write("steps.json", {
    providers,
    steps: steps.map((step, index) => {
      const { files, changed } = step;
      const { documents: _documents, ...options } = step.options;
      const gone = Object.fromEntries(before.filter((path) => !(path in files)).map((path) => [path, null]));
      before = Object.keys(files);
      return {
        name: `${step.name.replaceAll(/\W+/g, "-")}-${index}`,
        files: { ...gone, ...files, ...changed },
        ...options,
        ...expectation(step),
      };
    }),
  });
  const last = reports.at(-1)!;
  write("result/differences.json", differences);
  for (const [side, outcome] of [
    ["theirs", last.theirs],
    ["ours", last.ours],
  ] as const) {
    const { plan, planText, state, ...diagnostics } = outcome;
    write(`result/${side}/diagnostics.json`, diagnostics);
    if (plan !== undefined) write(`result/${side}/plan.json`, plan);
    if (planText !== undefined) write(`result/${side}/plan.txt`, planText);
    if (state !== undefined) write(`result/${side}/terraform.tfstate`, state);
  }
}

function expectation({ theirs }: StepReport): { readonly expect?: string } {
  if (!theirs.isPlanned) return { expect: "planFails" };
  return theirs.applyDiagnostics.some(({ severity }) => severity === "error") ? { expect: "applyFails" } : {};
}
