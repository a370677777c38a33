// SPDX-License-Identifier: Apache-2.0
// Compares the diagnostics and declarations of configurations that the engine and OpenTofu load.
import { loadConfiguration } from "@tenon/engine/configuration";
import { createFunctionTable, processEnvironment } from "@tenon/engine/functions";
import { memoryFiles } from "@tenon/hcl/files";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import type { OracleResult } from "../cty/notation.ts";
import { openOracle } from "../cty/oracle.ts";
import { configurationNotation } from "./configuration-notation.ts";
import { withoutEmptyRanges, type DiagnosticNotation } from "./diagnostic-notation.ts";
import { configurationFixtures } from "./opentofu-fixtures.ts";
import { pickedConfigurations, type PickedConfiguration } from "./picked-configurations.ts";

function filesOf(picked: PickedConfiguration): Readonly<Record<string, string>> {
  return typeof picked === "string" ? { "main.tf": picked } : picked;
}

/** An answer as text, with sorted diagnostics, because OpenTofu reports them in the random order of Go's maps. */
function comparable(answer: unknown): string {
  const { diagnostics, providerDiagnostics = [], ...rest } = answer as Record<string, readonly DiagnosticNotation[]>;
  const sorted = (all: readonly DiagnosticNotation[]): readonly string[] =>
    withoutEmptyRanges(all)
      .map((one) => JSON.stringify(one))
      .sort();
  return JSON.stringify(
    { diagnostics: sorted(diagnostics ?? []), providerDiagnostics: sorted(providerDiagnostics), ...rest },
    undefined,
    1,
  );
}

function oracleAnswers(answer: OracleResult): readonly string[] {
  const variants: readonly OracleResult[] = "varies" in answer ? answer.varies : [answer];
  return variants.map((one) => ("ok" in one ? comparable(one.ok) : JSON.stringify(one)));
}

/** The functions that can be evaluated while a configuration is loaded. */
const functions = createFunctionTable(processEnvironment(), { pureOnly: true });

async function engineAnswer(picked: PickedConfiguration): Promise<string> {
  const files = memoryFiles(new Map(Object.entries(filesOf(picked))));
  return comparable(configurationNotation(await loadConfiguration({ files, functions })));
}

describe("configurations picked by hand", () => {
  test("have many different diagnostics", async ({ expect }) => {
    const summaries = new Set<string>();
    for (const picked of pickedConfigurations) {
      const { diagnostics } = await loadConfiguration({ files: memoryFiles(new Map(Object.entries(filesOf(picked)))) });
      for (const { summary } of diagnostics) summaries.add(summary);
    }
    expect(pickedConfigurations.length).toBeGreaterThanOrEqual(250);
    expect(summaries.size).toBeGreaterThanOrEqual(130);
  });
});

/** Loads configurations with the oracle and with the engine. Returns both results of those with different ones. */
async function differencesOf(picked: readonly PickedConfiguration[], repeats: number): Promise<ReadonlyMap<PickedConfiguration, string>> {
  const oracle = await openOracle({ peer: "engine-oracle", repeats });
  try {
    const answers = await oracle.ask(picked.map((one) => ({ op: "configuration.load", args: [filesOf(one)] })));
    const differences = new Map<PickedConfiguration, string>();
    for (const [index, one] of picked.entries()) {
      const theirs = oracleAnswers(answers[index]!);
      const ours = await engineAnswer(one);
      if (!theirs.includes(ours)) differences.set(one, `${JSON.stringify(one)}\n- ${theirs[0]}\n+ ${ours}`);
    }
    return differences;
  } finally {
    oracle.close();
  }
}

describePeer(["engine-oracle"], "configurations beside OpenTofu's loader", () => {
  test("have the same diagnostics and the same declarations", async ({ expect }) => {
    const differences = await differencesOf(pickedConfigurations, 12);
    expect([...differences.values()]).toEqual([]);
  });

  test("have the same results for the configurations in the tests of OpenTofu", { timeout: 300_000 }, async ({ expect, skip }) => {
    const fixtures = configurationFixtures();
    if (fixtures === undefined) {
      skip("the module cache of Go does not have OpenTofu's source");
      return;
    }
    expect(fixtures.length).toBeGreaterThan(500);
    const few = await differencesOf(
      fixtures.map(({ files }) => files),
      2,
    );
    // Which similar name OpenTofu suggests can depend on the random order of Go's maps: what differs is loaded again, and more often.
    const differences = await differencesOf([...few.keys()], 30);
    expect([...differences.values()]).toEqual([]);
  });
});
