// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { packageProgram, writePackage } from "@tenon/provider-sdk/package";

const root = join(import.meta.dirname, "../..");
const name = "pulumi-resource-terraform-provider";

/** Packages whose sources are in the bundle. */
const bundled = "{cty,hcl,protocol,schema,plugin-host,bridge,provider-sdk}";

/**
 * Path of the plugin's executable, packaged as it is published. It starts faster than the sources; it is packaged when the sources have
 * changed, and then used by all tests.
 */
export async function bundledPlugin(): Promise<string> {
  // Below this package, whose dependency openpgp is: it is not in the bundle.
  const builds = join(import.meta.dirname, ".tenon/pulumi-plugin");
  const folder = join(builds, digestOfSources());
  if (!existsSync(folder)) {
    mkdirSync(builds, { recursive: true });
    const draft = mkdtempSync(join(builds, "draft-"));
    await writePackage(
      draft,
      await packageProgram({ main: join(root, "packages/bridge/src/pulumi/main.ts"), name, external: ["openpgp"] }),
    );
    try {
      renameSync(draft, folder);
    } catch (error) {
      // Another process of the run was faster.
      if (!existsSync(folder)) throw error;
      rmSync(draft, { recursive: true, force: true });
    }
  }
  return join(folder, name);
}

/** Digest of the names, sizes and dates of the sources. */
function digestOfSources(): string {
  const hash = createHash("sha256");
  for (const path of globSync(`packages/${bundled}/src/**/*.ts`, { cwd: root }).toSorted()) {
    if (path.endsWith(".test.ts")) continue;
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}
