// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import { readTestOptions } from "./test-options.ts";

describe("readTestOptions", () => {
  test("reads options with one dash or two, and values after = or a space", ({ expect }) => {
    const args = [
      "-filter=a.tftest.hcl",
      "--filter",
      "b.tftest.hcl",
      "-var",
      "a=b=c",
      "-var-file=x.tfvars",
      "--var=d=",
      "-verbose",
      "-json=true",
    ];
    expect(readTestOptions([...args, "-no-color", "-provider", "acme/x=./x.ts", "-consolidate-errors=true"])).toMatchObject({
      filter: ["a.tftest.hcl", "b.tftest.hcl"],
      testDirectory: "tests",
      variables: [{ name: "a", text: "b=c" }, { file: "x.tfvars" }, { name: "d", text: "" }],
      verbose: true,
      json: true,
      color: false,
      consolidateWarnings: true,
      consolidateErrors: true,
      providers: new Map([["acme/x", "./x.ts"]]),
    });
  });

  test("ignores a boolean option whose value is false", ({ expect }) => {
    const args = ["-json=false", "-verbose=0", "-compact-warnings=1", "-consolidate-warnings=0"];
    expect(readTestOptions(args)).toMatchObject({ json: false, verbose: false, compactWarnings: true, consolidateWarnings: false });
  });

  test.for([[["-unknown"]], [["-var", "x"]], [["-consolidate-errors=maybe"]], [["-json=maybe"]], [["-provider=x"]], [["argument"]]])(
    "rejects %j",
    ([args], { expect }) => {
      expect(() => readTestOptions(args!)).toThrow(expect.objectContaining({ code: "OPTIONS_INVALID" }));
    },
  );
});
