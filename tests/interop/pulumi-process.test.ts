// SPDX-License-Identifier: Apache-2.0
// The process of the plugin on a machine: its arguments, its signals, and what remains of it when it or its engine ends.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, test } from "vitest";
import { PluginProcess, TestEngine } from "./pulumi-plugin.ts";
import { childrenOf, commandOf, hasEnded } from "./soak/child-processes.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pulumi-process-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const main = join(import.meta.dirname, "../../packages/bridge/src/pulumi/main.ts");

/** A provider whose writes take a second. */
const notebook = join(folder, "terraform-provider-notebook_v1.0.0");
writeFileSync(
  notebook,
  `#!/bin/sh\nexec "${process.execPath}" "${join(import.meta.dirname, "../../apps/examples/notebook/src/main.ts")}"\n`,
);
chmodSync(notebook, 0o755);

const limitMs = 30_000;

describe.skipIf(process.platform !== "linux")("the process of a plugin", { timeout: 120_000 }, () => {
  test("refuses an invalid engine address", ({ expect }) => {
    for (const [args, problem] of [
      [["nonsense"], "is not the address of an engine"],
      [["127.0.0.1:0"], "is not the address of an engine"],
      [["127.0.0.1:1", "127.0.0.1:2"], "more than one engine address"],
    ] as const) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: "utf8" });
      expect({ args, status, stdout }).toEqual({ args, status: 1, stdout: "" });
      expect(stderr).toContain(problem);
    }
  });

  test("answers a change in flight when it is interrupted, and ends with its provider and without files", async ({ expect }) => {
    const temporary = join(folder, "temporary");
    mkdirSync(temporary);
    await using engine = await TestEngine.start();
    await using plugin = await PluginProcess.start([engine.address], { TMPDIR: temporary });
    const calls = plugin.connect();
    await calls.parameterize({ parameters: { case: "args", value: { args: [notebook] } } });
    await calls.configure({ args: { path: join(folder, "interrupted.db"), latencyMs: 1_000 } });
    const processes = childrenOf(plugin.process.pid!);
    expect(processes.map(commandOf).join("\n")).toContain("notebook");
    const urn = "urn:pulumi:dev::project::notebook:index/note:Note::first";
    const created = calls.create({ urn, properties: { title: "interrupted" } }).then(
      ({ id }) => ({ id }),
      (error: unknown) => ({ error: String(error) }),
    );
    // The plugin handles requests in their order: the creation has begun.
    await calls.getPluginInfo({});
    await calls.cancel({});
    plugin.process.kill("SIGINT");
    // The provider either finished the note, or says that it was interrupted.
    expect(await created).toEqual(expect.toSatisfy((answer: object) => "id" in answer || "error" in answer));
    expect(await plugin.exit()).toEqual([0, null]);
    for (const pid of processes) expect(await hasEnded(pid, limitMs), commandOf(pid)).toBe(true);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test("ends when the engine's process ends, although its address still accepts connections", async ({ expect }) => {
    // The address belongs to this process; the engine's process is a shell.
    const server = createServer(() => {});
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { readonly port: number };
    const script = `"${process.execPath}" "${main}" 127.0.0.1:${port} & echo $!; wait`;
    const shell = spawn("/bin/sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
    const lines: string[] = [];
    for await (const line of createInterface(shell.stdout)) if (lines.push(line) === 2) break;
    const pid = Number(lines.find((line) => commandOf(Number(line)).includes("main.ts")));
    shell.kill("SIGKILL");
    expect(await hasEnded(pid, limitMs)).toBe(true);
    server.close();
  });

  test("ends with its provider when it is killed", async ({ expect }) => {
    await using engine = await TestEngine.start();
    await using plugin = await PluginProcess.start([engine.address]);
    await plugin.connect().parameterize({ parameters: { case: "args", value: { args: [notebook] } } });
    const processes = childrenOf(plugin.process.pid!);
    expect(processes.length).toBeGreaterThan(0);
    plugin.process.kill("SIGKILL");
    for (const pid of processes) expect(await hasEnded(pid, limitMs), commandOf(pid)).toBe(true);
  });
});
