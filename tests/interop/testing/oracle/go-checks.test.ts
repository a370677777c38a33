// SPDX-License-Identifier: Apache-2.0
// Our checks and those of terraform-plugin-testing over the same documents: verdicts are equal, but for the named differences.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { cliRunner, inProcessRunner, type Runner } from "@tenon/testing";
import { createRandom, type Random } from "@tenon/testing/generate";
import { describe, test, vi } from "vitest";
import type { SuiteCase } from "../suite-case.ts";
import { goCases, ownCases, runSuiteCase } from "../suite-cases.ts";
import { checkNames, type CheckNotation, ourOutcome } from "./check-notation.ts";
import { differences } from "./differences.ts";
import { generateComparison, generatePlanCheck, generateQueryCheck, generateStateCheck } from "./generate-checks.ts";
import { generatePlan, generateQuery, generateState } from "./generate-documents.ts";
import { knownValueKinds, someKnownValue } from "./known-value-notation.ts";
import { type RecordedDocuments, recordingRunner } from "./recorded-documents.ts";
import { goOutcomes, type OracleCase } from "./testing-oracle.ts";

vi.setConfig({ testTimeout: 600_000 });

/** The cases of a set of documents: checks of each plan, of each state, and of states one after the other. */
function casesOf(random: Random, { plans, states }: RecordedDocuments, checksPerDocument: number): readonly OracleCase[] {
  const series = states.slice(1).map((state, index) => [states[index]!, state]);
  return [
    ...plans.map((plan) => ({ plan, checks: random.times(checksPerDocument, () => generatePlanCheck(random, plan)) })),
    ...states.map((state) => ({ state, checks: random.times(checksPerDocument, () => generateStateCheck(random, state)) })),
    ...series.map((some) => ({ states: some, checks: random.times(4, () => generateComparison(random, some)) })),
  ];
}

interface Comparison {
  readonly unexplained: readonly string[];
  /** Number of checks by name and our verdict. */
  readonly verdicts: ReadonlyMap<string, number>;
}

function compare(oracle: string, cases: readonly OracleCase[]): Comparison {
  const unexplained: string[] = [];
  const verdicts = new Map<string, number>();
  for (const [index, outcomes] of goOutcomes(oracle, cases).entries()) {
    const { checks, ...documents } = cases[index]!;
    for (const [position, check] of checks.entries()) {
      const ours = ourOutcome(check, documents);
      const go = outcomes[position]!;
      const verdict = `${check.on} ${check.name} ${ours === undefined ? "passes" : "fails"}`;
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
      if ((ours === undefined) === go.passed || differences.some(({ applies }) => applies(check, documents))) continue;
      const texts = [JSON.stringify(check), JSON.stringify(documents), `ours: ${ours ?? "passes"}`, `Go: ${go.error ?? "passes"}`];
      unexplained.push(texts.join("\n"));
    }
  }
  return { unexplained, verdicts };
}

/** Runs the cases of the suite, and returns their plans and states. */
async function recordedDocuments(runner: Runner, suite: readonly SuiteCase[]): Promise<RecordedDocuments> {
  const documents: RecordedDocuments = { plans: [], states: [] };
  for (const suiteCase of suite) await runSuiteCase(suiteCase, recordingRunner(runner, documents));
  return documents;
}

describePeer(["testing-oracle"], "checks of terraform-plugin-testing", ({ "testing-oracle": { path } }) => {
  test("have our verdicts over random documents, each check both", ({ expect }) => {
    const random = createRandom(20_261_127);
    const documents = { plans: random.times(600, () => generatePlan(random)), states: random.times(600, () => generateState(random)) };
    const queries = random
      .times(400, () => generateQuery(random))
      .map((query) => ({
        ...query,
        checks: random.times(8, () => generateQueryCheck(random, query)),
      }));
    const cases = [...casesOf(random, documents, 12), ...queries];
    const { unexplained, verdicts } = compare(path, cases);
    expect(unexplained.slice(0, 5)).toEqual([]);
    const missing = checkNames.flatMap((name) => [`${name} passes`, `${name} fails`]).filter((verdict) => !verdicts.has(verdict));
    expect(missing).toEqual([]);
    const isUsed = (kind: string): boolean => cases.some(({ checks }) => checks.some((check) => usesKind(check, kind)));
    expect(knownValueKinds.filter((kind) => !isUsed(kind))).toEqual([]);
  });

  test("have our verdicts over the plans and states of our providers in process", async ({ expect }) => {
    const documents = await recordedDocuments(await inProcessRunner(), ownCases);
    expect(documents.plans.length).toBeGreaterThan(100);
    expect(compare(path, casesOf(createRandom(1), documents, 20)).unexplained.slice(0, 5)).toEqual([]);
  });

  test("differ from ours as the page for authors says", ({ expect }) => {
    const page = readFileSync(
      join(import.meta.dirname, "../../../../packages/testing/docs/coming-from-terraform-plugin-testing.md"),
      "utf8",
    );
    const missing = differences.filter(({ name, reason }) => !page.toLowerCase().includes(`| ${name} | ${reason} |`.toLowerCase()));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  describe("named differences", () => {
    test.for(differences)("$name", ({ example: { check, documents, passes } }, { expect }) => {
      const [[go] = []] = goOutcomes(path, [{ ...documents, checks: [check] }]);
      expect([ourOutcome(check, documents) === undefined, go?.passed]).toEqual([passes === "ours", passes === "go"]);
    });
  });
});

describePeer(
  ["testing-oracle", "framework-provider", "sdkv2-provider"],
  "checks of terraform-plugin-testing over Go providers",
  (peers) => {
    test("have our verdicts in process", async ({ expect }) => {
      const suite = goCases({ framework: peers["framework-provider"].path, sdkv2: peers["sdkv2-provider"].path });
      const documents = await recordedDocuments(await inProcessRunner(), suite);
      expect(documents.plans.length).toBeGreaterThan(20);
      expect(compare(peers["testing-oracle"].path, casesOf(createRandom(2), documents, 40)).unexplained.slice(0, 5)).toEqual([]);
    });
  },
);

for (const cli of ["tofu", "terraform"] as const) {
  describePeer(
    [cli, "testing-oracle", "framework-provider", "sdkv2-provider"],
    `checks of terraform-plugin-testing over plans of ${cli}`,
    (peers) => {
      test("have our verdicts", async ({ expect }) => {
        const own = ownCases.filter(({ name }) => /passes|life/.test(name)).slice(0, 5);
        const suite = [
          ...own,
          ...goCases({ framework: peers["framework-provider"].path, sdkv2: peers["sdkv2-provider"].path }).slice(0, 3),
        ];
        const documents = await recordedDocuments(await cliRunner(peers[cli].path), suite);
        expect(documents.plans.length).toBeGreaterThan(10);
        expect(compare(peers["testing-oracle"].path, casesOf(createRandom(3), documents, 40)).unexplained.slice(0, 5)).toEqual([]);
      });
    },
  );
}

function usesKind({ arguments: { expected, values = {} } }: CheckNotation, kind: string): boolean {
  return [expected, ...Object.values(values)].some((one) => one !== undefined && someKnownValue(one, (inside) => inside.kind === kind));
}
