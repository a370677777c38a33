// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from "node:fs";
import type { EngineShape } from "./engine-configuration.ts";

/** The steps that are measured of a configuration, in this order. `apply` and `destroy` include their plan, like the commands of tofu. */
export const engineSteps = ["plan", "apply", "replan", "destroy"] as const;

export type EngineStep = (typeof engineSteps)[number];

/** A configuration, and the steps to measure. */
export interface EngineTask {
  readonly shape: EngineShape;
  readonly count: number;
  readonly steps: readonly EngineStep[];
  /** Whether the largest resident memory is measured, too. */
  readonly memory?: boolean;
}

/** Milliseconds of a step: elapsed time, and processor time of all processes. */
export interface StepTime {
  readonly elapsed: number;
  readonly cpu: number;
}

/** The result of a task. */
export interface EngineSample {
  readonly times: Readonly<Partial<Record<EngineStep | "applyAlone" | "list", StepTime>>>;
  /** Largest resident memory of the core and its providers at one time, in MiB. */
  readonly peak?: number;
  /** Numbers of calls of providers, by RPC. */
  readonly calls?: Readonly<Record<string, number>>;
}

/** The given steps and the steps that they need: a second plan and a destruction need an apply. */
export function requiredSteps(steps: ReadonlySet<EngineStep>): readonly EngineStep[] {
  const needsApply = steps.has("replan") || steps.has("destroy");
  return engineSteps.filter((step) => steps.has(step) || (step === "apply" && needsApply));
}

/** Watches a process and its descendants. Returns a function that ends the watch and returns their largest resident memory in MiB. */
export function watchMemory(process: number): () => number {
  let peak = 0;
  const sample = (): void => {
    peak = Math.max(peak, residentKiB(process));
  };
  const timer = setInterval(sample, 25);
  return () => {
    clearInterval(timer);
    return peak / 1024;
  };
}

function residentKiB(process: number): number {
  try {
    const own = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${process}/status`, "utf8"))?.[1] ?? 0);
    const threads = readdirSync(`/proc/${process}/task`);
    const children = threads.flatMap((thread) => readFileSync(`/proc/${process}/task/${thread}/children`, "utf8").split(" "));
    return children.reduce((sum, child) => (child === "" ? sum : sum + residentKiB(Number(child))), own);
  } catch {
    // The process or a thread has ended.
    return 0;
  }
}
