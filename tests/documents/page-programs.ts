// SPDX-License-Identifier: Apache-2.0
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Project } from "./project.ts";
import { expectedLines, readDocument, root, snippetsOf } from "./snippets.ts";

/** A TypeScript program on a page of documentation. */
export interface PageProgram {
  /** The page and the number of the program on it: `launching-1.ts`. */
  readonly file: string;
  readonly text: string;
  /** The lines that the program must print. */
  readonly prints: readonly string[];
}

/** Returns the programs on all pages in a folder, sorted by page. */
export function programsOf(folder: string): readonly PageProgram[] {
  return readdirSync(join(root, folder))
    .toSorted()
    .flatMap((page) =>
      snippetsOf(readDocument(`${folder}/${page}`))
        .filter(({ language }) => language === "ts")
        .map(({ text }, index) => ({ file: `${page.replace(".md", "")}-${index + 1}.ts`, text, prints: expectedLines(text) })),
    );
}

/** Compiles programs together; returns the errors, a line each. */
export async function compilePrograms(programs: readonly PageProgram[]): Promise<readonly string[]> {
  using project = new Project(Object.fromEntries(programs.map(({ file, text }) => [file, text])));
  return await project.compile(programs.map(({ file }) => file));
}

/** Runs the program of a project; returns the lines that it prints, without empty ones, and what it writes to standard error. */
export async function runProgram(
  project: Project,
  { file }: PageProgram,
  env: NodeJS.ProcessEnv = {},
): Promise<readonly [lines: readonly string[], stderr: string]> {
  // The environment has no TENON_CARRIER, like a reader's.
  const { stdout, stderr } = await project.run([file], { ...env, TENON_CARRIER: undefined });
  return [stdout.split("\n").filter((line) => line !== ""), stderr];
}
