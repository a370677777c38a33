// SPDX-License-Identifier: Apache-2.0
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { nearestManifest } from "./project-manifest.ts";
import type { BundledFile } from "./bundled-file.ts";

/** The parts of a source map that packaging reads. */
interface SourceMapFile {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/** Whether a file of a bundle is a source map. */
export function isSourceMap({ name }: BundledFile): boolean {
  return name.endsWith(".map");
}

/**
 * Returns the folder to which the source paths in the maps of a program are relative: the folder to which packaging writes the program by
 * default. A debugger then finds the sources, and the maps are the same for every output folder and contain no path of this machine.
 */
export function mapFolder(main: string): string {
  const project = nearestManifest(dirname(main))?.folder ?? dirname(main);
  return join(project, "dist-provider", "dev");
}

/** Makes the source paths of a map relative to `folder`. The bundler writes them relative to the root of the file system. */
export function withSourcesFrom(folder: string, map: Uint8Array): Uint8Array {
  const parsed = JSON.parse(Buffer.from(map).toString()) as SourceMapFile;
  const sources = parsed.sources.map((source) => {
    const [, builtin] = /^builtin-\w+:([^?]+)/.exec(source) ?? [];
    return builtin ?? relative(folder, join("/", source));
  });
  return Buffer.from(JSON.stringify({ ...parsed, sources }));
}

/** Adds the `sourceRoot` to a map whose source paths are relative to `folder`, so that the map can be used in another folder. */
export function withSourceRoot(folder: string, map: Uint8Array): Uint8Array {
  const parsed = JSON.parse(Buffer.from(map).toString()) as SourceMapFile;
  return Buffer.from(JSON.stringify({ ...parsed, sourceRoot: pathToFileURL(`${folder}/`).href }));
}

/** Appends the comment that names the source map to each file that has one. Debuggers look for it. */
export function withMapComments(files: readonly BundledFile[]): readonly BundledFile[] {
  const names = new Set(files.map(({ name }) => name));
  return files.map((file) => {
    const map = `${file.name}.map`;
    return names.has(map) ? { ...file, content: Buffer.concat([file.content, Buffer.from(`//# sourceMappingURL=${map}\n`)]) } : file;
  });
}
