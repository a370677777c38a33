// SPDX-License-Identifier: Apache-2.0
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { PluginHostError } from "../../error.ts";
import { formatPlatform, type Platform } from "../address/platform.ts";
import { folderName } from "../address/hostname.ts";
import type { SourceAddress } from "../address/source-address.ts";
import { compareVersions, formatVersion, tryParseVersion, type Version } from "../version/version.ts";
import type { AvailableVersions, PackageLocation, PackageOffer, PackageSource } from "./package-source.ts";

/**
 * A folder of providers, in the two layouts that both CLIs read:
 *
 * - unpacked: `HOST/NAMESPACE/TYPE/VERSION/OS_ARCH/`, where the last one may be a link;
 * - packed: `HOST/NAMESPACE/TYPE/terraform-provider-TYPE_VERSION_OS_ARCH.zip`.
 *
 * Other names are ignored.
 *
 * @see OpenTofu internal/getproviders, SearchLocalDirectory
 */
export class FilesystemMirror implements PackageSource {
  readonly name: string;

  constructor(folder: string) {
    this.name = folder;
  }

  async versions(address: SourceAddress): Promise<AvailableVersions | undefined> {
    const packages = await this.#packages(address);
    if (packages.length === 0) return undefined;
    const versions = new Map(packages.map(({ version }) => [formatVersion(version), version]));
    return { versions: [...versions.values()].sort(compareVersions), warnings: [] };
  }

  async locate(address: SourceAddress, version: Version, platform: Platform): Promise<PackageOffer | undefined> {
    const versionText = formatVersion(version);
    const packages = await this.#packages(address);
    const found = packages.find((one) => formatVersion(one.version) === versionText && one.platform === formatPlatform(platform));
    return found && { source: this.name, location: found.location, checks: [] };
  }

  async #packages({ hostname, namespace, type }: SourceAddress): Promise<readonly FoundPackage[]> {
    const folder = join(this.name, folderName(hostname), namespace, type);
    const found: FoundPackage[] = [];
    for (const entry of await list(folder)) {
      const path = join(folder, entry.name);
      const isFolder = await leadsToFolder(entry, path);
      if (!isFolder) found.push(...packedPackage(path, entry.name, type));
      // Only the last folder of the layout may be a link.
      else if (entry.isDirectory()) found.push(...(await unpackedPackages(path, entry.name)));
    }
    return found;
  }
}

interface FoundPackage {
  readonly version: Version;
  readonly platform: string;
  readonly location: PackageLocation;
}

async function unpackedPackages(folder: string, versionText: string): Promise<FoundPackage[]> {
  const version = tryParseVersion(versionText);
  if (!version) return [];
  const found: FoundPackage[] = [];
  for (const entry of await list(folder)) {
    const path = join(folder, entry.name);
    const isPlatform = /^[^_\s]+_[^_\s]+$/.test(entry.name);
    if (isPlatform && (await leadsToFolder(entry, path))) found.push({ version, platform: entry.name, location: { kind: "folder", path } });
  }
  return found;
}

function packedPackage(path: string, name: string, type: string): FoundPackage[] {
  const prefix = `terraform-provider-${type}_`;
  const lower = name.toLowerCase();
  if (!lower.startsWith(prefix) || !lower.endsWith(".zip")) return [];
  const [versionText = "", os = "", arch = ""] = lower.slice(prefix.length, -".zip".length).split("_");
  const version = tryParseVersion(versionText);
  return version && os !== "" && arch !== "" ? [{ version, platform: `${os}_${arch}`, location: { kind: "archive", path } }] : [];
}

async function list(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw new PluginHostError("SOURCE_FAILED", `${folder} cannot be searched for providers: ${String(cause)}`, { cause });
  }
}

async function leadsToFolder(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  // A dangling link is ignored.
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
