// SPDX-License-Identifier: Apache-2.0
// Compares the diagnostics of `workspace.validate()` with those of `tofu validate -json` on generated configurations with errors.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomFor } from "@tenon/testing/generate";
import { diagnosticDifferences, type Difference } from "./compare.ts";
import { explanationOf } from "./differences.ts";
import { Distribution } from "./distribution.ts";
import { damage } from "./generate/damage.ts";
import { moduleRecords, type ModuleRecord } from "./generate/module.ts";
import { makeCase, typesOf } from "./generate/steps.ts";
import { Sides, type DifferentialPeers } from "./sides.ts";
import { writeConfiguration } from "./write-configuration.ts";

/** A configuration with errors. */
interface ValidationCase {
  readonly index: number;
  readonly files: Readonly<Record<string, string>>;
  readonly records: readonly ModuleRecord[];
  readonly damages: readonly string[];
}

/** A configuration whose diagnostics differ. */
export interface ValidationFailure {
  readonly index: number;
  readonly files: Readonly<Record<string, string>>;
  readonly differences: readonly Difference[];
}

/** Result of a run. */
export interface ValidationReport {
  passed: number;
  readonly distribution: Distribution;
  readonly failures: ValidationFailure[];
}

function makeValidationCase(seed: number, index: number): ValidationCase {
  const random = randomFor(seed, "validation", index);
  const { modules } = random.pick(makeCase(seed, index, 2).steps);
  return { index, ...damage(random, modules), records: moduleRecords(modules) };
}

/** Validates generated configurations with errors on both sides. */
export async function validateCases(
  peers: DifferentialPeers,
  { seed, parallel }: { readonly seed: number; readonly parallel: number },
  indices: readonly number[],
  onFailure: (failure: ValidationFailure) => void = () => undefined,
): Promise<ValidationReport> {
  const report: ValidationReport = { passed: 0, distribution: new Distribution(), failures: [] };
  const left = [...indices];
  const worker = async (): Promise<void> => {
    using sides = await Sides.start(peers, typesOf(seed).dynamicResources);
    for (let index = left.shift(); index !== undefined; index = left.shift()) {
      const one = makeValidationCase(seed, index);
      for (const name of one.damages) report.distribution.add("damages", name);
      const { differences, summaries } = await compareValidation(sides, one.files, one.records);
      for (const summary of summaries) report.distribution.add("diagnostics", summary);
      if (differences.length === 0) report.passed++;
      else {
        const failure = await smallerFailure(sides, one, differences);
        report.failures.push(failure);
        onFailure(failure);
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return report;
}

/** Removes blocks from a failing configuration, as long as its first difference stays. */
async function smallerFailure(
  sides: Sides,
  { index, files, records }: ValidationCase,
  found: readonly Difference[],
): Promise<ValidationFailure> {
  const sort = sortOf(found[0]!);
  let best: ValidationFailure = { index, files, differences: found };
  for (const path of Object.keys(files)) {
    for (let at = 0; ;) {
      const blocks = best.files[path]!.split("\n\n");
      if (at >= blocks.length) break;
      const fewer = { ...best.files, [path]: blocks.toSpliced(at, 1).join("\n\n") };
      const { differences } = await compareValidation(sides, fewer, records, 1);
      const difference = differences.find((one) => sortOf(one) === sort);
      if (difference === undefined) at++;
      else best = { index, files: fewer, differences: [difference] };
    }
  }
  return best;
}

function sortOf({ path, theirs, ours }: Difference): string {
  return `${path} ${theirs === undefined} ${ours === undefined}`;
}

async function compareValidation(
  { tofu, engine }: Sides,
  files: Readonly<Record<string, string>>,
  records: readonly ModuleRecord[],
  maxTries = 6,
): Promise<{ readonly differences: readonly Difference[]; readonly summaries: ReadonlySet<string> }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-case-")));
  try {
    writeConfiguration(folder, { files, records });
    const ours = await engine.validate(folder, files);
    let theirs = await tofu.validate(folder);
    let differences = diagnosticDifferences("validation diagnostics", theirs, ours);
    // OpenTofu's answer can depend on the random order of Go's maps.
    for (let asked = 1; asked < maxTries && differences.length > 0; asked++) {
      theirs = await tofu.validate(folder);
      differences = diagnosticDifferences("validation diagnostics", theirs, ours);
    }
    const outcome = { isPlanned: false, planLog: [], planDiagnostics: theirs, applyDiagnostics: [] };
    const options = { apply: false, documents: { plan: false, state: false } };
    return {
      differences: differences.filter((one) => explanationOf(one, options, outcome, outcome) === undefined),
      summaries: new Set(theirs.map(({ summary }) => summary)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
