// SPDX-License-Identifier: Apache-2.0
// The programs on the pages of plugin-host: all of them compile; programs that need no registry run and print the lines in their comments.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { compilePrograms, programsOf, runProgram } from "./page-programs.ts";
import { Project } from "./project.ts";

const programs = programsOf("packages/plugin-host/docs");

test("all programs compile", { timeout: 180_000 }, async ({ expect }) => {
  const files = programs.map(({ file }) => file);
  expect(files).toEqual(["client-1.ts", "installing-1.ts", "launching-1.ts", "observability-1.ts", "recordings-1.ts", "types-1.ts"]);
  expect(await compilePrograms(programs)).toEqual([]);
});

describePeer(["provider-time"], "a program on a page of plugin-host", ({ "provider-time": peer }) => {
  // The program on installing needs a registry.
  test.for(programs.filter(({ file }) => !file.startsWith("installing")))(
    "$file runs and prints the lines in its comments",
    { timeout: 180_000 },
    async (program, { expect }) => {
      using project = new Project({ [program.file]: program.text });
      expect(await runProgram(project, program, { PATH: dirname(peer.path) })).toEqual([program.prints, ""]);
      if (!program.file.startsWith("types")) return;
      expect(readFileSync(join(project.folder, "time.ts"), "utf8")).toContain("time_static");
      expect(await project.compile(["time.ts"])).toEqual([]);
    },
  );
});
