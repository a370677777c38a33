// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatInstanceKey } from "@tenon/engine/address";
import { compare, type Difference } from "./compare.ts";
import { divergingDifferences, explanationOf } from "./differences.ts";
import { moduleRecords, printModules, type ModuleRecord } from "./generate/module.ts";
import type { EngineCase, InstanceChoice, OutsideChange, StepSettings } from "./generate/steps.ts";
import type { Json, Outcome, StepOptions } from "./outcome.ts";
import type { Sides } from "./sides.ts";
import { writeConfiguration } from "./write-configuration.ts";

/** What happened in a step. */
export interface StepReport {
  readonly name: string;
  /** Whether the step planned again what the step before it applied. */
  readonly isAgain: boolean;
  readonly files: Readonly<Record<string, string>>;
  readonly options: StepOptions;
  /** Files of objects, and the state, as outside changes left them. */
  readonly changed: Readonly<Record<string, string | null>>;
  readonly theirs: Outcome;
  readonly ours: Outcome;
  readonly differences: readonly Difference[];
  /** Names of the differences that are right to keep. */
  readonly explained: readonly string[];
}

/** A step with the files of its configuration. */
export interface RunnableStep extends StepSettings {
  readonly files: Readonly<Record<string, string>>;
  readonly records: readonly ModuleRecord[];
}

/** The steps of a generated case. */
export function runnableSteps({ steps }: Pick<EngineCase, "steps">): readonly RunnableStep[] {
  return steps.map(({ modules, ...settings }) => ({ ...settings, files: printModules(modules), records: moduleRecords(modules) }));
}

/** Options of {@link runCase}. */
export interface RunCaseOptions {
  /** Whether each apply is followed by a plan, with the state and the objects of the other side. */
  readonly again: boolean;
}

