// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../..");
const execute = promisify(execFile);

/** Compiles the files under strict settings; returns the errors in them as `file(line): message`. */
export async function compile(files: Readonly<Record<string, string>>): Promise<{ readonly errors: readonly string[] }> {
  const project = mkdtempSync(join(tmpdir(), "tenon-types-"));
  try {
    mkdirSync(join(project, "node_modules/@tenon"), { recursive: true });
    for (const name of ["cty", "schema", "plugin-host", "bridge"])
      symlinkSync(join(root, "packages", name), join(project, "node_modules/@tenon", name));
    const compilerOptions = {
      noEmit: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ extends: join(root, "tsconfig.base.json"), compilerOptions }));
    writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
    const output = await execute(join(root, "node_modules/.bin/tsc"), ["-p", project, "--pretty", "false"], { cwd: project }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string }) => error.stdout,
    );
    const errors = output.split("\n").flatMap((line) => {
      const [, file, number, message] = /^(?:.*\/)?([^/(]+)\((\d+),\d+\): (.*)$/.exec(line) ?? [];
      // The compiler reads the sources of our packages, too; other checks compile those.
      return file === undefined || !(file in files) ? [] : [`${file}(${number}): ${message}`];
    });
    return { errors };
  } finally {
    rmSync(project, { recursive: true });
  }
}

/** Compares the errors with a program's lines that end with `// wrong`; returns the lines that compile, and the errors elsewhere. */
export function unexpected(file: string, program: string, errors: readonly string[]): readonly string[] {
  const refused = new Set(errors.filter((error) => error.startsWith(`${file}(`)).map((error) => Number(/\((\d+)\)/.exec(error)![1])));
  const elsewhere = errors.filter((error) => !error.startsWith(`${file}(`));
  const lines = program.split("\n");
  const surprises = lines.flatMap((line, index) => {
    const isRefused = refused.has(index + 1);
    if (line.trimEnd().endsWith("// wrong") === isRefused) return [];
    return [
      isRefused ? errors.find((error) => error.startsWith(`${file}(${index + 1})`))! : `${file}(${index + 1}) compiles: ${line.trim()}`,
    ];
  });
  return [...elsewhere, ...surprises];
}
