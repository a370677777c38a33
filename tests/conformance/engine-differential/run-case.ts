// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { compare, type Difference } from "./compare.ts";
import { explanationOf } from "./differences.ts";
import type { EngineSide } from "./engine-side.ts";
import type { Block } from "./generate/block.ts";
import { isBlock } from "./generate/block.ts";
import { folderOf, printModules, type Module } from "./generate/module.ts";
import type { CaseStep, EngineCase, OutsideChange } from "./generate/steps.ts";
import type { Json, Outcome, StepOptions } from "./outcome.ts";
import type { TofuSide } from "./tofu-side.ts";

/** The two sides. */
export interface Sides {
  readonly tofu: TofuSide;
  readonly engine: EngineSide;
}

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

/** Options of {@link runCase}. */
export interface RunCaseOptions {
  /** Whether each apply is followed by a plan, with the state and the objects of the other side. */
  readonly again: boolean;
}

/** Runs the steps of a case on both sides until they differ. After each step the sides exchange their states and objects. */
export async function runCase({ tofu, engine }: Sides, one: EngineCase, { again }: RunCaseOptions): Promise<readonly StepReport[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-case-")));
  // Paths of the same length, so that texts break at the same places.
  const [theirs, ours] = [join(folder, "a"), join(folder, "b")];
  for (const side of [theirs, ours]) mkdirSync(side);
  const reports: StepReport[] = [];
  let written: readonly string[] = [];
  try {
    for (const step of one.steps) {
      const changed = changeOutside([theirs, ours], step.outside ?? []);
      const files = printModules(step.modules);
      written = writeConfiguration(theirs, step.modules, files, written);
      const options = resolveOptions(step, theirs);
      const run = async (apply: boolean, isAgain: boolean): Promise<StepReport> => {
        const [theirOutcome, ourOutcome] = await Promise.all([
          tofu.run(theirs, { ...options, apply }),
          engine.run(ours, files, { ...options, apply }),
        ]);
        const all = compare(theirOutcome, ourOutcome).map((one) => [one, explanationOf(one, { ...options, apply })] as const);
        const differences = all.flatMap(([one, explanation]) => (explanation === undefined ? [one] : []));
        exchange(theirs, ours, folder);
        return {
          name: isAgain ? `${step.name}, again` : step.name,
          isAgain,
          files,
          options: { ...options, apply },
          changed: isAgain ? {} : changed,
          theirs: theirOutcome,
          ours: ourOutcome,
          differences,
          explained: [...new Set(all.flatMap(([, explanation]) => explanation ?? []))],
        };
      };
      const report = await run(true, false);
      reports.push(report);
      if (report.differences.length > 0) break;
      if (again && report.theirs.plan !== undefined) {
        const second = await run(false, true);
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

/** Writes the configuration with the record of its modules, which `tofu get` would write. */
function writeConfiguration(
  folder: string,
  modules: readonly Module[],
  files: Readonly<Record<string, string>>,
  before: readonly string[],
): readonly string[] {
  for (const path of before) if (!(path in files)) rmSync(join(folder, path), { force: true });
  const records: object[] = [{ Key: "", Source: "", Dir: "." }];
  const visit = (module: Module, key: string): void => {
    for (const { sort, id, module: called, block } of module.items) {
      if (sort !== "call") continue;
      const target = modules.find(({ name }) => name === called)!;
      const path = key === "" ? id : `${key}.${id}`;
      records.push({ Key: path, Source: sourceOf(block), Dir: folderOf(target).slice(0, -1) });
      visit(target, path);
    }
  };
  visit(modules[0]!, "");
  const all = { ...files, ".terraform/modules/modules.json": JSON.stringify({ Modules: records }) };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return Object.keys(files);
}

function sourceOf({ entries }: Block): string {
  const source = entries.find((entry) => !isBlock(entry) && entry.name === "source");
  return source === undefined || isBlock(source) ? "" : (JSON.parse(source.expression) as string);
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
          const key = instance.index_key === undefined ? "" : `[${JSON.stringify(instance.index_key)}]`;
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
      const objects = join(side, "objects");
      // The names of objects with random ids differ between the sides.
      const names = existsSync(objects)
        ? readdirSync(objects)
            .filter((name) => !/^[\da-f]{8}-/.test(name))
            .toSorted()
        : [];
      const name = names[pick % names.length];
      if (name === undefined) continue;
      const path = join(objects, name);
      if (kind === "gone") rmSync(path);
      else writeFileSync(path, changedObject(readFileSync(path, "utf8"), pick));
      changed[`objects/${name}`] = kind === "gone" ? null : readFileSync(path, "utf8");
    }
  }
  return changed;
}

/** The file of an object with another value of one attribute. */
function changedObject(text: string, pick: number): string {
  const object = JSON.parse(text) as { values: Record<string, Json> };
  const names = Object.keys(object.values).filter(
    (name) => name !== "id" && ["string", "number", "boolean"].some((kind) => kind in object.values[name]!),
  );
  const name = names[pick % names.length];
  if (name === undefined) return text;
  const value = object.values[name]!;
  if (pick % 5 === 0) delete object.values[name];
  else if ("string" in value) object.values[name] = { string: `drift ${pick}` };
  else if ("number" in value) object.values[name] = { number: String(pick) };
  else object.values[name] = { boolean: value["boolean"] !== true };
  return JSON.stringify(object, undefined, 2);
}

/** The options of a step, with addresses of the state in place of its numbers. */
function resolveOptions({ mode, refresh, targets, excludes, replace }: CaseStep, folder: string): Omit<StepOptions, "apply"> {
  const addresses = instancesOf(readState(folder)).map(({ address }) => address);
  const picked = (numbers: readonly number[] | undefined): readonly string[] =>
    numbers === undefined || addresses.length === 0 ? [] : [...new Set(numbers.map((pick) => addresses[pick % addresses.length]!))];
  const [chosenTargets, chosenExcludes, chosenReplace] = [picked(targets), picked(excludes), picked(replace)];
  return {
    ...(mode && { mode }),
    ...(refresh !== undefined && { refresh }),
    ...(chosenTargets.length > 0 && { targets: chosenTargets }),
    ...(chosenExcludes.length > 0 && { excludes: chosenExcludes }),
    ...(chosenReplace.length > 0 && { replace: chosenReplace }),
  };
}
