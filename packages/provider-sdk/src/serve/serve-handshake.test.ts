// SPDX-License-Identifier: Apache-2.0
// How a provider and its host find each other, with real processes.
import { X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openCarrierClient } from "@tenon/protocol/carrier/connect-node-client";
import { certificateToPem, createCertificate } from "@tenon/protocol/certificate";
import { pluginVariables } from "@tenon/protocol/handshake";
import { afterAll, beforeAll, describe, test } from "vitest";
import { bundledFixture, type BundledFixture } from "../../test/bundled-fixture.ts";
import { fixture, host, hostEnvironment, ProviderProcess } from "../../test/hosted-process.ts";

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

describe("without a client certificate", () => {
  test("the line has an empty sixth field, no seventh, and plaintext is spoken (pitfall 2)", async ({ expect }) => {
    await using hosted = await host(bundled.command, { tls: false });
    expect(hosted.line).toMatch(/^1\|6\|unix\|[^|]+\|grpc\|$/);
    expect([...(await hosted.provider.getProviderSchema({})).resources.keys()]).toEqual(["fixture_deed"]);
  });

  test("the same when the variable is there and empty", async ({ expect }) => {
    await using hosted = await host(bundled.command, { tls: false, environment: { PLUGIN_CLIENT_CERT: "" } });
    expect(hosted.line.endsWith("|grpc|")).toBe(true);
  });
});

describe("with a client certificate", () => {
  test("the sixth field is a certificate for localhost, as Go reads it", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    const fields = hosted.line.split("|");
    expect(fields).toHaveLength(6);
    expect(fields[5]).toMatch(/^[A-Za-z0-9+/]+$/);
    const certificate = new X509Certificate(Buffer.from(fields[5] ?? "", "base64"));
    expect(certificate.checkHost("localhost")).toBe("localhost");
    expect((await hosted.provider.getProviderSchema({})).resources.size).toBe(1);
  });

  test("nobody else is let in (pitfall 6)", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    await hosted.provider.getProviderSchema({});
    const { handshake } = hosted;
    const serverCertificatePem = certificateToPem(handshake.certificate ?? new Uint8Array());
    const stranger = openCarrierClient({ address: handshake.address, tls: { ...createCertificate(), serverCertificatePem } });
    const plain = openCarrierClient({ address: handshake.address });
    for (const refused of [stranger, plain]) {
      await expect(refused.connected.then(() => refused.closed)).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
      await refused.close();
    }
    // And the host's own connection has not suffered.
    expect((await hosted.create("still there")).diagnostics).toEqual([]);
  });
});

test("the seventh field is there when it is asked for, and says no (pitfall 4)", async ({ expect }) => {
  await using hosted = await host(bundled.command, { tls: false, environment: { [pluginVariables.multiplexGrpc]: "true" } });
  expect(hosted.line).toMatch(/\|grpc\|\|false$/);
});

test.for([
  ["6,5", 6],
  ["5,6", 6],
  ["5", 5],
  ["4", 5],
  ["x,6", 6],
  ["", 5],
] as const)("a host that offers %j is answered %d (pitfall 9)", async ([offered, version], { expect }) => {
  await using hosted = await host(bundled.command, { environment: { PLUGIN_PROTOCOL_VERSIONS: offered } });
  expect(hosted.handshake.protocolVersion).toBe(version);
  expect((await hosted.provider.getProviderSchema({})).resources.size).toBe(1);
});

describe("started by a person", () => {
  test.for([{}, { TF_PLUGIN_MAGIC_COOKIE: "another" }])(
    "with %j, it says what it is and ends (pitfall 10)",
    async (environment, { expect }) => {
      await using started = new ProviderProcess(bundled.command, environment);
      expect(await started.ended).toEqual({ code: 1, signal: null });
      expect(started.stdout).toBe("");
      expect(started.stderr).toContain("This program is a provider for Terraform and OpenTofu");
    },
  );
});

describe.skipIf(process.platform === "win32")("the socket", () => {
  test("lies where the host says, for this user alone", async ({ expect }) => {
    await using hosted = await host(bundled.command, { environment: { PLUGIN_UNIX_SOCKET_DIR: folder } });
    const { path } = hosted.handshake.address as { path: string };
    expect(dirname(path)).toBe(folder);
    expect(statSync(path).mode & 0o077).toBe(0);
    await hosted.shutDown();
    await hosted.process.ended;
    expect(existsSync(path)).toBe(false);
  });

  test("lies in /tmp when the temporary folder's name is too long", async ({ expect }) => {
    const long = join(folder, "x".repeat(90));
    mkdirSync(long);
    await using hosted = await host(bundled.command, { environment: { TMPDIR: long } });
    const { path } = hosted.handshake.address as { path: string };
    expect(dirname(path)).toBe("/tmp");
    expect((await hosted.provider.getProviderSchema({})).resources.size).toBe(1);
  });

  test("cannot be had: the process says why and ends", async ({ expect }) => {
    const environment = { ...hostEnvironment, PLUGIN_UNIX_SOCKET_GROUP: "no-such-group" };
    await using started = new ProviderProcess(bundled.command, environment);
    expect(await started.ended).toEqual({ code: 1, signal: null });
    expect(started.stderr).toContain(`there is no group "no-such-group"`);
    expect(started.stdout).toBe("");
  });
});

test("a TCP port of the host's range is used where it is asked for (pitfall 38)", async ({ expect }) => {
  using onTcp = await bundledFixture("on-tcp.ts");
  await using hosted = await host(onTcp.command);
  expect(hosted.handshake.address).toMatchObject({ network: "tcp", host: "127.0.0.1" });
  const { port } = hosted.handshake.address as { port: number };
  expect(port).toBeGreaterThanOrEqual(10_000);
  expect(port).toBeLessThanOrEqual(25_000);
  expect((await hosted.provider.getProviderSchema({})).resources.size).toBe(1);
});

test("sources run as they are, without a bundle", async ({ expect }) => {
  await using hosted = await host(fixture("main.ts"));
  expect((await hosted.create("one")).diagnostics).toEqual([]);
});
