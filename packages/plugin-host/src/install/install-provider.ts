// SPDX-License-Identifier: Apache-2.0
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { PluginHostError } from "../error.ts";
import { currentPlatform, type Platform } from "./address/platform.ts";
import { defaultHostnames, formatAddress, isBuiltIn, parseAddress, type SourceAddress } from "./address/source-address.ts";
import { asCacheFailure } from "./cache/cache-failure.ts";
import { defaultCacheFolder, type InstallRecord, PackageCache, type PackageTrust } from "./cache/package-cache.ts";
import type { CliConfig, CliFlavour } from "./cli-config/cli-config.ts";
import { loadCliConfig } from "./cli-config/load-cli-config.ts";
import { InstallSession } from "./install-session.ts";
import { openLock } from "./lock-file/locked-provider.ts";
import { packageExecutable } from "./package/package-executable.ts";
import type { PackageHash } from "./package/package-hash.ts";
import { hashOfContents, isKnownHash, type LocalPackage, matchingHashes, type PackageEvidence } from "./source/package-check.ts";
import type { PackageOffer } from "./source/package-source.ts";
import type { SignaturePolicy } from "./source/signature.ts";
import { compareVersions, formatVersion, type Version } from "./version/version.ts";
import {
  formatConstraints,
  meetsConstraints,
  newestVersion,
  parseConstraints,
  type VersionConstraints,
} from "./version/version-constraints.ts";

/** What is installed, and how. */
export interface InstallOptions {
  /** Constraints, as in a configuration: `~> 0.14, != 0.14.1`. Default: any release. */
  readonly version?: string;
  /** Whose configuration files, default registry and policy of signatures apply. Default: `opentofu`. */
  readonly flavour?: CliFlavour;
  /** Default: what `flavour` does. */
  readonly signatures?: SignaturePolicy;
  /** Whether newer versions are looked for where one that will do is in the cache already. Default: false. */
  readonly upgrade?: boolean;
  /**
   * Where packages are kept. Default: `plugin_cache_dir` of the CLI's configuration, or else `tenon/providers` in the user's folder
   * for caches.
   */
  readonly cacheFolder?: string;
  /**
   * A dependency lock file, `.terraform.lock.hcl`: its version is taken unless `upgrade` is set, its hashes must hold, and it is
   * updated, or made. Default: none.
   */
  readonly lockFile?: string;
  /** Whether the lock file must say everything already, and is never written. Default: false. */
  readonly readonlyLockFile?: boolean;
  /** Default: this machine's. */
  readonly platform?: Platform;
  /** Default: read from the CLI's files. */
  readonly cliConfig?: CliConfig;
  /** Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** Told of each step, for example to draw a bar. */
  readonly onProgress?: (event: InstallEvent) => void;
}

/** A step of an installation. */
export type InstallEvent =
  | { readonly kind: "looking"; readonly address: string }
  | { readonly kind: "selected"; readonly address: string; readonly version: string; readonly cached: boolean }
  /** `total` is absent where the server does not say. */
  | { readonly kind: "downloading"; readonly address: string; readonly version: string; readonly received: number; readonly total?: number }
  | { readonly kind: "verifying"; readonly address: string; readonly version: string }
  | { readonly kind: "unpacking"; readonly address: string; readonly version: string }
  | { readonly kind: "installed"; readonly provider: InstalledProvider }
  | { readonly kind: "warning"; readonly message: string };

/** A provider that can be launched. */
export interface InstalledProvider {
  /** In full, with its host. */
  readonly address: string;
  /** Absent for one under development. */
  readonly version?: string;
  /** The unpacked package. Nothing may be written there. */
  readonly folder: string;
  readonly executable: string;
  /** The registry, the mirror or the folder it came from. */
  readonly source: string;
  readonly trust: PackageTrust;
  /** Ids of the keys that signed. */
  readonly signedBy: readonly string[];
  /** Of what is in the folder. Absent for one under development, which may be another the next moment. */
  readonly packageHash?: PackageHash;
  /** What identifies it, in lock files: of this platform, and of others where somebody vouches for them. Sorted. */
  readonly hashes: readonly PackageHash[];
}

