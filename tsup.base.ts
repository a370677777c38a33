// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Options } from "tsup";

type PackageJson = { readonly exports: Readonly<Record<string, string | null>> };

/**
 * The build every package shares: one JavaScript file per entry point of its `exports`, ESM, dependencies left outside,
 * code that two entries use in shared chunks. Declarations come from `tsc -p tsconfig.build.json` beside it.
 */
export function packageBuild(folder: string): Options | Options[] {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as PackageJson;
  const sources = Object.values(exports).filter((source) => source !== null && source.endsWith(".ts"));
  return defineConfig({
    entry: Object.fromEntries(sources.map((source) => [source!.replace(/^\.\/src\//, "").replace(/\.ts$/, ""), source!])),
    format: "esm",
    target: "node22",
    platform: "node",
    splitting: true,
    sourcemap: true,
    clean: true,
    dts: false,
  }) as Options | Options[];
}
