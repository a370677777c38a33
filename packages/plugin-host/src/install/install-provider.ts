// SPDX-License-Identifier: Apache-2.0
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { milliseconds } from "../call/time-limit.ts";
import { PluginHostError } from "../error.ts";
import { withoutControlCharacters } from "../terminal-text.ts";
import { currentPlatform, type Platform } from "./address/platform.ts";
import { defaultHostnames, formatAddress, isBuiltIn, parseAddress, type SourceAddress } from "./address/source-address.ts";
import { asCacheFailure } from "./cache/cache-failure.ts";
import type { InstallRecord, PackageTrust } from "./cache/install-records.ts";
import { defaultCacheFolder, PackageCache, recordFolder } from "./cache/package-cache.ts";
import type { CliConfig, CliFlavour } from "./cli-config/cli-config.ts";
import { loadCliConfig } from "./cli-config/load-cli-config.ts";
import { InstallSession } from "./install-session.ts";
import { type LockSettings, openLock } from "./lock-file/locked-provider.ts";
import { packageExecutable } from "./package/package-executable.ts";
import type { HashOptions, PackageHash } from "./package/package-hash.ts";
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

/** Options of an installation. */
export interface InstallOptions extends LockSettings {
  /** Version constraints as in a configuration: `~> 0.14, != 0.14.1`. Default: any release. */
  readonly version?: string;
  /**
   * Hashes of which the package must have one, as a lock file records them (`h1:…`, `zh:…`), for callers that keep them elsewhere. Not with
   * `lockFile`. Default: none are required.
   */
  readonly hashes?: readonly string[];
  /** Policy for signatures. Default: that of `flavour`. */
  readonly signatures?: SignaturePolicy;
  /**
   * The folder of the packages. Default: `plugin_cache_dir` of the CLI configuration, or else `tenon/providers` in the user's cache
   * folder.
   */
  readonly cacheFolder?: string;
  /** The platform to install for. Default: this machine's. */
  readonly platform?: Platform;
  /** The CLI configuration. Default: read from the CLI's files. */
  readonly cliConfig?: CliConfig;
  /** Environment variables that the installation reads. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Time limit for the whole installation, in milliseconds. Default: 30 minutes. */
  readonly timeoutMs?: number;
  /** Cancels the installation. */
  readonly signal?: AbortSignal;
  /** Called with each step, for example to draw a progress bar. */
  readonly onProgress?: (event: InstallEvent) => void;
}

/** A step of an installation. */
export type InstallEvent =
  | { readonly kind: "looking"; readonly address: string }
  | { readonly kind: "selected"; readonly address: string; readonly version: string; readonly cached: boolean }
  /** In bytes. `total` is absent if the server does not send it. */
  | { readonly kind: "downloading"; readonly address: string; readonly version: string; readonly received: number; readonly total?: number }
  | { readonly kind: "verifying"; readonly address: string; readonly version: string }
  | { readonly kind: "unpacking"; readonly address: string; readonly version: string }
  | { readonly kind: "installed"; readonly provider: InstalledProvider }
  | { readonly kind: "warning"; readonly message: string };

/** A provider that is installed and can be launched. */
export interface InstalledProvider {
  /** The full source address, with its host. */
  readonly address: string;
  /** Absent for a provider under development. */
  readonly version?: string;
  /** The folder of the unpacked package. Do not write to it. */
  readonly folder: string;
  /** The provider's executable in the folder. */
  readonly executable: string;
  /** The registry, mirror or folder that the package came from. */
  readonly source: string;
  readonly trust: PackageTrust;
  /** Ids of the keys that signed its checksums. */
  readonly signedBy: readonly string[];
  /** Hash of the folder's content. Absent for a provider under development, whose content changes. */
  readonly packageHash?: PackageHash;
  /** Hashes for lock files: of this platform's package, and of others that the source reports. Sorted. */
  readonly hashes: readonly PackageHash[];
}

/**
 * Installs a provider: finds it as the CLIs do, downloads it, verifies it and unpacks it into a cache. A version in the cache that meets
 * the constraints is used without a request to any source, unless `upgrade` is set.
 *
 * @param source - `[hostname/]namespace/type`
 * @throws PluginHostError `INVALID_ADDRESS`, `INVALID_VERSION`, `INVALID_OPTIONS`, `INVALID_CLI_CONFIG`, `INVALID_LOCK_FILE`, `LOCKED`,
 *   `PROVIDER_NOT_FOUND`, `PLATFORM_UNSUPPORTED`, `SOURCE_FAILED`, `UNAUTHORIZED`, `CHECKSUM_MISMATCH`, `SIGNATURE_INVALID`,
 *   `PACKAGE_MALFORMED`, `CACHE_FAILED`, `INSTALL_TIMEOUT`; the signal's reason if it is aborted. A failed installation leaves no files
 * behind.
 *
 * @example
 * const { executable, trust } = await installProvider("hashicorp/time", { version: "~> 0.14" });
 */
