// SPDX-License-Identifier: Apache-2.0
// What a practitioner sees in the real CLIs when our provider goes wrong.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, test } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";

const address = "example.com/tenon/trouble";

let provider: PackagedProvider;
beforeAll(() => {
  provider = packageExample("tests/interop/fixtures/trouble-main.ts", "--name", "trouble", "--version", "1.0.0", "--address", address);
});
afterAll(() => provider[Symbol.dispose]());

test("started by hand, a provider explains itself and exits 1", async ({ expect }) => {
  const run = promisify(execFile)(join(provider.folder, "dev", "terraform-provider-trouble"));
  await expect(run).rejects.toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("not by hand") as string });
});

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli], `a provider that goes wrong under ${cli}`, (peers) => {
    const apply = async (
      kind: string,
      env: Readonly<Record<string, string>> = {},
    ): Promise<{ readonly code: number | null; readonly text: string }> => {
      using workspace = new CliWorkspace(peers[cli].path, { kind: "devOverrides", source: address, folder: join(provider.folder, "dev") });
      workspace.write({
        "main.tf": `terraform {
          required_providers {
            trouble = { source = "${address}" }
          }
        }
        resource "trouble_accident" "a" {
          kind = "${kind}"
        }`,
      });
      const { code, stdout, stderr } = await workspace.run(["apply", "-auto-approve", "-input=false", "-no-color"], { env });
      return { code, text: stdout + stderr };
    };

    test("an error thrown in a handler is a diagnostic with its message", async ({ expect }) => {
      const { code, text } = await apply("throws");
      expect(code).toBe(1);
      expect(text).toContain("the disk is on fire");
      expect(text).toContain('resource "trouble_accident" "a"');
      expect(text).not.toContain("panic");
    });

    test("a rejection that nobody handles is a crash, and the core shows our panic text", async ({ expect }) => {
      const { code, text } = await apply("rejects", { TF_LOG: "error" });
      expect(code).toBe(1);
      expect(text).toContain("panic: ");
      expect(text).toContain("nobody caught this");
    });

    test("an error while loading is a diagnostic that says it", async ({ expect }) => {
      const { code, text } = await apply("none", { TROUBLE_AT_LOAD: "1" });
      expect(code).toBe(1);
      expect(text).toContain("the licence has expired");
    });
  });
}
