// SPDX-License-Identifier: Apache-2.0
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

export const root: string = join(import.meta.dirname, "..", "..");

export interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly publishConfig: { readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>> };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Reads the folder names below `packages/`. */
export function packageFolders(): readonly string[] {
  return readdirSync(join(root, "packages")).toSorted();
}

export function packageJson(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8")) as PackageJson;
}

/** Finds the TypeScript sources below a folder, without tests, as paths from the root of the repository. */
export function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.test(-d)?\.ts$/.test(file) && !file.includes("node_modules"))
    .map((file) => join(folder, file))
    .toSorted();
}

/** Finds the specifiers that a source imports when it is loaded: neither `import type` nor `import()`. */
export function importsOf(source: string): readonly string[] {
  const text = readFileSync(join(root, source), "utf8");
  return [...text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm)].map((match) => match[1] ?? "");
}

/** Finds every module that `entry` loads: sources of this repository by path, packages by name. */
export function modulesLoadedBy(entry: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const queue = [entry];
  for (let source = queue.pop(); source !== undefined; source = queue.pop()) {
    if (seen.has(source)) continue;
    seen.add(source);
    for (const specifier of importsOf(source)) {
      const file = specifier.startsWith(".") ? relative(root, resolve(root, dirname(source), specifier)) : ownSource(specifier);
      if (file === undefined) seen.add(specifier);
      else queue.push(file);
    }
  }
  return seen;
}

function ownSource(specifier: string): string | undefined {
  const [, name, entry] = /^@tenon\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (name === undefined || !existsSync(join(root, "packages", name))) return undefined;
  const source = packageJson(name).exports[entry === undefined ? "." : `./${entry}`];
  return source === undefined ? undefined : join("packages", name, source);
}
