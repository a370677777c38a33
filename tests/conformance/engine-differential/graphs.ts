// SPDX-License-Identifier: Apache-2.0
// Compares the graphs of `workspace.graph()` and `plan.graph()` with those of `tofu graph` on generated configurations, with and without a state.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCase, typesOf } from "./generate/steps.ts";
import type { GraphType } from "./outcome.ts";
import { runnableSteps, type RunnableStep } from "./run-case.ts";
import { Sides, type DifferentialPeers } from "./sides.ts";
import { writeConfiguration } from "./write-configuration.ts";

const types: readonly GraphType[] = ["plan", "plan-refresh-only", "plan-destroy", "apply", "planned"];

/** A graph that differs. */
export interface GraphFailure {
  readonly index: number;
  /** Number of the configuration in its case. */
  readonly step: number;
  readonly type: GraphType;
  readonly files: Readonly<Record<string, string>>;
  /** The lines that only one side has. */
  readonly onlyTheirs: readonly string[];
  readonly onlyOurs: readonly string[];
}

/** Result of a run. */
export interface GraphReport {
  /** Number of graphs that are equal, byte for byte. */
  equal: number;
  /** Number of graphs that neither side makes, because the configuration has errors. */
  refused: number;
  readonly failures: GraphFailure[];
}

/**
 * Compares the graphs of the first two configurations of generated cases: those of the first one without a state, and those of the second one
 * with the state that an apply of the first one leaves.
 */
export async function compareGraphs(
  peers: DifferentialPeers,
  { seed, parallel }: { readonly seed: number; readonly parallel: number },
  indices: readonly number[],
  onFailure: (failure: GraphFailure) => void = () => undefined,
): Promise<GraphReport> {
  const report: GraphReport = { equal: 0, refused: 0, failures: [] };
  const left = [...indices];
  const worker = async (): Promise<void> => {
    using sides = await Sides.start(peers, typesOf(seed).dynamicResources);
    for (let index = left.shift(); index !== undefined; index = left.shift()) {
      const steps = runnableSteps(makeCase(seed, index, 3)).slice(0, 2);
      await compareCase(sides, index, steps, report, onFailure);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return report;
}

async function compareCase(
  { tofu, engine }: Sides,
  index: number,
  steps: readonly RunnableStep[],
  report: GraphReport,
  onFailure: (failure: GraphFailure) => void,
): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-case-")));
  let written: readonly string[] = [];
  try {
    for (const [step, configuration] of steps.entries()) {
      const { files } = configuration;
      written = writeConfiguration(folder, configuration, written);
      for (const type of types) {
        // One after the other: each plan locks the state.
        const theirs = await tofu.graph(folder, type);
        const ours = await engine.graph(folder, files, type);
        const [of, by] = [theirs, ours].map((text) => text && normalizedGraph(text));
        if (of === by) {
          if (of === undefined) report.refused++;
          else report.equal++;
          continue;
        }
        const [a, b] = [of, by].map((text) => text?.split("\n") ?? ["no graph"]);
        const failure: GraphFailure = { index, step, type, files, onlyTheirs: without(a!, b!), onlyOurs: without(b!, a!) };
        report.failures.push(failure);
        onFailure(failure);
      }
      await engine.run(folder, files, { apply: true, documents: { plan: false, state: false } });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A graph without what tofu prints before it, and without the keys of deposed objects, which the apply chooses. */
function normalizedGraph(text: string): string {
  return text
    .slice(text.indexOf("digraph"))
    .replace(/\n+$/, "\n")
    .replaceAll(/deposed [0-9a-f]{8}/g, "deposed 00000000");
}

function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return lines.filter((line) => !known.has(line));
}
