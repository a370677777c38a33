// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";

test("the README's program runs", ({ expect }) => {
  const folder = join(import.meta.dirname, "..");
  const [, program = ""] = /```ts\n(.*?)```/s.exec(readFileSync(join(folder, "README.md"), "utf8")) ?? [];
  const run = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", program], { cwd: folder, encoding: "utf8" });
  expect(run.stderr).toBe("");
  expect(run.stdout.split("\n")).toEqual(["main.tf:3,10-4,1 Invalid expression", "resource web", "test-2", ""]);
});
