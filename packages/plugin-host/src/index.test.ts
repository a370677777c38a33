// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "vitest";

test("importing the package does not load node:http2 or node:tls", ({ expect }) => {
  const program = `
    await import(${JSON.stringify(join(import.meta.dirname, "index.ts"))});
    console.log(process.moduleLoadList.filter((name) => /http2|NativeModule tls$/.test(name)).join());
  `;
  expect(execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" })).toBe("\n");
});
