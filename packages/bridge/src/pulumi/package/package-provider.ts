// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as Packager from "@tenon/provider-sdk/package";
import { BridgeError } from "../../error.ts";
import { inspectPlugin, type InspectedPlugin } from "./inspect-plugin.ts";
import { checkedPackageOptions, isPackageName, isPackageVersion, nameRule, type PulumiPackageOptions } from "./package-options.ts";
import { pluginArchive } from "./plugin-archive.ts";
import { pluginPlatform } from "./plugin-platform.ts";
import { pluginProgram } from "./plugin-program.ts";
import { pluginYoungGenerationMiB } from "./young-generation.ts";

/** Result of `packagePulumiProvider`. */
export interface PackagedPlugin {
  /** Name of the package. */
  readonly name: string;
  readonly version: string;
  /** The executable file `pulumi-resource-<name>`. */
  readonly executable: string;
  /** File with the Pulumi schema. */
  readonly schemaFile: string;
  /** Paths of the written folder and files. */
  readonly written: readonly string[];
}

/**
 * Packages a provider of the SDK as a Pulumi plugin:
 *
 * - `plugin/`: `pulumi-resource-NAME` and its bundle, for `PATH`, for `pulumi package add` and for `pulumi plugin install … --file`;
 * - `schema/schema.json`: the Pulumi schema, for `pulumi package gen-sdk`;
 * - `release/pulumi-resource-NAME-vVERSION-OS-ARCH.tar.gz`: the archive that engines download.
 *
 * Starts the plugin once, to read its schema. Needs `@tenon/provider-sdk` and esbuild.
 *
 * @throws BridgeError `INVALID_PACKAGE_OPTION`, `UNUSABLE_PLUGIN`, `DEPENDENCY_MISSING`; SdkError as `packageProgram`.
 */
export async function packagePulumiProvider(options: PulumiPackageOptions): Promise<PackagedPlugin> {
  const { provider, main, out, archive, ...launcher } = checkedPackageOptions(options);
  const { packageProgram, writePackage } = await loadPackager();
  const program = provider === undefined ? { main: main! } : pluginProgram(provider, options);
  // The plugin's provider runs in its process: the code that installs other providers, and verifies signatures, is not reached.
  const files = await packageProgram({ ...launcher, ...program, name: launcherEntry, youngGenerationMiB: pluginYoungGenerationMiB });
  const { name, version, schema } = await inspected(files, writePackage);
  const named = files.map((file) => (file.name === launcherEntry ? { ...file, name: `pulumi-resource-${name}` } : file));
  const plugin = join(out, "plugin");
  await writePackage(plugin, named);
  await writePackage(join(out, "schema"), [{ name: "schema.json", content: Buffer.from(schema), executable: false }]);
  const schemaFile = join(out, "schema", "schema.json");
  const written = [plugin, schemaFile];
  if (archive) {
    const file = `pulumi-resource-${name}-v${version}-${pluginPlatform()}.tar.gz`;
    await writePackage(join(out, "release"), [{ name: file, content: pluginArchive(named), executable: false }]);
    written.push(join(out, "release", file));
  }
  return { name, version, executable: join(plugin, `pulumi-resource-${name}`), schemaFile, written };
}

/** Placeholder for the name of the launcher's file: the plugin states it. */
const launcherEntry = "launcher";

async function inspected(
  files: readonly Packager.PackagedFile[],
  write: typeof Packager.writePackage,
): Promise<{ readonly name: string; readonly version: string; readonly schema: string }> {
  const folder = await mkdtemp(join(tmpdir(), "tenon-plugin-"));
  try {
    await write(join(folder, "plugin"), files);
    return checked(await inspectPlugin(join(folder, "plugin", launcherEntry)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function checked({ version, schema }: InspectedPlugin): { readonly name: string; readonly version: string; readonly schema: string } {
  if (!isPackageName(schema.name)) {
    throw new BridgeError(
      "INVALID_PACKAGE_OPTION",
      `the plugin's name ${JSON.stringify(schema.name)} is invalid: ${nameRule}, or pass --name`,
    );
  }
  if (!isPackageVersion(version)) {
    throw new BridgeError("INVALID_PACKAGE_OPTION", `the plugin's version ${JSON.stringify(version)} is invalid: write it as 1.2.3`);
  }
  return { name: schema.name, version, schema: `${JSON.stringify(JSON.parse(schema.text), undefined, 2)}\n` };
}

/** Loads the SDK's packager, an optional peer dependency. @throws BridgeError `DEPENDENCY_MISSING` */
async function loadPackager(): Promise<typeof Packager> {
  try {
    return await import("@tenon/provider-sdk/package");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new BridgeError(
      "DEPENDENCY_MISSING",
      "packaging needs @tenon/provider-sdk and esbuild, which are not installed; run: npm install --save-dev @tenon/provider-sdk esbuild",
      { cause },
    );
  }
}
