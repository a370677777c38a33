// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { ctyBundle, ctyLimit } from "./cty-bundle.ts";

test("the bundle of @tenon/cty and its msgpack has at most 60 KB", async ({ expect }) => {
  const { size, tables, files, code } = await ctyBundle();
  expect(size, files.map(([file, bytes]) => `${bytes} ${file}`).join("\n")).toBeLessThanOrEqual(ctyLimit);
  expect(tables).toBeGreaterThan(3000);
  for (const name of ["of", "unknown", "refine", "markWithPaths", "decode", "encode", "impliedType"]) {
    expect(/export\s*\{[^}]*\}/.exec(code)?.[0].includes(` as ${name}`), name).toBe(name !== "markWithPaths");
  }
});

test("the bundle of @tenon/cty and its msgpack contains no other entry point", async ({ expect }) => {
  const files = (await ctyBundle()).files.map(([file]) => file);
  expect(files.filter((file) => /^(convert|function|operators|paths)\/|^json\/(decode|encode|value-scanner)|re2js/.test(file))).toEqual([]);
});
