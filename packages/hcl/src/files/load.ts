// SPDX-License-Identifier: Apache-2.0
import { goQuote as quote } from "@tenon/cty/unstable/payload";
import type { Body } from "../body/body.ts";
import { nativeBody } from "../body/native-body.ts";
import { parseJson } from "../json/parse.ts";
import { parseConfig, type ParseOptions } from "../parse/parse.ts";
import type { BodySyntax } from "../syntax/body.ts";
import type { Diagnostic } from "../syntax/diagnostic.ts";
import { diskFiles, type FileSystem } from "./file-system.ts";

/** A file that was read and parsed. */
export interface LoadedFile {
  /** Path of the file, which its ranges have as their file name. */
  readonly path: string;
  readonly source: string | Uint8Array;
  /** Content of the file; empty if nothing could be parsed. */
  readonly body: Body;
  /** Syntax tree of a file in the native syntax. */
  readonly syntax?: BodySyntax;
}

/** Result of {@link loadFiles}. */
export interface LoadedFiles {
  /** Files that could be read, in the given order. */
  readonly files: readonly LoadedFile[];
  /** Diagnostics of all files. */
  readonly diagnostics: readonly Diagnostic[];
  /** Contents of the files by path, for showing diagnostics. */
  readonly sources: ReadonlyMap<string, string | Uint8Array>;
}

/**
 * Reads and parses files. A file whose name ends with `.json` has the JSON syntax. A file that cannot be read is reported as a
 * diagnostic; nothing is thrown.
 *
 * @see go hclparse.Parser
 */
export function loadFiles(
  paths: readonly string[],
  from: FileSystem = diskFiles,
  options: Pick<ParseOptions, "recovery"> = {},
): LoadedFiles {
  const files: LoadedFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const path of new Set(paths)) {
    const source = from.read(path);
    if (source === undefined) {
      const detail = `The configuration file ${quote(path)} could not be read.`;
      diagnostics.push({ severity: "error", summary: "Failed to read file", detail });
      continue;
    }
    if (path.endsWith(".json")) {
      const parsed = parseJson(source, path);
      files.push({ path, source, body: parsed.body });
      diagnostics.push(...parsed.diagnostics);
    } else {
      const parsed = parseConfig(source, path, options);
      files.push({ path, source, body: nativeBody(parsed.body), syntax: parsed.body });
      diagnostics.push(...parsed.diagnostics);
    }
  }
  return { files, diagnostics, sources: new Map(files.map(({ path, source }) => [path, source])) };
}
