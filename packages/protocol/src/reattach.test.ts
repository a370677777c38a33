// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { formatReattachProviders, parseReattachProviders, type ReattachProvider } from "./reattach.ts";

const provider: ReattachProvider = { protocolVersion: 6, pid: 7, test: true, address: { network: "unix", path: "/run/x.sock" } };

test("parses the value that a Go provider prints in debug mode", ({ expect }) => {
  const text =
    '{"registry.terraform.io/ns/name":{"Protocol":"grpc","ProtocolVersion":6,"Pid":7,"Test":true,"Addr":{"Network":"unix","String":"/run/x.sock"}}}';
  expect(parseReattachProviders(text)).toEqual(new Map([["registry.terraform.io/ns/name", provider]]));
  expect(formatReattachProviders(parseReattachProviders(text))).toBe(text);
});

test("uses defaults for missing members, and accepts names in any case", ({ expect }) => {
  const text = '{"ns/name":{"protocol":"grpc","PID":7,"Test":null,"addr":{"network":"tcp","STRING":"127.0.0.1:9"},"Other":1}}';
  const address = { network: "tcp", host: "127.0.0.1", port: 9 };
  expect(parseReattachProviders(text).get("ns/name")).toEqual({ protocolVersion: 5, pid: 7, test: false, address });
});

test("parses an empty object to an empty map", ({ expect }) => {
  expect(parseReattachProviders("{}").size).toBe(0);
});

const entry = (change: object): string =>
  JSON.stringify({ "a/b": { Protocol: "grpc", ProtocolVersion: 6, Pid: 7, Addr: { Network: "unix", String: "/s" }, ...change } });

test.for([
  ["nope", "is not JSON"],
  ["[]", "is not an object"],
  ["null", "is not an object"],
  ['{"a/b":1}', 'expected an object in the entry "a/b"'],
  [entry({ Protocol: "netrpc" }), 'Protocol is "netrpc"'],
  [entry({ Protocol: undefined }), "Protocol is undefined"],
  [entry({ ProtocolVersion: "6" }), "ProtocolVersion is not a positive integer"],
  [entry({ Pid: 0 }), "Pid is not a positive integer"],
  [entry({ Pid: undefined }), "Pid is not a positive integer"],
  [entry({ Test: "yes" }), "Test is not a boolean"],
  [entry({ Addr: undefined }), "Addr is not a unix or tcp address"],
  [entry({ Addr: { Network: "pipe", String: "/s" } }), "Addr is not a unix or tcp address"],
])("rejects %s", ([text, why], { expect }) => {
  expect(() => parseReattachProviders(text!)).toThrow(
    expect.objectContaining({ code: "REATTACH_MALFORMED", message: expect.stringContaining(why!) as string }),
  );
});
