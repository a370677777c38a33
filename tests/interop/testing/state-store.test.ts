// SPDX-License-Identifier: Apache-2.0
// Steps of a state store, over a provider in this process and over a launched one.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchProvider } from "@tenon/plugin-host";
import { runTestCase, stateStoreStep, type StateStoreStepOptions, type TestCase } from "@tenon/testing";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, test, vi } from "vitest";
import { provider as shelves } from "../fixtures/shelves.ts";

// Each operation launches the provider.
vi.setConfig({ testTimeout: 300_000 });

const root = mkdtempSync(join(tmpdir(), "tenon-state-store-"));
afterAll(() => rmSync(root, { recursive: true }));

const main = join(import.meta.dirname, "../fixtures/shelves-main.ts");
const launched = () => launchProvider({ command: [process.execPath, main], name: "shelves", protocolVersions: [6] });

function testCase(
  provider: NonNullable<TestCase["providers"]>[string],
  options: StateStoreStepOptions = {},
): TestCase & { readonly folder: string } {
  const folder = mkdtempSync(join(root, "shelf-"));
  const steps = [stateStoreStep({ type: "shelves_shelf", config: { folder } }, options)];
  return { folder, providers: { shelves: provider }, steps };
}

test.for([
  ["in this process", shelves, { verifyLock: true }],
  ["in processes of its own", launched, { defaultWorkspaceOnly: true }],
] as const)("a step passes for a store of files %s", async ([, provider, options], { expect }) => {
  const { folder, ...rest } = testCase(provider, options);
  expect(await runTestCase({ ...rest, runner: "in-process" })).toEqual({ status: "passed" });
  expect(readdirSync(folder)).toEqual(["default.state"]);
});

describePeer(["tofu"], "with tofu", ({ tofu: { path } }) => {
  test("a step of a state store is skipped", async ({ expect }) => {
    const { folder: _, ...rest } = testCase(shelves);
    expect(await runTestCase({ ...rest, runner: path })).toMatchObject({
      status: "skipped",
      reason: expect.stringContaining("is not used for the feature stateStore: run the case in process") as string,
    });
  });
});
