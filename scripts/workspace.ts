// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A published package of the workspace. */
export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  /** Source files by entry point (`.`, `./json`). */
  readonly exports: Readonly<Record<string, string>>;
}

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, string>>;
}

/** Reads every published package under `packages/`, in the order of their names. */
export function publishedPackages(root: string): readonly PublishedPackage[] {
  return readdirSync(join(root, "packages"))
    .toSorted()
    .map((name) => join(root, "packages", name))
    .flatMap((folder) => {
      const json = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as PackageJson;
      return json.private === true ? [] : [{ name: json.name, version: json.version, folder, exports: json.exports }];
    });
}
