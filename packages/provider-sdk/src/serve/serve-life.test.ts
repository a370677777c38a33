// SPDX-License-Identifier: Apache-2.0
// Tests, with real processes, the events that end a provider and the events that must not.
import { existsSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { toJs } from "@tenon/cty";
import { parseHandshakeLine } from "@tenon/protocol/handshake";
import { describe, expect, test } from "vitest";
import { useBundledProvider } from "../../test/bundled-fixture.ts";
import {
  connect,
  host,
  hostEnvironment,
  type HostedProvider,
  isAlive,
  ProviderProcess,
  startHostProcess,
} from "../../test/hosted-process.ts";

const bundled = useBundledProvider();

const resultOf = async (hosted: Pick<HostedProvider, "create">, behavior: string): Promise<unknown> => {
  const { newState, diagnostics } = await hosted.create(behavior);
  if (diagnostics.length > 0) throw new Error(diagnostics[0]?.detail);
  return (toJs(newState) as { result: string }).result;
};

/** Waits until the file `trace` contains exactly these lines, which handlers write. */
const reached = async (trace: string, lines: string): Promise<void> => {
  await expect.poll(() => existsSync(trace) && readFileSync(trace, "utf8"), { interval: 10, timeout: 20_000 }).toBe(lines);
};

test("Ctrl-C does not interrupt a provider's handlers (pitfall 12)", async ({ expect }) => {
  await using hosted = await host(bundled.command);
  const trace = join(bundled.folder, "sleeps");
  await hosted.configure("default", trace);
  const sleeping = resultOf(hosted, "sleep");
  await reached(trace, "sleep\n");
  hosted.process.child.kill("SIGINT");
  expect(await sleeping).toBe("slept");
  expect(await resultOf(hosted, "one more")).toBe("one more by default");
});

test("StopProvider interrupts running handlers, and later calls run (pitfall 15)", async ({ expect }) => {
  await using hosted = await host(bundled.command);
  const trace = join(bundled.folder, "waits");
  await hosted.configure("default", trace);
  const waiting = resultOf(hosted, "wait");
  await reached(trace, "wait\n");
  expect(await hosted.provider.stop({})).toEqual({ error: "" });
  expect(await waiting).toBe("interrupted");
  const again = resultOf(hosted, "wait");
  await reached(trace, "wait\nwait\n");
  await hosted.provider.stop({});
  expect(await again).toBe("interrupted");
  expect(await resultOf(hosted, "one more")).toBe("one more by default");
});

describe("Shutdown", () => {
  test("ends the process and runs cleanup while a call hangs (pitfall 13)", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    const trace = join(bundled.folder, "shutdown");
    await hosted.configure("a", trace);
    const hanging = hosted.create("hang").catch((error: unknown) => error);
    await reached(trace, "hang\n");
    await hosted.shutDown();
    expect(await hosted.process.ended).toEqual({ code: 0, signal: null });
    expect(existsSync((hosted.handshake.address as { path: string }).path)).toBe(false);
    expect(readFileSync(trace, "utf8")).toBe("hang\ncleaned up\n");
    expect(await hanging).toMatchObject({ code: "UNAVAILABLE" });
  });

  test("does not wait for a cleanup that never ends", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    await hosted.configure("hang in cleanup");
    await hosted.shutDown();
    expect(await hosted.process.ended).toEqual({ code: 0, signal: null });
  });

  test("sends all printed output and then closes the stdio stream gracefully", async ({ expect }) => {
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

  test("is answered before the process exits", async ({ expect }) => {
    await using hosted = await host(bundled.command, { tls: false });
    await expect(hosted.shutDown()).resolves.toBeUndefined();
    expect((await hosted.process.ended).code).toBe(0);
  });
});

test.for(["SIGTERM", "SIGHUP", "SIGQUIT"] as const)(
  "%s shuts the provider down gracefully and leaves no socket file",
  async (signal, { expect }) => {
    await using hosted = await host(bundled.command);
    const trace = join(bundled.folder, signal);
    await hosted.configure("a", trace);
    hosted.process.child.kill(signal);
    expect(await hosted.process.ended).toEqual({ code: 0, signal: null });
    expect(readFileSync(trace, "utf8")).toBe("cleaned up\n");
    expect(existsSync((hosted.handshake.address as { path: string }).path)).toBe(false);
  },
);

describe("the host receives and records the saved state", () => {
  const saved = { behavior: expect.any(String), secret: null, result: "half" };

  test("when the process is asked to shut down during the call", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    const trace = join(bundled.folder, "saves");
    await hosted.configure("default", trace);
    const half = hosted.create("save and hang");
    await reached(trace, "save and hang\n");
    hosted.process.child.kill("SIGTERM");
    const { newState, diagnostics } = await half;
    expect(toJs(newState)).toEqual(saved);
    expect(diagnostics).toMatchObject([{ severity: "error", detail: "the provider was asked to shut down before the operation finished" }]);
    expect(await hosted.process.ended).toEqual({ code: 0, signal: null });
  });

  test("when the process crashes", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    const { newState, diagnostics } = await hosted.create("save and panic");
    expect(toJs(newState)).toEqual(saved);
    expect(diagnostics).toMatchObject([{ severity: "error", detail: "the provider crashed: uncaught failure" }]);
    expect(await hosted.process.ended).toEqual({ code: 2, signal: null });
    expect(hosted.process.stderr).toMatch(/^panic: Error: uncaught failure/);
  });
});

test("keeps running after a lost connection, so that the host can reconnect (pitfall 25)", async ({ expect }) => {
  await using hosted = await host(bundled.command);
  await hosted.configure("kept");
  await hosted.carrier.close();
  // One instance serves all connections of the process.
  expect(await resultOf(hosted.connect(), "one")).toBe("one by kept");
});

test("reads nothing from standard input (pitfall 17)", async ({ expect }) => {
  const path = join(bundled.folder, "typed");
  writeFileSync(path, "yes\n");
  // Both processes share one file position, so a read by one would hide data from the other.
  const typed = openSync(path, "r");
  const [program = "", ...args] = bundled.command;
  const child = spawn(program, args, { stdio: [typed, "pipe", "ignore"], env: { ...process.env, ...hostEnvironment } });
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  const { address, protocolVersion } = parseHandshakeLine(line.toString());
  const { carrier, provider } = connect(address, protocolVersion);
  // The provider is loaded when it answers.
  await provider.getProviderSchema({});
  await carrier.close();
  child.kill("SIGTERM");
  await once(child, "exit");
  const buffer = Buffer.alloc(10);
  expect(buffer.toString("utf8", 0, readSync(typed, buffer))).toBe("yes\n");
});

describe("the provider detects that its host is gone", () => {
  test.skipIf(process.platform === "win32")("by its parent process (pitfall 16)", async ({ expect }) => {
    await using crashing = await startHostProcess(bundled.command);
    const pid = crashing.providerPid;
    crashing.child.kill("SIGKILL");
    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false);
  });

  test(
    "ten seconds after the last connection, unless no call was made or the provider is in debug mode (pitfall 16)",
    { timeout: 120_000 },
    async ({ expect }) => {
      await using left = await host(bundled.command);
      await using probed = await host(bundled.command);
      await using attachable = new ProviderProcess([...bundled.command, "--debug"], {});
      await left.provider.getProviderSchema({});
      await probed.carrier.connected;
      await attachable.waitForOutput("TF_REATTACH_PROVIDERS");
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
