// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { currentPlatform, formatPlatform, parsePlatform } from "./platform.ts";
import { defaultHostnames, formatAddress, isBuiltIn, parseAddress } from "./source-address.ts";

describe("parseAddress", () => {
  test.for([
    ["hashicorp/time", "registry.opentofu.org/hashicorp/time"],
    ["HashiCorp/Time", "registry.opentofu.org/hashicorp/time"],
    ["Example.COM/acme/notes", "example.com/acme/notes"],
    ["example.com:443/acme/notes", "example.com/acme/notes"],
    ["localhost:8080/acme/notes", "localhost:8080/acme/notes"],
    ["bücher.example/acme/notes", "xn--bcher-kva.example/acme/notes"],
    ["BÜCHER/1", "registry.opentofu.org/bücher/1"],
    ["acme/１２", "registry.opentofu.org/acme/12"],
    ["127.0.0.1/acme/notes", "127.0.0.1/acme/notes"],
  ])("reads %s as %s", ([text, full], { expect }) => {
    expect(formatAddress(parseAddress(text!, defaultHostnames.opentofu))).toBe(full);
  });

  test.for([
    ["time", '"hashicorp/time" may be meant'],
    ["", "it must be written [hostname/]namespace/type"],
    ["a/b/c/d", "it must be written [hostname/]namespace/type"],
    ["a//c", "it must be written [hostname/]namespace/type"],
    ["a/b.c", 'the type "b.c" contains a dot'],
    ["a--b/c", 'the namespace "a--b" contains two dashes in a row'],
    ["-/c", "may not begin or end with a dash"],
    ["a_b/c", "must contain only letters, digits, and dashes"],
    ["https://example.com/c", "it must be written [hostname/]namespace/type"],
    ["xn--bcher-kva.example/a/b", "is in punycode; write it in Unicode"],
    ["example.com:x/a/b", "is not a number"],
    ["example.com:70000/a/b", "is greater than 65535"],
    ["exa mple/a/b", '"exa mple" is not the name of a host'],
    ["acme/terraform-provider-notes", '"acme/notes" may be meant'],
    ["acme/terraform-notes", 'the prefix "terraform-" is not allowed'],
  ])("rejects %j", ([text, reason], { expect }) => {
    expect(() => parseAddress(text!, defaultHostnames.terraform)).toThrow(
      expect.objectContaining({ code: "INVALID_ADDRESS", message: expect.stringContaining(reason!) }),
    );
  });

  test("isBuiltIn recognises built-in providers", ({ expect }) => {
    expect(isBuiltIn(parseAddress("terraform.io/builtin/terraform", defaultHostnames.opentofu))).toBe(true);
    expect(isBuiltIn(parseAddress("builtin/terraform", defaultHostnames.opentofu))).toBe(false);
  });
});

describe("platforms", () => {
  test("have Go's names", ({ expect }) => {
    expect(formatPlatform(currentPlatform())).toMatch(/^(?:linux|darwin|windows|freebsd)_(?:amd64|arm64|386|arm|ppc64le|s390x|riscv64)$/);
    expect(parsePlatform("linux_amd64")).toEqual({ os: "linux", arch: "amd64" });
    for (const text of ["linux", "linux_amd64_x", "_amd64", "linux_am d64"]) {
      expect(() => parsePlatform(text), text).toThrow(expect.objectContaining({ code: "INVALID_OPTIONS" }));
    }
  });
});
