// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { requirePeer } from "@tenon/peers";
import { engineConfiguration } from "./engine-configuration.ts";
import { type EngineSample, type EngineTask, type StepTime, watchMemory } from "./engine-measurement.ts";
import { plainEnvironment } from "./launched-provider.ts";

/** The output, the time and the memory of a command. */
export interface TofuCommand {
  readonly stdout: string;
  readonly time: StepTime;
  /** Largest resident memory in MiB. */
  readonly peak: number;
}

/** Writes the configuration of a task to `root` of a folder. */
export function writeConfiguration(folder: string, { shape, count }: EngineTask): void {
  for (const [path, content] of Object.entries(engineConfiguration(shape, count))) {
    const file = join(folder, "root", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** Runs a command of tofu in `root` of a folder, with the provider in another folder. @throws Error when the command fails. */
export async function runTofu(folder: string, provider: string, args: readonly string[], memory = false): Promise<TofuCommand> {
  const overrides = `provider_installation {\n  dev_overrides {\n    "tenon/bench" = ${JSON.stringify(provider)}\n  }\n}\n`;
  writeFileSync(join(folder, "cli.tfrc"), overrides);
  const start = performance.now();
  // The shell prints the processor time of tofu and of the providers that tofu has waited for.
  const child = spawn("sh", ["-c", '"$@" && times >&3', "sh", requirePeer("tofu").path, ...args], {
    cwd: join(folder, "root"),
    env: {
      ...Object.fromEntries(Object.entries(plainEnvironment).filter(([name]) => !name.startsWith("TF_"))),
      HOME: folder,
      TF_CLI_CONFIG_FILE: join(folder, "cli.tfrc"),
      CHECKPOINT_DISABLE: "1",
      // The framework would log each call.
      TF_LOG_SDK: "off",
    },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const peak = memory ? watchMemory(child.pid!) : () => 0;
  const [stdout, stderr, times] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    text(child.stdio[3] as NodeJS.ReadableStream),
  ]);
  if (child.exitCode === null) await once(child, "exit");
  const elapsed = performance.now() - start;
  if (child.exitCode !== 0) throw new Error(`tofu ${args.join(" ")} failed:\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`);
  return { stdout, time: { elapsed, cpu: childrenTime(times) }, peak: peak() };
}

/** Reads the second line of the shell's `times`: user and system time of its children, as in `0m1.53s 0m0.20s`. */
function childrenTime(times: string): number {
  const texts = times.trim().split("\n").at(-1)?.split(" ") ?? [];
  return texts.reduce((sum, part) => {
    const [, minutes, seconds] = /^(\d+)m([\d.]+)s$/.exec(part) ?? [];
    return sum + Number(minutes) * 60_000 + Number(seconds) * 1000;
  }, 0);
}

/** Runs the steps of a task in a folder. The time that tofu takes to start, measured with `tofu version`, is subtracted from the times. */
export async function measureTofu(folder: string, provider: string, task: EngineTask): Promise<EngineSample> {
  const { shape, count, steps, memory = false } = task;
  writeConfiguration(folder, task);
  // `get` installs local modules; a provider that is overridden needs no `init`.
  if (shape === "modules") await runTofu(folder, provider, ["get"]);
  const start = await startTime(folder, provider);
  const times: Partial<Record<keyof EngineSample["times"], StepTime>> = {};
  let peak = 0;
  for (const step of steps) {
    const { args, expected } = commands[step](count);
    const command = await runTofu(folder, provider, [...args, "-input=false", "-no-color"], memory);
    if (!command.stdout.includes(expected)) throw new Error(`tofu ${step} did not print ${expected}:\n${command.stdout.slice(-2000)}`);
    writeFileSync(join(folder, `${step}.txt`), command.stdout);
    times[step] = without(command.time, start);
    peak = Math.max(peak, command.peak);
  }
  return { times, ...(memory && { peak }) };
}

const commands = {
  plan: (count: number) => ({ args: ["plan"], expected: `${count} to add` }),
  apply: (count: number) => ({ args: ["apply", "-auto-approve"], expected: `Resources: ${count} added` }),
  replan: () => ({ args: ["plan"], expected: "No changes" }),
  destroy: (count: number) => ({ args: ["destroy", "-auto-approve"], expected: `Resources: ${count} destroyed` }),
};

/** The time that tofu takes to start. */
export async function startTime(folder: string, provider: string): Promise<StepTime> {
  return (await runTofu(folder, provider, ["version"])).time;
}

export function without(time: StepTime, start: StepTime): StepTime {
  return { elapsed: time.elapsed - start.elapsed, cpu: Math.max(0, time.cpu - start.cpu) };
}

/** Creates an empty folder. */
export function emptyFolder(path: string): string {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}
