// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

/** A stack frame in a JavaScript file: `    at create (file:///a/provider.mjs:1:200)`, or without a name. */
const framePattern = /^(\s+at )(?:(.+) \()?((?:file:\/\/|\/)[^()]+\.[cm]?js):(\d+):(\d+)\)?$/;

/** A file of generated code with its source map. */
interface GeneratedFile {
  readonly lines: readonly string[];
  readonly map: SourceMap;
}

/** Generated files by path; undefined for a file without a source map. */
const files = new Map<string, GeneratedFile | undefined>();

/**
 * Replaces the positions of generated code in a stack by those in the sources, for every file that has a source map beside it: a bundle, or
 * the output of a compiler. Paths are relative to the project: `src/book.ts:14:9`.
 *
 * Source maps are read when the first stack is shown. Node's own option `--enable-source-maps` reads them at start.
 */
export function inSources(stack: string): string {
  const lines = stack.split("\n");
  const found = lines.map((line) => frameIn(line));
  const shown = lines.map((line, index) => {
    const here = found[index];
    if (here === undefined) return line;
    const called = found[index + 1]?.called;
    const name = called !== undefined && here.name.split(" ").at(-1) === called.generated ? called.original : here.name;
    return name === "" ? `${here.at}${here.position}` : `${here.at}${name} (${here.position})`;
  });
  return shown.join("\n");
}

/** A stack frame at its position in the source. */
interface SourceFrame {
  readonly at: string;
  /** Name of the function in the generated code; empty for none. */
  readonly name: string;
  readonly position: string;
  /** The function that this frame calls, if the generated code calls it by another name than the source. */
  readonly called: { readonly generated: string; readonly original: string } | undefined;
}

function frameIn(text: string): SourceFrame | undefined {
  const [, at, name = "", url, lineNumber, columnNumber] = framePattern.exec(text) ?? [];
  if (at === undefined || url === undefined) return undefined;
  const file = generatedFile(url.startsWith("file:") ? fileURLToPath(url) : url);
  const [line, column] = [Number(lineNumber) - 1, Number(columnNumber) - 1];
  const entry = file?.map.findEntry(line, column);
  if (file === undefined || entry === undefined || !("originalSource" in entry)) return undefined;
  // Node's entries have a `name`, which its types lack.
  const { name: original, originalSource, originalLine, originalColumn } = entry as typeof entry & { readonly name?: string };
  const [generated = ""] = /^[\w$]+/.exec(file.lines[line]?.slice(column) ?? "") ?? [];
  return {
    at,
    name,
    position: `${inProject(originalSource)}:${originalLine + 1}:${originalColumn + 1}`,
    called: original === undefined ? undefined : { generated, original },
  };
}

function generatedFile(path: string): GeneratedFile | undefined {
  if (!files.has(path)) files.set(path, path.includes("/node_modules/") ? undefined : readGenerated(path));
  return files.get(path);
}

/** Reads a file and its source map. Returns undefined if there is no map, or if it is malformed: the stack is then shown without it. */
function readGenerated(path: string): GeneratedFile | undefined {
  try {
    const map = JSON.parse(readFileSync(`${path}.map`, "utf8")) as ConstructorParameters<typeof SourceMap>[0];
    return { map: new SourceMap(map), lines: readFileSync(path, "utf8").split("\n") };
  } catch {
    return undefined;
  }
}

/** Returns the path of a source from its project: a source map names the source from the folder of the generated file. */
function inProject(source: string): string {
  return source.replace(/^(?:\.\.?\/)+/, "");
}
