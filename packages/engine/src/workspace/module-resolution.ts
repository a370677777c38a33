// SPDX-License-Identifier: Apache-2.0
import { diskFiles } from "@tenon/hcl/files";
import { installedModules, readManifest } from "../configuration/module-manifest.ts";
import { localModules, type ModuleResolver } from "../configuration/module-request.ts";
import type { ModuleInstallerOptions } from "../configuration/sources/module-installer.ts";

/** How called modules are installed. */
export type ModuleInstallation = Omit<ModuleInstallerOptions, "folder" | "signal">;

/**
 * Loads a configuration on disk with the modules that it calls: those that are installed in its folder, as by `tofu init`, or with an
 * installation of the others before.
 *
 * @param load Loads the configuration with the resolver.
 */
export async function withModules<Loaded>(
  folder: string,
  installation: ModuleInstallation | undefined,
  signal: AbortSignal | undefined,
  load: (resolve: ModuleResolver) => Promise<Loaded>,
): Promise<Loaded> {
  if (installation === undefined) return load(modulesIn(folder));
  // Loaded here, because it needs the code that installs.
  const { openModuleInstaller } = await import("../configuration/sources/module-installer.ts");
  await using installer = await openModuleInstaller({ ...installation, folder, ...(signal && { signal }) });
  const loaded = await load(installer.resolve);
  // The manifest always has the root module.
  if (installer.manifest.size > 1) await installer.writeManifest();
  return loaded;
}

/** Finds local modules, and the others in the folders that `modules.json` names. */
function modulesIn(folder: string): ModuleResolver {
  let installed: Promise<ModuleResolver> | undefined;
  return async (request) => {
    if (request.source?.kind === "local") return localModules(request);
    installed ??= readManifest(diskFiles, folder).then(installedModules);
    return (await installed)(request);
  };
}
