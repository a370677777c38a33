// SPDX-License-Identifier: Apache-2.0
// Programs on the pages of `docs` run as they stand there. Those that use the host's client are run by tests/interop.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";

const root = join(import.meta.dirname, "..");
const programs = readdirSync(join(root, "docs"))
  .filter((page) => page.endsWith(".md"))
  .flatMap((page) =>
    [...readFileSync(join(root, "docs", page), "utf8").matchAll(/^```ts\n(import [\s\S]*?)^```$/gm)].map(
      ([, program = ""], index) => [`${page}, program ${index + 1}`, program] as const,
    ),
  )
  .filter(([, program]) => !program.includes("@tenon/plugin-host"));

test("there are programs to run", ({ expect }) => {
  expect(programs.length).toBeGreaterThanOrEqual(7);
});

test.for(programs)("%s", ([, program], { expect }) => {
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module-typescript"], {
    cwd: root,
    input: program,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
});
