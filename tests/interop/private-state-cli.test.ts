// SPDX-License-Identifier: Apache-2.0
// Encrypted private state in a real state file, over more than one run.
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
    /** What the state file holds, and what is in it once the core's own base64 is undone. */
    const stored = (): { readonly file: string; readonly data: string } => {
      const file = readFileSync(join(workspace.folder, "terraform.tfstate"), "utf8");
      const { resources } = JSON.parse(file) as {
        readonly resources: readonly [{ readonly instances: readonly [{ readonly private: string }] }];
      };
      return { file, data: Buffer.from(resources[0].instances[0].private, "base64").toString() };
    };

    test("a second apply finds nothing to do, and the state file does not change by a byte", async ({ expect }) => {
      const keys = key("first");
      named("one");
      expect(await apply(keys)).toMatchObject({ code: 0 });
      const { file, data } = stored();
      expect(Object.keys(JSON.parse(data) as object)).toEqual([".sealed"]);
      expect(data).not.toContain(Buffer.from('"name"').toString("base64").slice(0, 6));
      expect((await apply(keys)).text).toContain("No changes.");
      expect(stored().file).toBe(file);
    });

    test("a new key takes over with the next change; without the old one, the practitioner is told", async ({ expect }) => {
      const [old, young] = [key("old"), key("young")];
      named("one");
      await apply(old);
      const lost = await apply(young);
      expect(lost.code).toBe(1);
      expect(lost.text.replaceAll(/[\s│╷╵]+/g, " ")).toContain(
        "it is encrypted with key old, and the keys are young: set VAULT_PRIVATE_STATE_KEYS",
      );
      expect((await apply(`${young},${old}`)).text).toContain("No changes.");
      named("two");
      expect(await apply(`${young},${old}`)).toMatchObject({ code: 0 });
      expect((await apply(young)).text).toContain("No changes.");
    });
  });
}
