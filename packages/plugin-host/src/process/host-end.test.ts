// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, test } from "vitest";
import { ends, isRunning } from "../../test/processes.ts";

const fixtures = join(import.meta.dirname, "../../test/fixtures");

/** Two commands of the working provider, for the arguments of the host. */
function twoCommands(mode: string): readonly string[] {
  const command = JSON.stringify([process.execPath, join(fixtures, "terraform-provider-working.ts"), mode]);
  return [command, command];
}

/** Starts a host, and resolves when its two providers are running. */
async function startHost(
  end: string,
  temporary: string,
  mode = "",
): Promise<{
  readonly pid: number;
  readonly providers: readonly number[];
  readonly exited: Promise<unknown>;
  readonly output: Promise<string>;
}> {
  const host = spawn(process.execPath, [join(fixtures, "host.ts"), end, ...twoCommands(mode)], {
    stdio: ["ignore", "pipe", "ignore"],
    // The host leads its own process group, like the foreground group of a terminal.
    detached: true,
    env: { ...process.env, TMPDIR: temporary },
  });
  const exited = once(host, "exit");
  const [line] = (await once(host.stdout, "data")) as [Buffer];
  return { pid: host.pid!, providers: JSON.parse(line.toString()) as number[], exited, output: text(host.stdout) };
}

describe.runIf(process.platform !== "win32")("providers", () => {
  test.for<[how: string, end: string, act: ((pid: number) => void) | undefined]>([
    ["closes them and exits", "close", undefined],
    ["calls process.exit", "exit", undefined],
    ["ends with an uncaught exception", "throw", undefined],
    ["kills itself", "kill", undefined],
    ["is killed", "stay", (pid) => process.kill(pid, "SIGKILL")],
    ["is killed with its whole group", "stay", (pid) => process.kill(-pid, "SIGKILL")],
    ["gets SIGTERM", "stay", (pid) => process.kill(pid, "SIGTERM")],
    ["loses its terminal", "stay", (pid) => process.kill(-pid, "SIGHUP")],
    ["is interrupted with Ctrl-C", "stay", (pid) => process.kill(-pid, "SIGINT")],
    ["terminates the thread that launched them", "worker", undefined],
  ])("end when their host %s (pitfall 16)", async ([, end, act], { expect, onTestFinished }) => {
    const temporary = mkdtempSync(join(tmpdir(), "host-end-"));
    onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
    const { pid, providers, exited } = await startHost(end, temporary);
    expect(providers).toHaveLength(2);
    act?.(pid);
    await exited;
    for (const provider of providers) expect(await ends(provider, 30_000)).toBe(true);
    await expect.poll(() => readdirSync(temporary), { timeout: 30_000 }).toEqual([]);
  });

  test.for(["exit", "throw"])("that ignore signals end when their host ends by %s", async (end, { expect, onTestFinished }) => {
    const temporary = mkdtempSync(join(tmpdir(), "host-end-"));
    onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
    const { providers, exited } = await startHost(end, temporary, "ignore-everything");
    await exited;
    // The watchdog would take longer, because it sends SIGTERM first.
    for (const provider of providers) expect(await ends(provider, 1_000)).toBe(true);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test("keep running when their host handles Ctrl-C, until it closes them (pitfall 12)", async ({ expect, onTestFinished }) => {
    const temporary = mkdtempSync(join(tmpdir(), "host-end-"));
    onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
    const { pid, providers, exited, output } = await startHost("handle", temporary);
    process.kill(-pid, "SIGINT");
    expect(providers.every(isRunning)).toBe(true);
    expect(await exited).toEqual([0, null]);
    expect(await output).toBe("closed gracefully\n");
    expect(providers.some(isRunning)).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
