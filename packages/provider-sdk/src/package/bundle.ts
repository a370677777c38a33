// SPDX-License-Identifier: Apache-2.0
import { basename, dirname } from "node:path";
import type { BuildFailure, Metafile, Plugin } from "esbuild";
import type * as Bundler from "esbuild";
import { SdkError } from "../error.ts";
import type { BundledFile } from "./bundled-file.ts";
import { lazyBuiltins } from "./lazy-builtins.ts";
import { withNodeCheck } from "./node-check.ts";
import { optionalConnectNode, referenceCarrier } from "./reference-carrier.ts";
import { isSourceMap, mapFolder, withSourcesFrom } from "./source-map.ts";

/** Options of {@link bundle}. */
export interface BundleOptions {
  /** Text of the program, where no file has it. Its imports are those of a file at the program's path. */
  readonly text?: string;
  /** Modules that are not bundled: the program imports them from where it is installed. Default: none. */
  readonly external?: readonly string[];
}

/**
 * Bundles a program and its imports as minified ESM: one entry file, and further files for dynamic imports.
 *
 * The files are separate because reading a large file takes time even if none of it runs: four milliseconds for the code that a provider
 * needs after its handshake line. On a Node that is too old, the entry file prints an error and exits. Each file has a source map, without
 * a comment that names it: see `withMapComments`. The output is reproducible byte for byte.
 *
 * @param main path of the program
 * @param name name of the entry file, without `.mjs`, and prefix of the names of the other files
 * @throws SdkError `BUNDLE_FAILED` with the bundler's errors, file and line; `DEPENDENCY_MISSING` when esbuild is not installed.
 */
export async function bundle(main: string, name: string, { text, external = [] }: BundleOptions = {}): Promise<readonly BundledFile[]> {
  const { build, formatMessages } = await loadBundler();
  const bundled = async (entryPoints: Record<string, string>, plugins: Plugin[]): Promise<readonly BundledFile[]> => {
    const { outputFiles, metafile } = await build({
      entryPoints,
      outdir: "/",
      absWorkingDir: dirname(main),
      bundle: true,
      splitting: true,
      chunkNames: `${name}-[hash]`,
      outExtension: { ".js": ".mjs" },
      minify: true,
      format: "esm",
      platform: "node",
      target: "node22.19",
      legalComments: "eof",
      // Writes source maps to separate files, without a reference in the code.
      sourcemap: "external",
      sourcesContent: false,
      // CommonJS modules read their own location; in a bundle, that is the bundle's location.
      define: { __dirname: "import.meta.dirname", __filename: "import.meta.filename" },
      plugins,
      external: [...external],
      write: false,
      metafile: true,
      logLevel: "silent",
    });
    const reached = reachedOutputs(Object.keys(entryPoints), metafile);
    const packaged = outputFiles.filter(({ path }) => reached.has(basename(path).replace(/\.map$/, "")));
    const files = packaged.map(({ path, contents }) => {
      const file = { name: basename(path), content: contents };
      return isSourceMap(file) ? { ...file, content: withSourcesFrom(mapFolder(main), contents) } : file;
    });
    return withNodeCheck(files, `${name}.mjs`, metafile);
  };
  try {
    const reference = referenceCarrier(`${name}-reference`);
    const program = text === undefined ? [] : [programText(main, text)];
    const files = await bundled({ [name]: main }, [...program, reference.plugin, lazyBuiltins()]);
    const carriers = reference.files();
    if (Object.keys(carriers).length === 0) return files;
    return [...files, ...(await bundled(carriers, [optionalConnectNode, lazyBuiltins()]))];
  } catch (cause) {
    const { errors } = cause as Partial<BuildFailure>;
    if (errors === undefined) throw cause;
    const messages = (await formatMessages(errors, { kind: "error" })).join("");
    throw new SdkError("BUNDLE_FAILED", `cannot bundle ${main}:\n${messages}`, { cause });
  }
}

/**
 * Names of the files that the entry points import, directly or not. The bundler also writes files for dynamic imports in code that it has removed
 * because nothing uses it.
 */
function reachedOutputs(entries: readonly string[], { outputs }: Metafile): ReadonlySet<string> {
  const byName = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]));
  const reached = new Set(entries.map((entry) => `${entry}.mjs`));
  // A set also visits the elements that are added during the iteration.
  for (const name of reached) {
    for (const { path } of byName.get(name)?.imports ?? []) if (byName.has(basename(path))) reached.add(basename(path));
  }
  return reached;
}

/** Gives the bundler a program that no file has. */
function programText(main: string, contents: string): Plugin {
  return {
    name: "program-text",
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ kind, path }) => (kind === "entry-point" && path === main ? { path: main } : undefined));
      build.onLoad({ filter: /.*/ }, ({ path }) => (path === main ? { contents, loader: "ts", resolveDir: dirname(main) } : undefined));
    },
  };
}

/** Loads esbuild, an optional peer dependency that only packaging needs. @throws SdkError `DEPENDENCY_MISSING`. */
async function loadBundler(): Promise<typeof Bundler> {
  try {
    return await import("esbuild");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new SdkError(
      "DEPENDENCY_MISSING",
      "packaging a provider needs esbuild, which is not installed; run: npm install --save-dev esbuild",
      { cause },
    );
  }
}
