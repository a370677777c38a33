// SPDX-License-Identifier: Apache-2.0
// Tests, with real processes, how a provider ends while one of its handlers blocks the event loop.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseHandshakeLine } from "@tenon/protocol/handshake";
import { afterEach, describe, expect, test } from "vitest";
import { useBundledProvider } from "../../test/bundled-fixture.ts";
import { connect, host, type HostedProvider, isAlive, ProviderProcess, startHostProcess } from "../../test/hosted-process.ts";
import { createChangeWatchdog } from "./change-watchdog.ts";

const bundled = useBundledProvider();

/** Starts a create call with a behavior; resolves when its handler runs. */
const startCreate = async (hosted: Pick<HostedProvider, "configure" | "create">, behavior: string): Promise<void> => {
  const trace = join(bundled.folder, `${behavior} ${Math.random()}`);
  await hosted.configure("default", trace);
  hosted.create(behavior).catch(() => {});
  await expect.poll(() => existsSync(trace), { interval: 10, timeout: 20_000 }).toBe(true);
};

/** Sends a signal to every process of the provider's group, as a terminal does. */
const signalGroup = ({ child }: ProviderProcess, signal: NodeJS.Signals): void => void process.kill(-child.pid!, signal);

const childrenOf = (pid: number): readonly string[] => {
  const rows = execFileSync("ps", ["-A", "-o", "ppid=,pid=,args="], { encoding: "utf8" }).split("\n");
  return rows.filter((row) => Number(row.trim().split(" ")[0]) === pid && !row.includes(" ps -A "));
};

describe.skipIf(process.platform === "win32")("a provider whose handler blocks the event loop", { timeout: 120_000 }, () => {
  test("ends at the second Ctrl-C, and leaves no socket file", async ({ expect }) => {
    await using hosted = await host(bundled.command, { ownGroup: true });
    await startCreate(hosted, "block");
    signalGroup(hosted.process, "SIGINT");
    // Longer than the watchdog waits. After one Ctrl-C, the host decides whether to stop the provider.
    await delay(4000);
    expect(hosted.process.child.signalCode).toBeNull();
    signalGroup(hosted.process, "SIGINT");
    expect(await hosted.process.ended).toEqual({ code: null, signal: "SIGKILL" });
    const { path } = hosted.handshake.address as { path: string };
    await expect.poll(() => existsSync(path)).toBe(false);
  });

  test.for(["SIGTERM", "SIGHUP", "SIGQUIT"] as const)("ends when its process group receives %s", async (signal, { expect }) => {
    await using hosted = await host(bundled.command, { ownGroup: true });
    await startCreate(hosted, "block");
    signalGroup(hosted.process, signal);
    expect(await hosted.process.ended).toEqual({ code: null, signal: "SIGKILL" });
  });

  test("ends after its host has ended", async ({ expect }) => {
    await using hostProcess = await startHostProcess(bundled.command);
    const { address, protocolVersion } = parseHandshakeLine(hostProcess.line);
    const connection = connect(address, protocolVersion);
    await startCreate(connection, "block");
    hostProcess.child.kill("SIGKILL");
    await expect.poll(() => isAlive(hostProcess.providerPid), { timeout: 30_000 }).toBe(false);
    await expect.poll(() => existsSync((address as { path: string }).path)).toBe(false);
    await connection.carrier.close();
  });

  test("ends at the first Ctrl-C in debug mode", async ({ expect }) => {
    await using debugged = new ProviderProcess([...bundled.command, "--debug"], {}, true);
    await debugged.waitForOutput("TF_REATTACH_PROVIDERS");
    const connection = connect({ network: "unix", path: /"String":"([^"]+)"/.exec(debugged.stdout)?.[1] ?? "" }, 6);
    await startCreate(connection, "block");
    signalGroup(debugged, "SIGINT");
    expect(await debugged.ended).toEqual({ code: null, signal: "SIGKILL" });
    await connection.carrier.close();
  });
});

describe.skipIf(process.platform === "win32")("a provider whose handler yields", { timeout: 120_000 }, () => {
  test("keeps running after any number of Ctrl-C", async ({ expect }) => {
    await using hosted = await host(bundled.command, { ownGroup: true });
    await startCreate(hosted, "hang");
    for (let count = 0; count < 3; count += 1) {
      signalGroup(hosted.process, "SIGINT");
      await delay(300);
    }
    await delay(4500);
    expect([hosted.process.child.exitCode, hosted.process.child.signalCode]).toEqual([null, null]);
    expect((await hosted.create("one more")).diagnostics).toEqual([]);
  });

  test("starts one watchdog at the first change, and ends it with the provider", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    const pid = hosted.process.child.pid!;
    await hosted.configure("default");
    await hosted.provider.getProviderSchema({});
    expect(childrenOf(pid)).toEqual([]);
    await hosted.create("one");
    await hosted.create("two");
    const [watchdog, ...others] = childrenOf(pid);
    expect([watchdog, others]).toEqual([expect.stringContaining("tenon-watchdog"), []]);
    await hosted.shutDown();
    await hosted.process.ended;
    await expect.poll(() => execFileSync("ps", ["-A", "-o", "args="], { encoding: "utf8" }).includes(`tenon-watchdog ${pid} `)).toBe(false);
  });
});

// Reads /proc.
describe.skipIf(process.platform !== "linux")("the watchdog", () => {
  /** Process ids of the watchdogs that this process has started. */
  const started = (): readonly number[] => {
    const rows = childrenOf(process.pid).filter((row) => row.includes("tenon-watchdog"));
    return rows.map((row) => Number(row.trim().split(/ +/)[1]));
  };
  afterEach(() => started().forEach((pid) => process.kill(pid, "SIGKILL")));

  const handlesInterrupts = (pid: number): boolean => {
    const caught = /^SigCgt:\s+([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
    // Bit 1 is signal 2, SIGINT.
    return (BigInt(`0x${caught}`) & 2n) === 2n;
  };
  const address = { network: "unix", path: "" } as const;

  test("handles interrupts before the first change begins", async ({ expect }) => {
    const watchdog = createChangeWatchdog({ interruptLimit: 2 });
    await watchdog.start(address);
    expect(started().map(handlesInterrupts)).toEqual([true]);
    expect(watchdog.start(address)).toBe(undefined);
  });

  test("survives an interrupt while it starts", async ({ expect }) => {
    const watchdog = createChangeWatchdog({ interruptLimit: 2 });
    const starting = watchdog.start(address);
    // `ps` would take longer than the watchdog's start.
    const [pid] = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ").map(Number).slice(-1);
    process.kill(pid!, "SIGINT");
    watchdog.onInterrupt();
    await starting;
    expect(started().map(handlesInterrupts)).toEqual([true]);
  });
});
