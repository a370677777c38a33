// SPDX-License-Identifier: Apache-2.0
// Tests the handshake between a provider and its host, with real processes.
import { X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { openCarrierClient } from "@tenon/protocol/carrier/connect-node-client";
import { certificateToPem, createCertificate } from "@tenon/protocol/certificate";
import { pluginVariables } from "@tenon/protocol/handshake";
import { describe, test } from "vitest";
import { bundledFixture, useBundledProvider } from "../../test/bundled-fixture.ts";
import { fixture, host, hostEnvironment, ProviderProcess } from "../../test/hosted-process.ts";

const bundled = useBundledProvider();

describe("without a client certificate", () => {
  test("the handshake line has an empty sixth field and no seventh, and the connection is plaintext (pitfall 2)", async ({ expect }) => {
    await using hosted = await host(bundled.command, { tls: false });
    expect(hosted.line).toMatch(/^1\|6\|unix\|[^|]+\|grpc\|$/);
    expect([...(await hosted.provider.getProviderSchema({})).resources.keys()]).toEqual(["fixture_task"]);
  });

  test("an empty variable has the same effect", async ({ expect }) => {
    await using hosted = await host(bundled.command, { tls: false, environment: { PLUGIN_CLIENT_CERT: "" } });
    expect(hosted.line.endsWith("|grpc|")).toBe(true);
  });
});

describe("with a client certificate", () => {
  test("the sixth field is a certificate for localhost that Go can parse", async ({ expect }) => {
    await using hosted = await host(bundled.command);
    const fields = hosted.line.split("|");
    expect(fields).toHaveLength(6);
    expect(fields[5]).toMatch(/^[A-Za-z0-9+/]+$/);
    const certificate = new X509Certificate(Buffer.from(fields[5] ?? "", "base64"));
    expect(certificate.checkHost("localhost")).toBe("localhost");
    expect((await hosted.provider.getProviderSchema({})).resources.size).toBe(1);
  });

  test("the provider rejects other clients (pitfall 6)", async ({ expect }) => {
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
    // The host's own connection still works.
    expect((await hosted.create("still there")).diagnostics).toEqual([]);
  });
});

test("the handshake line has a seventh field, false, only when the host requests it (pitfall 4)", async ({ expect }) => {
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
] as const)("a host that offers %j gets protocol %d (pitfall 9)", async ([offered, version], { expect }) => {
  await using hosted = await host(bundled.command, { environment: { PLUGIN_PROTOCOL_VERSIONS: offered } });
  expect(hosted.handshake.protocolVersion).toBe(version);
  expect((await hosted.provider.getProviderSchema({})).resources.size).toBe(1);
});

describe("a provider started by hand", () => {
  test.for([{}, { TF_PLUGIN_MAGIC_COOKIE: "another" }])(
    "prints an explanation and exits, with %j (pitfall 10)",
    async (environment, { expect }) => {
      await using started = new ProviderProcess(bundled.command, environment);
      expect(await started.ended).toEqual({ code: 1, signal: null });
      expect(started.stdout).toBe("");
      expect(started.stderr).toContain("This program is a provider for Terraform and OpenTofu");
    },
  );
});

describe.skipIf(process.platform === "win32")("a provider whose standard output cannot be written", () => {
  const run = (redirected: string, environment: NodeJS.ProcessEnv, ...args: string[]): ProviderProcess =>
    new ProviderProcess(["sh", "-c", redirected, "sh", ...bundled.command, ...args], { ...environment, TMPDIR: bundled.folder });

  test.for([
    ["a host", hostEnvironment, "the handshake line", []],
    ["a developer", {}, "the address to attach to", ["--debug"]],
    ["the packager", { TENON_PROVIDER_INSPECT: "protocols" }, "the description of the provider", []],
  ] as const)("exits with 1 and the reason when %s reads a closed pipe", async ([, environment, what, args], { expect }) => {
    // The reader has ended before the provider writes; the status is the provider's.
    await using started = run(`{ sleep 0.2; "$@"; echo "exit code $?" >&2; } | true; sleep 2`, environment, ...args);
    await started.waitForOutput("exit code 1");
    expect(started.stderr).toMatch(new RegExp(`^cannot write ${what} to standard output: EPIPE`, "m"));
    expect(readdirSync(bundled.folder).filter((name) => name.startsWith("plugin"))).toEqual([]);
  });

  test.skipIf(!existsSync("/dev/full"))("exits with 1 and the reason when the device is full", async ({ expect }) => {
    await using started = run(`exec "$@" >/dev/full`, hostEnvironment);
    expect(await started.ended).toEqual({ code: 1, signal: null });
    expect(started.stderr).toMatch(/^cannot write the handshake line to standard output: ENOSPC/m);
    expect(readdirSync(bundled.folder).filter((name) => name.startsWith("plugin"))).toEqual([]);
  });
});

describe.skipIf(process.platform === "win32")("the socket", () => {
  test("is created in the host's folder, private to this user", async ({ expect }) => {
    await using hosted = await host(bundled.command, { environment: { PLUGIN_UNIX_SOCKET_DIR: bundled.folder } });
    const { path } = hosted.handshake.address as { path: string };
    expect(dirname(path)).toBe(bundled.folder);
    expect(statSync(path).mode & 0o077).toBe(0);
    await hosted.shutDown();
    await hosted.process.ended;
    expect(existsSync(path)).toBe(false);
  });

  test("is created in /tmp when the temporary folder's path is too long", async ({ expect }) => {
    const long = join(bundled.folder, "x".repeat(90));
    mkdirSync(long);
    await using hosted = await host(bundled.command, { environment: { TMPDIR: long } });
    const { path } = hosted.handshake.address as { path: string };
    expect(dirname(path)).toBe("/tmp");
    expect((await hosted.provider.getProviderSchema({})).resources.size).toBe(1);
  });

  test("that cannot be created makes the process print the reason and exit", async ({ expect }) => {
    const environment = { ...hostEnvironment, PLUGIN_UNIX_SOCKET_GROUP: "no-such-group" };
    await using started = new ProviderProcess(bundled.command, environment);
    expect(await started.ended).toEqual({ code: 1, signal: null });
    expect(started.stderr).toContain(`there is no group "no-such-group"`);
    expect(started.stdout).toBe("");
  });
});

test("network: tcp listens on a port in the host's range (pitfall 38)", async ({ expect }) => {
  using onTcp = await bundledFixture("on-tcp.ts");
  await using hosted = await host(onTcp.command);
  expect(hosted.handshake.address).toMatchObject({ network: "tcp", host: "127.0.0.1" });
  const { port } = hosted.handshake.address as { port: number };
  expect(port).toBeGreaterThanOrEqual(10_000);
  expect(port).toBeLessThanOrEqual(25_000);
  expect((await hosted.provider.getProviderSchema({})).resources.size).toBe(1);
});

test("serves from TypeScript sources without a bundle", async ({ expect }) => {
  await using hosted = await host(fixture("main.ts"));
  expect((await hosted.create("one")).diagnostics).toEqual([]);
});
