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

/** Two of the command line's providers. */
function two(mode: string): readonly string[] {
  const command = JSON.stringify([process.execPath, join(fixtures, "terraform-provider-working.ts"), mode]);
  return [command, command];
}

/** Runs a host with two providers until they are there. */
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
  const host = spawn(process.execPath, [join(fixtures, "host.ts"), end, ...two(mode)], {
    stdio: ["ignore", "pipe", "ignore"],
    // A group of its own stands for the foreground group of a terminal.
    detached: true,
    env: { ...process.env, TMPDIR: temporary },
  });
  const exited = once(host, "exit");
  const [line] = (await once(host.stdout, "data")) as [Buffer];
  return { pid: host.pid!, providers: JSON.parse(line.toString()) as number[], exited, output: text(host.stdout) };
}

describe.runIf(process.platform !== "win32")("when the host", () => {
  test.for<[how: string, end: string, act: ((pid: number) => void) | undefined]>([
    ["closes them and comes to its end by itself", "close", undefined],
    ["calls process.exit", "exit", undefined],
    ["dies of an exception", "throw", undefined],
    ["kills itself", "kill", undefined],
    ["is killed", "stay", (pid) => process.kill(pid, "SIGKILL")],
    ["is killed with its whole group", "stay", (pid) => process.kill(-pid, "SIGKILL")],
    ["gets SIGTERM", "stay", (pid) => process.kill(pid, "SIGTERM")],
    ["loses its terminal", "stay", (pid) => process.kill(-pid, "SIGHUP")],
    ["is interrupted with Ctrl-C", "stay", (pid) => process.kill(-pid, "SIGINT")],
    ["ends the thread they were launched in", "worker", undefined],
  ])("%s, no provider is left (pitfall 16)", async ([, end, act], { expect, onTestFinished }) => {
    const temporary = mkdtempSync(join(tmpdir(), "host-end-"));
    onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
    const { pid, providers, exited } = await startHost(end, temporary);
    expect(providers).toHaveLength(2);
    act?.(pid);
    await exited;
    for (const provider of providers) expect(await ends(provider, 5_000)).toBe(true);
    await expect.poll(() => readdirSync(temporary), { timeout: 8_000 }).toEqual([]);
  });

  test.for(["exit", "throw"])(
    "comes to its end by %s, providers that would not listen are gone with it",
    async (end, { expect, onTestFinished }) => {
      const temporary = mkdtempSync(join(tmpdir(), "host-end-"));
      onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
      const { providers, exited } = await startHost(end, temporary, "ignore-everything");
      await exited;
      // Sooner than a watchdog that asks first.
      for (const provider of providers) expect(await ends(provider, 1_000)).toBe(true);
      expect(readdirSync(temporary)).toEqual([]);
    },
  );

  test("handles Ctrl-C itself, its providers go on working until it closes them (pitfall 12)", async ({ expect, onTestFinished }) => {
    const temporary = mkdtempSync(join(tmpdir(), "host-end-"));
    onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
    const { pid, providers, exited, output } = await startHost("handle", temporary);
    process.kill(-pid, "SIGINT");
    expect(providers.every(isRunning)).toBe(true);
    expect(await exited).toEqual([0, null]);
    expect(await output).toBe("closed in good order\n");
    expect(providers.some(isRunning)).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
