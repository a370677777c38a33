// SPDX-License-Identifier: Apache-2.0
// Encrypted private state in a real state file, across several runs.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, afterEach, beforeAll, beforeEach, test } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";

const address = "example.com/tenon/vault";

let provider: PackagedProvider;
beforeAll(() => {
  provider = packageExample("tests/interop/fixtures/vault-main.ts", "--name", "vault", "--version", "1.0.0", "--address", address);
});
afterAll(() => provider[Symbol.dispose]());

const key = (id: string): string => `${id}=base64:${randomBytes(32).toString("base64")}`;

for (const cli of ["tofu", "terraform"] as const) {
  describePeer([cli], `encrypted private state under ${cli}`, (peers) => {
    let workspace: CliWorkspace;
    beforeEach(() => {
      workspace = new CliWorkspace(peers[cli].path, { kind: "devOverrides", source: address, folder: join(provider.folder, "dev") });
    });
    afterEach(() => workspace[Symbol.dispose]());

    const named = (name: string): void =>
      workspace.write({
        "main.tf": `terraform {
          required_providers {
            vault = { source = "${address}" }
          }
        }
        resource "vault_secret" "a" {
          name = "${name}"
        }`,
      });
    const apply = async (keys: string): Promise<{ readonly code: number | null; readonly text: string }> => {
      const env = { VAULT_PRIVATE_STATE_KEYS: keys };
      const { code, stdout, stderr } = await workspace.run(["apply", "-auto-approve", "-input=false", "-no-color"], { env });
      return { code, text: stdout + stderr };
    };
    /** Reads the state file, and decodes the base64 of its private state. */
    const stored = (): { readonly file: string; readonly data: string } => {
      const file = readFileSync(join(workspace.folder, "terraform.tfstate"), "utf8");
      const { resources } = JSON.parse(file) as {
        readonly resources: readonly [{ readonly instances: readonly [{ readonly private: string }] }];
      };
      return { file, data: Buffer.from(resources[0].instances[0].private, "base64").toString() };
    };

    test("keeps its bytes, and those of the state file, in a second apply", async ({ expect }) => {
      const keys = key("first");
      named("one");
      expect(await apply(keys)).toMatchObject({ code: 0 });
      const { file, data } = stored();
      expect(Object.keys(JSON.parse(data) as object)).toEqual([".sealed"]);
      expect(data).not.toContain(Buffer.from('"name"').toString("base64").slice(0, 6));
      expect((await apply(keys)).text).toContain("No changes.");
      expect(stored().file).toBe(file);
    });

    test("is encrypted with a new key at the next change, and cannot be read without the old key", async ({ expect }) => {
      const [old, young] = [key("old"), key("young")];
      named("one");
      await apply(old);
      const lost = await apply(young);
      expect(lost.code).toBe(1);
      expect(lost.text.replaceAll(/[\s│╷╵]+/g, " ")).toContain(
        "it is encrypted with key old, but the available keys are young: set VAULT_PRIVATE_STATE_KEYS",
      );
      expect((await apply(`${young},${old}`)).text).toContain("No changes.");
      named("two");
      expect(await apply(`${young},${old}`)).toMatchObject({ code: 0 });
      expect((await apply(young)).text).toContain("No changes.");
    });
  });
}
