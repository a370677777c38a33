// SPDX-License-Identifier: Apache-2.0
// What may and what may not end a provider, with real processes.
import { existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { toJs } from "@tenon/cty";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundledFixture, type BundledFixture } from "../../test/bundled-fixture.ts";
import { connect, host, hostEnvironment, type HostedProvider, ProviderProcess } from "../../test/hosted-process.ts";

let bundled: BundledFixture;
let folder = "";
beforeAll(async () => {
  bundled = await bundledFixture("main.ts");
  folder = mkdtempSync(join(tmpdir(), "tenon-"));
});
afterAll(() => {
  bundled[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const resultOf = async (hosted: Pick<HostedProvider, "create">, what: string): Promise<unknown> => {
  const { newState, diagnostics } = await hosted.create(what);
  if (diagnostics.length > 0) throw new Error(diagnostics[0]?.detail);
  return (toJs(newState) as { result: string }).result;
};

/** Waits until handlers have been asked for just this, in lines; `trace` is the file they write it to. */
const reached = async (trace: string, lines: string): Promise<void> => {
  await expect.poll(() => existsSync(trace) && readFileSync(trace, "utf8"), { interval: 10, timeout: 20_000 }).toBe(lines);
};

test("Ctrl-C goes to the provider too, and does not touch what it is doing (pitfall 12)", async ({ expect }) => {
  await using hosted = await host(bundled.command);
  const trace = join(folder, "rests");
  await hosted.configure("nobody", trace);
  const resting = resultOf(hosted, "rest");
  await reached(trace, "rest\n");
  hosted.process.child.kill("SIGINT");
  expect(await resting).toBe("rested");
  expect(await resultOf(hosted, "one more")).toBe("one more by nobody");
});

test("StopProvider interrupts what runs, and what comes after it runs (pitfall 15)", async ({ expect }) => {
  await using hosted = await host(bundled.command);
  const trace = join(folder, "waits");
  await hosted.configure("nobody", trace);
  const waiting = resultOf(hosted, "wait");
  await reached(trace, "wait\n");
  expect(await hosted.provider.stop({})).toEqual({ error: "" });
  expect(await waiting).toBe("interrupted");
  const again = resultOf(hosted, "wait");
  await reached(trace, "wait\nwait\n");
  await hosted.provider.stop({});
  expect(await again).toBe("interrupted");
  expect(await resultOf(hosted, "one more")).toBe("one more by nobody");
});

describe("Shutdown", () => {
  test("ends the process within a second, whatever hangs, and cleans up (pitfall 13)", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    const trace = join(folder, "shutdown");
    await hosted.configure("a", trace);
    const hanging = hosted.create("hang").catch((error: unknown) => error);
    await reached(trace, "hang\n");
    const start = performance.now();
    await hosted.shutDown();
    expect(await hosted.process.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - start).toBeLessThan(1000);
    expect(existsSync((hosted.handshake.address as { path: string }).path)).toBe(false);
    expect(readFileSync(trace, "utf8")).toBe("hang\ncleaned up\n");
    expect(await hanging).toMatchObject({ code: "UNAVAILABLE" });
  });

  test("does not wait for a cleanup that never ends", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    await hosted.configure("never done");
    const start = performance.now();
    await hosted.shutDown();
    expect(await hosted.process.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - start).toBeLessThan(1500);
  });

  test("ends the host's stream of printed text in good order, after all of it", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    await hosted.create("print");
    let printed = "";
    for await (const text of hosted.printed()) {
      printed += text;
      if (printed.includes("written")) await hosted.shutDown();
    }
    expect(printed).toContain("written by the provider");
    expect((await hosted.process.ended).code).toBe(0);
  });

  test("answers before the process goes", async ({ expect }) => {
    await using hosted = await host(bundled.command, { tls: false });
    await expect(hosted.shutDown()).resolves.toBeUndefined();
    expect((await hosted.process.ended).code).toBe(0);
  });
});

test("SIGTERM ends the process in good order", async ({ expect }) => {
  await using hosted = await host(bundled.command);
  const trace = join(folder, "sigterm");
  await hosted.configure("a", trace);
  hosted.process.child.kill("SIGTERM");
  expect(await hosted.process.ended).toEqual({ code: 0, signal: null });
  expect(readFileSync(trace, "utf8")).toBe("cleaned up\n");
  expect(existsSync((hosted.handshake.address as { path: string }).path)).toBe(false);
});

