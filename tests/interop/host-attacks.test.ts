// SPDX-License-Identifier: Apache-2.0
// What a plugin that means harm may try, or another program of this machine in its place. Each attempt ends with its own error, in time,
// and leaves no process and no file behind. What registries and packages may try is in install-attacks.test.ts.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchProvider, type LaunchedProvider, PluginHostError } from "@tenon/plugin-host";
import { ProviderError } from "@tenon/schema";
import { afterEach, beforeEach, describe, test, vi } from "vitest";

vi.setConfig({ testTimeout: 60_000 });

let temporary = "";
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), "a-"));
  vi.stubEnv("TMPDIR", temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true });
});

const hostile = join(import.meta.dirname, "fixtures/hostile-plugin.ts");

function launch(mode: string, line?: string): Promise<LaunchedProvider> {
  return launchProvider({
    command: [process.execPath, hostile, mode, ...(line === undefined ? [] : [line])],
    startTimeoutMs: 5_000,
    shutdownGraceMs: 200,
  });
}

describe("a handshake line is refused that", () => {
  test.for([
    ["hides what it is from a terminal", String.raw`\e[2J\e]0;owned\a`, "HANDSHAKE_MALFORMED", String.raw`\u001b[2J`],
    [
      "names a protocol beyond numbers",
      "1|99999999999999999999|unix|SOCKET|grpc|CERTIFICATE",
      "HANDSHAKE_MALFORMED",
      "no protocol version",
    ],
    ["names a protocol below them", "1|-6|unix|SOCKET|grpc|CERTIFICATE", "HANDSHAKE_MALFORMED", "is it a provider"],
    ["names another core", "2|6|unix|SOCKET|grpc|CERTIFICATE", "HANDSHAKE_MALFORMED", "unsupported core version 2"],
    ["names another machine", "1|6|tcp|192.0.2.1:443|grpc|CERTIFICATE", "HANDSHAKE_MALFORMED", "may be on another machine"],
    ["names another machine by name", "1|6|tcp|example.com:443|grpc|CERTIFICATE", "HANDSHAKE_MALFORMED", "may be on another machine"],
    [
      "names another machine in disguise",
      "1|6|tcp|127.0.0.1.example.com:443|grpc|CERTIFICATE",
      "HANDSHAKE_MALFORMED",
      "may be on another machine",
    ],
    ["names a port that is none", "1|6|tcp|127.0.0.1:99999|grpc|CERTIFICATE", "HANDSHAKE_MALFORMED", "no usable tcp address"],
    ["names a network that is none", "1|6|vsock|2:1024|grpc|CERTIFICATE", "HANDSHAKE_MALFORMED", "is it a provider"],
    ["names a path with a zero in it", String.raw`1|6|unix|/tmp/a\0b|grpc|CERTIFICATE`, "HANDSHAKE_MALFORMED", "no usable unix address"],
    ["names a file that is no socket", "1|6|unix|/etc/passwd|grpc|CERTIFICATE", "CONNECTION_FAILED", "cannot connect"],
    ["names a path longer than a socket's", `1|6|unix|/tmp/${"x".repeat(5000)}|grpc|CERTIFICATE`, "CONNECTION_FAILED", "bytes at most"],
    ["has a certificate of nonsense", `1|6|unix|SOCKET|grpc|${"A".repeat(40_000)}`, "HANDSHAKE_MALFORMED", "certificate"],
  ] as const)("%s", async ([, line, code, message], { expect }) => {
    const error: unknown = await launch("line", line).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PluginHostError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    // Nothing that is quoted moves a cursor.
    expect((error as Error).message).not.toMatch(/[^\P{Cc}\n]/u);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe("at the provider's socket", () => {
  test.for([
    ["one without a certificate", "CONNECTION_FAILED"],
    ["one that hangs up", "CONNECTION_FAILED"],
    ["one that talks on", "CONNECTION_FAILED"],
    ["one that is silent", "START_TIMEOUT"],
  ] as const)("%s is not spoken to", async ([mode, code], { expect }) => {
    await expect(launch(mode)).rejects.toMatchObject({ name: "PluginHostError", code });
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe("an answer is refused that is", () => {
  // Where there are two codes, the second is what connect-node makes of it.
  test.for([
    ["huge message", "RESOURCE_EXHAUSTED"],
    ["message over the limit", "RESOURCE_EXHAUSTED"],
    ["compressed message", "INTERNAL"],
    ["half a message", "INTERNAL"],
    ["no message", "UNIMPLEMENTED", "INTERNAL"],
    ["what is no protobuf", "INTERNAL"],
    ["no status", "INTERNAL"],
    ["a page", "INTERNAL"],
    ["endless headers", "RESOURCE_EXHAUSTED", "INTERNAL"],
    ["an escape in its status", "INTERNAL"],
  ] as const)("%s", async ([mode, ...codes], { expect }) => {
    const provider = await launch(mode);
    const before = process.memoryUsage().rss;
    for (const call of [() => provider.getProviderSchema({}), () => provider.getMetadata({})]) {
      const error: unknown = await call().catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(ProviderError);
      expect(codes).toContain((error as ProviderError).code);
      expect((error as Error).message).not.toMatch(/[^\P{Cc}\n]/u);
    }
    // Room is made for what has come, not for what is announced.
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
    await provider.close();
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe("a provider is not believed that", () => {
  test.for([
    ["blocks without end", "cannot be read"],
    ["a type without end", "nested more than 1000 levels deep"],
    ["a value without end", "nested more than 1000 levels deep"],
  ] as const)("answers %s", async ([mode, message], { expect }) => {
    await using provider = await launch(mode);
    const read = async (): Promise<unknown> => {
      (await provider.getProviderSchema({})).resources.get("hostile_thing");
      return await provider.upgradeResourceState({ typeName: "hostile_thing", version: 0, rawState: { json: Buffer.from("{}") } });
    };
    await expect(read()).rejects.toMatchObject({ code: "INVALID_RESPONSE", message: expect.stringContaining(message) });
  });
});
