// SPDX-License-Identifier: Apache-2.0
// Compares the engine with tofu, which uses the provider of the Go framework without logs, its best case. Both store the state in a file; the
// engine also renders the texts that tofu prints. The time to load the engine is not measured, and the start of tofu is subtracted.
//
//   npm run bench -- engine [row…] [--runs 3] [--large-runs 2] [--cpu]
//
// Without rows, all are measured. Tasks of 5,000 and more instances run `--large-runs` times. `--cpu` adds a row with the processor time of
// all processes for each row of times, which depends less on the load of the machine.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { build } from "esbuild";
import { requirePeer } from "@tenon/peers";
import { measureFloor } from "./engine-floor.ts";
import { type EngineSample, engineSteps, type EngineStep, type EngineTask, requiredSteps, watchMemory } from "./engine-measurement.ts";
import type { EngineRun } from "./engine-run.ts";
import { engineRows, type Figure, type Row, type Source, type Subject, taskKey } from "./engine-rows.ts";
import { largeState } from "./engine-state.ts";
import { emptyFolder, measureTofu, runTofu, startTime, without, writeConfiguration } from "./engine-tofu.ts";
import { type Measurement, median, report } from "./measurement.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "3" },
    "large-runs": { type: "string", default: "2" },
    cpu: { type: "boolean", default: false },
  },
});
const names = positionals.length === 0 ? Object.keys(engineRows) : positionals;
const unknownName = names.find((name) => engineRows[name] === undefined);
if (unknownName !== undefined) throw new Error(`there is no row ${unknownName}; the rows are ${Object.keys(engineRows).join(", ")}`);
const rows = new Map<string, Row>(names.map((name) => [name, engineRows[name]!]));

const folder = mkdtempSync(join(tmpdir(), "tenon-engine-"));
const provider = join(folder, "provider");
const executable = join(provider, "terraform-provider-bench");

/** Bundles the measured process like a program that embeds the engine. */
async function bundleEngine(): Promise<void> {
  await build({
    entryPoints: ["engine-run.ts"],
    absWorkingDir: import.meta.dirname,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    banner: { js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);' },
    // Optional packages, which are only loaded if the options or the environment require them.
    external: ["koffi", "pg", "@aws-sdk/*", "@tenon/protocol/carrier/connect-node-client"],
    logLevel: "warning",
  });
}

async function runEngine(home: string, run: EngineRun, memory = false): Promise<EngineSample> {
  const running = promisify(execFile)(process.execPath, [join(folder, "engine-run.mjs"), home, JSON.stringify(run)]);
  const peak = memory ? watchMemory(running.child.pid!) : undefined;
  const { stdout } = await running;
  return { ...(JSON.parse(stdout) as EngineSample), ...(peak && { peak: peak() }) };
}

const subjects: Readonly<Record<Exclude<Subject, "floor">, (home: string, task: EngineTask) => Promise<EngineSample>>> = {
  ours: (home, task) => measureOurs(home, task, {}),
  hosted: (home, task) => measureOurs(home, task, { provider: executable }),
  unjournaled: (home, task) => measureOurs(home, task, { journal: false }),
  tofu: (home, task) => measureTofu(home, provider, task),
};

async function measureOurs(home: string, task: EngineTask, run: Omit<EngineRun, "steps">): Promise<EngineSample> {
  writeConfiguration(home, task);
  return runEngine(home, { ...run, steps: task.steps }, task.memory);
}

/** Checks that the engine and tofu print the same plan and store the same objects. */
async function checkSame(): Promise<void> {
  for (const [shape, count] of [
    ["flat", 3],
    ["fan", 6],
    ["chain", 3],
    ["modules", 40],
  ] as const) {
    const homes = { ours: "", hosted: "", tofu: "" };
    for (const subject of ["ours", "hosted", "tofu"] as const) {
      homes[subject] = emptyFolder(join(folder, "same", subject));
      await subjects[subject](homes[subject], { shape, count, steps: ["plan", "apply"] });
      const [plan, state] = [
        readFileSync(join(homes[subject], "plan.txt"), "utf8"),
        readFileSync(join(homes[subject], "root/terraform.tfstate"), "utf8"),
      ];
      const parsed = JSON.parse(state) as { readonly resources: readonly object[] };
      const [theirPlan, theirState] = [
        readFileSync(join(homes.ours, "plan.txt"), "utf8"),
        readFileSync(join(homes.ours, "root/terraform.tfstate"), "utf8"),
      ];
      const same = JSON.stringify((JSON.parse(theirState) as typeof parsed).resources) === JSON.stringify(parsed.resources);
      if (!plan.includes(theirPlan.trim())) throw new Error(`${subject} plans ${shape} otherwise\n${plan}\nours\n${theirPlan}`);
      if (!same) throw new Error(`${subject} stores ${shape} otherwise\n${state}\nours\n${theirState}`);
    }
  }
}