export async function installProvider(source: string, options: InstallOptions = {}): Promise<InstalledProvider> {
  const timeoutMs = milliseconds("timeoutMs", options.timeoutMs, 30 * 60_000);
  options.signal?.throwIfAborted();
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  try {
    return await install(source, options, signal);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (deadline.aborted) {
      const message = `${source} was not installed within ${timeoutMs} ms; raise timeoutMs if the connection is slow`;
      throw new PluginHostError("INSTALL_TIMEOUT", message, { cause: error });
    }
    throw asCacheFailure(error, source);
  }
}

async function install(source: string, options: InstallOptions, signal: AbortSignal): Promise<InstalledProvider> {
  const { flavour = "opentofu", environment = process.env, onProgress = () => {} } = options;
  const address = parseAddress(source, defaultHostnames[flavour]);
  if (isBuiltIn(address)) {
    throw new PluginHostError("INVALID_ADDRESS", `${formatAddress(address)} is part of the CLIs, and has no package`);
  }
  const constraints = parseConstraints(options.version ?? "");
  const warn = (message: string): void => onProgress({ kind: "warning", message: withoutControlCharacters(message) });
  const config = options.cliConfig ?? (await loadCliConfig(flavour, environment, warn));
  const override = config.providerInstallation?.devOverrides.get(formatAddress(address));
  if (override !== undefined) return await underDevelopment(address, override);

  const policy = options.signatures ?? flavour;
  await using session = new InstallSession({ config, flavour, environment, signal, policy });
  const cacheFolder = options.cacheFolder ?? config.pluginCacheDir ?? defaultCacheFolder(environment);
  const platform = options.platform ?? currentPlatform();
  const cache = new PackageCache({ root: cacheFolder, records: recordFolder(environment), platform, signal });
  if (options.hashes !== undefined && options.lockFile !== undefined) {
    throw new PluginHostError("INVALID_OPTIONS", "pass either hashes or lockFile, which has hashes of its own");
  }
  const lock = await openLock(address, constraints, options, signal);
  const accepted = lock?.selected ? [{ operator: "=", version: lock.selected.version } as const] : constraints;
  const installation = new Installation({ session, address, constraints: accepted, platform, cache, onProgress, warn, signal });
  const hashes = (lock?.selected?.hashes ?? options.hashes ?? []).filter(isKnownHash);
  const cached = options.upgrade ? undefined : await installation.fromCache(hashes);
  const provider =
    cached ??
    (await installation.fromSources(hashes).catch((error: unknown) => {
      throw asCacheFailure(source.split("/").length < 3 ? withRegistryHint(error, flavour) : error, cacheFolder);
    }));
  signal.throwIfAborted();
  await lock?.record(provider).catch((error: unknown) => {
    throw asCacheFailure(error, options.lockFile ?? "");
  });
  onProgress({ kind: "installed", provider });
  return provider;
}

/** Adds the default registry of an address without a host to an error about an unknown provider. */
function withRegistryHint(error: unknown, flavour: CliFlavour): unknown {
  if (!(error instanceof PluginHostError) || error.code !== "PROVIDER_NOT_FOUND") return error;
  const other = flavour === "opentofu" ? "terraform" : "opentofu";
  const hint =
    `an address without a host refers to ${defaultHostnames[flavour]}; ` +
    `for ${defaultHostnames[other]} add that host to the address, or choose the flavour ${JSON.stringify(other)}`;
  return new PluginHostError(error.code, `${error.message}; ${hint}`, { cause: error });
}

async function underDevelopment(address: SourceAddress, folder: string): Promise<InstalledProvider> {
  const executable = await packageExecutable(folder, address.type);
  return { address: formatAddress(address), folder, executable, source: folder, trust: "development", signedBy: [], hashes: [] };
}

interface InstallationParts {
  readonly session: InstallSession;
  readonly address: SourceAddress;
  readonly constraints: VersionConstraints;
  readonly platform: Platform;
  readonly cache: PackageCache;
  readonly onProgress: (event: InstallEvent) => void;
  readonly warn: (message: string) => void;
  readonly signal: AbortSignal;
}

/** The installation of one provider. */
class Installation {
  readonly #parts: InstallationParts;
  readonly #hashing: HashOptions;

  constructor(parts: InstallationParts) {
    this.#parts = parts;
    this.#hashing = { signal: parts.signal };
  }

