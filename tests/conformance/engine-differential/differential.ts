// SPDX-License-Identifier: Apache-2.0
import { sortOf, type Difference } from "./compare.ts";
import { Distribution } from "./distribution.ts";
import { makeCase, typesOf, type EngineCase } from "./generate/steps.ts";
import { minimize } from "./minimize.ts";
import type { Json } from "./outcome.ts";
import { TfcoremockServer } from "./tfcoremock-server.ts";
import { runCase, runnableSteps, type StepReport } from "./run-case.ts";
import { Sides, type DifferentialPeers } from "./sides.ts";

/** A run of the differential. */
export interface Run {
  readonly seed: number;
  /** Maximum number of steps of a case. */
  readonly steps: number;
  /** Whether each apply is followed by a plan on the other side's state. */
  readonly again: boolean;
  /** How many cases run at once. */
  readonly parallel: number;
  /** Whether a failing case is minimised. */
  readonly minimize: boolean;
}

/** A case whose sides differ. */
export interface Failure {
  readonly index: number;
  readonly sort: string;
  readonly differences: readonly Difference[];
  /** The steps of the minimised case, up to the one that differs. */
  readonly reports: readonly StepReport[];
  readonly dynamicResources: string;
  count: number;
}

/** Result of a run. */
export interface Report {
  passed: number;
  failed: number;
  steps: number;
  readonly distribution: Distribution;
  /** The first failure of each sort. */
  readonly failures: Map<string, Failure>;
}

/** Runs cases on both sides. */
export async function runDifferential(
  peers: DifferentialPeers,
  run: Run,
  indices: readonly number[],
  onFailure: (failure: Failure) => void = () => undefined,
): Promise<Report> {
  const { dynamicResources } = typesOf(run.seed);
  using server = await TfcoremockServer.start(dynamicResources);
  const report: Report = { passed: 0, failed: 0, steps: 0, distribution: new Distribution(), failures: new Map() };
  const left = [...indices];
  const worker = async (): Promise<void> => {
    using sides = await Sides.start(peers, server);
    for (let index = left.shift(); index !== undefined; index = left.shift()) await tryCase(sides, run, index, report, onFailure);
  };
  await Promise.all(Array.from({ length: run.parallel }, worker));
  return report;
}

async function tryCase(sides: Sides, run: Run, index: number, report: Report, onFailure: (failure: Failure) => void): Promise<void> {
  const one = makeCase(run.seed, index, run.steps);
  const reports = await runCase(sides, runnableSteps(one), run);
  count(report, one, reports);
  const last = reports.at(-1)!;
  if (last.differences.length === 0) return void report.passed++;
  report.failed++;
  const sort = sortOf(last.differences[0]!);
  const known = report.failures.get(sort);
  if (known !== undefined) return void known.count++;
  const failure: Failure = {
    index,
    sort,
    differences: last.differences,
    reports,
    dynamicResources: one.dynamicResources,
    count: 1,
  };
  report.failures.set(sort, failure);
  if (run.minimize) {
    const smaller = await minimize(sides, one, run, sort);
    const minimized: Failure = {
      ...failure,
      differences: smaller.at(-1)!.differences,
      reports: smaller,
    };
    minimized.count = failure.count;
    report.failures.set(sort, minimized);
    onFailure(minimized);
  } else onFailure(failure);
}

function count(report: Report, one: EngineCase, reports: readonly StepReport[]): void {
  for (const construct of one.constructs) report.distribution.add("constructs", construct);
  for (const name of one.functions) report.distribution.add("functions", name);
  for (const { name, isAgain, theirs, explained } of reports) {
    for (const difference of explained) report.distribution.add("explained differences", difference);
    if (isAgain) continue;
    report.steps++;
    report.distribution.add("steps", name);
    const outcome = !theirs.isPlanned
      ? "plan fails"
      : theirs.applyDiagnostics.some(({ severity }) => severity === "error")
        ? "apply fails"
        : "applied";
    report.distribution.add("outcomes", outcome);
    const changes = (theirs.plan?.["resource_changes"] ?? []) as readonly {
      readonly change: { readonly actions: readonly string[] };
      readonly action_reason?: string;
    }[];
    for (const action of new Set(changes.map(({ change }) => change.actions.join("/")))) report.distribution.add("actions", action);
    for (const reason of new Set(changes.flatMap(({ action_reason: reason }) => reason ?? []))) report.distribution.add("reasons", reason);
    for (const { severity, summary } of [...theirs.planDiagnostics, ...theirs.applyDiagnostics])
      if (severity === "error") report.distribution.add("errors", summary);
    if (((theirs.plan?.["resource_drift"] ?? []) as readonly Json[]).length > 0) report.distribution.add("steps", "with drift");
  }
}

/** Formats the shares of a run. */
export function reportLines({ distribution, passed, failed, steps }: Report): readonly string[] {
  return distribution.rows((group) => (group === "constructs" || group === "functions" ? passed + failed : steps));
}

/** Formats the failures of a run, with the commands that repeat them. */
export function failureLines({ failures }: Report, { seed, steps }: Run): readonly string[] {
  return [...failures.values()]
    .toSorted((a, b) => b.count - a.count)
    .flatMap(({ sort, index, count, differences, reports }) => [
      `${sort} (${count})`,
      `  step     ${reports.at(-1)!.name}`,
      ...differences
        .slice(0, 4)
        .flatMap(({ part, path, theirs, ours }) => [
          `  differs  ${part} ${path}`,
          `    theirs ${clip(theirs)}`,
          `    ours   ${clip(ours)}`,
        ]),
      `  again    npm run fuzz -- engine --seed ${seed} --steps ${steps} --only ${index}`,
    ]);
}

function clip(value: unknown): string {
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")).slice(0, 900).replaceAll("\n", "\n           ");
}
