// SPDX-License-Identifier: Apache-2.0
// The protocol package alone, without plugin-host and provider-sdk: our server under go-plugin's client, our client on Go's servers.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { describePeer } from "@tenon/peers/vitest";
import { cancellableStream, type CarrierClient } from "@tenon/protocol/carrier";
import { openCarrierClient } from "@tenon/protocol/carrier/connect-node-client";
import { certificateToPem, createCertificate } from "@tenon/protocol/certificate";
import { magicCookie, parseHandshakeLine, pluginVariables } from "@tenon/protocol/handshake";
import { Health } from "@tenon/protocol/health";
import { parseLogLine } from "@tenon/protocol/log-line";
import { GRPCController, GRPCStdio } from "@tenon/protocol/plugin";
import { mapEntry, schemaRangesMethod } from "@tenon/protocol/schema-ranges";
import { Provider as Provider5 } from "@tenon/protocol/tfplugin5";
import { Provider as Provider6 } from "@tenon/protocol/tfplugin6";
import { test } from "vitest";

const run = promisify(execFile);

describePeer(["plugin-client"], "our server under go-plugin's client", ({ "plugin-client": client }) => {
  const observe = async (...flags: string[]): Promise<{ seen: unknown; log: string[] }> => {
    const plugin = new URL("wire-plugin.ts", import.meta.url).pathname;
    const { stdout, stderr } = await run(client.path, [...flags, process.execPath, plugin]);
    return { seen: JSON.parse(stdout), log: stderr.trim().split("\n") };
  };

  for (const tls of [true, false]) {
    test(`answers calls and ends gracefully, ${tls ? "AutoMTLS" : "plaintext"}`, async ({ expect }) => {
      const { seen, log } = await observe("-shutdown", "-calls", "100", `-auto-mtls=${tls}`);
      expect(seen).toMatchObject({ protocolVersion: 6, network: "unix", tls, resources: 2, diagnostics: 0 });
      expect(seen).toMatchObject({ shutdown: { exitCode: 0, killed: false } });
      // The host receives log lines and printed text.
      expect(parseLogLine(log[0]!)).toMatchObject({ structured: true, message: "serving", module: "wire" });
      expect(log.slice(1)).toEqual(["printed by the plugin"]);
    });
  }
});

describePeer(["provider-time", "framework-provider"], "our client on Go's servers", (peers) => {
  for (const name of ["provider-time", "framework-provider"] as const) {
    for (const tls of [true, false]) {
      test(`gets the schema and the health of ${name}, ${tls ? "AutoMTLS" : "plaintext"}`, async ({ expect }) => {
        await using provider = await launch(peers[name].path, tls);
        const { client, protocolVersion } = provider;
        await client.connected;
        const getSchema = protocolVersion === 5 ? Provider5.method.getSchema : Provider6.method.getProviderSchema;
        const { message } = await client.transport.unary(schemaRangesMethod(getSchema), undefined, undefined, undefined, {});
        expect(message.resourceSchemas.map((entry) => mapEntry(entry).key)).toContain(
          name === "provider-time" ? "time_static" : "framework_record",
        );
        expect(await createClient(Health, client.transport).check({ service: "plugin" })).toMatchObject({ status: 1 });
        const unknown = createClient(Health, client.transport).check({ service: "nonsense" });
        await expect(unknown).rejects.toMatchObject({ code: Code.NotFound });
      });
    }
  }

  test("makes concurrent calls", async ({ expect }) => {
    await using provider = await launch(peers["framework-provider"].path, true);
    const calls = createClient(Provider6, provider.client.transport);
    const answers = await Promise.all(Array.from({ length: 200 }, () => calls.getMetadata({})));
    expect(new Set(answers.map(({ resources }) => resources.length))).toEqual(new Set([2]));
  });

  test("ends the provider and its streams with a shutdown", async ({ expect }) => {
    const provider = await launch(peers["provider-time"].path, true);
    const output = cancellableStream((signal) => createClient(GRPCStdio, provider.client.transport).streamStdio({}, { signal }));
    const reading = output.next().catch((error: unknown) => error);
    const ended = once(provider.process, "exit");
    await createClient(GRPCController, provider.client.transport)
      .shutdown({})
      .catch((error: unknown) => expect(error).toBeInstanceOf(ConnectError));
    expect(await ended).toEqual([0, null]);
    await reading;
    expect(await provider.client.closed).toMatchObject({ kind: "lost" });
    await provider[Symbol.asyncDispose]();
  });

  test("reports a lost connection when the provider is killed", async ({ expect }) => {
    await using provider = await launch(peers["framework-provider"].path, true);
    const output = cancellableStream((signal) => createClient(GRPCStdio, provider.client.transport).streamStdio({}, { signal }));
    const reading = output.next();
    reading.catch(() => {});
    await createClient(Provider6, provider.client.transport).getMetadata({});
    provider.process.kill("SIGKILL");
    await expect(reading).rejects.toMatchObject({ code: Code.Unavailable, cause: { code: "CONNECTION_LOST" } });
  });
});

interface Launched extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly client: CarrierClient;
  readonly protocolVersion: number;
}

async function launch(path: string, tls: boolean): Promise<Launched> {
  const own = createCertificate();
  const child = spawn(path, {
    env: {
      ...process.env,
      [magicCookie.variable]: magicCookie.value,
      [pluginVariables.protocolVersions]: "6,5",
      ...(tls ? { [pluginVariables.clientCertificate]: own.certificatePem } : {}),
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { address, certificate, protocolVersion } = parseHandshakeLine(line);
  const client = openCarrierClient({
    address,
    ...(certificate ? { tls: { ...own, serverCertificatePem: certificateToPem(certificate) } } : {}),
  });
  return {
    process: child,
    client,
    protocolVersion,
    async [Symbol.asyncDispose]() {
      await client.close();
      child.kill("SIGKILL");
    },
  };
}
