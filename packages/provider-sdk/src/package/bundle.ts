// SPDX-License-Identifier: Apache-2.0
import { dirname } from "node:path";
import type { BuildFailure } from "esbuild";
import { SdkError } from "../error.ts";
import { lazyBuiltins } from "./lazy-builtins.ts";

/**
 * Bundles a program and everything it imports into one minified ESM file, and answers its text.
 *
 * What is imported late is in the file too, and still runs when it is asked for. The same sources give the same bytes.
 *
 * @throws SdkError `BUNDLE_FAILED` with what the bundler reports, file and line.
 */
export async function bundle(main: string): Promise<Uint8Array> {
  // Nothing but this command needs the bundler; a provider that runs never loads it.
  const { build, formatMessages } = await import("esbuild");
  try {
    const { outputFiles } = await build({
      entryPoints: [main],
      absWorkingDir: dirname(main),
      bundle: true,
      minify: true,
      format: "esm",
      platform: "node",
      target: "node22.18",
      legalComments: "eof",
      // Modules written for `require` ask where they are; in one file that is where the file is.
      define: { __dirname: "import.meta.dirname", __filename: "import.meta.filename" },
      plugins: [lazyBuiltins()],
      write: false,
      logLevel: "silent",
    });
    const [file] = outputFiles;
    if (file === undefined) throw new SdkError("BUNDLE_FAILED", `nothing came of bundling ${main}`);
    return file.contents;
  } catch (cause) {
    const { errors } = cause as Partial<BuildFailure>;
    if (errors === undefined) throw cause;
    const text = (await formatMessages(errors, { kind: "error" })).join("");
    throw new SdkError("BUNDLE_FAILED", `cannot bundle ${main}:\n${text}`, { cause });
  }
}
