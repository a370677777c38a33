// SPDX-License-Identifier: Apache-2.0
// Two interrupts of the command tenon-test beside those of `tofu test`: both say which objects exist.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describePeer } from "@tenon/peers/vitest";
import { ProviderServer } from "@tenon/peers/provider-server";
import { afterAll, beforeAll, test } from "vitest";
import { SuiteFolder, workshopAddress } from "./suite-sides.ts";
import { logVariable } from "./workshop.ts";

const command = fileURLToPath(import.meta.resolve("@tenon/testing/tftest").replace("tftest/index.ts", "tftest-main.ts"));

const requirement = 'terraform {\n  required_providers {\n    workshop = { source = "tenon/workshop" }\n  }\n}\n';
const files: Readonly<Record<string, string>> = {
  "main.tf": `${requirement}
variable "fail" {
  type    = string
  default = null
}
resource "workshop_tool" "a" {
  name = "a"
}
resource "workshop_tool" "b" {
  count = var.fail == null ? 0 : 1
  name  = "b"
  fail  = var.fail
}
resource "workshop_tool" "c" {
  count = var.fail == null ? 0 : 1
  name  = workshop_tool.b[0].label
}
`,
  "other/main.tf": `${requirement}resource "workshop_tool" "z" {\n  name = "z"\n}\n`,
  "main.tftest.hcl": `
run "setup" {
  module {
    source = "./other"
  }
}
run "one" {
}
run "two" {
  variables {
    fail = "wait"
  }
}
run "three" {
}
`,
  "other.tftest.hcl": 'run "four" {\n}\n',
};

describePeer(["tofu"], "two interrupts", (peers) => {
  const folder = new SuiteFolder();
  let server: ProviderServer;
  const environment = (): NodeJS.ProcessEnv => ({
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TF_"))),
    TF_REATTACH_PROVIDERS: server.reattach,
    TF_CLI_CONFIG_FILE: join(folder.path, "cli.tfrc"),
    CHECKPOINT_DISABLE: "1",
    HOME: folder.path,
    [logVariable]: folder.changesFile,
  });

  beforeAll(async () => {
    const env = { TENON_PROVIDER_ADDRESS: workshopAddress, [logVariable]: folder.changesFile };
    server = await ProviderServer.start(process.execPath, [join(import.meta.dirname, "workshop-main.ts"), "--debug"], { env });
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder.path, name)), { recursive: true });
      writeFileSync(join(folder.path, name), content);
    }
    await once(spawn(peers.tofu.path, ["get"], { cwd: folder.path, env: environment() }), "close");
  });
  afterAll(() => {
    server[Symbol.dispose]();
    folder[Symbol.dispose]();
  });

  /** Interrupts a command twice while the provider creates an object. */
  async function interrupted(program: string, args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
    writeFileSync(folder.changesFile, "");
    const child = spawn(program, args, { cwd: folder.path, env: environment(), stdio: ["ignore", "pipe", "pipe"] });
    const first = once(child.stderr, "data");
    const outputs = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    while (!readFileSync(folder.changesFile, "utf8").includes("wait for b")) await sleep(20);
    child.kill("SIGINT");
    // The second signal must not arrive before the first one is handled.
    await (args.includes("-json") ? sleep(1000) : first);
    child.kill("SIGINT");
    const [stdout, stderr] = await outputs;
    return { stdout, stderr };
  }

  const tofu = (...args: readonly string[]) => interrupted(peers.tofu.path, ["test", ...args]);
  const ours = (...args: readonly string[]) => interrupted(process.execPath, [command, ...args]);

  test("print the text of tofu test about the objects that exist", { timeout: 120_000 }, async ({ expect }) => {
    const theirs = await tofu("-no-color");
    expect(await ours("-no-color")).toEqual(theirs);
    expect(theirs.stderr).toContain("  - workshop_tool.b[0]\n");
  });

  test("log the objects that exist as tofu test -json does", { timeout: 120_000 }, async ({ expect }) => {
    const messages = ({ stdout }: { readonly stdout: string }): readonly object[] =>
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => ({ ...(JSON.parse(line) as object), "@timestamp": "" }));
    const theirs = messages(await tofu("-json"));
    expect(messages(await ours("-json"))).toEqual(theirs);
    expect(theirs.at(-1)).toMatchObject({ type: "test_interrupt" });
  });
});
