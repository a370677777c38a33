// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { decodeParameter, encodeParameter } from "./provider-parameter.ts";
import { componentFilter, fileNameParts, parseProviderArguments } from "./provider-selection.ts";

describe("parseProviderArguments", () => {
  test("reads addresses, paths and flags", ({ expect }) => {
    const plain = { includes: [], excludes: [] };
    expect(parseProviderArguments(["hashicorp/time"])).toEqual({ source: { kind: "address", address: "hashicorp/time" }, ...plain });
    expect(parseProviderArguments(["example.com/a/b", "~> 1.0"])).toEqual({
      source: { kind: "address", address: "example.com/a/b", version: "~> 1.0" },
      ...plain,
    });
    expect(parseProviderArguments(["--include=a,b", "./terraform-provider-x", "--exclude", "c", "--provider-name", "y"])).toEqual({
      source: { kind: "file", path: "./terraform-provider-x" },
      includes: ["a", "b"],
      excludes: ["c"],
      packageName: "y",
    });
  });

  test.for([
    [[], "the provider is missing"],
    [["a", "1.0.0", "more"], "there are 3 arguments"],
    [["./terraform-provider-x", "1.0.0"], "has no version argument"],
    [["/bin/other"], "must contain terraform-provider-"],
    [["bin/terraform-provider-time"], "the path of an executable begins with ./, ../ or /"],
    [["a", "--fullDocs"], "there is no flag --fullDocs"],
    [["a", "--include"], "needs a value"],
    [["a", "--include", "x,y", "--exclude", "y"], "y cannot be both included and excluded"],
  ] as const)("rejects %j", ([args, problem], { expect }) => {
    expect(() => parseProviderArguments(args)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENTS", message: expect.stringContaining(problem) as string }),
    );
  });

  test("selects components by includes and excludes", ({ expect }) => {
    const all = componentFilter({ includes: [], excludes: ["b"] });
    expect(["a", "b"].map(all)).toEqual([true, false]);
    expect(["a", "b"].map(componentFilter({ includes: ["b"], excludes: [] }))).toEqual([false, true]);
  });
});

describe("fileNameParts", () => {
  test.for([
    ["/x/terraform-provider-time", { name: "time" }],
    ["terraform-provider-redpanda_v0.10.1", { name: "redpanda", version: "0.10.1" }],
    ["terraform-provider-a_b_v1.0.0-rc.1_x5", { name: "a_b", version: "1.0.0-rc.1" }],
    ["old-terraform-provider-terraform-provider-z.exe", { name: "z" }],
  ] as const)("reads %s", ([path, parts], { expect }) => {
    expect(fileNameParts(path)).toEqual(parts);
  });
});

describe("a parameter's value", () => {
  test("is read unchanged", ({ expect }) => {
    const selection = {
      source: { kind: "address", address: "registry.opentofu.org/hashicorp/random", version: "3.6.3" },
      includes: ["a"],
      excludes: [],
      packageName: "r",
      exactNumbers: true,
      names: { "resource a": "A" },
      lock: { platform: "linux_amd64", hashes: ["h1:x", "zh:y"] },
    } as const;
    expect(decodeParameter(encodeParameter(selection))).toEqual(selection);
    const file = { source: { kind: "file", path: "/p/terraform-provider-x" }, includes: [], excludes: ["b"] } as const;
    expect(decodeParameter(encodeParameter(file))).toEqual(file);
  });

  test("of the Go bridge is accepted", ({ expect }) => {
    const value = '{"remote":{"url":"registry.opentofu.org/hashicorp/random","version":"3.6.3"}}';
    expect(decodeParameter(new TextEncoder().encode(value)).source).toEqual({
      kind: "address",
      address: "registry.opentofu.org/hashicorp/random",
      version: "3.6.3",
    });
  });

  test.for([
    "",
    "[]",
    "{}",
    '{"remote":{},"local":{}}',
    '{"remote":{"url":"a","version":""}}',
    '{"local":{"path":"p"},"includes":[1]}',
    '{"local":{"path":"p"},"lock":{}}',
  ])("is rejected when it is %j", (text, { expect }) => {
    expect(() => decodeParameter(new TextEncoder().encode(text))).toThrow(expect.objectContaining({ code: "INVALID_PARAMETER" }));
  });
});