/** Runs the steps of a case on both sides until they differ. After each step the sides exchange their states and objects. */
export async function runCase(
  { tofu, engine }: Pick<Sides, "tofu" | "engine">,
  steps: readonly RunnableStep[],
  { again }: RunCaseOptions,
): Promise<readonly StepReport[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-case-")));
  // Paths of the same length, so that texts break at the same places.
  const [theirs, ours] = [join(folder, "a"), join(folder, "b")];
  for (const side of [theirs, ours]) mkdirSync(side);
  const reports: StepReport[] = [];
  let written: readonly string[] = [];
  try {
    for (const step of steps) {
      const { files } = step;
      const changed = changeOutside([theirs, ours], step.outside ?? []);
      written = writeConfiguration(theirs, step, written);
      const options = resolveOptions(step, theirs);
      const isLast = step === steps.at(-1);
      const run = async (isAgain: boolean): Promise<StepReport> => {
        const all: StepOptions = { ...options, apply: !isAgain, documents: { plan: !isAgain, state: isLast && !isAgain } };
        const [theirOutcome, ourOutcome] = await Promise.all([tofu.run(theirs, all), engine.run(ours, files, all)]);
        const found = compare(theirOutcome, ourOutcome).map((one) => [one, explanationOf(one, all, theirOutcome, ourOutcome)] as const);
        const differences = found.flatMap(([one, explanation]) => (explanation === undefined ? [one] : []));
        exchange(theirs, ours, folder);
        return {
          name: isAgain ? `${step.name}, again` : step.name,
          isAgain,
          files,
          options: all,
          changed: isAgain ? {} : changed,
          theirs: theirOutcome,
          ours: ourOutcome,
          differences,
          explained: [...new Set(found.flatMap(([, explanation]) => explanation ?? []))],
        };
      };
      const report = await run(false);
      reports.push(report);
      if (report.differences.length > 0 || report.explained.some((name) => divergingDifferences.has(name))) break;
      if (again && report.theirs.isPlanned) {
        const second = await run(true);
        reports.push(second);
        if (second.differences.length > 0) break;
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return reports;
}

/** Gives each side what the other one has made. */
function exchange(one: string, other: string, folder: string): void {
  for (const name of ["terraform.tfstate", "objects"]) {
    const [a, b, between] = [join(one, name), join(other, name), join(folder, "between")];
    if (existsSync(a)) renameSync(a, between);
    if (existsSync(b)) renameSync(b, a);
    if (existsSync(between)) renameSync(between, b);
  }
}

interface StateInstance {
  readonly index_key?: string | number;
  status?: string;
  readonly deposed?: string;
}

interface StateResource {
  readonly module?: string;
  readonly mode: string;
  readonly type: string;
  readonly name: string;
  readonly instances: readonly StateInstance[];
}

interface StateDocument {
  serial: number;
  readonly resources: readonly StateResource[];
}

function readState(folder: string): StateDocument | undefined {
  const path = join(folder, "terraform.tfstate");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as StateDocument) : undefined;
}

function instancesOf(state: StateDocument | undefined): readonly { readonly address: string; readonly instance: StateInstance }[] {
  return (state?.resources ?? [])
    .filter(({ mode }) => mode === "managed")
    .flatMap(({ module, type, name, instances }) =>
      instances
        .filter(({ deposed }) => deposed === undefined)
        .map((instance) => {
          const key = formatInstanceKey(instance.index_key);
          return { address: `${module === undefined ? "" : `${module}.`}${type}.${name}${key}`, instance };
        }),
    );
}

/** Makes the outside changes of a step on both sides, and returns the files that changed. */
function changeOutside(sides: readonly string[], changes: readonly OutsideChange[]): Readonly<Record<string, string | null>> {
  const changed: Record<string, string | null> = {};
  for (const { kind, pick } of changes) {
    for (const side of sides) {
      if (kind === "taint") {
        const state = readState(side);
        const instances = instancesOf(state);
        if (state === undefined || instances.length === 0) continue;
        instances[pick % instances.length]!.instance.status = "tainted";
        state.serial++;
        changed["terraform.tfstate"] = JSON.stringify(state, undefined, 2);
        writeFileSync(join(side, "terraform.tfstate"), `${changed["terraform.tfstate"]}\n`);
        continue;
      }
      const name = objectFiles(join(side, "objects"))[pick % objectFiles(join(side, "objects")).length];
      if (name === undefined) continue;
      const path = join(side, "objects", name);
      if (kind === "gone") rmSync(path);
      else writeFileSync(path, changedObject(name, readFileSync(path, "utf8"), pick));
      changed[`objects/${name}`] = kind === "gone" ? null : readFileSync(path, "utf8");
    }
  }
  return changed;
}

/** The files of objects, without those whose random ids differ between the sides. */
function objectFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const all = readdirSync(folder, { recursive: true }) as readonly string[];
  return all.filter((name) => name.endsWith(".json") && !/^[\da-f]{8}-/.test(name)).toSorted();
}

/** The file of an object with another value of one attribute. */
function changedObject(file: string, text: string, pick: number): string {
  const object = JSON.parse(text) as Record<string, Json>;
  if (file.startsWith("framework/")) return changedJson(object, "state", ["flag", "size", "old_name", "secret", "kind"], pick);
  if (file.startsWith("sdkv2/"))
    return changedJson({ object: object as Json }, "object", ["running", "cores", "zone", "size", "text"], pick);
  const values = { ...object["values"] } as Record<string, Json>;
  const names = Object.keys(values).filter(
    (name) => name !== "id" && ["string", "number", "boolean"].some((kind) => kind in values[name]!),
  );
  const name = names[pick % names.length];
  if (name === undefined) return text;
  const value = values[name]!;
  if (pick % 5 === 0) delete values[name];
  else if ("string" in value) values[name] = { string: `drift ${pick}` };
  else if ("number" in value) values[name] = { number: String(pick) };
  else values[name] = { boolean: value["boolean"] !== true };
  return JSON.stringify({ ...object, values }, undefined, 2);
}

function changedJson(file: Record<string, Json>, part: string, names: readonly string[], pick: number): string {
  const values = file[part]!;
  const present = names.filter((name) => name in values);
  const name = present[pick % present.length];
  const before = name === undefined ? undefined : values[name];
  const after = typeof before === "boolean" ? !before : typeof before === "number" ? pick : `drift ${pick}`;
  const changed = name === undefined ? values : { ...values, [name]: after };
  return JSON.stringify(part === "object" ? changed : { ...file, [part]: changed }, undefined, 2);
}

/** The options of a step, with addresses of the state in place of its numbers. */
function resolveOptions(
  { mode, refresh, targets, excludes, replace }: StepSettings,
  folder: string,
): Omit<StepOptions, "apply" | "documents"> {
  const addresses = instancesOf(readState(folder)).map(({ address }) => address);
  const addressOf = (choice: InstanceChoice): readonly string[] => {
    if (typeof choice === "string") return [choice];
    return addresses.length === 0 ? [] : [addresses[choice % addresses.length]!];
  };
  const picked = (choices: readonly InstanceChoice[] = []): readonly string[] => [...new Set(choices.flatMap(addressOf))];
  const [chosenTargets, chosenExcludes, chosenReplace] = [picked(targets), picked(excludes), picked(replace)];
  return {
    ...(mode && { mode }),
    ...(refresh !== undefined && { refresh }),
    ...(chosenTargets.length > 0 && { targets: chosenTargets }),
    ...(chosenExcludes.length > 0 && { excludes: chosenExcludes }),
    ...(chosenReplace.length > 0 && { replace: chosenReplace }),
  };
}
