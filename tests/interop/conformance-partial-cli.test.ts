// SPDX-License-Identifier: Apache-2.0
// A created object is never lost, however its creation ends: the core records it as tainted and replaces it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, afterEach, beforeAll, beforeEach, test, vi } from "vitest";
import { changeOf, ConformanceRun, packageConformance } from "./conformance-run.ts";
import type { PackagedProvider } from "./packaged-provider.ts";

// Each step starts real processes, which takes longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let provider: PackagedProvider;
beforeAll(() => {
  provider = packageConformance();
});
afterAll(() => provider[Symbol.dispose]());

const half = (ending: string, text = "t"): string => `resource "conformance_half" "it" {\n  ending = "${ending}"\n  text = "${text}"\n}`;

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli], `partial state under ${cli}`, (peers) => {
    let run: ConformanceRun;
    beforeEach(() => {
      run = new ConformanceRun(peers[cli].path, provider);
    });
    afterEach(() => run[Symbol.dispose]());

    const kept = (): readonly string[] => readdirSync(run.store).filter((name) => name.startsWith("half-"));

    test.for([
      ["throws", "the connection broke"],
      ["error", "The text was not taken over."],
      ["panics", "the provider crashed: nobody catches this"],
      ["terminated", "the provider was asked to shut down before the operation finished"],
      ["killed", "the machine goes down"],
    ] as const)("records a creation with the ending %s as tainted, then replaces it", async ([ending, message], { expect }) => {
      // A slow resource keeps the core running until the process is killed.
      const slow = 'resource "conformance_frame" "slow" {\n  name = "slow"\n  wait_ms = 1000\n}';
      run.configure(ending === "killed" ? `${half(ending)}\n${slow}` : half(ending));
      expect(await run.runToFailure("apply", "-auto-approve", "-input=false", "-no-color")).toContain(message);
      const [made = ""] = kept();
      const id = made.replace(".json", "");
      const recorded = (await run.state()).values?.root_module.resources?.find(({ address }) => address === "conformance_half.it");
      expect(recorded).toMatchObject({ tainted: true, values: { id, ending, done: ending === "error" ? true : null } });
      const file = JSON.parse(readFileSync(join(run.folder, "terraform.tfstate"), "utf8")) as {
        resources: { instances: { private?: string }[] }[];
      };
      expect(file.resources.flatMap(({ instances }) => instances)[0]?.private).toBeDefined();

      run.configure(half("well"));
      expect(changeOf(await run.plan(), "conformance_half.it")).toMatchObject({
        actions: ["delete", "create"],
        reason: "replace_because_tainted",
      });
      run.takeTrace();
      await run.applyAll("conformance_half.it");
      const [after = ""] = kept();
      expect(kept()).toHaveLength(1);
      expect(after).not.toBe(made);
      expect(run.takeTrace()).toEqual(expect.arrayContaining([`removed ${id}`, `made ${after.replace(".json", "")}`]));
    });

    test("keeps the state of a failed update, and does not taint it", async ({ expect }) => {
      run.configure(half("well"));
      const { id } = await run.applyAll("conformance_half.it");
      run.configure(half("throws", "changed"));
      expect(await run.runToFailure("apply", "-auto-approve", "-input=false", "-no-color")).toContain("the connection broke");
      const recorded = (await run.state()).values?.root_module.resources?.[0];
      expect(recorded).toMatchObject({ values: { id, ending: "well", text: "changed" } });
      expect(recorded?.tainted).toBeUndefined();
      run.configure(half("well", "changed"));
      await run.assertEmptyPlan();
    });
  });
}
