// SPDX-License-Identifier: Apache-2.0
// Output of the real CLIs when a provider fails.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
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

test("a provider that a user starts by hand prints an explanation and exits with 1", async ({ expect }) => {
  const run = promisify(execFile)(join(provider.folder, "dev", "terraform-provider-trouble"));
  await expect(run).rejects.toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("do not run it by hand") as string });
});

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli], `a failing provider under ${cli}`, (peers) => {
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

    test("returns a diagnostic with the message of an error that a handler throws", async ({ expect }) => {
      const { code, text } = await apply("throws");
      expect(code).toBe(1);
      expect(text).toContain("the disk is on fire");
      expect(text).toContain('resource "trouble_accident" "a"');
      expect(text).not.toContain("panic");
    });

    test("crashes on an unhandled rejection, and the core shows the panic text", async ({ expect }) => {
      const { code, text } = await apply("rejects", { TF_LOG: "error" });
      expect(code).toBe(1);
      expect(text).toContain("panic: ");
      expect(text).toContain("nobody caught this");
    });

    test("is shown with the reason when its Node is too old", async ({ expect }) => {
      const preload = join(provider.folder, "old-node.cjs");
      writeFileSync(preload, `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.9.0" } });`);
      const { code, text } = await apply("none", { NODE_OPTIONS: `--require "${preload}"` });
      expect(code).toBe(1);
      expect(text.replaceAll(/[│\s]+/g, " ")).toContain("is Node 20.9.0; install Node 22.19 or newer, or set TENON_NODE");
    });

    test("returns a diagnostic for an error during loading", async ({ expect }) => {
      const { code, text } = await apply("none", { TROUBLE_AT_LOAD: "1" });
      expect(code).toBe(1);
      expect(text).toContain("the licence has expired");
    });
  });
}
