// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider, openProvider, type LogRecord, type OpenProgress, type ProviderSource } from "@tenon/plugin-host";
import type { Provider } from "@tenon/schema";
import { afterAll, test } from "vitest";

describePeer(["framework-provider"], "an observed Go provider", ({ "framework-provider": peer }) => {
  const directory = mkdtempSync(join(tmpdir(), "host-observability-"));
  afterAll(() => rmSync(directory, { recursive: true }));

  test("reports only its launch with reportCalls: false", async ({ expect }) => {
    const events: OpenProgress[] = [];
    {
      await using fw = await openProvider(peer.path, {
        config: { directory },
        onProgress: (event) => events.push(event),
        reportCalls: false,
      });
      await fw.resource("framework_record").validate({ name: "first" });
    }
    expect(events.map(({ kind }) => kind)).toEqual(["launching", "launched"]);
  });

  test("reports its launch and all its calls as events and log records", async ({ expect }) => {
    const events: OpenProgress[] = [];
    const records: LogRecord[] = [];
    {
      await using fw = await openProvider(peer.path, {
        config: { directory },
        onProgress: (event) => events.push(event),
        onLog: (record) => records.push(record),
        logLevel: "trace",
      });
      const made = await fw.resource("framework_record").create({ name: "first", secret: "hunter2" });
      for await (const _ of fw.list("framework_record", { kind: "plain" })) void _;
      await fw.resource("framework_record").delete(made);
      await fw
        .resource("framework_trouble")
        .create({ name: "fail", mode: "fail" })
        .catch(() => {});
    }
    expect(events.slice(0, 2)).toMatchObject([
      { kind: "launching", provider: "terraform-provider-framework" },
      { kind: "launched", protocolVersion: 6, startup: { connectedMs: expect.any(Number) } },
    ]);
    const calls = events.flatMap((event) => (event.kind === "called" ? [`${event.call.rpc} ${event.call.typeName} ${event.outcome}`] : []));
    expect(calls).toContain("GetProviderSchema undefined answered");
    expect(calls).toContain("ConfigureProvider undefined answered");
    expect(calls.filter((call) => call === "ApplyResourceChange framework_record answered")).toHaveLength(2);
    expect(calls).toContain("ListResource framework_record answered");
    expect(events.filter(({ kind }) => kind === "calling")).toHaveLength(calls.length);
    expect(events.some((event) => event.kind === "streaming" && event.call.rpc === "ListResource" && event.items === 1)).toBe(true);
    const own = records.filter(({ name }) => name === "host");
    expect(own.filter(({ message }) => message === "Received response")).toHaveLength(calls.length);
    // The provider's own log records and those of the host are about the same calls.
    expect(records.some(({ name, fields }) => name !== "host" && fields["tf_rpc"] === "ApplyResourceChange")).toBe(true);
    expect(JSON.stringify([own, events])).not.toContain("hunter2");
  });

  test("has the call limits of openProvider, from every kind of source", async ({ expect }) => {
    const factory = (): Promise<Provider> => launchProvider({ command: peer.path });
    const slow = async (source: ProviderSource): Promise<unknown> => {
      await using fw = await openProvider(source, { config: { directory }, callTimeoutMs: { applyResourceChange: 2_000 } });
      return await fw.resource("framework_trouble").create({ name: "slow", mode: "slow", seconds: 60 });
    };
    const late = { code: "DEADLINE_EXCEEDED", message: expect.stringContaining("applyResourceChange") };
    await Promise.all([peer.path, { command: peer.path }, factory].map((source) => expect(slow(source)).rejects.toMatchObject(late)));
    await expect(openProvider(factory, { config: { directory }, launch: { cwd: "/" } })).rejects.toMatchObject({ code: "INVALID_OPTIONS" });
  });
});
