// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { describe, test } from "vitest";
import { checkedPackageOptions, type PulumiPackageOptions, readPackageOptions } from "./package-options.ts";

const file = import.meta.filename;

describe("readPackageOptions", () => {
  test("has defaults from the project", ({ expect }) => {
    expect(readPackageOptions([file], { version: "v1.2.3", "no-source-maps": true })).toEqual({
      provider: file,
      out: join(import.meta.dirname, "../../..", "dist-pulumi"),
      version: "1.2.3",
      archive: false,
      embedNode: false,
      portable: false,
      sourceMaps: false,
    });
    expect(readPackageOptions([file], { main: true, out: "/out" })).toMatchObject({ main: file, out: "/out" });
  });

  test.for([[[]], [["a.ts", "b.ts"]]] as const)("rejects the files %j", ([files], { expect }) => {
    const refused = expect.objectContaining({ code: "INVALID_PACKAGE_OPTION", message: expect.stringContaining("one file") as string });
    expect(() => readPackageOptions(files, {})).toThrow(refused as never);
  });
});

describe("checkedPackageOptions", () => {
  test.for<readonly [Partial<PulumiPackageOptions>, string]>([
    [{}, "either `provider` or `main`"],
    [{ provider: file, main: file }, "either `provider` or `main`"],
    [{ provider: "nowhere.ts" }, "there is no file nowhere.ts"],
    [{ main: file, name: "other" }, "states its own name"],
    [{ provider: file, name: "Other" }, '"Other" is not a valid name'],
    [{ provider: file, version: "1.2" }, '"1.2" is not a valid version'],
  ])("rejects %j", ([options, problem], { expect }) => {
    const refused = expect.objectContaining({ code: "INVALID_PACKAGE_OPTION", message: expect.stringContaining(problem) as string });
    expect(() => checkedPackageOptions({ out: "out", ...options })).toThrow(refused as never);
  });
});
