// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { openProvider, type ProviderClient } from "@tenon/plugin-host";
import { readWireRecording, wireRecording } from "@tenon/plugin-host/record";
import { afterAll, test } from "vitest";
import { isFrameworkCreate, LogWatcher } from "./log-watcher.ts";

// Only our own carrier has a tap.
const hasTap = process.env["TENON_CARRIER"] !== "connect-node";

describePeer(["framework-provider"], "a wire recording of a Go provider", ({ "framework-provider": peer }) => {
  const folder = mkdtempSync(join(tmpdir(), "host-wire-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "session.wire");
  const dumps = mkdtempSync(join(folder, "dumps-"));

  async function record(use: (fw: ProviderClient) => Promise<void>, log = new LogWatcher()): Promise<void> {
    using wire = wireRecording(file, { overwrite: true });
    await using fw = await openProvider(peer.path, {
      // The provider dumps the values that it receives and sends into this folder.
      launch: { tap: wire.tap, env: { TF_LOG_SDK_PROTO_DATA_DIR: dumps } },
      config: { directory: mkdtempSync(join(folder, "records-")) },
      // A cancelled change ends immediately, without a response.
      stopGraceMs: 0,
      onLog: log.onLog,
      logLevel: "trace",
    });
    await use(fw);
  }

  test.runIf(hasTap)("contains the bytes of unary calls, streams and errors", async ({ expect }) => {
    const log = new LogWatcher();
    await record(async (fw) => {
      const made = await fw.resource("framework_record").create({ name: "first", secret: "hunter2" });
      for await (const _ of fw.list("framework_record", { kind: "plain" })) void _;
      await fw.resource("framework_record").delete(made);
      const slow = { name: "slow", mode: "slow", seconds: 60 };
      const cancelling = new AbortController();
      // The first creation was that of the record.
      void log.waitFor(isFrameworkCreate, 2).then(() => cancelling.abort());
      await fw
        .resource("framework_trouble")
        .create(slow, { signal: cancelling.signal })
        .catch(() => {});
    }, log);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const events = readWireRecording(file);
    const calls = Map.groupBy(events, ({ call }) => call);
    const kindsOf = (rpc: string): readonly string[] =>
      [...calls.values()].filter(([first]) => first!.method.endsWith(`/${rpc}`)).map((parts) => parts.map(({ kind }) => kind).join());
    expect(kindsOf("PlanResourceChange")).toEqual(Array(3).fill("sent,received,ended"));
    expect(kindsOf("ListResource")).toEqual(["sent,received,ended"]);
    expect(kindsOf("ApplyResourceChange")).toEqual(["sent,received,ended", "sent,received,ended", "sent,ended"]);
    expect(kindsOf("StreamStdio")).toEqual([expect.stringMatching(/^sent,(?:received,)*ended$/)]);
    // Each dumped value is part of a recorded message of the same RPC and direction.
    const dumped = readdirSync(dumps).flatMap((name) => {
      const [, rpc, direction] = /^\d+_([A-Za-z]+)_(Request|Response)_/.exec(name)!;
      return [{ rpc, kind: direction === "Request" ? "sent" : "received", value: readFileSync(join(dumps, name)) }];
    });
    expect(dumped.length).toBeGreaterThan(10);
    for (const { rpc, kind, value } of dumped) {
      const messages = events.filter((event) => event.kind === kind && event.method === `/tfplugin6.Provider/${rpc}`);
      expect(
        messages.some((event) => event.kind !== "ended" && Buffer.from(event.bytes).includes(value)),
        `${kind} ${rpc}`,
      ).toBe(true);
    }
    // Secrets are not masked.
    expect(readFileSync(file, "latin1")).toContain("hunter2");
    const cancelled = events.findLast(({ kind, method }) => kind === "ended" && method.endsWith("/ApplyResourceChange"));
    expect(cancelled).toMatchObject({ status: 1 });
    expect(events.every(({ atMs }, index) => index === 0 || atMs >= events[index - 1]!.atMs)).toBe(true);
  });

  test.runIf(hasTap)("is read up to the position at which it is truncated", async ({ expect }) => {
    await record(async () => {});
    const whole = readFileSync(file);
    const events = readWireRecording(file);
    writeFileSync(file, whole.subarray(0, whole.length - 3));
    expect(() => readWireRecording(file)).toThrow(
      expect.objectContaining({
        code: "RECORDING_TRUNCATED",
        message: expect.stringMatching(/is truncated at byte \d+, after call \d+ \(\/plugin\./),
      }),
    );
    expect(readWireRecording(file, { allowTruncated: true })).toEqual(events.slice(0, -1));
    const damaged = Buffer.from(whole);
    damaged[40]! ^= 1;
    writeFileSync(file, damaged);
    expect(() => readWireRecording(file)).toThrow(expect.objectContaining({ code: "RECORDING_MALFORMED" }));
    expect(() => wireRecording(file)).toThrow(expect.objectContaining({ code: "RECORDING_FAILED" }));
  });
});
