// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { build } from "esbuild";

/** Bundles a program of this folder into one module, so that its many starts take less time. Returns the path of the module. */
export async function bundledProgram(name: string, folder: string): Promise<string> {
  const outfile = join(folder, name.replace(/\.ts$/, ".mjs"));
  await build({
    entryPoints: [join(import.meta.dirname, name)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    external: ["openpgp"],
    // Some dependencies are CommonJS.
    banner: { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` },
    logLevel: "error",
  });
  return outfile;
}
