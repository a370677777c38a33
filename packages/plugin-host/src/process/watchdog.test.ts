// SPDX-License-Identifier: Apache-2.0
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { ends, isRunning } from "../../test/processes.ts";

interface Host {
  readonly pid: number;
  /** Ids of the two registered processes. */
  readonly child: number;
  readonly other: number;
}

/** Starts a host that starts two processes, registers both with a watchdog, runs the statements of `afterStart`, and keeps running. */
async function startHostWith(shell: string, command: string, folder: string | undefined, afterStart: string): Promise<Host> {
  const program = `
    import { spawn } from "node:child_process";
    import { Watchdog } from ${JSON.stringify(join(import.meta.dirname, "watchdog.ts"))};
    const start = (command) => spawn("/bin/sh", ["-c", command], { detached: true, stdio: "ignore" }).pid;
    const watchdog = new Watchdog(${JSON.stringify(shell)});
    const child = start(${JSON.stringify(command)});
    watchdog.watch(child, ${JSON.stringify(folder)});
    const other = start("exec sleep 600");
    watchdog.watch(other, undefined);
    ${afterStart}
    setTimeout(() => console.log(JSON.stringify({ child, other })), 100);
    setInterval(() => {}, 1000);
  `;
  const host = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(host.stdout, "data")) as [Buffer];
  return { pid: host.pid!, ...(JSON.parse(line.toString()) as { child: number; other: number }) };
}

/** Ids of the running child processes of a host. */
function childrenOf(pid: number): readonly string[] {
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
  ["Node, without a shell", "/no/shell"],
])("the watchdog in %s", (_, shell) => {
  const startHost = (command: string, folder: string | undefined, afterStart = ""): Promise<Host> =>
    startHostWith(shell, command, folder, afterStart);

  test("ends all processes of a killed host, descendants included, and removes its socket folder", async ({ expect, onTestFinished }) => {
    const folder = mkdtempSync(join(tmpdir(), "watched folder "));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "plugin1"), "");
    const grandchild = join(folder, "..", `grandchild-${process.pid}`);
    onTestFinished(() => rmSync(grandchild, { force: true }));
    const host = await startHost(`sleep 600 & echo $! > '${grandchild}'; wait`, folder);
    // The shell writes it some time after the host has registered the shell.
    const grandchildPid = (): number => (existsSync(grandchild) ? Number(readFileSync(grandchild, "utf8")) : 0);
    await expect.poll(grandchildPid, { timeout: 30_000 }).toBeGreaterThan(0);
    const pid = grandchildPid();
    process.kill(host.pid, "SIGKILL");
    expect(await ends(host.child, 30_000)).toBe(true);
    expect(await ends(host.other, 30_000)).toBe(true);
    expect(await ends(pid, 30_000)).toBe(true);
    await expect.poll(() => existsSync(folder), { timeout: 30_000 }).toBe(false);
  });

  test("kills a process that ignores SIGTERM", async ({ expect }) => {
    const host = await startHost("trap '' TERM; while :; do sleep 1; done", undefined);
    process.kill(host.pid, "SIGKILL");
    expect(await ends(host.other, 30_000)).toBe(true);
    expect(await ends(host.child, 30_000)).toBe(true);
  });

  test("does not end a released process", async ({ expect, onTestFinished }) => {
    const host = await startHost("exec sleep 600", undefined, "watchdog.release(child);");
    onTestFinished(() => void process.kill(host.child, "SIGKILL"));
    process.kill(host.pid, "SIGKILL");
    expect(await ends(host.other, 30_000)).toBe(true);
    expect(isRunning(host.child)).toBe(true);
  });

  test("exits when it has no process to watch", async ({ expect, onTestFinished }) => {
    const host = await startHost("exec sleep 600", undefined, "watchdog.release(child); watchdog.release(other);");
    onTestFinished(() => {
      for (const pid of [host.pid, host.child, host.other]) process.kill(pid, "SIGKILL");
    });
    // Without the watchdog, the host has two children.
    await expect.poll(() => childrenOf(host.pid), { timeout: 30_000 }).toHaveLength(2);
  });

  test("is replaced after it was killed, and its replacement ends the same processes", async ({ expect }) => {
    const afterStart = `
      const { execFileSync } = await import("node:child_process");
      const pid = execFileSync("pgrep", ["-P", String(process.pid), "-f", "tenon-watchdog"], { encoding: "utf8" });
      process.kill(Number(pid), "SIGKILL");
      // The host knows of the end of a process once it has collected its exit code.
      const exists = () => { try { return process.kill(Number(pid), 0); } catch { return false; } };
      while (exists()) await new Promise((resolve) => setTimeout(resolve, 10));
      watchdog.watch(start("exec sleep 600"), undefined);
    `;
    const host = await startHost("exec sleep 600", undefined, afterStart);
    process.kill(host.pid, "SIGKILL");
    expect(await ends(host.child, 30_000)).toBe(true);
    expect(await ends(host.other, 30_000)).toBe(true);
  });
});
