// SPDX-License-Identifier: Apache-2.0
import { cp, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, posix } from "node:path";
import { goQuote } from "@tenon/cty/unstable/payload";
import type { Diagnostic } from "@tenon/hcl";
import { diskFiles } from "@tenon/hcl/files";
import { loadCliConfig, ModuleRegistry, OciModules, PluginHostError, type CliConfig } from "@tenon/plugin-host/install";
import { defaultRegistryHost, displayHostname } from "../../address/provider.ts";
import { EngineError } from "../../error.ts";
import {
  formatManifest,
  manifestKey,
  manifestPath,
  readManifest,
  relativeManifest,
  type InstalledModule,
  type ModuleManifest,
} from "../module-manifest.ts";
import type { ModuleRequest, ModuleResolver, ResolvedModule } from "../module-request.ts";
import { formatModuleSource, localModuleFolder, parseModuleSource, type ModuleSource } from "../module-source.ts";
import { reportError, type Report } from "../report.ts";
import { parseComparableVersion, versionMeets } from "../version-constraint.ts";
import { withoutCredentials } from "./git-package.ts";
import { folderInPackage } from "./package-folder.ts";
import { formatCall, formatLocation, newestAllowedVersion, type RegistrySource } from "./registry-version.ts";
import { fetchArchive, fetchPackage, type PackageSettings } from "./remote-package.ts";
import { SourceError } from "./source-error.ts";

/** Options of {@link openModuleInstaller}. */
export interface ModuleInstallerOptions {
  /** The folder of the root module on disk. Modules are installed in its subfolder `.terraform/modules`. Default `.`. */
  readonly folder?: string;
  /** Whether installed modules are fetched again, in the newest allowed version. Default false. */
  readonly upgrade?: boolean;
  /** Environment variables. Default: those of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Credentials and service hosts. Default: the CLI configuration files that the environment names. */
  readonly cliConfig?: CliConfig;
  readonly signal?: AbortSignal;
}

/**
 * Creates an installer for the modules that a configuration calls. It works as `tofu get`: local modules are used in place; other modules
 * are fetched from registries, git repositories, HTTP servers, buckets, OCI registries and folders into `.terraform/modules`, and recorded in `modules.json`.
 *
 * @see OpenTofu initwd, ModuleInstaller
 *
 * @example
 * await using installer = await openModuleInstaller({ folder: "./infra" });
 * const { configuration, diagnostics } = await loadConfiguration({ files: diskFiles, folder: "./infra", resolveModule: installer.resolve });
 * await installer.writeManifest();
 */
export async function openModuleInstaller(options: ModuleInstallerOptions = {}): Promise<ModuleInstaller> {
  const { folder = ".", environment = process.env, signal } = options;
  const config = options.cliConfig ?? (await loadCliConfig("opentofu", environment));
  const calls = { environment, ...(signal && { signal }) };
  const registry = new ModuleRegistry({ config, ...calls });
  const ociModules = new OciModules({ config, ...calls });
  const manifest = await readManifest(diskFiles, folder);
  return new ModuleInstaller(folder, manifest, { registry, ociModules, ...calls }, options.upgrade ?? false);
}

/** Installs called modules. Created by {@link openModuleInstaller}. */
export class ModuleInstaller implements AsyncDisposable {
  readonly #folder: string;
  readonly #settings: PackageSettings;
  readonly #isUpgrade: boolean;
  readonly #manifest: Map<string, InstalledModule>;
  /** Folders of fetched packages, by address. */
  readonly #packages: Map<string, Promise<string>> = new Map();
  /** Cached versions of registry modules, by host and name. */
  readonly #versions: Map<string, Promise<readonly string[] | undefined>> = new Map();

  constructor(folder: string, manifest: ModuleManifest, settings: PackageSettings, isUpgrade: boolean) {
    this.#folder = folder;
    this.#settings = settings;
    this.#isUpgrade = isUpgrade;
    this.#manifest = new Map(manifest);
    this.#manifest.set("", { path: [], source: "", folder });
  }

