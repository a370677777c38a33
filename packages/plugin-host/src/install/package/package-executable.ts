// SPDX-License-Identifier: Apache-2.0
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { PluginHostError } from "../../error.ts";

/**
 * Returns the executable of an unpacked package: the first file in alphabetical order whose name is `terraform-provider-TYPE`, alone or
 * followed by `_` or `.`.
 *
 * @throws PluginHostError `PACKAGE_MALFORMED`
 * @see OpenTofu internal/providercache, CachedProvider.ExecutableFile
 */
export async function packageExecutable(folder: string, type: string): Promise<string> {
  const prefix = `terraform-provider-${type}`;
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new PluginHostError("PACKAGE_MALFORMED", `${folder} cannot be read: ${String(cause)}`, { cause });
  });
  const names = entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name);
  const found = names
    .filter((name) => name.startsWith(prefix) && ["", "_", "."].includes(name.charAt(prefix.length)))
    .sort((left, right) => (left < right ? -1 : 1))[0];
  if (found !== undefined) return join(folder, found);
  throw new PluginHostError("PACKAGE_MALFORMED", `${folder} holds no provider: no file in it is named ${prefix}`);
}
