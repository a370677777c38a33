// SPDX-License-Identifier: Apache-2.0
// A provider whose handler never yields: no JavaScript of it runs any more, so it reads neither calls nor signals.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describePeer } from "@tenon/peers/vitest";
import { openProvider } from "@tenon/plugin-host";
import { afterAll, beforeAll, describe, test, vi } from "vitest";
import { CliWorkspace, type CliResult, type RunningCli } from "./cli-workspace.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";

const address = "example.com/tenon/trouble";

let provider: PackagedProvider;
let executable = "";
beforeAll(() => {
  provider = packageExample("tests/interop/fixtures/trouble-main.ts", "--name", "trouble", "--version", "1.0.0", "--address", address);
  executable = join(provider.folder, "dev", "terraform-provider-trouble");
});
afterAll(() => provider[Symbol.dispose]());

/** A provider's process and its temporary folder, which has a short path, so that the socket is in it. */
class Blocked implements Disposable {
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), "blocked-")));
  readonly #pidFile = join(this.folder, "pid");
  readonly #sockets = realpathSync(mkdtempSync("/tmp/blocked-"));

  /** Environment of the provider. */
  get env(): Readonly<Record<string, string>> {
    return { TROUBLE_PID_FILE: this.#pidFile, TMPDIR: this.#sockets };
  }

  /** Waits until the handler blocks, and returns the provider's process id. */
  async pid(): Promise<number> {
    const text = (): string => (existsSync(this.#pidFile) ? readFileSync(this.#pidFile, "utf8") : "");
    return Number(await vi.waitUntil(text, { timeout: 60_000 }));
  }

  /** Waits until nothing is left of the provider: neither its process, nor its watchdog, nor its socket. */
  async hasEnded(): Promise<void> {
    const pid = await this.pid();
    await vi.waitUntil(() => !isRunning(pid), { timeout: 30_000 });
    await vi.waitUntil(() => watchdogsOf(pid).length === 0, { timeout: 30_000 });
    await vi.waitUntil(() => readdirSync(this.#sockets).length === 0, { timeout: 30_000 });
  }

  [Symbol.dispose](): void {
    // A failed test must not leave a process that needs a whole core.
    const pid = existsSync(this.#pidFile) ? Number(readFileSync(this.#pidFile, "utf8")) : 0;
    if (pid > 0 && isRunning(pid)) process.kill(pid, "SIGKILL");
    for (const folder of [this.folder, this.#sockets]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether a process exists and has not ended: one whose parent has not waited for it remains as a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Process ids of the watchdogs of a provider. */
function watchdogsOf(pid: number): readonly string[] {
  const argumentsOf = (other: string): readonly string[] => {
    try {
      return readFileSync(`/proc/${other}/cmdline`, "utf8").split("\0");
    } catch {
      return [];
    }
  };
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.filter((other) => {
    const args = argumentsOf(other);
    return args[args.indexOf("tenon-watchdog") + 1] === String(pid);
  });
}

// The tests read /proc.
describe.skipIf(process.platform !== "linux")("a provider whose handler never yields", { timeout: 120_000 }, () => {
  for (const cli of ["tofu", "terraform"] as const) {
    describePeer([cli], `under ${cli}`, (peers) => {
      /** Applies a resource whose create blocks, and acts once it does. */
      const apply = async (blocked: Blocked, act: (running: RunningCli) => unknown): Promise<CliResult> => {
        const installation = { kind: "devOverrides", source: address, folder: join(provider.folder, "dev") } as const;
        using workspace = new CliWorkspace(peers[cli].path, installation);
        workspace.write({
          "main.tf": `terraform {
            required_providers {
              trouble = { source = "${address}" }
            }
          }
          resource "trouble_accident" "a" {
            kind = "blocks"
          }`,
        });
        const run = workspace.run(["apply", "-auto-approve", "-input=false", "-no-color"], {
          env: blocked.env,
          onStart: (running) => void blocked.pid().then(() => act(running)),
        });
        return await run;
      };

      test("ends after the CLI is killed", async () => {
        using blocked = new Blocked();
        await apply(blocked, (running) => running.signal("SIGKILL"));
        await blocked.hasEnded();
      });

      test("ends with the CLI at the second Ctrl-C", async ({ expect }) => {
        using blocked = new Blocked();
        const { code, stdout, stderr } = await apply(blocked, async (running) => {
          running.interrupt();
          await running.waitForOutput("Gracefully shutting down");
          // Linux does not queue equal signals. Without this pause the process may receive one signal only.
          await delay(500);
          running.interrupt();
        });
        expect(code).toBe(1);
        expect(stdout + stderr).toContain("Two interrupts received");
        await blocked.hasEnded();
      });
    });
  }

  describe("under plugin-host", () => {
    test("ends when its client is closed, after a stop that it cannot answer", async ({ expect }) => {
      using blocked = new Blocked();
      const client = await openProvider({ command: executable, env: blocked.env }, { stopGraceMs: 200 });
      const abort = new AbortController();
      const change = client.resource("trouble_accident").create({ kind: "blocks" }, { signal: abort.signal });
      void blocked.pid().then(() => abort.abort());
      await expect(change).rejects.toThrow("cancelled");
      await client.close();
      await blocked.hasEnded();
    });

    test.for(["SIGKILL", "SIGINT"] as const)("ends after its host gets %s", async (signal, { expect }) => {
      using blocked = new Blocked();
      const host = spawn(process.execPath, [join(import.meta.dirname, "fixtures/blocked-host.ts"), executable], {
        env: { ...process.env, ...blocked.env },
        stdio: "inherit",
      });
      await blocked.pid();
      host.kill(signal);
      expect(await once(host, "exit")).toEqual([null, signal]);
      await blocked.hasEnded();
    });
  });
});
