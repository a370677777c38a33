// SPDX-License-Identifier: Apache-2.0
// The programs on the pages of engine: all of them compile, run, and print the lines in their comments.
import { dirname } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { test } from "vitest";
import { compilePrograms, programsOf, runProgram } from "./page-programs.ts";
import { Project } from "./project.ts";

const programs = programsOf("packages/engine/docs");

/** Programs that install providers from a registry: they compile, and are not run. */
const installing = programs.filter(({ text }) => text.includes("providerInstallation"));
/** Programs that launch a provider. */
const launching = programs.filter(({ text }) => text.includes("terraform-provider-time"));

test("all programs compile", { timeout: 180_000 }, async ({ expect }) => {
  const files = programs.map(({ file }) => file);
  expect(files).toEqual([
    "configuration-1.ts",
    "configuration-2.ts",
    "configuration-3.ts",
    "configuration-4.ts",
    "embedding-1.ts",
    "embedding-2.ts",
    "embedding-3.ts",
    "embedding-4.ts",
    "embedding-5.ts",
    "embedding-6.ts",
    "embedding-7.ts",
    "embedding-8.ts",
    "embedding-9.ts",
    "embedding-10.ts",
    "embedding-11.ts",
    "embedding-12.ts",
    "embedding-13.ts",
    "events-1.ts",
    "events-2.ts",
    "state-stores-1.ts",
    "state-stores-2.ts",
    "state-stores-3.ts",
  ]);
  expect(await compilePrograms(programs)).toEqual([]);
});

test.for(programs.filter((program) => !launching.includes(program) && !installing.includes(program)))(
  "$file runs and prints the lines in its comments",
  { timeout: 180_000 },
  async (program, { expect }) => {
    using project = new Project({ [program.file]: program.text });
    expect(await runProgram(project, program)).toEqual([program.prints, ""]);
  },
);

describePeer(["provider-time"], "a program on a page of engine", ({ "provider-time": peer }) => {
  test.for(launching)("$file runs and prints the lines in its comments", { timeout: 180_000 }, async (program, { expect }) => {
    using project = new Project({ [program.file]: program.text });
    expect(await runProgram(project, program, { PATH: dirname(peer.path) })).toEqual([program.prints, ""]);
  });
});
