// SPDX-License-Identifier: Apache-2.0
// Commands of tofu have the same results in a process that they share as in processes of their own.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TofuProcesses, tofuEnvironment } from "./tofu-commands.ts";
import { TofuServer } from "./tofu-server.ts";

const configuration = `
resource "terraform_data" "one" {
  input = { home = pathexpand("~") }
}

output "input" {
  value = terraform_data.one.output
}
`;

let folder: string;
let environment: NodeJS.ProcessEnv;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-tofu-server-")));
  const cliConfiguration = join(folder, "cli.tfrc");
  writeFileSync(cliConfiguration, "");
  environment = tofuEnvironment([], cliConfiguration);
});
afterEach(() => rmSync(folder, { recursive: true }));

describePeer(["tofu", "tofu-server"], "a process for many commands of tofu", (peers) => {
  test.each([
    ["a valid configuration", configuration],
    ["a faulty configuration", `${configuration}\nlocals {\n  one = var.absent\n}\n`],
  ])("validates %s as a process of its own does, each time", { timeout: 180_000 }, async (_name, text) => {
    writeFileSync(join(folder, "main.tf"), text);
    using processes = new TofuProcesses(peers.tofu.path, environment);
    using server = new TofuServer(peers["tofu-server"].path, environment);
    const expected = await processes.run(folder, ["validate", "-json"]);
    const results = await Promise.all([1, 2, 3].map(() => server.run(folder, ["validate", "-json"])));
    for (const result of results) expect(result).toEqual(expected);
  });

  test("keeps no state between commands", { timeout: 180_000 }, async () => {
    writeFileSync(join(folder, "main.tf"), configuration);
    using server = new TofuServer(peers["tofu-server"].path, environment);
    await server.run(folder, ["apply", "-auto-approve", "-input=false"]);
    const applied = await server.run(folder, ["output", "-json"]);
    expect(JSON.parse(applied.output)).toMatchObject({ input: { value: { home: folder } } });
    rmSync(join(folder, "terraform.tfstate"));
    expect(JSON.parse((await server.run(folder, ["output", "-json"])).output)).toEqual({});
  });
});

test("ends a process that ignores requests to stop", async () => {
  const path = join(folder, "server");
  writeFileSync(path, "#!/bin/sh\ntrap '' TERM\nread line\necho '{ \"code\": 0, \"output\": \"'$$'\" }'\nread line\n", { mode: 0o755 });
  const server = new TofuServer(path, environment);
  const { output } = await server.run(folder, ["plan"]);
  server[Symbol.dispose]();
  await vi.waitFor(() => expect(() => process.kill(Number(output), 0)).toThrow("ESRCH"), { timeout: 30_000 });
});

test("reports a process that ends", async () => {
  using server = new TofuServer("/bin/false", environment);
  await expect(server.run(folder, ["plan"])).rejects.toThrow("tofu plan ended with a panic");
});
