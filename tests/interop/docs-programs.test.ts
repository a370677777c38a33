// SPDX-License-Identifier: Apache-2.0
// Programs on pages of the SDK's documentation that look at a provider through the client of the host: they run as they stand there,
// print what they say they print, and compile.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, test, vi } from "vitest";
import { snippetsOf } from "./guide.ts";

// Each step starts real processes: on a machine that is busy that takes a while.
vi.setConfig({ testTimeout: 90_000 });

const root = join(import.meta.dirname, "../..");
const docs = join(root, "packages/provider-sdk/docs");
const run = promisify(execFile);

const programs = readdirSync(docs).flatMap((page) =>
  snippetsOf(readFileSync(join(docs, page), "utf8"))
    .filter(({ language, text, file }) => language === "ts" && (file !== undefined || text.startsWith("import ")))
    .map(({ text, file }, index) => ({
      title: `${page}, program ${index + 1}`,
      file: `${page.replace(".md", "")}/${file ?? `${index + 1}.ts`}`,
      text,
      prints: [...text.matchAll(/^\s*\/\/ => (.*)$/gm)].map(([, line = ""]) => line),
    })),
);

let folder = "";
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-docs-")));
  mkdirSync(join(folder, "node_modules/@tenon"), { recursive: true });
  symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"));
  for (const name of readdirSync(join(root, "packages")))
    symlinkSync(join(root, "packages", name), join(folder, "node_modules/@tenon", name));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const { file, text } of programs) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const printing = programs.filter(({ prints }) => prints.length > 0);

test("every kind of component has one", ({ expect }) => {
  const pages = new Set(printing.map(({ title }) => title.split(",")[0]));
  for (const kind of ["provider", "resource", "data-source", "ephemeral-resource", "function", "list-resource", "action", "state-store"]) {
    expect(pages).toContain(`${kind}.md`);
  }
});

test.for(printing)("$title prints what it says", async ({ file, prints }, { expect }) => {
  const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder });
  expect([stdout.trimEnd().split("\n"), stderr]).toEqual([prints, ""]);
});

test("all of them compile", async ({ expect }) => {
  const compilerOptions = { noEmit: true, strict: true, module: "nodenext", target: "esnext", lib: ["esnext"], types: ["node"] };
  const more = { allowImportingTsExtensions: true, skipLibCheck: true };
  const files = programs.map(({ file }) => file);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...compilerOptions, ...more }, files }));
  const tsc = join(root, "node_modules/.bin/tsc");
  const { stdout } = await run(tsc, ["-p", folder, "--pretty", "false"]).catch((error: { readonly stdout: string }) => error);
  // Our own sources are checked elsewhere, by settings of their own.
  expect(stdout.split("\n").filter((line) => line.includes(basename(folder)))).toEqual([]);
});
