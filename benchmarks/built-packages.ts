// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");

interface PackageJson {
  readonly name: string;
  readonly publishConfig: object;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/**
 * Builds packages of this repository, and installs them as published into `folder`, so that programs there import them. Other dependencies are links to
 * those of the repository.
 *
 * @param names - names of folders in `packages`, with those that the packages need
 */
export function installBuilt(names: readonly string[], folder: string): void {
  const filters = names.map((name) => `--filter=@tenon/${name}`);
  execFileSync("turbo", ["run", "build", "--output-logs=errors-only", ...filters], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  for (const name of names) {
    const source = join(root, "packages", name);
    const { publishConfig, ...rest } = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as PackageJson;
    const target = join(folder, "node_modules", rest.name);
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, "package.json"), JSON.stringify({ ...rest, ...publishConfig }));
    cpSync(join(source, "dist"), join(target, "dist"), { recursive: true });
    const needed = Object.keys({ ...rest.dependencies, ...rest.peerDependencies });
    for (const dependency of needed.filter((one) => !one.startsWith("@tenon/"))) link(dependency, source, folder);
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
}

/** Links a dependency of a package, unless it is an optional one that is not installed. */
function link(name: string, source: string, folder: string): void {
  const target = join(folder, "node_modules", name);
  const installed = join(source, "node_modules", name);
  if (existsSync(target) || !existsSync(installed)) return;
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(realpathSync(installed), target, "dir");
}
