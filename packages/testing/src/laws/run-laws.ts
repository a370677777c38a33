// SPDX-License-Identifier: Apache-2.0
import { asyncProperty, check, type Arbitrary } from "fast-check";
import { generatedBy } from "../arbitraries/generated-by.ts";
import type { ValueSettings } from "../generate/value-settings.ts";
import { configurationText } from "./configuration-text.ts";
import { generateCase } from "./law-case.ts";
import { laws, lawNames, type LawName, type LawWeight, type Violation } from "./law.ts";
import { runTrial } from "./life-laws.ts";
import type { LawCase, Subject } from "./subject.ts";

/** A violated law, with the simplest case that was found. */
export interface Finding {
  readonly law: LawName;
  readonly weight: LawWeight;
  /** What must hold. */
  readonly statement: string;
  /** What happened. */
  readonly text: string;
  readonly advice: string;
  /** The configuration of the case, as text; of a change, both. Absent for a law about schemas. */
  readonly configurations: readonly string[];
  /** How many cases violated the law before the first one was simplified. */
  readonly cases: number;
}

/** What a run did. */
export interface LawsRun {
  readonly findings: readonly Finding[];
  readonly cases: number;
  /** How many cases had a valid configuration. */
  readonly validCases: number;
  /** How often each thing happened: `created`, `updated`, `invalid: …` */
  readonly outcomes: ReadonlyMap<string, number>;
}

/** Options of a run. */
export interface RunSettings {
  readonly cases: number;
  readonly seed: number;
  /** How many simpler cases are tried for each violated law. */
  readonly shrinks: number;
}

/** A violation, and the simplest case that was found with it. */
interface Simplest {
  readonly violation: Violation;
  readonly of: LawCase;
}

/** Runs cases, and simplifies the first case of each violated law. */
export async function runLaws(subject: Subject, values: ValueSettings, { cases, seed, shrinks }: RunSettings): Promise<LawsRun> {
  const { block } = subject.type.schema;
  const arbitrary = generatedBy((random) => generateCase(random, block, values));
  const outcomes = new Map<string, number>();
  const first = new Map<LawName, { readonly violation: Violation; readonly of: LawCase; count: number }>();
  let [ran, valid] = [0, 0];
  await checkAll(arbitrary, { numRuns: cases, seed, endOnFailure: true }, async (of) => {
    const trial = await runTrial(subject, of);
    ran += 1;
    if (trial.isValid) valid += 1;
    for (const outcome of trial.outcomes) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    for (const violation of trial.violations) {
      const known = first.get(violation.law);
      if (known === undefined) first.set(violation.law, { violation, of, count: 1 });
      else known.count += 1;
    }
    return true;
  });
  const findings: Finding[] = [];
  for (const law of lawNames) {
    const found = first.get(law);
    if (found === undefined) continue;
    const simplest = await simplify(subject, arbitrary, law, { cases, seed, shrinks });
    findings.push(findingOf(subject, simplest ?? found, found.count));
  }
  return { findings, cases: ran, validCases: valid, outcomes };
}

/** Runs the cases again until one violates the law, and then simpler ones. Returns undefined where none violates it again. */
async function simplify(
  subject: Subject,
  arbitrary: Arbitrary<LawCase>,
  law: LawName,
  { cases, seed, shrinks }: RunSettings,
): Promise<Simplest | undefined> {
  const only: Subject = { ...subject, except: new Set(lawNames.filter((name) => name !== law)) };
  let simplest: Simplest | undefined;
  let tries = 0;
  await checkAll(arbitrary, { numRuns: cases, seed }, async (of) => {
    if (simplest !== undefined && ++tries > shrinks) return true;
    const violation = (await runTrial(only, of)).violations.find((one) => one.law === law);
    if (violation === undefined) return true;
    simplest = { violation, of };
    return false;
  });
  return simplest?.violation.isChange ? ((await withoutChange(only, law, simplest.of)) ?? simplest) : simplest;
}

/** Tries the changed configuration of a case for a new object: a case without a change is simpler. */
async function withoutChange(subject: Subject, law: LawName, of: LawCase): Promise<Simplest | undefined> {
  const unchanged: LawCase = { ...of, config: of.changed, unknowns: of.changedUnknowns };
  const violation = (await runTrial(subject, unchanged)).violations.find((one) => one.law === law && !one.isChange);
  return violation && { violation, of: unchanged };
}

async function checkAll<T>(
  arbitrary: Arbitrary<T>,
  options: { readonly numRuns: number; readonly seed: number; readonly endOnFailure?: boolean },
  predicate: (value: T) => Promise<boolean>,
): Promise<void> {
  const { errorInstance } = await check(
    asyncProperty(arbitrary, async (value) => {
      if (!(await predicate(value))) throw new Violated();
    }),
    options,
  );
  if (errorInstance !== null && !(errorInstance instanceof Violated)) throw errorInstance;
}

/** Tells the runner of fast-check that a case violates the law. */
class Violated extends Error {}

/** Returns the finding of a violation that no configuration causes. */
export function findingOfSchema({ law, text }: Violation): Finding {
  const { weight, statement, advice } = laws[law];
  return { law, weight, statement, advice, text, configurations: [], cases: 1 };
}

function findingOf(subject: Subject, { violation, of }: Simplest, cases: number): Finding {
  const { typeName, schema } = subject.type;
  const { weight, statement, advice } = laws[violation.law];
  const texts = [of.config, of.changed].map((config) => configurationText(typeName, schema.block, config));
  const configurations = violation.isChange && texts[0] !== texts[1] ? texts : [texts[0]!];
  return { law: violation.law, weight, statement, advice, text: violation.text, configurations, cases };
}
