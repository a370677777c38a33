// SPDX-License-Identifier: Apache-2.0
import { CaseRunner } from "./case-runner.ts";
import { sortOf, type Difference } from "./compare.ts";
import { Distribution } from "./distribution.ts";
import { makeCase, typesOf, type EngineCase } from "./generate/steps.ts";
import { minimize } from "./minimize.ts";
import type { Json } from "./outcome.ts";
import { runnableSteps, type StepReport } from "./run-case.ts";
import type { DifferentialPeers } from "./sides.ts";

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
  /** Ends the run when it aborts: after the cases in progress. */
  readonly signal?: AbortSignal;
}

/** A case whose sides differ, or which a side ended with an error of its own. */
export interface Failure {
  readonly index: number;
  readonly sort: string;
  readonly differences: readonly Difference[];
  /** The steps of the minimised case, up to the one that differs. Empty after an error of a side. */
  readonly reports: readonly StepReport[];
  readonly dynamicResources: string;
  count: number;
}

/** Result of a run. Each case is counted once. */
export interface Report {
  /** Number of cases without any difference. */
  equal: number;
  /** Number of cases whose differences all have names. */
  named: number;
  failed: number;
  /** Numbers of the cases in which a provider did not answer, also with new processes. */
  readonly unanswered: number[];
  /** Number of steps, without those of unanswered cases. */
  steps: number;
  /** How many cases had each named difference. */
  readonly differences: Map<string, number>;
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
  const report: Report = {
    equal: 0,
    named: 0,
    failed: 0,
    unanswered: [],
    steps: 0,
    differences: new Map(),
    distribution: new Distribution(),
    failures: new Map(),
  };
  const left = [...indices];
  const worker = async (): Promise<void> => {
    using runner = await CaseRunner.start(peers, dynamicResources);
    while (left.length > 0 && run.signal?.aborted !== true) await tryCase(runner, run, left.shift()!, report, onFailure);
  };
  await Promise.all(Array.from({ length: run.parallel }, worker));
  return report;
}

async function tryCase(runner: CaseRunner, run: Run, index: number, report: Report, onFailure: (failure: Failure) => void): Promise<void> {
  const one = makeCase(run.seed, index, run.steps);
  let reports: readonly StepReport[] | undefined;
  try {
    reports = await runner.run(runnableSteps(one), run);
  } catch (error) {
    return addFailure(report, thrownFailure(index, one, error), onFailure);
  }
  if (reports === undefined) return void report.unanswered.push(index);
  count(report, one, reports);
  const { differences } = reports.at(-1)!;
  if (differences.length === 0) {
    const names = new Set(reports.flatMap(({ explained }) => explained));
    for (const name of names) report.differences.set(name, (report.differences.get(name) ?? 0) + 1);
    if (names.size === 0) report.equal++;
    else report.named++;
    return;
  }
  const sort = sortOf(differences[0]!);
  const failure: Failure = { index, sort, differences, reports, dynamicResources: one.dynamicResources, count: 1 };
  if (!run.minimize || report.failures.has(sort)) return addFailure(report, failure, onFailure);
  const smaller = await minimize(runner.sides, one, run, sort);
  addFailure(
    report,
    smaller === undefined ? failure : { ...failure, differences: smaller.at(-1)!.differences, reports: smaller },
    onFailure,
  );
}

/** Counts a failure, and passes it on if it is the first of its sort. */
function addFailure(report: Report, failure: Failure, onFailure: (failure: Failure) => void): void {
  report.failed++;
  const known = report.failures.get(failure.sort);
  if (known !== undefined) return void known.count++;
  report.failures.set(failure.sort, failure);
  onFailure(failure);
}

/** The failure of a case that a side ended with an error which is no diagnostic. */
function thrownFailure(index: number, { dynamicResources }: EngineCase, error: unknown): Failure {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const path = text.split("\n", 1)[0]!;
  const difference: Difference = { part: "error", path, theirs: undefined, ours: text };
  return { index, sort: sortOf(difference), differences: [difference], reports: [], dynamicResources, count: 1 };
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

/** Formats the shares of a run, and its totals. */
export function reportLines({ distribution, equal, named, failed, unanswered, steps, differences }: Report): readonly string[] {
  const compared = equal + named + failed;
  const names = [...differences].toSorted(([, a], [, b]) => b - a).map(([name, cases]) => `${name} ${cases}`);
  return [
    ...distribution.rows((group) => (group === "constructs" || group === "functions" ? compared : steps)),
    `${compared + unanswered.length} cases, ${steps} steps: ${equal} equal, ${named} with named differences, ${failed} failed, ${unanswered.length} not answered`,
    ...(names.length === 0 ? [] : [`cases by named difference: ${names.join(", ")}`]),
  ];
}

/** Formats the failures of a run, with the commands that repeat them. */
export function failureLines({ failures, unanswered }: Report, { seed, steps }: Run): readonly string[] {
  const again = (index: number): string => `  again    npm run fuzz -- engine --seed ${seed} --steps ${steps} --only ${index}`;
  return [
    ...unanswered.flatMap((index) => [`a provider did not answer, also with new processes (case ${index})`, again(index)]),
    ...[...failures.values()]
      .toSorted((a, b) => b.count - a.count)
      .flatMap(({ sort, index, count: occurrences, differences, reports }) => [
        `${sort} (${occurrences})`,
        `  step     ${reports.at(-1)?.name ?? "unknown, because a side ended with an error"}`,
        ...differences
          .slice(0, 4)
          .flatMap(({ part, path, theirs, ours }) => [
            `  differs  ${part} ${path}`,
            `    theirs ${clip(theirs)}`,
            `    ours   ${clip(ours)}`,
          ]),
        again(index),
      ]),
  ];
}

function clip(value: unknown): string {
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")).slice(0, 900).replaceAll("\n", "\n           ");
}
