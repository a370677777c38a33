// SPDX-License-Identifier: Apache-2.0
// Compares the diagnostics of `workspace.validate()` with those of `tofu validate -json`, which `npm run vectors -- validation` records.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { providerFactory } from "@tenon/plugin-host";
import { describe, test } from "vitest";
import { differingConfigurations, faultyConfigurations } from "./faulty-configurations.ts";
import { pickedConfigurations } from "./picked-configurations.ts";
import { configurationKey, engineDiagnostics, TofuValidation, type ComparedDiagnostic } from "./validation-source.ts";

const answers = JSON.parse(readFileSync(join(import.meta.dirname, "validation-answers.json"), "utf8")) as Readonly<
  Record<string, readonly ComparedDiagnostic[]>
>;
const differing = new Set(Object.values(differingConfigurations).flat().map(configurationKey));
const equal = [...pickedConfigurations, ...faultyConfigurations].filter((picked) => !differing.has(configurationKey(picked)));

describe("the recorded answers of tofu", () => {
  test("have many different diagnostics", ({ expect }) => {
    const summaries = new Set(Object.values(answers).flatMap((answer) => answer.map(({ summary }) => summary)));
    expect(equal.filter((picked) => (answers[configurationKey(picked)] ?? []).length > 0).length).toBeGreaterThanOrEqual(600);
    expect(summaries.size).toBeGreaterThanOrEqual(220);
  });
});

describePeer(["framework-provider"], "faulty configurations", (peers) => {
  const framework = providerFactory(peers["framework-provider"].path);

  test("have the diagnostics that tofu reports", async ({ expect }) => {
    const differences: string[] = [];
    for (const picked of equal) {
      const theirs = JSON.stringify(answers[configurationKey(picked)]);
      const ours = JSON.stringify(await engineDiagnostics(picked, framework));
      if (ours !== theirs) differences.push(`${JSON.stringify(picked)}\n- ${theirs}\n+ ${ours}`);
    }
    expect(differences).toEqual([]);
  });

  test("have other diagnostics for each difference that the documentation names", async ({ expect }) => {
    for (const [name, configurations] of Object.entries(differingConfigurations)) {
      for (const picked of configurations) {
        expect(await engineDiagnostics(picked, framework), name).not.toEqual(answers[configurationKey(picked)]);
      }
    }
  });
});

describePeer(["tofu", "framework-provider"], "the recorded answers", (peers) => {
  test("are those of tofu, in a sample", async ({ expect }) => {
    using tofu = new TofuValidation(peers.tofu.path, peers["framework-provider"].path);
    for (let index = 3; index < equal.length; index += 31) {
      const picked = equal[index]!;
      const recorded = answers[configurationKey(picked)];
      let answer = await tofu.diagnostics(picked);
      // OpenTofu's answer can depend on the random order of Go's maps.
      for (let asked = 1; asked < 8 && JSON.stringify(answer) !== JSON.stringify(recorded); asked++)
        answer = await tofu.diagnostics(picked);
      expect(answer, JSON.stringify(picked)).toEqual(recorded);
    }
  });
});
