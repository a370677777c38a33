// SPDX-License-Identifier: Apache-2.0
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { ends, isRunning } from "../../test/processes.ts";

interface Host {
  readonly pid: number;
  /** What it started and had watched. */
  readonly child: number;
  readonly other: number;
}

/** Starts a process that starts two as providers are started, has both watched, runs `then`, and stays. */
async function startHostWith(shell: string, command: string, folder: string | undefined, then: string): Promise<Host> {
  const program = `
    import { spawn } from "node:child_process";
    import { Watchdog } from ${JSON.stringify(join(import.meta.dirname, "watchdog.ts"))};
    const start = (command) => spawn("/bin/sh", ["-c", command], { detached: true, stdio: "ignore" }).pid;
    const watchdog = new Watchdog(${JSON.stringify(shell)});
    const child = start(${JSON.stringify(command)});
    watchdog.watch(child, ${JSON.stringify(folder)});
    const other = start("exec sleep 600");
    watchdog.watch(other, undefined);
    ${then}
    setTimeout(() => console.log(JSON.stringify({ child, other })), 100);
    setInterval(() => {}, 1000);
  `;
  const host = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(host.stdout, "data")) as [Buffer];
  return { pid: host.pid!, ...(JSON.parse(line.toString()) as { child: number; other: number }) };
}

/** Watchdogs a host has running. */
function watchdogsOf(pid: number): readonly string[] {
  try {
    return execFileSync("pgrep", ["-P", String(pid)], { encoding: "utf8" })
      .trim()
      .split("\n");
  } catch {
    return [];
  }
}

describe.runIf(process.platform !== "win32").each([
  ["a shell", "/bin/sh"],
  ["Node, where there is no shell", "/no/shell"],
])("the watchdog in %s", (_, shell) => {
  const startHost = (command: string, folder: string | undefined, then = ""): Promise<Host> => startHostWith(shell, command, folder, then);

  test("ends everything a killed host had started, descendants included, and the folder of its socket", async ({
    expect,
    onTestFinished,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), "watched folder "));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "plugin1"), "");
    const grandchild = join(folder, "..", `grandchild-${process.pid}`);
    onTestFinished(() => rmSync(grandchild, { force: true }));
    const host = await startHost(`sleep 600 & echo $! > '${grandchild}'; wait`, folder);
    process.kill(host.pid, "SIGKILL");
    const pid = Number(execFileSync("cat", [grandchild], { encoding: "utf8" }));
    expect(await ends(host.child, 5_000)).toBe(true);
    expect(await ends(host.other, 5_000)).toBe(true);
    expect(await ends(pid, 5_000)).toBe(true);
    await expect.poll(() => existsSync(folder), { timeout: 8_000 }).toBe(false);
  });

  test("kills who does not listen", async ({ expect }) => {
    const host = await startHost("trap '' TERM; while :; do sleep 1; done", undefined);
    process.kill(host.pid, "SIGKILL");
    expect(await ends(host.other, 5_000)).toBe(true);
    expect(await ends(host.child, 8_000)).toBe(true);
  });

  test("leaves alone what was released", async ({ expect, onTestFinished }) => {
    const host = await startHost("exec sleep 600", undefined, "watchdog.release(child);");
    onTestFinished(() => void process.kill(host.child, "SIGKILL"));
    process.kill(host.pid, "SIGKILL");
    expect(await ends(host.other, 5_000)).toBe(true);
    expect(isRunning(host.child)).toBe(true);
  });

  test("is gone with the last it watches", async ({ expect, onTestFinished }) => {
    const host = await startHost("exec sleep 600", undefined, "watchdog.release(child); watchdog.release(other);");
    onTestFinished(() => {
      for (const pid of [host.pid, host.child, host.other]) process.kill(pid, "SIGKILL");
    });
    // The two it started are its only children.
    await expect.poll(() => watchdogsOf(host.pid), { timeout: 10_000 }).toHaveLength(2);
  });

  test("that was killed is replaced, and what it watched with it", async ({ expect }) => {
    const then = `
      const { execFileSync } = await import("node:child_process");
      const dogs = execFileSync("pgrep", ["-P", String(process.pid), "-f", "tenon-watchdog"], { encoding: "utf8" });
      process.kill(Number(dogs), "SIGKILL");
      await new Promise((resolve) => setTimeout(resolve, 50));
      watchdog.watch(start("exec sleep 600"), undefined);
    `;
    const host = await startHost("exec sleep 600", undefined, then);
    process.kill(host.pid, "SIGKILL");
    expect(await ends(host.child, 5_000)).toBe(true);
    expect(await ends(host.other, 5_000)).toBe(true);
  });
});