/** Measures how long it takes to list the instances of a large state. */
async function measureList(subject: Subject, home: string): Promise<EngineSample> {
  mkdirSync(join(home, "root"));
  writeFileSync(join(home, "root", "terraform.tfstate"), largeState());
  if (subject === "ours") {
    const sample = await runEngine(home, { steps: "list" });
    listed = readFileSync(join(home, "list.txt"), "utf8");
    return sample;
  }
  const start = await startTime(home, provider);
  const { stdout, time } = await runTofu(home, provider, ["state", "list"]);
  if (listed !== undefined && stdout !== listed) throw new Error("tofu lists other instances");
  return { times: { list: without(time, start) } };
}

let listed: string | undefined;

interface MeasuredTask {
  readonly source: Source;
  readonly figures: Set<Figure>;
  readonly samples: EngineSample[];
}

/** The tasks that the rows need, by key. */
function tasksOf(): Map<string, MeasuredTask> {
  const tasks = new Map<string, MeasuredTask>();
  const add = (source: Source): void => {
    const task = tasks.get(taskKey(source)) ?? { source, figures: new Set<Figure>(), samples: [] };
    tasks.set(taskKey(source), task);
    task.figures.add(source.figure);
  };
  for (const { ours, peer } of rows.values()) {
    add(ours);
    add(peer);
  }
  return tasks;
}

/** The steps that a task runs for the figures. For memory, it runs all of them. */
function stepsOf(figures: ReadonlySet<Figure>): readonly EngineStep[] {
  if (figures.has("memory")) return engineSteps;
  const steps = new Set([...figures].map((figure) => (figure === "applyAlone" ? "apply" : figure)));
  return requiredSteps(steps as ReadonlySet<EngineStep>);
}

async function measure({ source, figures, samples }: MeasuredTask, tasks: ReadonlyMap<string, MeasuredTask>): Promise<void> {
  const { subject, configuration } = source;
  const home = emptyFolder(join(folder, "home"));
  if (configuration === undefined) {
    samples.push(await measureList(subject, home));
  } else if (subject === "floor") {
    const { calls = {} } = tasks.get(taskKey({ ...source, subject: "hosted" }))!.samples.at(-1)!;
    samples.push({ times: { apply: { elapsed: await measureFloor(executable, calls), cpu: Number.NaN } } });
  } else {
    samples.push(await subjects[subject](home, { ...configuration, steps: stepsOf(figures), memory: figures.has("memory") }));
  }
}

/** Measures all tasks in turn, repeatedly, so that the load of the machine is the same for those that are compared. */
async function measureAll(tasks: ReadonlyMap<string, MeasuredTask>): Promise<void> {
  const runsOf = ({ source }: MeasuredTask): number =>
    Number((source.configuration?.count ?? 0) >= 5000 ? values["large-runs"] : values.runs);
  const rounds = Math.max(...[...tasks.values()].map(runsOf));
  for (let round = 0; round < rounds; round++) {
    for (const [key, task] of tasks) {
      if (round >= runsOf(task)) continue;
      const start = performance.now();
      await measure(task, tasks);
      console.error(`${key}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
    }
  }
}

function figureOf({ figure, scale = 1, ...source }: Source, tasks: ReadonlyMap<string, MeasuredTask>, kind: "elapsed" | "cpu"): number {
  const { samples } = tasks.get(taskKey({ figure, ...source }))!;
  return scale * median(samples.map((sample) => (figure === "memory" ? sample.peak : sample.times[figure]?.[kind]) ?? Number.NaN));
}

try {
  mkdirSync(provider);
  writeFileSync(executable, `#!/bin/sh\nexec '${requirePeer("framework-provider").path}' -measured "$@"\n`, { mode: 0o755 });
  await bundleEngine();
  await checkSame();
  const tasks = tasksOf();
  await measureAll(tasks);
  const measurements = [...rows].flatMap(([name, { ours, peer }]): readonly Measurement[] => {
    const unit = ours.figure === "memory" ? "MiB" : "ms";
    const of = (kind: "elapsed" | "cpu", suffix = ""): Measurement => ({
      name: `${name}${suffix}`,
      ours: figureOf(ours, tasks, kind),
      peer: figureOf(peer, tasks, kind),
      unit,
    });
    return values.cpu && unit === "ms" && peer.subject !== "floor" ? [of("elapsed"), of("cpu", "-cpu")] : [of("elapsed")];
  });
  report("engine", measurements);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
