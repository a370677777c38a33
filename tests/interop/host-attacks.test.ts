// SPDX-License-Identifier: Apache-2.0
// Attacks by a plugin, or by another program at its socket. Each ends with a specific error within a time limit, and leaves no process or
// file behind. For attacks by registries and packages see install-attacks.test.ts.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchProvider, type LaunchedProvider, PluginHostError } from "@tenon/plugin-host";
import { ProviderError } from "@tenon/schema";
import { afterEach, beforeEach, describe, test, vi } from "vitest";

vi.setConfig({ testTimeout: 180_000 });

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

function launch(mode: string, line?: string, startTimeoutMs = 30_000): Promise<LaunchedProvider> {
  return launchProvider({
    command: [process.execPath, hostile, mode, ...(line === undefined ? [] : [line])],
    startTimeoutMs,
    shutdownGraceMs: 200,
  });
}

describe("launchProvider rejects a handshake line", () => {
  test.for([
    ["with escape sequences", String.raw`\e[2J\e]0;owned\a`, "HANDSHAKE_MALFORMED", String.raw`\u001b[2J`],
    [
      "with a protocol version that is too large",
      "1|99999999999999999999|unix|SOCKET|grpc|CERTIFICATE",
      "HANDSHAKE_MALFORMED",
      "expected a number",
    ],
    ["with a negative protocol version", "1|-6|unix|SOCKET|grpc|CERTIFICATE", "HANDSHAKE_MALFORMED", "check that it is a provider"],
    ["with another core version", "2|6|unix|SOCKET|grpc|CERTIFICATE", "HANDSHAKE_MALFORMED", "unsupported core version 2"],
    ["with the address of another machine", "1|6|tcp|192.0.2.1:443|grpc|CERTIFICATE", "HANDSHAKE_MALFORMED", "may be on another machine"],
    ["with the name of another machine", "1|6|tcp|example.com:443|grpc|CERTIFICATE", "HANDSHAKE_MALFORMED", "may be on another machine"],
    [
      "with a name of another machine that begins like a local address",
      "1|6|tcp|127.0.0.1.example.com:443|grpc|CERTIFICATE",
      "HANDSHAKE_MALFORMED",
      "may be on another machine",
    ],
    ["with an invalid port", "1|6|tcp|127.0.0.1:99999|grpc|CERTIFICATE", "HANDSHAKE_MALFORMED", "the tcp address is invalid"],
    ["with an unknown network", "1|6|vsock|2:1024|grpc|CERTIFICATE", "HANDSHAKE_MALFORMED", "check that it is a provider"],
    ["with a NUL in a path", String.raw`1|6|unix|/tmp/a\0b|grpc|CERTIFICATE`, "HANDSHAKE_MALFORMED", "the unix address is invalid"],
    ["with the path of a file that is not a socket", "1|6|unix|/etc/passwd|grpc|CERTIFICATE", "CONNECTION_FAILED", "cannot connect"],
    [
      "with a path that is too long for a socket",
      `1|6|unix|/tmp/${"x".repeat(5000)}|grpc|CERTIFICATE`,
      "CONNECTION_FAILED",
      "cannot be longer than",
    ],
    ["with an invalid certificate", `1|6|unix|SOCKET|grpc|${"A".repeat(40_000)}`, "HANDSHAKE_MALFORMED", "certificate"],
  ] as const)("%s", async ([, line, code, message], { expect }) => {
    const error: unknown = await launch("line", line).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PluginHostError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    // The message has no control characters.
    expect((error as Error).message).not.toMatch(/[^\P{Cc}\n]/u);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe("launchProvider rejects a server", () => {
  test.for([
    ["without a certificate", "CONNECTION_FAILED"],
    ["that closes the connection", "CONNECTION_FAILED"],
    ["that never stops sending", "CONNECTION_FAILED"],
    ["that never sends", "START_TIMEOUT"],
  ] as const)("%s", async ([mode, code], { expect }) => {
    const startTimeoutMs = code === "START_TIMEOUT" ? 5_000 : undefined;
    await expect(launch(mode, undefined, startTimeoutMs)).rejects.toMatchObject({ name: "PluginHostError", code });
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe("a call rejects a response with", () => {
  // The second code, if any, is that of the connect-node carrier.
  test.for([
    ["a message of 4 GiB", "RESOURCE_EXHAUSTED"],
    ["a message over the limit", "RESOURCE_EXHAUSTED"],
    ["a compressed message", "INTERNAL"],
    ["a truncated message", "INTERNAL"],
    ["no message", "UNIMPLEMENTED", "INTERNAL"],
    ["a malformed message", "INTERNAL"],
    ["no status", "INTERNAL"],
    ["an HTML page", "INTERNAL"],
    ["endless headers", "RESOURCE_EXHAUSTED", "INTERNAL"],
    ["an escape sequence in its status", "INTERNAL"],
  ] as const)("%s", async ([mode, ...codes], { expect }) => {
    const provider = await launch(mode);
    const before = process.memoryUsage().rss;
    for (const call of [() => provider.getProviderSchema({}), () => provider.getMetadata({})]) {
      const error: unknown = await call().catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(ProviderError);
      expect(codes).toContain((error as ProviderError).code);
      expect((error as Error).message).not.toMatch(/[^\P{Cc}\n]/u);
    }
    // Memory is allocated for received bytes, not for announced ones.
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
    await provider.close();
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe("a call rejects", () => {
  test.for([
    ["endlessly nested blocks", "cannot decode"],
    ["an endlessly nested type", "nested more than 1000 levels deep"],
    ["an endlessly nested value", "nested more than 1000 levels deep"],
  ] as const)("%s", async ([mode, message], { expect }) => {
    await using provider = await launch(mode);
    const read = async (): Promise<unknown> => {
      (await provider.getProviderSchema({})).resources.get("hostile_thing");
      return await provider.upgradeResourceState({ typeName: "hostile_thing", version: 0, rawState: { json: Buffer.from("{}") } });
    };
    await expect(read()).rejects.toMatchObject({ code: "INVALID_RESPONSE", message: expect.stringContaining(message) });
  });
});
