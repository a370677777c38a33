// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "@tenon/plugin-host";
import { ProviderError } from "@tenon/schema";
import type { OutcomeDiagnostic } from "./outcome.ts";
import { runCase, type RunCaseOptions, type RunnableStep, type StepReport } from "./run-case.ts";
import { Sides, type DifferentialPeers } from "./sides.ts";

/** Runs cases one after the other, with processes that they share. */
export class CaseRunner implements Disposable {
  readonly #start: () => Promise<Sides>;
  #sides: Sides;

  private constructor(start: () => Promise<Sides>, sides: Sides) {
    this.#start = start;
    this.#sides = sides;
  }

  /** Starts the processes. */
  static async start(peers: DifferentialPeers, dynamicResources: string): Promise<CaseRunner> {
    const start = (): Promise<Sides> => Sides.start(peers, dynamicResources);
    return new CaseRunner(start, await start());
  }

  /** The sides on which the last case ran. */
  get sides(): Sides {
    return this.#sides;
  }

  /**
   * Runs a case. If a provider does not answer, runs the case once more from the beginning, with new processes. Undefined: a provider did
   * not answer then, either.
   */
  async run(steps: readonly RunnableStep[], options: RunCaseOptions): Promise<readonly StepReport[] | undefined> {
    const reports = await this.#attempt(steps, options);
    if (reports !== undefined) return reports;
    this.#sides[Symbol.dispose]();
    this.#sides = await this.#start();
    return this.#attempt(steps, options);
  }

  async #attempt(steps: readonly RunnableStep[], options: RunCaseOptions): Promise<readonly StepReport[] | undefined> {
    try {
      const reports = await runCase(this.#sides, steps, options);
      return isUnanswered(reports.at(-1)!) ? undefined : reports;
    } catch (error) {
      if (isNoAnswer(error)) return undefined;
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#sides[Symbol.dispose]();
  }
}

/** Whether an error says that a provider could not be reached. */
function isNoAnswer(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof PluginHostError && at.code === "CONNECTION_FAILED") return true;
    if (at instanceof ProviderError && (at.code === "UNAVAILABLE" || at.code === "DEADLINE_EXCEEDED")) return true;
  }
  return false;
}

/** Whether the sides differ in a step, and one of them reports that it could not reach a provider. */
function isUnanswered({ differences, theirs, ours }: StepReport): boolean {
  if (differences.length === 0) return false;
  const all = [theirs, ours].flatMap(({ planDiagnostics, applyDiagnostics }) => [...planDiagnostics, ...applyDiagnostics]);
  return all.some(({ summary, detail }: OutcomeDiagnostic) => noAnswer.test(`${summary}: ${detail}`));
}

/** What tofu or the engine reports about a provider that it cannot reach. */
const noAnswer =
  /^(Provider call failed|Plugin did not respond|Failed to load plugin schemas|Failed to instantiate provider)|Unavailable desc|deadline exceeded/;
