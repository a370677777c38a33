// SPDX-License-Identifier: Apache-2.0
// Compiles the provider of the guide with the guide's tsconfig.json, under the oldest and the newest supported TypeScript.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { test, vi } from "vitest";
import { Project, type Output } from "./project.ts";
import { readDocument, root, snippetsOf } from "./snippets.ts";

// The compiler reads the sources of the packages, which takes TypeScript 5 a minute on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const guide = snippetsOf(readDocument("packages/provider-sdk/docs/getting-started.md"));
const files = Object.fromEntries(guide.flatMap(({ file, text }) => (file && /\.(ts|json)$/.test(file) ? [[file, text]] : [])));

const compilers = {
  "TypeScript 5.9": join(root, "tests/documents/node_modules/typescript-5/bin/tsc"),
  "TypeScript 7": join(root, "node_modules/.bin/tsc"),
};

test.for(Object.entries(compilers))("the guide compiles with its tsconfig.json under %s", async ([name, compiler], { expect }) => {
  const run = promisify(execFile);
  expect((await run(compiler, ["--version"])).stdout).toContain(name.replace("TypeScript", "Version"));
  expect(Object.keys(files)).toContain("tsconfig.json");
  using project = new Project(files);
  // One mistake shows that the files were checked.
  project.write({ "mistake.ts": 'import { shelf } from "./shelf.ts";\nshelf.nope();\n' });
  const { stdout } = await run(compiler, ["--pretty", "false"], { cwd: project.folder }).catch((error: Output) => error);
  expect(stdout.trimEnd().split("\n")).toEqual([
    expect.stringMatching(/^mistake\.ts\(2,7\): error TS2339: Property 'nope' does not exist/),
  ]);
});
