// SPDX-License-Identifier: Apache-2.0
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { PluginHostError } from "../../error.ts";
import { formatPlatform, type Platform } from "../address/platform.ts";
import { formatAddress, type SourceAddress } from "../address/source-address.ts";
import type { CliFlavour, InstallationMethod } from "../cli-config/cli-config.ts";
import { configFolder, home } from "../cli-config/load-cli-config.ts";
import { matchesPattern, type SourcePattern } from "../cli-config/source-pattern.ts";
import { compareVersions, formatVersion, type Version } from "../version/version.ts";
import { FilesystemMirror } from "./filesystem-mirror.ts";
import type { AvailableVersions, PackageOffer, PackageSource } from "./package-source.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A source, and the providers that it is used for. */
export interface SourceRule {
  readonly source: PackageSource;
  /** Patterns of providers. If empty, the source is used for all providers. */
  readonly include: readonly SourcePattern[];
  /** Patterns of excluded providers. They take precedence over `include`. */
  readonly exclude: readonly SourcePattern[];
}

/**
 * Combines several sources: the versions of a provider are those of all sources, and a package comes from the first source that has it.
 *
 * @see OpenTofu internal/getproviders, MultiSource
 */
export class InstallationSources {
  readonly #rules: readonly SourceRule[];

  constructor(rules: readonly SourceRule[]) {
    this.#rules = rules;
  }

  /** @throws PluginHostError `PROVIDER_NOT_FOUND`, and any error of a source. */
  async versions(address: SourceAddress): Promise<AvailableVersions> {
    const versions = new Map<string, Version>();
    const warnings: string[] = [];
    const searched: string[] = [];
    for (const source of this.#sourcesFor(address)) {
      searched.push(source.name);
      const found = await source.versions(address);
      for (const version of found?.versions ?? []) versions.set(formatVersion(version), version);
      warnings.push(...(found?.warnings ?? []));
    }
    if (versions.size > 0) return { versions: [...versions.values()].sort(compareVersions), warnings };
    const where = searched.length === 0 ? "the CLI configuration allows no source for it" : `searched: ${searched.join(", ")}`;
    throw new PluginHostError("PROVIDER_NOT_FOUND", `there is no provider ${formatAddress(address)}; ${where}`);
  }

  /** @throws PluginHostError `PLATFORM_UNSUPPORTED`, and any error of a source. */
  async locate(address: SourceAddress, version: Version, platform: Platform): Promise<PackageOffer> {
    for (const source of this.#sourcesFor(address)) {
      const offer = await source.locate(address, version, platform);
      if (offer) return offer;
    }
    const message = `${formatAddress(address)} ${formatVersion(version)} has no package for ${formatPlatform(platform)}`;
    throw new PluginHostError("PLATFORM_UNSUPPORTED", message);
  }

  #sourcesFor(address: SourceAddress): readonly PackageSource[] {
    const fits = ({ include, exclude }: SourceRule): boolean =>
      !matchesPattern(address, exclude) && (include.length === 0 || matchesPattern(address, include));
    return this.#rules.filter(fits).map(({ source }) => source);
  }
}

/** The sources of a `provider_installation` block. */
export function explicitRules(
  methods: readonly InstallationMethod[],
  sourceOf: (method: InstallationMethod) => PackageSource,
): SourceRule[] {
  return methods.map((method) => ({ source: sourceOf(method), include: method.include, exclude: method.exclude }));
}

/**
 * Returns the default sources of both CLIs: plugin folders, and the registry for a provider that none of the folders has.
 *
 * @see OpenTofu cmd/tofu, implicitProviderSource
 */
export async function implicitRules(
  address: SourceAddress,
  registry: PackageSource,
  flavour: CliFlavour,
  environment: Environment,
): Promise<SourceRule[]> {
  const everything = { include: [], exclude: [] };
  const folders = implicitFolders(flavour, environment).filter((folder) => existsSync(folder));
  const mirrors = folders.map((folder): SourceRule => ({ source: new FilesystemMirror(folder), ...everything }));
  const found = await Promise.all(mirrors.map(async ({ source }) => await source.versions(address)));
  return found.some((versions) => versions !== undefined) ? mirrors : [...mirrors, { source: registry, ...everything }];
}

function implicitFolders(flavour: CliFlavour, environment: Environment): string[] {
  const own = join(configFolder(flavour, environment), "plugins");
  const xdgData = environment["XDG_DATA_HOME"];
  const ofTofu = flavour === "opentofu" && xdgData ? [join(xdgData, "opentofu", "plugins")] : [];
  return [join(process.cwd(), "terraform.d", "plugins"), own, ...ofTofu, ...systemFolders(environment)];
}

/** @see github.com/apparentlymart/go-userdirs, ForApp("Terraform", "HashiCorp", "io.terraform") */
function systemFolders(environment: Environment): string[] {
  if (process.platform === "win32") {
    return [join(environment["APPDATA"] ?? homedir(), "HashiCorp", "Terraform", "plugins")];
  }
  if (process.platform === "darwin") {
    const library = "Library/Application Support/io.terraform/plugins";
    return [join(home(environment), library), join("/", library)];
  }
  const dataHome = environment["XDG_DATA_HOME"] || join(home(environment), ".local", "share");
  const dataDirs = (environment["XDG_DATA_DIRS"] || "/usr/local/share:/usr/share").split(":");
  return [dataHome, ...dataDirs].map((folder) => join(folder, "terraform", "plugins"));
}
