// SPDX-License-Identifier: Apache-2.0
// Builds the package in the current folder (`pnpm build`): an ESM file for each entry point of its `exports`, with shared chunks and
// without its dependencies, then the declarations. The declarations come from tsc, because tsup cannot write them with TypeScript 7.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { build } from "tsup";

interface PackageJson {
  readonly exports: Readonly<Record<string, string>>;
  /** Programs by command; in the repository, their files are in `src`. */
  readonly bin?: Readonly<Record<string, string>>;
}

const { exports, bin = {} } = JSON.parse(readFileSync("package.json", "utf8")) as PackageJson;
const sources = [...Object.values(exports), ...Object.values(bin)].filter((source) => source.endsWith(".ts"));

await build({
  config: false,
  silent: true,
  entry: Object.fromEntries(sources.map((source) => [source.replace(/^\.\/src\//, "").replace(/\.ts$/, ""), source])),
  format: "esm",
  target: "node22",
  platform: "node",
  splitting: true,
  sourcemap: true,
  clean: true,
  dts: false,
});

const declarations = spawnSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit", shell: process.platform === "win32" });
process.exitCode = declarations.status ?? 1;
