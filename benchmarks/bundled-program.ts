// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { build } from "esbuild";

/** Bundles a program of this folder into `folder`, as users ship programs. Returns the path of the bundle. */
export async function bundledProgram(name: string, folder: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node22",
    external: ["@tenon/protocol/carrier/connect-node-client", "openpgp"],
    banner: { js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);' },
    logLevel: "warning",
  });
  return outfile;
}