  /** Returns the newest version in the cache that meets the constraints and whose package is unchanged. */
  async fromCache(hashes: readonly PackageHash[]): Promise<InstalledProvider | undefined> {
    const { cache, address, constraints, onProgress } = this.#parts;
    for (const version of await cache.versions(address)) {
      if (!meetsConstraints(version, constraints)) continue;
      const found = await cache.find(address, version, hashes);
      if (!found) continue;
      onProgress({ kind: "selected", ...this.#named(version), cached: true });
      return await this.#installed(version, found.folder, found.record ?? unrecorded(found.hash, hashes));
    }
    return undefined;
  }

  async fromSources(hashes: readonly PackageHash[]): Promise<InstalledProvider> {
    const { session, cache, platform, onProgress, warn } = this.#parts;
    const address = formatAddress(this.#parts.address);
    onProgress({ kind: "looking", address });
    const sources = await session.sourcesFor(this.#parts.address);
    const { versions, warnings } = await sources.versions(this.#parts.address);
    for (const message of warnings) warn(message);
    const version = newestVersion(versions, this.#parts.constraints) ?? refuseVersions(address, versions, this.#parts.constraints);
    onProgress({ kind: "selected", ...this.#named(version), cached: false });
    const offer = await sources.locate(this.#parts.address, version, platform);
    if (offer.location.kind === "folder") return await this.#inPlace(version, offer, offer.location.path, hashes);

    const temporary = await cache.temporaryFolder();
    try {
      const zip = await this.#fetch(offer, version, temporary);
      onProgress({ kind: "verifying", ...this.#named(version) });
      const record = await this.#verify(version, offer, { kind: "archive", path: zip }, hashes);
      onProgress({ kind: "unpacking", ...this.#named(version) });
      const folder = await cache.install(this.#parts.address, version, { zip, temporary, record, onWarning: warn });
      return await this.#installed(version, folder, record);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  }

  async #fetch({ location }: PackageOffer, version: Version, folder: string): Promise<string> {
    if (location.kind !== "url") return location.path;
    const { session, onProgress } = this.#parts;
    const zip = join(folder, "package.zip");
    await session.download(location, zip, (received, total) => {
      onProgress({ kind: "downloading", ...this.#named(version), received, ...(total === undefined ? {} : { total }) });
    });
    return zip;
  }

  /** Installs a package of a mirror folder in place, without a copy: the CLIs only link to it. */
  async #inPlace(version: Version, offer: PackageOffer, folder: string, hashes: readonly PackageHash[]): Promise<InstalledProvider> {
    const record = await this.#verify(version, offer, { kind: "folder", path: folder }, hashes);
    return await this.#installed(version, folder, record);
  }

  async #verify(version: Version, offer: PackageOffer, local: LocalPackage, hashes: readonly PackageHash[]): Promise<InstallRecord> {
    const what = `${formatAddress(this.#parts.address)} ${formatVersion(version)}`;
    const evidence: PackageEvidence[] = [];
    for (const check of offer.checks) {
      const found = { signedBy: [], reported: [], verified: [], warnings: [], ...(await check(local, this.#hashing)) };
      evidence.push(found);
      for (const message of found.warnings) this.#parts.warn(message);
    }
    // An unpacked package has no zh: hash. If the lock file has only zh: hashes, the package is accepted, as in the CLIs.
    const accepted = local.kind === "folder" ? hashes.filter((hash) => hash.startsWith("h1:")) : hashes;
    if (accepted.length > 0 && (await matchingHashes(local, accepted, this.#hashing)).length === 0) {
      const message = `${what} from ${offer.source} is not the package that was locked: it has none of the recorded checksums`;
      throw new PluginHostError("CHECKSUM_MISMATCH", message);
    }
    const hash = await hashOfContents(local, this.#hashing);
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

  async #installed(version: Version, folder: string, record: InstallRecord): Promise<InstalledProvider> {
    const { source, trust, signedBy, hashes, hash: packageHash } = record;
    const executable = await packageExecutable(folder, this.#parts.address.type);
    return { ...this.#named(version), folder, executable, source, trust, signedBy, hashes, packageHash };
  }

  #named(version: Version): { readonly address: string; readonly version: string } {
    return { address: formatAddress(this.#parts.address), version: formatVersion(version) };
  }
}

function trustOf(evidence: readonly PackageEvidence[]): PackageTrust {
  if (evidence.some(({ signedBy }) => signedBy.length > 0)) return "signed";
  if (evidence.some(({ reported }) => reported.length > 0)) return "registry";
  return evidence.some(({ verified }) => verified.length > 0) ? "checksum" : "none";
}

/** Creates the record of a package without a record, which has one of the hashes of the lock file. */
function unrecorded(hash: PackageHash, hashes: readonly PackageHash[]): InstallRecord {
  return { format: 1, hash, hashes, source: "the cache", signedBy: [], trust: "checksum" };
}

function sortedHashes(hashes: readonly PackageHash[]): PackageHash[] {
  return [...new Set(hashes)].sort((left, right) => (left < right ? -1 : 1));
}

function refuseVersions(address: string, versions: readonly Version[], constraints: VersionConstraints): never {
  const newest = [...versions].sort(compareVersions).slice(-5).map(formatVersion).join(", ");
  const required = constraints.length === 0 ? "is a release" : `meets ${JSON.stringify(formatConstraints(constraints))}`;
  throw new PluginHostError("PROVIDER_NOT_FOUND", `no version of ${address} ${required}; the newest are ${newest}`);
}