/**
 * Finds a provider as the CLIs do, verifies it, and unpacks it to a cache; or takes it from there.
 *
 * It is looked for where the CLI's configuration says: in registries, mirrors, folders. A version that is in the cache and will do
 * is taken without asking anybody, unless `upgrade` is set.
 *
 * @param source `[hostname/]namespace/type`.
 * @throws PluginHostError `INVALID_ADDRESS`, `INVALID_VERSION`, `INVALID_CLI_CONFIG`, `INVALID_LOCK_FILE`, `LOCKED`,
 *   `PROVIDER_NOT_FOUND`, `PLATFORM_UNSUPPORTED`, `SOURCE_FAILED`, `UNAUTHORIZED`, `CHECKSUM_MISMATCH`, `SIGNATURE_INVALID`,
 *   `PACKAGE_MALFORMED`, `CACHE_FAILED`; the signal's reason when it is given up. Nothing is left behind then.
 *
 * @example
 * const { executable, trust } = await installProvider("hashicorp/time", { version: "~> 0.14" });
 */
export async function installProvider(source: string, options: InstallOptions = {}): Promise<InstalledProvider> {
  const { flavour = "opentofu", environment = process.env, signal, onProgress = () => {} } = options;
  signal?.throwIfAborted();
  const address = parseAddress(source, defaultHostnames[flavour]);
  if (isBuiltIn(address)) {
    throw new PluginHostError("INVALID_ADDRESS", `${formatAddress(address)} is part of the CLIs, and has no package`);
  }
  const constraints = parseConstraints(options.version ?? "");
  const config = options.cliConfig ?? (await loadCliConfig(flavour, environment, (message) => onProgress({ kind: "warning", message })));
  const override = config.providerInstallation?.devOverrides.get(formatAddress(address));
  if (override !== undefined) return await underDevelopment(address, override);

  using session = new InstallSession({
    config,
    flavour,
    environment,
    signal,
    policy: options.signatures ?? flavour,
  });
  const cacheFolder = options.cacheFolder ?? config.pluginCacheDir ?? defaultCacheFolder(environment);
  const lock = await openLock(address, constraints, options);
  const wanted = lock?.selected ? [{ operator: "=", version: lock.selected.version } as const] : constraints;
  const installation = new Installation(session, address, wanted, options.platform ?? currentPlatform(), cacheFolder, onProgress);
  const hashes = lock?.selected?.hashes.filter(isKnownHash) ?? [];
  const cached = options.upgrade ? undefined : await installation.fromCache(hashes);
  const provider = cached ?? (await installation.fromSources(hashes).catch((error: unknown) => failed(error, cacheFolder)));
  await lock?.record(provider).catch((error: unknown) => failed(error, options.lockFile ?? ""));
  onProgress({ kind: "installed", provider });
  return provider;
}

function failed(error: unknown, what: string): never {
  throw asCacheFailure(error, what);
}

async function underDevelopment(address: SourceAddress, folder: string): Promise<InstalledProvider> {
  const executable = await packageExecutable(folder, address.type);
  return { address: formatAddress(address), folder, executable, source: folder, trust: "development", signedBy: [], hashes: [] };
}

class Installation {
  private readonly session: InstallSession;
  private readonly address: SourceAddress;
  private readonly constraints: VersionConstraints;
  private readonly platform: Platform;
  private readonly cache: PackageCache;
  private readonly tell: (event: InstallEvent) => void;

  constructor(
    session: InstallSession,
    address: SourceAddress,
    constraints: VersionConstraints,
    platform: Platform,
    cacheFolder: string,
    tell: (event: InstallEvent) => void,
  ) {
    this.session = session;
    this.address = address;
    this.constraints = constraints;
    this.platform = platform;
    this.cache = new PackageCache(cacheFolder, platform);
    this.tell = tell;
  }

  /** The newest that will do and is still what it was. */
  async fromCache(hashes: readonly PackageHash[]): Promise<InstalledProvider | undefined> {
    for (const version of await this.cache.versions(this.address)) {
      if (!meetsConstraints(version, this.constraints)) continue;
      const found = await this.cache.find(this.address, version, hashes);
      if (!found) continue;
      this.tell({ kind: "selected", ...this.named(version), cached: true });
      return await this.installed(version, found.folder, found.record ?? unrecorded(found.hash, hashes));
    }
    return undefined;
  }