  /** Finds the module of a call, and installs it if necessary. */
  readonly resolve: ModuleResolver = async (request: ModuleRequest): Promise<ResolvedModule> => {
    const { source, path } = request;
    if (source === undefined) return { diagnostics: [] };
    const key = manifestKey(path);
    const existing = this.#manifest.get(key);
    const isCurrent = existing !== undefined && !this.#isUpgrade && isUsable(existing, request);
    if (isCurrent && (await isFolder(existing.folder))) {
      return { folder: existing.folder, ...(existing.version !== undefined && { version: existing.version }), diagnostics: [] };
    }
    for (const other of this.#manifest.keys()) if (other === key || other.startsWith(`${key}.`)) this.#manifest.delete(other);
    const report: Report = [];
    const installed = await this.#install(request, source, report);
    if (installed === undefined) return { diagnostics: report };
    this.#manifest.set(key, { path, source: formatModuleSource(source), ...installed });
    return { ...installed, diagnostics: report };
  };

  /** The modules that are installed now. */
  get manifest(): ModuleManifest {
    return this.#manifest;
  }

  /** Writes `modules.json`, so that the command lines and later runs find the modules. */
  async writeManifest(): Promise<void> {
    const path = join(this.#folder, manifestPath);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, formatManifest(relativeManifest(this.#manifest, this.#folder)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#settings.registry[Symbol.asyncDispose](), this.#settings.ociModules[Symbol.asyncDispose]()]);
  }

  async #install(
    request: ModuleRequest,
    source: ModuleSource,
    report: Report,
  ): Promise<Pick<InstalledModule, "folder" | "version"> | undefined> {
    if (source.kind === "local") return await installLocal(request, source.path, report);
    const target = posix.join(this.#folder, ".terraform/modules", manifestKey(request.path));
    await rm(target, { recursive: true, force: true });
    await mkdir(dirname(target), { recursive: true });
    return source.kind === "registry"
      ? await this.#installRegistry(request, source, target, report)
      : await this.#installRemote(request, source, target, report);
  }

  async #installRemote(
    request: ModuleRequest,
    { address, subfolder }: Extract<ModuleSource, { kind: "remote" }>,
    target: string,
    report: Report,
  ): Promise<{ readonly folder: string } | undefined> {
    try {
      await this.#fetch(address, target, () => fetchPackage(address, target, this.#settings));
      return await moduleFolderIn(request, target, subfolder, report);
    } catch (error) {
      const detail = `Could not download module ${formatCall(request)} source code from ${goQuote(withoutCredentials(address))}: ${this.#reason(error)}`;
      reportError(report, "Failed to download module", detail, request.callRange);
      return undefined;
    }
  }

  async #installRegistry(
    request: ModuleRequest,
    source: RegistrySource,
    target: string,
    report: Report,
  ): Promise<{ readonly folder: string; readonly version: string } | undefined> {
    const version = await this.#selectVersion(request, source, report);
    if (version === undefined) return undefined;
    const display = formatModuleSource(source);
    let location: Awaited<ReturnType<ModuleRegistry["locate"]>>;
    try {
      location = await this.#settings.registry.locate(source, version);
    } catch (error) {
      const detail = `Failed to retrieve a download URL for ${display} ${version} from ${displayHostname(source.hostname)}: ${this.#reason(error)}`;
      reportError(report, "Error accessing remote module registry", detail);
      return undefined;
    }
    try {
      let { subfolder } = source;
      if (location.isArchive) {
        const authorizedHost = location.usesRegistryCredentials ? source.hostname : undefined;
        await this.#fetch(location.address, target, () => fetchArchive(location.address, target, this.#settings.registry, authorizedHost));
      } else {
        const real = parseModuleSource(location.address);
        if (!("source" in real) || real.source.kind !== "remote")
          throw new SourceError("the registry returned an invalid package location");
        const { address } = real.source;
        await this.#fetch(address, target, () => fetchPackage(address, target, this.#settings));
        subfolder = posix.join(real.source.subfolder, subfolder);
      }
      const installed = await moduleFolderIn(request, target, subfolder === "." ? "" : subfolder, report);
      return installed && { ...installed, version };
    } catch (error) {
      const detail = `Could not download module ${formatCall(request)} source code from ${goQuote(withoutCredentials(location.address))}: ${this.#reason(error)}.`;
      reportError(report, "Failed to download module", detail, request.callRange);
      return undefined;
    }
  }

