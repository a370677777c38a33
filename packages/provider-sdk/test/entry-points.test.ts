// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import * as sdk from "../src/index.ts";

const source = join(import.meta.dirname, "../src");

/** Names that an entry point exports, including types. */
function exportedNames(file: string): readonly string[] {
  const text = readFileSync(join(source, file), "utf8");
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names]) =>
    names!
      .split(",")
      .map((name) => name.trim().replace(/^type /, ""))
      .filter((name) => name !== ""),
  );
}

describe("entry points", () => {
  test("`.` exports at most 60 names", ({ expect }) => {
    const names = exportedNames("index.ts");
    expect(names).toEqual(expect.arrayContaining(Object.keys(sdk)));
    expect(names.length).toBeLessThanOrEqual(60);
  });

  test("no name is exported by two entry points, except SdkError and its code", ({ expect }) => {
    const files = ["index.ts", ...readdirSync(source).map((folder) => join(folder, "index.ts"))].filter((file) => {
      try {
        return readFileSync(join(source, file)).length > 0;
      } catch {
        return false;
      }
    });
    expect(files.length).toBeGreaterThan(10);
    const names = files.flatMap(exportedNames);
    const duplicates = names.filter((name, index) => names.indexOf(name) !== index);
    expect(duplicates).toEqual(["SdkError", "SdkErrorCode"]);
  });
});