describe("what has been saved is answered, and so recorded by the host,", () => {
  const saved = { what: expect.any(String), secret: null, result: "half" };

  test("where the process is told to end in the middle", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    const trace = join(folder, "saves");
    await hosted.configure("nobody", trace);
    const half = hosted.create("save and hang");
    await reached(trace, "save and hang\n");
    hosted.process.child.kill("SIGTERM");
    const { newState, diagnostics } = await half;
    expect(toJs(newState)).toEqual(saved);
    expect(diagnostics).toMatchObject([{ severity: "error", detail: "the provider was told to end before this was done" }]);
    expect(await hosted.process.ended).toEqual({ code: 0, signal: null });
  });

  test("where it crashes", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    const { newState, diagnostics } = await hosted.create("save and panic");
    expect(toJs(newState)).toEqual(saved);
    expect(diagnostics).toMatchObject([{ severity: "error", detail: "the provider crashed: nobody caught this" }]);
    expect(await hosted.process.ended).toEqual({ code: 2, signal: null });
    expect(hosted.process.stderr).toMatch(/^panic: Error: nobody caught this/);
  });
});

test("a lost connection is not the end: the host may connect again (pitfall 25)", async ({ expect }) => {
  await using hosted = await host(bundled.command);
  await hosted.configure("kept");
  await hosted.carrier.close();
  // The instance is the process's, not the connection's.
  expect(await resultOf(hosted.connect(), "one")).toBe("one by kept");
});

test("standard input is the terminal's: nothing is read from it (pitfall 17)", async ({ expect }) => {
  const path = join(folder, "typed");
  writeFileSync(path, "yes\n");
  // Both processes share one position in the file: what one reads, the other does not see.
  const typed = openSync(path, "r");
  const [program = "", ...args] = bundled.command;
  const child = spawn(program, args, { stdio: [typed, "pipe", "ignore"], env: { ...process.env, ...hostEnvironment } });
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  // Time enough to take what it should not.
  await delay(200);
  child.kill("SIGTERM");
  await new Promise((resolve) => child.once("exit", resolve));
  const buffer = Buffer.alloc(10);
  expect(buffer.toString("utf8", 0, readSync(typed, buffer))).toBe("yes\n");
});

describe("a host that is gone", () => {
  test.skipIf(process.platform === "win32")("by its process (pitfall 16)", async ({ expect }) => {
    const script = `
      const { spawn } = require("node:child_process");
      const child = spawn(...${JSON.stringify([bundled.command[0], bundled.command.slice(1)])}, { stdio: ["ignore", "pipe", "inherit"] });
      child.stdout?.once("data", () => console.log("pid " + child.pid + ";"));
    `;
    await using crashing = new ProviderProcess([process.execPath, "-e", script], hostEnvironment);
    await crashing.saying(/pid \d+;/);
    const pid = Number(/pid (\d+);/.exec(crashing.stdout)?.[1]);
    crashing.child.kill("SIGKILL");
    const start = performance.now();
    while (isAlive(pid) && performance.now() - start < 8000) await delay(50);
    expect(isAlive(pid)).toBe(false);
  });

  test(
    "by its connection: after ten seconds, unless it never called or the provider waits for others (pitfall 16)",
    { timeout: 30_000 },
    async ({ expect }) => {
      await using left = await host(bundled.command);
      await using probed = await host(bundled.command);
      await using attachable = new ProviderProcess([...bundled.command, "--debug"], {});
      await left.provider.getProviderSchema({});
      await probed.carrier.connected;
      await attachable.saying("TF_REATTACH_PROVIDERS");
      const attached = connect({ network: "unix", path: /"String":"([^"]+)"/.exec(attachable.stdout)?.[1] ?? "" }, 6);
      await attached.provider.getProviderSchema({});
      await Promise.all([left.carrier.close(), probed.carrier.close(), attached.carrier.close()]);
      const start = performance.now();
      expect(await left.process.ended).toEqual({ code: 0, signal: null });
      expect(performance.now() - start).toBeGreaterThan(9000);
      expect([probed.process.child.exitCode, attachable.child.exitCode]).toEqual([null, null]);
    },
  );
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
