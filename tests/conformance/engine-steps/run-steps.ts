// SPDX-License-Identifier: Apache-2.0
// Runs the steps of a folder in the current folder of the process, as the command line does, and writes what each step results in.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { openWorkspace, type AddressedDiagnostic, type EngineEvent, type PlanOptions } from "@tenon/engine";
import { collectVariables, type CollectedVariables } from "@tenon/engine/configuration";
import { openModuleInstaller } from "@tenon/engine/configuration/sources";
import { renderPlan, UiLog, type UiMessage } from "@tenon/engine/documents";
import { localState } from "@tenon/engine/state/stores";
import { diskFiles } from "@tenon/hcl/files";
import { formatDiagnostics } from "@tenon/hcl/report";
import type { ProviderFactory } from "@tenon/schema";
import type { Expectation, Step, StepFile } from "./step-file.ts";
import { allProviders, stepProviderFactory, type GivenProviders } from "./step-providers.ts";

const stateFile = "terraform.tfstate";

/** How a step ended. */
export interface StepResult {
  readonly name: string;
  readonly outcome: Expectation;
  /** Whether the outcome is the expected one. */
  readonly asExpected: boolean;
  /** Errors and warnings as text. */
  readonly report: string;
}

/**
 * Runs steps in the current folder, which has the configuration, and gets the state and the objects.
 *
 * @param source The folder that relative paths of the file of steps begin in.
 * @param out The folder that gets a folder of documents for each step.
 */
export async function* runSteps(file: StepFile, source: string, out: string): AsyncGenerator<StepResult> {
  const given = await givenProviders(file, source);
  for (const [index, step] of file.steps.entries()) {
    const name = `${String(index + 1).padStart(2, "0")}-${step.name ?? step.mode ?? "step"}`;
    yield await runStep(step, { name, file, given, source, folder: join(out, name) });
  }
}

/** The providers of a file of steps. */
export async function givenProviders(file: Pick<StepFile, "providers">, source: string): Promise<GivenProviders> {
  const given = new Map<string, ProviderFactory>();
  for (const [address, provider] of Object.entries(file.providers ?? {})) given.set(address, await stepProviderFactory(provider, source));
  return given;
}

interface StepContext {
  readonly name: string;
  readonly file: StepFile;
  readonly given: ReadonlyMap<string, ProviderFactory>;
  readonly source: string;
  readonly folder: string;
}

async function runStep(step: Step, { name, file, given, source, folder }: StepContext): Promise<StepResult> {
  mkdirSync(folder, { recursive: true });
  prepare(step, source);
  const collected = await stepVariables(file, step, folder);
  await using installer = await openModuleInstaller();
  const options = {
    configuration: ".",
    state: localState(),
    resolveModule: installer.resolve,
    ...(file.parallelism !== undefined && { parallelism: file.parallelism }),
  };
  const { configuration } = await openWorkspace({ ...options, providers: {} }).load(collected.given);
  const workspace = openWorkspace({ ...options, providers: allProviders(given, configuration) });
  const log = new UiLog();
  const lines: UiMessage[] = [log.version()];
  const onEvent = (event: EngineEvent): void => void lines.push(...log.messages(event));
  await using plan = await workspace.plan({ ...planOptions(step), variables: collected.given, onEvent });
  await installer.writeManifest();
  const sources = new Map([...collected.sources, ...plan.sources]);
  const diagnostics: AddressedDiagnostic[] = [...collected.diagnostics, ...plan.diagnostics];
  if (!plan.errored) writeJson(join(folder, "plan.json"), await plan.toJson());
  writeFileSync(join(folder, "plan.txt"), renderPlan(plan.changes));
  let outcome: Expectation = plan.errored ? "planFails" : "success";
  if (!plan.errored && step.apply !== false) {
    const applied = await plan.apply();
    diagnostics.push(...applied.diagnostics);
    if (applied.errored) outcome = "applyFails";
  }
  await plan.close();
  writeFileSync(join(folder, "ui.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  writeJson(join(folder, "state.json"), await workspace.stateJson());
  if (existsSync(stateFile)) cpSync(stateFile, join(folder, stateFile));
  const report = formatDiagnostics(diagnostics, sources, { width: 78 });
  writeFileSync(join(folder, "diagnostics.txt"), report);
  const result: StepResult = { name, outcome, asExpected: outcome === (step.expect ?? "success"), report };
  writeJson(join(folder, "result.json"), { outcome, asExpected: result.asExpected });
  return result;
}

/** Brings the working folder to what the step begins with. */
function prepare({ folder, files = {}, run = [] }: Step, source: string): void {
  if (folder !== undefined) cpSync(resolve(source, folder), ".", { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    if (text === null) rmSync(path, { force: true, recursive: true });
    else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }
  for (const [program, ...args] of run) {
    const { status, error } = spawnSync(program, args, { stdio: ["ignore", 2, 2] });
    if (status !== 0) throw new Error(`${[program, ...args].join(" ")} failed: ${error?.message ?? `exit status ${status}`}`);
  }
}

/** The values for variables, from the environment, the folder and the step. */
async function stepVariables(file: StepFile, step: Step, folder: string): Promise<CollectedVariables> {
  const values = { ...file.variables, ...step.variables };
  const path = join(folder, "variables.tfvars.json");
  writeJson(path, values);
  return collectVariables({ environment: process.env, folder: ".", files: diskFiles, options: [{ file: path }] });
}

function planOptions({ mode, refresh, targets, excludes, replace }: Step): PlanOptions {
  return {
    ...(mode && { mode }),
    ...(refresh !== undefined && { refresh }),
    ...(targets && { targets }),
    ...(excludes && { excludes }),
    ...(replace && { replace }),
  };
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
