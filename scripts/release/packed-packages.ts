// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publishedPackages } from "../workspace.ts";
import { CommandError, runCommand } from "./run-command.ts";

/** A package, packed for publication. */
export interface PackedPackage {
  readonly name: string;
  readonly version: string;
  /** Path of the package's folder in the repository. */
  readonly folder: string;
  /** Path of the tarball. */
  readonly tarball: string;
  /** Size of the tarball in bytes. */
  readonly size: number;
  /** Integrity of the tarball, in the format of lock files. */
  readonly integrity: string;
  /** Paths of the packed files, below the package. */
  readonly files: readonly string[];
  /** Names of the packages of this repository that this package needs, including its own name. */
  readonly closure: readonly string[];
}

/** Every published package as a tarball, in a temporary folder. Needs `build`. */
export class PackedPackages implements Disposable {
  /** The packages, in the order of their names. */
  readonly packages: readonly PackedPackage[];
  readonly #folder: string;

  /** @throws CommandError when a package cannot be packed. */
  constructor(root: string) {
    this.#folder = mkdtempSync(join(tmpdir(), "tenon-pack-"));
    const published = publishedPackages(root);
    try {
      this.packages = published.map(({ name, version, folder }) => {
        const output = runCommand("pnpm", ["pack", "--json", "--pack-destination", this.#folder], folder);
        const { filename, integrity, files } = JSON.parse(output) as PackResult;
        return {
          name,
          version,
          folder,
          tarball: filename,
          size: statSync(filename).size,
          integrity,
          files: files.map(({ path }) => path),
          closure: [...closureOf(name, new Map(published.map((known) => [known.name, known.folder])))],
        };
      });
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** Removes the tarballs. */
  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

interface PackResult {
  readonly filename: string;
  readonly integrity: string;
  readonly files: readonly { readonly path: string }[];
}

function closureOf(name: string, folders: ReadonlyMap<string, string>, found: Set<string> = new Set()): ReadonlySet<string> {
  const folder = folders.get(name);
  if (folder === undefined || found.has(name)) return found;
  found.add(name);
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly peerDependencies?: Readonly<Record<string, string>>;
  };
  for (const needed of Object.keys({ ...dependencies, ...peerDependencies })) closureOf(needed, folders, found);
  return found;
}

/** Checks each tarball with publint and attw; returns their findings, if any. */
export function lintPackages(root: string, { packages }: PackedPackages): string | undefined {
  const problems: string[] = [];
  for (const { name, tarball, files } of packages) {
    if (!files.includes("LICENSE")) problems.push(`${name}: no LICENSE in the package`);
    for (const [tool, args] of [
      ["publint", ["--strict", tarball]],
      ["attw", ["--profile", "esm-only", "--no-emoji", tarball]],
    ] as const) {
      try {
        runCommand(tool, args, root);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        problems.push(`${name}: ${error.message}`);
      }
    }
  }
  return problems.length === 0 ? undefined : problems.join("\n");
}
