// SPDX-License-Identifier: Apache-2.0
// The echo provider shows ephemeral values on each runner: those of a provider of the SDK, and of one in Go.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { providerFactory } from "@tenon/plugin-host";
import { attr, defineProvider } from "@tenon/provider-sdk";
import { configStep, expectKnownValue, expectUnknownValue, runTestCase, skipBelow, type TestCase } from "@tenon/testing";
import { echoProvider } from "@tenon/testing/echo";
import { notNull } from "@tenon/testing/known-value";
import { describe, type ExpectStatic, test, vi } from "vitest";

vi.setConfig({ testTimeout: 120_000 });

/** Ephemeral values need these versions. */
const versionChecks = [skipBelow({ terraform: "1.10.0", opentofu: "1.11.0" })];

/** A provider whose ephemeral resource has another value each time. */
function vaultCase(expected: string, runner: string): TestCase {
  let opened = 0;
  const vault = defineProvider({ name: "vault", version: "1.0.0" });
  const token = vault.ephemeralResource("token", {
    schema: {
      role: attr.string({ required: true }),
      serial: attr.number({ computed: true }),
      roles: attr.list(attr.string(), { computed: true }),
    },
    open: ({ config }) => ({ role: config.role, serial: ++opened, roles: [config.role, "all"] }),
  });
  const config =
    'ephemeral "vault_token" "t" {\n  role = "deploy"\n}\nprovider "echo" {\n  data = ephemeral.vault_token.t\n}\nresource "echo" "t" {}\n';
  return {
    runner,
    versionChecks,
    providers: { vault: vault.with([token]), echo: echoProvider },
    steps: [
      configStep(config, {
        planChecks: [expectUnknownValue("echo.t", "data")],
        stateChecks: [
          expectKnownValue("echo.t", ["data", "role"], expected),
          expectKnownValue("echo.t", ["data", "roles"], ["deploy", "all"]),
          expectKnownValue("echo.t", ["data", "serial"], notNull()),
        ],
      }),
      // The ephemeral value differs in each operation; the echo stays.
      configStep(`${config}# changed\n`),
    ],
  };
}

async function echoes(runner: string, expect: ExpectStatic): Promise<void> {
  expect(await runTestCase(vaultCase("deploy", runner))).toEqual({ status: "passed" });
  await expect(runTestCase(vaultCase("other", runner))).rejects.toMatchObject({
    code: "CHECK_FAILED",
    message: expect.stringMatching(/echo\.t\.data\.role differs:\s+expected: "other"\s+actual:\s+"deploy"/),
  });
}

describe("the echo provider", () => {
  test("shows ephemeral values in process", ({ expect }) => echoes("in-process", expect));

  test("stores nothing without a value", async ({ expect }) => {
    const steps = [configStep('resource "echo" "t" {}\n', { stateChecks: [expectKnownValue("echo.t", "data", null)] })];
    expect(await runTestCase({ runner: "in-process", providers: { echo: echoProvider }, steps })).toEqual({ status: "passed" });
  });
});

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli], `the echo provider with ${cli}`, (peers) => {
    test("shows ephemeral values", ({ expect }) => echoes(peers[cli].path, expect));
  });
}

describePeer(["framework-provider", "tofu"], "the echo provider beside a Go provider", ({ "framework-provider": framework, tofu }) => {
  test.for(["in-process", tofu.path])("shows its ephemeral values with %s", async (runner, { expect }) => {
    const directory = mkdtempSync(join(tmpdir(), "echo-"));
    try {
      const config = `provider "framework" {\n  directory = "${directory}"\n}\nephemeral "framework_token" "t" {\n  name = "t"\n}\nprovider "echo" {\n  data = ephemeral.framework_token.t.name\n}\nresource "echo" "t" {}\n`;
      const steps = [configStep(config, { stateChecks: [expectKnownValue("echo.t", "data", "t")] })];
      expect(
        await runTestCase({ runner, versionChecks, providers: { framework: providerFactory(framework.path), echo: echoProvider }, steps }),
      ).toEqual({ status: "passed" });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