  /** Fetches a package once. Further calls with the same address copy its folder. */
  async #fetch(address: string, target: string, fetch: () => Promise<void>): Promise<void> {
    const earlier = this.#packages.get(address);
    if (earlier !== undefined) {
      await cp(await earlier, target, { recursive: true, verbatimSymlinks: true });
      return;
    }
    const fetched = fetch().then(() => target);
    this.#packages.set(address, fetched);
    try {
      await fetched;
    } catch (error) {
      this.#packages.delete(address);
      throw error;
    }
  }

  /** Selects the newest version that the call allows. Reports an error and returns undefined if there is none. */
  async #selectVersion(request: ModuleRequest, source: RegistrySource, report: Report): Promise<string | undefined> {
    const offered = await this.#offeredVersions(request, source, report);
    return offered && newestAllowedVersion(offered, request, source, report);
  }

  async #offeredVersions(request: ModuleRequest, source: RegistrySource, report: Report): Promise<readonly string[] | undefined> {
    const host = displayHostname(source.hostname);
    const name = `${source.namespace}/${source.name}/${source.targetSystem}`;
    const key = `${source.hostname}/${name}`;
    let pending = this.#versions.get(key);
    if (pending === undefined) {
      pending = this.#settings.registry.versions(source);
      this.#versions.set(key, pending);
    }
    try {
      const versions = await pending;
      if (versions !== undefined) return versions;
      const advice =
        source.hostname === defaultRegistryHost
          ? "\n\nIf you believe this module is missing from the registry, please submit a issue on the OpenTofu Registry https://github.com/opentofu/registry/issues/new/choose"
          : "";
      const { callRange } = request;
      const detail = `Module ${name} (${goQuote(request.path.at(-1)!)} from ${formatLocation(callRange)}) cannot be found in the module registry at ${host}.${advice}`;
      reportError(report, "Module not found", detail, callRange);
    } catch (error) {
      const detail = `Failed to retrieve available versions for module ${formatCall(request)} from ${host}: ${this.#reason(error)}.`;
      reportError(report, "Error accessing remote module registry", detail, request.callRange);
    }
    return undefined;
  }

  /** The message of an operational error. Rethrows other errors, and throws the reason of a cancelled run. */
  #reason(error: unknown): string {
    this.#settings.signal?.throwIfAborted();
    if (error instanceof SourceError || error instanceof PluginHostError || error instanceof EngineError) return error.message;
    throw error;
  }
}

function isUsable({ source, version }: InstalledModule, request: ModuleRequest): boolean {
  if (request.source === undefined || source !== formatModuleSource(request.source)) return false;
  return version === undefined || versionMeets(parseComparableVersion(version)!, request.version?.comparisons ?? []);
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

async function installLocal(request: ModuleRequest, path: string, report: Report): Promise<{ readonly folder: string } | undefined> {
  const folder = localModuleFolder(request.parentFolder, path);
  if (await isFolder(folder)) return { folder };
  reportError(report, "Unreadable module directory", `Unable to evaluate directory symlink: lstat ${folder}: no such file or directory`);
  const name = request.path.at(-1)!;
  // OpenTofu's text lacks the name of the folder.
  const detail = `The directory  could not be read for module ${goQuote(name)} at ${formatLocation(request.callRange)}.`;
  reportError(report, "Unreadable module directory", detail);
  return undefined;
}

async function moduleFolderIn(
  { callRange }: ModuleRequest,
  target: string,
  subfolder: string,
  report: Report,
): Promise<{ readonly folder: string } | undefined> {
  const folder = await folderInPackage(target, subfolder);
  if (folder !== undefined) return { folder: posix.join(target, subfolder) };
  const [first = basename(subfolder)] = subfolder.split("/");
  const detail = `Cannot find directory ${goQuote(first)} in the module path ${goQuote(target)}. The requested subdirectory was ${goQuote(subfolder)}.`;
  const diagnostic: Diagnostic = { severity: "error", summary: "Module subdirectory not found", detail, subject: callRange };
  report.push(diagnostic);
  return undefined;
}
