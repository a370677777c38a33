// SPDX-License-Identifier: Apache-2.0
// Runs the engine: plans, applies, plans again and destroys the configuration in `root` of a folder, or lists the state there; prints the
// times as JSON. The state is a local file, as with tofu, with a journal. A small configuration is planned and applied first, so that the engine
// and the provider are loaded. The texts that tofu prints are rendered, too: the plan and the lines about the progress.
//
//   node engine-run.ts <folder> <JSON of an EngineRun>
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatResourceInstance, formatResourceInstanceObject } from "@tenon/engine/address";
import { objectFiles } from "@tenon/engine/configuration";
import { renderPlan, renderProgress } from "@tenon/engine/documents";
import { type EngineEvent, openWorkspace, type Plan, type PlanOptions, type WorkspaceOptions } from "@tenon/engine";
import { localState } from "@tenon/engine/state/stores";
import { providerFactory } from "@tenon/plugin-host";
import { createProvider } from "@tenon/provider-sdk";
import { mapCalls, type ProviderFactory } from "@tenon/schema";
import { engineConfiguration } from "./engine-configuration.ts";
import type { EngineSample, EngineStep, StepTime } from "./engine-measurement.ts";
import { provider } from "./measured-provider/provider.ts";

/** The argument of {@link file://./engine-run.ts}. */
export interface EngineRun {
  /** The steps, or the operation on the stored state. */
  readonly steps: readonly EngineStep[] | "list";
  /** Path of the provider to launch. Default: ours runs in this process. */
  readonly provider?: string;
  /** Whether applies have a journal. Default: true. */
  readonly journal?: boolean;
}

const [folder, argument] = process.argv.slice(2) as [string, string];
const { steps, provider: executable, journal = true } = JSON.parse(argument) as EngineRun;
const calls: Record<string, number> = {};
const inProcess: ProviderFactory = async () => createProvider(provider);
const bench = executable === undefined ? inProcess : counted(providerFactory([executable]));

/** Counts the calls of a provider that is launched. */
function counted(factory: ProviderFactory): ProviderFactory {
  return async (options) => {
    const launched = await factory(options);
    const count = (name: string): void => void (calls[name] = (calls[name] ?? 0) + 1);
    return {
      ...mapCalls(launched, {
        unary: (call, name) => (request, called) => (count(name), call(request, called)),
        streaming: (call) => call,
      }),
      close: () => launched.close(),
      [Symbol.asyncDispose]: () => launched.close(),
    };
  };
}

/** Processor time in milliseconds of this process and of its children that have ended, threads included. */
function cpuTime(): number {
  // The fields after the name, which is in parentheses. A tick is 10 ms.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)!.split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, StepTime]> {
  const [start, cpu] = [performance.now(), cpuTime()];
  const result = await work();
  return [result, { elapsed: performance.now() - start, cpu: cpuTime() - cpu }];
}

function sum(a: StepTime, b: StepTime): StepTime {
  return { elapsed: a.elapsed + b.elapsed, cpu: a.cpu + b.cpu };
}

const options: WorkspaceOptions = {
  configuration: join(folder, "root"),
  state: localState({ path: join(folder, "root", "terraform.tfstate") }),
  providers: { "tenon/bench": bench },
  ...(!journal && { journal: false }),
};

/** The lines that the command line of tofu would print. */
let output: string[] = [];

function onEvent(event: EngineEvent): void {
  const line = renderProgress(event);
  if (line !== undefined) output.push(line);
}

function print(file: string): void {
  writeFileSync(join(folder, file), `${output.join("\n")}\n`);
  output = [];
}

async function planned(planOptions: PlanOptions = {}): Promise<Plan> {
  const plan = await openWorkspace(options).plan({ ...planOptions, onEvent });
  output.push(renderPlan(plan.changes));
  print("plan.txt");
  return plan;
}

async function applied(plan: Plan): Promise<void> {
  const { errored, diagnostics } = await plan.apply();
  if (errored) throw new Error(diagnostics[0]?.summary);
  print("apply.txt");
}

/** Fails unless every change of the plan has the action. */
function expectActions(plan: Plan, action: string): Plan {
  const other = plan.changes.resources.find((change) => change.action !== action);
  if (plan.errored || other !== undefined || plan.changes.resources.length === 0) {
    const found = other === undefined ? plan.diagnostics[0]?.summary : formatResourceInstanceObject(other.address);
    throw new Error(`the plan is not all ${action}: ${found ?? "it has no changes"}`);
  }
  return plan;
}

/**
 * Plans and applies a small configuration with a state in a file, so that the code of both is loaded: V8 compiles a function when it is first
 * called. The functions are not optimized after that.
 */
async function warmUp(): Promise<void> {
  const small = openWorkspace({
    configuration: objectFiles(engineConfiguration("fan", 2)),
    state: localState({ path: join(folder, "warm-up.tfstate") }),
    providers: { "tenon/bench": inProcess },
  });
  await using plan = await small.plan({ onEvent });
  output.push(renderPlan(plan.changes));
  await applied(plan);
}

async function runSteps(wanted: ReadonlySet<EngineStep>): Promise<EngineSample["times"]> {
  const times: Partial<Record<keyof EngineSample["times"], StepTime>> = {};
  const [first, plan] = await timed(planned);
  times.plan = plan;
  if (!wanted.has("apply")) {
    await expectActions(first, "create").close();
    return times;
  }
  const [, applyAlone] = await timed(() => applied(expectActions(first, "create")));
  times.applyAlone = applyAlone;
  times.apply = sum(plan, applyAlone);
  if (wanted.has("replan")) {
    const [again, replan] = await timed(planned);
    await expectActions(again, "noOp").close();
    times.replan = replan;
  }
  if (wanted.has("destroy")) {
    [, times.destroy] = await timed(async () => applied(expectActions(await planned({ mode: "destroy" }), "delete")));
  }
  return times;
}

/** Lists the instances of the state. */
async function list(): Promise<void> {
  const { instances, diagnostics } = await openWorkspace(options).stored().list();
  if (diagnostics.length > 0) throw new Error(diagnostics[0]!.summary);
  output.push(...instances.map(formatResourceInstance));
  print("list.txt");
}

await warmUp();
const times = steps === "list" ? { list: (await timed(list))[1] } : await runSteps(new Set(steps));
console.log(JSON.stringify({ times, calls } satisfies EngineSample));
