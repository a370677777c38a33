// SPDX-License-Identifier: Apache-2.0
// Our carrier with gRPC for Go as its peer: our server under go-plugin's client, our client on Go's servers.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Code, createClient } from "@connectrpc/connect";
import { describePeer } from "@tenon/peers/vitest";
import { cancellableStream } from "@tenon/protocol/carrier";
import { openCarrierClient } from "@tenon/protocol/carrier/client";
import { Health } from "@tenon/protocol/health";
import { parseLogLine } from "@tenon/protocol/log-line";
import { GRPCController, GRPCStdio } from "@tenon/protocol/plugin";
import { mapEntry, schemaRangesMethod } from "@tenon/protocol/schema-ranges";
import { Provider as Provider5 } from "@tenon/protocol/tfplugin5";
import { Provider as Provider6 } from "@tenon/protocol/tfplugin6";
import { test } from "vitest";
import { launchPlugin } from "./launched-plugin.ts";

const run = promisify(execFile);
const servers = ["provider-time", "framework-provider"] as const;

describePeer(["plugin-client"], "our own carrier's server under go-plugin's client", ({ "plugin-client": client }) => {
  const plugin = new URL("wire-plugin.ts", import.meta.url).pathname;
  const observe = async (...flags: string[]): Promise<{ seen: unknown; log: string[] }> => {
    const { stdout, stderr } = await run(client.path, [...flags, process.execPath, plugin, "own"]);
    return { seen: JSON.parse(stdout), log: stderr.trim().split("\n") };
  };

  for (const tls of [true, false]) {
    test(`answers calls and ends gracefully, ${tls ? "AutoMTLS" : "plaintext"}`, async ({ expect }) => {
      const { seen, log } = await observe("-shutdown", "-calls", "100", `-auto-mtls=${tls}`);
      expect(seen).toMatchObject({ protocolVersion: 6, network: "unix", tls, resources: 2, diagnostics: 0 });
      expect(seen).toMatchObject({ shutdown: { exitCode: 0, killed: false } });
      expect(parseLogLine(log[0]!)).toMatchObject({ structured: true, message: "serving", module: "wire" });
      expect(log.slice(1)).toEqual(["printed by the plugin"]);
    });

    test(`handles a load, ${tls ? "AutoMTLS" : "plaintext"}`, async ({ expect }) => {
      const { seen } = await observe("-load", "1s", "-in-flight", "1,10,100", `-auto-mtls=${tls}`);
      const { load } = seen as { load: { inFlight: number; calls: number }[] };
      expect(load.map(({ inFlight }) => inFlight)).toEqual([1, 10, 100]);
      for (const { calls } of load) expect(calls).toBeGreaterThan(100);
    });
  }
});

describePeer(servers, "our own carrier's client on Go's servers", (peers) => {
  for (const name of servers) {
    for (const tls of [true, false]) {
      test(`gets the schema and the health of ${name}, ${tls ? "AutoMTLS" : "plaintext"}`, async ({ expect }) => {
        await using provider = await launchPlugin(openCarrierClient, [peers[name].path], tls);
        const { client, protocolVersion } = provider;
        await client.connected;
        const getSchema = protocolVersion === 5 ? Provider5.method.getSchema : Provider6.method.getProviderSchema;
        const { message } = await client.transport.unary(schemaRangesMethod(getSchema), undefined, undefined, undefined, {});
        expect(message.resourceSchemas.map((entry) => mapEntry(entry).key)).toContain(
          name === "provider-time" ? "time_static" : "framework_record",
        );
        const health = createClient(Health, client.transport);
        expect(await health.check({ service: "plugin" })).toMatchObject({ status: 1 });
        await expect(health.check({ service: "nonsense" })).rejects.toMatchObject({ code: Code.NotFound, rawMessage: "unknown service" });
      });
    }
  }

  test("makes thousands of concurrent calls", async ({ expect }) => {
    await using provider = await launchPlugin(openCarrierClient, [peers["framework-provider"].path], true);
    const calls = createClient(Provider6, provider.client.transport);
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(Array.from({ length: 200 }, () => calls.getMetadata({})));
      expect(new Set(answers.map(({ resources }) => resources.length))).toEqual(new Set([2]));
    }
  });

  test("reads a stream, cancels it and reads it again", async ({ expect }) => {
    await using provider = await launchPlugin(openCarrierClient, [peers["framework-provider"].path], true);
    const health = createClient(Health, provider.client.transport);
    for (let round = 0; round < 50; round++) {
      for await (const { status } of cancellableStream((signal) => health.watch({ service: "plugin" }, { signal }))) {
        expect(status).toBe(1);
        break;
      }
    }
    await expect(health.check({}, { timeoutMs: 0 })).rejects.toMatchObject({ code: Code.DeadlineExceeded });
    expect(await health.check({ service: "plugin" }, { timeoutMs: 5000 })).toMatchObject({ status: 1 });
  });

  test("ends the provider and its streams with a shutdown", async ({ expect }) => {
    await using provider = await launchPlugin(openCarrierClient, [peers["provider-time"].path], true);
    const output = cancellableStream((signal) => createClient(GRPCStdio, provider.client.transport).streamStdio({}, { signal }));
    const reading = output.next().catch((error: unknown) => error);
    await createClient(GRPCController, provider.client.transport)
      .shutdown({})
      .catch((error: unknown) => expect(error).toMatchObject({ name: "ConnectError" }));
    expect(await provider.exited).toEqual([0, null]);
    await reading;
    expect(await provider.client.closed).toMatchObject({ kind: "lost" });
  });

  test("reports a lost connection when the provider is killed", async ({ expect }) => {
    await using provider = await launchPlugin(openCarrierClient, [peers["framework-provider"].path], true);
    const output = cancellableStream((signal) => createClient(GRPCStdio, provider.client.transport).streamStdio({}, { signal }));
    const reading = output.next();
    reading.catch(() => {});
    await createClient(Provider6, provider.client.transport).getMetadata({});
    provider.process.kill("SIGKILL");
    await expect(reading).rejects.toMatchObject({ code: Code.Unavailable, cause: { code: "CONNECTION_LOST" } });
  });
});

describePeer(["plugin-client"], "our own carrier's client under load on gRPC for Go", ({ "plugin-client": peer }) => {
  test("sends requests that exceed the flow-control window (pitfall 20)", async ({ expect }) => {
    await using provider = await launchPlugin(openCarrierClient, [peer.path, "-serve"], true);
    const calls = createClient(Provider6, provider.client.transport);
    // Go's initial window is 64 KiB.
    const large = { typeName: "x".repeat(3_000_000) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => calls.planResourceChange(large)));
    expect(new Set(answers.map(({ plannedState }) => plannedState?.msgpack.length))).toHaveLength(1);
    await expect(calls.planResourceChange({ typeName: "x".repeat(5_000_000) })).rejects.toMatchObject({ code: Code.ResourceExhausted });
    expect(await calls.planResourceChange({})).toBeDefined();
  });
});