  async fromSources(hashes: readonly PackageHash[]): Promise<InstalledProvider> {
    const address = formatAddress(this.address);
    this.tell({ kind: "looking", address });
    const sources = await this.session.sourcesFor(this.address);
    const { versions, warnings } = await sources.versions(this.address);
    for (const message of warnings) this.tell({ kind: "warning", message });
    const version = newestVersion(versions, this.constraints) ?? refuseVersions(address, versions, this.constraints);
    this.tell({ kind: "selected", ...this.named(version), cached: false });
    const offer = await sources.locate(this.address, version, this.platform);
    if (offer.location.kind === "folder") return await this.inPlace(version, offer, offer.location.path, hashes);

    const folder = await this.cache.temporaryFolder();
    try {
      const zip = await this.fetch(offer, version, folder);
      this.tell({ kind: "verifying", ...this.named(version) });
      const local: LocalPackage = { kind: "archive", path: zip };
      const record = await this.verify(version, offer, local, hashes);
      this.tell({ kind: "unpacking", ...this.named(version) });
      return await this.installed(version, await this.cache.install(this.address, version, zip, record), record);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async fetch({ location }: PackageOffer, version: Version, folder: string): Promise<string> {
    if (location.kind !== "url") return location.path;
    const zip = join(folder, "package.zip");
    await this.session.download(location, zip, (received, total) => {
      this.tell({ kind: "downloading", ...this.named(version), received, ...(total === undefined ? {} : { total }) });
    });
    return zip;
  }

  /** A package of a folder is used where it is, as the CLIs only link to it. */
  private async inPlace(version: Version, offer: PackageOffer, folder: string, hashes: readonly PackageHash[]): Promise<InstalledProvider> {
    const record = await this.verify(version, offer, { kind: "folder", path: folder }, hashes);
    return await this.installed(version, folder, record);
  }

  private async verify(version: Version, offer: PackageOffer, local: LocalPackage, hashes: readonly PackageHash[]): Promise<InstallRecord> {
    const what = `${formatAddress(this.address)} ${formatVersion(version)}`;
    const evidence: PackageEvidence[] = [];
    for (const check of offer.checks) {
      evidence.push({ signedBy: [], reported: [], verified: [], warnings: [], ...(await check(local)) });
      for (const message of evidence.at(-1)?.warnings ?? []) this.tell({ kind: "warning", message });
    }
    // An unpacked package can have no zh: hash. Where there are only such, the CLIs take it, too.
    const wanted = local.kind === "folder" ? hashes.filter((hash) => hash.startsWith("h1:")) : hashes;
    if (wanted.length > 0 && (await matchingHashes(local, wanted)).length === 0) {
      const message = `${what} from ${offer.source} is not the package that was locked: it has none of the recorded check sums`;
      throw new PluginHostError("CHECKSUM_MISMATCH", message);
    }
    const hash = await hashOfContents(local);
    const known = evidence.flatMap(({ reported, verified }) => [...reported, ...verified]);
    return {
      format: 1,
      hash,
      hashes: sortedHashes([hash, ...known]),
      source: offer.source,
      signedBy: evidence.flatMap(({ signedBy }) => signedBy),
      trust: trustOf(evidence),
    };
  }

  private async installed(version: Version, folder: string, record: InstallRecord): Promise<InstalledProvider> {
    const { source, trust, signedBy, hashes, hash: packageHash } = record;
    const executable = await packageExecutable(folder, this.address.type);
    return { ...this.named(version), folder, executable, source, trust, signedBy, hashes, packageHash };
  }

  private named(version: Version): { readonly address: string; readonly version: string } {
    return { address: formatAddress(this.address), version: formatVersion(version) };
  }
}

function trustOf(evidence: readonly PackageEvidence[]): PackageTrust {
  if (evidence.some(({ signedBy }) => signedBy.length > 0)) return "signed";
  if (evidence.some(({ reported }) => reported.length > 0)) return "registry";
  return evidence.some(({ verified }) => verified.length > 0) ? "checksum" : "none";
}

/** A package that a CLI put into the cache: all that is known of it are the hashes it was asked for by. */
function unrecorded(hash: PackageHash, hashes: readonly PackageHash[]): InstallRecord {
  return { format: 1, hash, hashes, source: "the cache of the CLI", signedBy: [], trust: "checksum" };
}

function sortedHashes(hashes: readonly PackageHash[]): PackageHash[] {
  return [...new Set(hashes)].sort((left, right) => (left < right ? -1 : 1));
}

function refuseVersions(address: string, versions: readonly Version[], constraints: VersionConstraints): never {
  const newest = [...versions].sort(compareVersions).slice(-5).map(formatVersion).join(", ");
  const wanted = constraints.length === 0 ? "a release" : JSON.stringify(formatConstraints(constraints));
  throw new PluginHostError("PROVIDER_NOT_FOUND", `no version of ${address} is ${wanted}; the newest are ${newest}`);
}
