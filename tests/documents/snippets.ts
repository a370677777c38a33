// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The root folder of the repository. */
export const root: string = join(import.meta.dirname, "..", "..");

/** One block of code in a document: a file, commands, or their output. */
export interface Snippet {
  readonly language: string;
  readonly text: string;
  /** The file name in the first line of the block: `// book.ts`. */
  readonly file: string | undefined;
}

/** Returns the blocks of code in a document, in their order. */
export function snippetsOf(document: string): readonly Snippet[] {
  return [...document.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text,
    file: /^(?:\/\/|#) (\S+\.\w+)\n/.exec(text)?.[1],
  }));
}

/** Reads a document of the repository by its path from the root. */
export function readDocument(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** Lines that a program must print: the text of each comment `// => …`. */
export function expectedLines(program: string): readonly string[] {
  return [...program.matchAll(/^.*\/\/ => (.*)$/gm)].map(([, line = ""]) => line);
}
