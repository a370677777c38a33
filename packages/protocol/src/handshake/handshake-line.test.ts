// SPDX-License-Identifier: Apache-2.0
import { X509Certificate } from "node:crypto";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import { recordedHandshakeLines } from "../../test/recorded-handshake-lines.ts";
import { formatHandshakeLine, type HandshakeLine, parseHandshakeLine } from "./handshake-line.ts";
import type { PluginAddress } from "./plugin-address.ts";

describe("parseHandshakeLine", () => {
  test.for(recordedHandshakeLines)("parses the line of $plugin", ({ line, meaning, certificateLength }, { expect }) => {
    const { certificate, ...rest } = parseHandshakeLine(line);
    expect(rest).toEqual({ coreVersion: 1, ...meaning });
    expect(certificate?.length).toBe(certificateLength);
    if (certificate !== undefined) expect(new X509Certificate(certificate).subjectAltName).toBe("DNS:localhost");
  });

  test.for<[line: string, meaning: Partial<HandshakeLine>]>([
    ["1|6|unix|/tmp/s|grpc", { address: { network: "unix", path: "/tmp/s" } }],
    ["1|6|unix|/tmp/s|grpc|\r\n", { address: { network: "unix", path: "/tmp/s" } }],
    ["  1|6|unix|/tmp/s|grpc||  ", { address: { network: "unix", path: "/tmp/s" } }],
    ["1|6|tcp|127.0.0.1:10000|grpc||false", { address: { network: "tcp", host: "127.0.0.1", port: 10_000 }, multiplexing: false }],
    ["1|6|tcp|[::1]:10000|grpc|", { address: { network: "tcp", host: "::1", port: 10_000 } }],
    ["1|6|unix|/tmp/s|grpc|AQID|1", { certificate: Buffer.from([1, 2, 3]), multiplexing: true }],
    ["1|6|unix|/tmp/s|grpc|AQI=", { certificate: Buffer.from([1, 2]) }],
    ["1|6|unix|/tmp/s|grpc||false|more", { multiplexing: false }],
    ["1|4|unix|/tmp/s|grpc|", { protocolVersion: 4 }],
  ])("parses %j (pitfalls 3 and 28)", ([line, meaning], { expect }) => {
    expect(parseHandshakeLine(line)).toMatchObject(meaning);
  });

  test.for([
    ["", "too few fields"],
    ["Debugger attached.", "too few fields"],
    ["1|6|unix", "too few fields"],
    ["2|6|unix|/s|grpc", "unsupported core version 2"],
    ["{}|6|unix|/s|grpc", "unsupported core version {}"],
    ["1|x|unix|/s|grpc", 'the protocol version is "x", expected a number'],
    ["1|-6|unix|/s|grpc", "expected a number"],
    ["1||unix|/s|grpc", "expected a number"],
    ["1|6|pipe|/s|grpc", "the network is pipe"],
    ["1|6|unix||grpc", "the unix address is invalid"],
    ["1|6|unix|/tmp/a\u0000b|grpc", "the unix address is invalid"],
    ["1|6|tcp|localhost|grpc", "the tcp address is invalid"],
    ["1|6|tcp|localhost:0|grpc", "the tcp address is invalid"],
    ["1|6|tcp|localhost:65536|grpc", "the tcp address is invalid"],
    ["1|6|tcp|::1:80|grpc", "the tcp address is invalid"],
    ["1|6|unix|/s|netrpc", "the transport is netrpc, expected grpc"],
    ["1|4|unix|/s", "the transport is missing, expected grpc"],
    ["1|6|unix|/s|grpc|AQ-_", "the certificate is not base64"],
    ["1|6|unix|/s|grpc|-----BEGIN CERTIFICATE-----", "the certificate is not base64"],
    ["1|6|unix|/s|grpc||maybe", 'the multiplexing flag is "maybe"'],
  ])("rejects %j: %s", ([line, why], { expect }) => {
    expect(() => parseHandshakeLine(line!)).toThrow(
      expect.objectContaining({ code: "HANDSHAKE_MALFORMED", message: expect.stringContaining(why!) as string }),
    );
  });

  test("quotes the line in its error, truncated", ({ expect }) => {
    const noise = "x".repeat(70_000);
    expect(() => parseHandshakeLine(noise)).toThrow(/"x{400}…"$/);
  });
});

describe("formatHandshakeLine", () => {
  const address: PluginAddress = { network: "unix", path: "/tmp/s" };

  test("writes six fields, and a seventh only when the host requested it (pitfall 28)", ({ expect }) => {
    expect(formatHandshakeLine({ coreVersion: 1, protocolVersion: 6, address })).toBe("1|6|unix|/tmp/s|grpc|\n");
    expect(formatHandshakeLine({ coreVersion: 1, protocolVersion: 6, address, multiplexing: false })).toBe("1|6|unix|/tmp/s|grpc||false\n");
  });

  test("writes certificates as Go's RawStdEncoding reads them (pitfall 3)", ({ expect }) => {
    const line = formatHandshakeLine({ coreVersion: 1, protocolVersion: 6, address, certificate: Buffer.from([0xff, 0xfe, 0xfb, 0xff]) });
    expect(line.trim().split("|")[5]).toBe("//77/w");
  });

  test.for<[PluginAddress]>([
    [{ network: "unix", path: "" }],
    [{ network: "unix", path: "/tmp/a|b" }],
    [{ network: "unix", path: "/tmp/a\nb" }],
    [{ network: "unix", path: "/tmp/a " }],
    [{ network: "tcp", host: "localhost", port: 0 }],
  ])("rejects %j", ([unusable], { expect }) => {
    expect(() => formatHandshakeLine({ coreVersion: 1, protocolVersion: 6, address: unusable })).toThrow(
      expect.objectContaining({ code: "HANDSHAKE_MALFORMED" }),
    );
  });

  test("writes lines that parseHandshakeLine parses", ({ expect }) => {
    const path = fc
      .string({ minLength: 1, maxLength: 100, unit: "grapheme" })
      .filter((text) => !/[|\r\n]/.test(text) && text.trim() === text);
    const addresses = fc.oneof(
      fc.record({ network: fc.constant("unix" as const), path }),
      fc.record({
        network: fc.constant("tcp" as const),
        host: fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain()),
        port: fc.integer({ min: 1, max: 65_535 }),
      }),
    );
    const lines = fc.record(
      {
        coreVersion: fc.constant(1 as const),
        protocolVersion: fc.integer({ min: 0, max: 99 }),
        address: addresses,
        certificate: fc.uint8Array({ minLength: 1, maxLength: 700 }).map((bytes) => Buffer.from(bytes)),
        multiplexing: fc.boolean(),
      },
      { requiredKeys: ["coreVersion", "protocolVersion", "address"] },
    );
    fc.assert(
      fc.property(lines, (line) => {
        expect(parseHandshakeLine(formatHandshakeLine(line))).toEqual(line);
      }),
    );
  });
});
