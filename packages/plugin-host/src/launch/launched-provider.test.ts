// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProviderError } from "@tenon/schema";
import { describe, test } from "vitest";
import { ends } from "../../test/processes.ts";
import { PluginHostError } from "../error.ts";
import type { LaunchOptions } from "./launch-options.ts";
import { launchProvider } from "./launch-provider.ts";
import type { LogRecord } from "../output/log-record.ts";
import type { LaunchedProvider } from "./launched-provider.ts";

const fixture = join(import.meta.dirname, "../../test/fixtures/terraform-provider-working.ts");

function launch(mode: string, options: Partial<LaunchOptions> = {}, argument = ""): Promise<LaunchedProvider> {
  return launchProvider({ command: [process.execPath, fixture, mode, argument], ...options });
}

describe("a launched provider", () => {
  test.for([true, false])("describes itself, handles calls and exits on close, with AutoMTLS %s", async (autoMtls, { expect }) => {
    const provider = await launch("", { autoMtls });
    expect(provider).toMatchObject({ name: "terraform-provider-working", protocolVersion: 6 });
    expect(provider.startup.handshakeMs).toBeGreaterThan(0);
    expect(provider.startup.connectedMs).toBeGreaterThanOrEqual(provider.startup.handshakeMs);
    expect(await provider.getMetadata({})).toMatchObject({ resources: [], diagnostics: [] });
    await expect(provider.planResourceChange({ typeName: "absent" } as never)).rejects.toBeInstanceOf(ProviderError);
    await provider.close();
    expect(await provider.exited).toEqual({ code: 0, signal: null });
  });

  test("may listen on TCP (pitfall 38)", async ({ expect }) => {
    await using provider = await launch("tcp");
    expect(await provider.getMetadata({})).toMatchObject({ diagnostics: [] });
  });

  test("receives no byte of this process's standard input (pitfall 17)", async ({ expect }) => {
    const records: LogRecord[] = [];
    await using provider = await launch("stdin", { onLog: (record) => void records.push(record) });
    await provider.getMetadata({});
    await expect.poll(() => records.map(({ message }) => message), { timeout: 10_000 }).toEqual(["0 bytes of standard input"]);
  });

  test("is closed once by repeated close calls, and rejects calls after that", async ({ expect }) => {
    const provider = await launch("hang");
    const inFlight = provider.getMetadata({});
    const closed = [provider.close(), provider.close(), provider[Symbol.asyncDispose]()];
    await expect(inFlight).rejects.toMatchObject({ code: "CLOSED" });
    await Promise.all(closed);
    await expect(provider.getMetadata({})).rejects.toMatchObject({ code: "CLOSED" });
    await provider.close();
  });

  test("is killed after its grace period when it ignores the request to shut down (pitfall 13)", async ({ expect }) => {
    const provider = await launch("ignore-shutdown", { shutdownGraceMs: 300 });
    const start = performance.now();
    await provider.close();
    expect(performance.now() - start).toBeGreaterThan(290);
    expect(await provider.exited).toEqual({ code: null, signal: "SIGKILL" });
  });

  test.runIf(process.platform !== "win32")("is sent SIGTERM when it has no shutdown service", async ({ expect }) => {
    const provider = await launch("no-services", { shutdownGraceMs: 10_000 });
    await provider.close();
    expect(await provider.exited).toEqual({ code: null, signal: "SIGTERM" });
  });

  test.runIf(process.platform !== "win32")(
    "ends with its child processes, which do not delay close (pitfall 14)",
    async ({ expect, onTestFinished }) => {
      const folder = mkdtempSync(join(tmpdir(), "grandchild-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const provider = await launch("grandchild", {}, join(folder, "pid"));
      const grandchild = Number(readFileSync(join(folder, "pid"), "utf8"));
      await provider.close();
      expect(await ends(grandchild, 10_000)).toBe(true);
    },
  );

  test("handles calls after StopProvider", async ({ expect }) => {
    await using provider = await launch("");
    expect(await provider.stop({})).toEqual({ error: "" });
    expect(await provider.getMetadata({})).toMatchObject({ diagnostics: [] });
  });

  test("applies callTimeoutMs and maxConcurrentCalls", async ({ expect }) => {
    const callTimeoutMs = 4_000;
    await using provider = await launch("slow", { callTimeoutMs, maxConcurrentCalls: 1 }, "300");
    const start = performance.now();
    // In sequence the calls take longer than the timeout, which starts when each call is sent.
    await Promise.all(Array.from({ length: 14 }, () => provider.getMetadata({})));
    expect(performance.now() - start).toBeGreaterThan(callTimeoutMs);
    // No other call has a timeout: on a busy machine, the response to stop may take longer.
    await using hanging = await launch("hang", { callTimeoutMs: { getMetadata: 100 } });
    await expect(hanging.getMetadata({})).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    await expect(hanging.getMetadata({}, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ code: "CANCELLED" });
    expect(await hanging.stop({})).toEqual({ error: "" });
  });
});

describe("a provider that crashes during a call", () => {
  test.for<[mode: string, message: RegExp, exit: object]>([
    ["kill", /^the provider terraform-provider-working \(.*\) ended with signal SIGKILL, and printed no reason$/, { signal: "SIGKILL" }],
    ["exit", /ended with exit code 7/, { code: 7 }],
    ["panic", /ended with exit code 2\npanic: out of notes\n\ngoroutine 7 \[running\]:\nmain.main\(\)$/, { code: 2 }],
    ["disconnect", /ended with signal SIGKILL/, { signal: "SIGKILL" }],
  ])("by %s rejects calls in flight and later calls with its reason", async ([mode, message, exit], { expect }) => {
    const provider = await launch(mode);
    const calls = [provider.getMetadata({}), provider.getMetadata({}), provider.getFunctions({})];
    for (const call of calls.slice(0, 2)) {
      const error = await call.then(
        () => undefined,
        (error: unknown) => error as ProviderError,
      );
      expect(error).toBeInstanceOf(ProviderError);
      expect(error).toMatchObject({ code: "UNAVAILABLE", message: expect.stringMatching(message) });
      expect(error?.cause).toBeInstanceOf(PluginHostError);
      expect(error?.cause).toMatchObject({ code: "PROVIDER_CRASHED", process: { exit, provider: "terraform-provider-working" } });
    }
    await expect(calls[2]).rejects.toBeInstanceOf(ProviderError);
    await expect(provider.stop({})).rejects.toMatchObject({ code: "UNAVAILABLE", message: expect.stringMatching(message) });
    expect(await provider.exited).toMatchObject(exit);
    await provider.close();
  });

  test("rejects the next call when no call was in flight", async ({ expect }) => {
    const provider = await launch("");
    process.kill(provider.pid, "SIGKILL");
    await provider.exited;
    await expect(provider.getMetadata({})).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await provider.close();
  });
});

describe("the output of a provider", () => {
  test("reaches the listener from standard output and standard error", async ({ expect }) => {
    const records: LogRecord[] = [];
    await using provider = await launch("print", { onLog: (record) => void records.push(record) });
    await provider.getMetadata({});
    await expect
      .poll(() => records, { timeout: 10_000 })
      .toEqual([
        {
          level: "warn",
          name: "stdout",
          message: "printed by the provider",
          fields: {},
          timestamp: expect.any(Date),
          provider: "terraform-provider-working",
        },
      ]);
    const debug: LogRecord[] = [];
    await using logging = await launch("log", { onLog: (record) => void debug.push(record), logLevel: "debug" });
    await logging.getMetadata({});
    await expect
      .poll(() => debug.map(({ level, name, message }) => `${level} ${name}: ${message}`), { timeout: 10_000 })
      .toEqual(["warn provider.notes: careful", "debug stderr: no log line"]);
  });

  test("does not block calls when it continues, or is closed, after the handshake", async ({ expect }) => {
    await using provider = await launch("prints-on");
    expect(await provider.getMetadata({})).toMatchObject({ diagnostics: [] });
    await using closed = await launch("closes-output");
    expect(await closed.getMetadata({})).toMatchObject({ diagnostics: [] });
  });
});
