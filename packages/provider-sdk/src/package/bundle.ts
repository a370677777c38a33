// SPDX-License-Identifier: Apache-2.0
import { basename, dirname } from "node:path";
import type { BuildFailure, Plugin } from "esbuild";
import { SdkError } from "../error.ts";
import { lazyBuiltins } from "./lazy-builtins.ts";
import { referenceCarrier } from "./reference-carrier.ts";

/** A file of a bundle. */
export interface BundledFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/**
 * Bundles a program and everything it imports, minified, as ESM: one file that starts, and others with what is imported late.
 *
 * They are separate because reading a large file takes time even where none of it runs: four milliseconds for what a provider
 * needs after its handshake line. The same sources give the same bytes.
 *
 * @param main the program's file
 * @param name what the file that starts is called, without `.mjs`; the others' names begin with it
 * @throws SdkError `BUNDLE_FAILED` with what the bundler reports, file and line.
 */
export async function bundle(main: string, name: string): Promise<readonly BundledFile[]> {
  // Nothing but this command needs the bundler; a provider that runs never loads it.
  const { build, formatMessages } = await import("esbuild");
  const bundled = async (entryPoints: Record<string, string>, plugins: Plugin[]): Promise<readonly BundledFile[]> => {
    const { outputFiles } = await build({
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
      target: "node22.18",
      legalComments: "eof",
      // Modules written for `require` ask where they are; in a bundle that is where the bundle is.
      define: { __dirname: "import.meta.dirname", __filename: "import.meta.filename" },
      plugins,
      write: false,
      logLevel: "silent",
    });
    return outputFiles.map(({ path, contents }) => ({ name: basename(path), content: contents }));
  };
  try {
    const reference = referenceCarrier(`${name}-reference`);
    const files = await bundled({ [name]: main }, [reference.plugin, lazyBuiltins()]);
    const carrier = reference.file();
    if (carrier === undefined) return files;
    return [...files, ...(await bundled({ [`${name}-reference`]: carrier }, [lazyBuiltins()]))];
  } catch (cause) {
    const { errors } = cause as Partial<BuildFailure>;
    if (errors === undefined) throw cause;
    const text = (await formatMessages(errors, { kind: "error" })).join("");
    throw new SdkError("BUNDLE_FAILED", `cannot bundle ${main}:\n${text}`, { cause });
  }
}
