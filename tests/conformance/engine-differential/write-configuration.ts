// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ModuleRecord } from "./generate/module.ts";

/** The files of a configuration, and the record of its modules. */
export interface WrittenConfiguration {
  readonly files: Readonly<Record<string, string>>;
  readonly records: readonly ModuleRecord[];
}

/**
 * Writes a configuration with the record of its modules, which `tofu get` would write. Returns the paths of its files.
 *
 * @param before The paths of the files of an earlier configuration. Those that the new one does not have are removed.
 */
export function writeConfiguration(
  folder: string,
  { files, records }: WrittenConfiguration,
  before: readonly string[] = [],
): readonly string[] {
  for (const path of before) if (!(path in files)) rmSync(join(folder, path), { force: true });
  const all = { ...files, ".terraform/modules/modules.json": JSON.stringify({ Modules: records }) };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return Object.keys(files);
}
