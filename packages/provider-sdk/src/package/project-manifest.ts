// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The `package.json` of an author's project. */
export interface ProjectManifest {
  /** Folder of the file. */
  readonly folder: string;
  readonly name?: string;
  readonly version?: string;
}

/** Reads the nearest `package.json` in a folder or above it. Returns undefined if there is none. */
export function nearestManifest(folder: string): ProjectManifest | undefined {
  const path = join(folder, "package.json");
  if (existsSync(path)) return { ...(JSON.parse(readFileSync(path, "utf8")) as Omit<ProjectManifest, "folder">), folder };
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestManifest(parent);
}
