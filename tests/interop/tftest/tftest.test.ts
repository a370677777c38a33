// SPDX-License-Identifier: Apache-2.0
// Test files are run by `tofu test` and by @tenon/testing, and must have the same results: exit code, text, JSON log, and changes of objects.
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, test } from "vitest";
import { ProviderServer } from "@tenon/peers/provider-server";
import { normalOutcome } from "./normalize.ts";
import { readSuites } from "./suites.ts";
import { runInProcess, runWithTofu, SuiteFolder, workshopAddress } from "./suite-sides.ts";
import { logVariable } from "./workshop.ts";

describePeer(["tofu"], "test files", (peers) => {
  const folder = new SuiteFolder();
  let server: ProviderServer;

  beforeAll(async () => {
    const main = join(import.meta.dirname, "workshop-main.ts");
    const env = { TENON_PROVIDER_ADDRESS: workshopAddress, [logVariable]: folder.changesFile };
    server = await ProviderServer.start(process.execPath, [main, "--debug"], { env });
  });
  afterAll(() => {
    server[Symbol.dispose]();
    folder[Symbol.dispose]();
  });

  for (const suite of readSuites()) {
    test(suite.name, { timeout: 120_000 }, async ({ expect }) => {
      const theirs = await runWithTofu(peers.tofu.path, folder, server.reattach, suite);
      const ours = await runInProcess(folder, suite);
      expect(normalOutcome(ours)).toEqual(normalOutcome(theirs));
    });
  }

  test("differ in the overrides of other files", { timeout: 120_000 }, async ({ expect }) => {
    const assertion = '  assert {\n    condition     = terraform_data.a.id != "given"\n    error_message = "Overridden."\n  }\n';
    const suite = {
      name: "overrides-of-other-files",
      files: {
        "main.tf": 'resource "terraform_data" "a" {\n}\n',
        "a.tftest.hcl": 'override_resource {\n  target = terraform_data.a\n  values = { id = "given" }\n}\nrun "a" {\n}\n',
        "b.tftest.hcl": `run "b" {\n${assertion}}\n`,
      },
    };
    expect(await runInProcess(folder, suite)).toMatchObject({ code: 0 });
    expect(await runWithTofu(peers.tofu.path, folder, server.reattach, suite)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Overridden."),
    });
  });

  test(
    "differ in variables that a provider's for_each needs and that have no value from outside",
    { timeout: 120_000 },
    async ({ expect }) => {
      const requirement = 'terraform {\n  required_providers {\n    workshop = { source = "tenon/workshop" }\n  }\n}\n';
      const suite = {
        name: "static-variables",
        files: {
          "main.tf": `${requirement}variable "regions" {}\nprovider "workshop" {\n  alias    = "by_region"\n  for_each = var.regions\n}\n`,
          "a.tftest.hcl": 'variables {\n  regions = {}\n}\nrun "a" {\n}\n',
        },
      };
      expect(await runInProcess(folder, suite)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("Error: Invalid for_each argument"),
      });
      expect(await runWithTofu(peers.tofu.path, folder, server.reattach, suite)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("Unable to compute static value"),
      });
    },
  );

  test("differ in imports of overridden resources", { timeout: 120_000 }, async ({ expect }) => {
    const suite = {
      name: "mocked-imports",
      files: {
        "main.tf": 'resource "terraform_data" "a" {\n}\nimport {\n  to = terraform_data.a\n  id = "x"\n}\n',
        "a.tftest.hcl": 'override_resource {\n  target = terraform_data.a\n}\nrun "a" {\n}\n',
      },
    };
    expect((await runInProcess(folder, suite)).stderr).toContain("Error: Import of `terraform_data` in a test");
    expect(await runWithTofu(peers.tofu.path, folder, server.reattach, suite)).toMatchObject({
      code: 11,
      stderr: expect.stringContaining("Importing is not supported in testing context"),
    });
  });
});
