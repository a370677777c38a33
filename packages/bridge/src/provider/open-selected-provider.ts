// SPDX-License-Identifier: Apache-2.0
import { resolve } from "node:path";
import {
  attachProvider,
  openProvider,
  type OpenOptions,
  PluginHostError,
  type ProviderClient,
  type ProviderSource,
  reattachProviders,
  type SchemaCacheEntry,
  userCacheFolder,
} from "@tenon/plugin-host";
import {
  currentPlatform,
  defaultHostnames,
  formatAddress,
  formatPlatform,
  parseAddress,
  parseConstraints,
  type SourceAddress,
} from "@tenon/plugin-host/address";
import type { Provider } from "@tenon/schema";
import { recordedProvider, replayedProvider } from "../recording/recorded-provider.ts";
import { fileNameParts, type PackageLock, type ProviderSelection } from "./provider-selection.ts";
import type { OpenSettings, SelectedProvider } from "./selected-provider.ts";

/** Environment variable with running providers, in the format of `TF_REATTACH_PROVIDERS`. */
export const reattachVariable = "PULUMI_BRIDGE_REATTACH_PROVIDERS";

/** Environment variable with the folder in which providers are installed. */
export const cacheVariable = "PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR";

/**
 * Opens the selected provider: attaches to a running one, launches a file, or finds, verifies and installs a package like the CLIs. Without an
 * exact version, it installs the newest version, or uses an installed one if no source can be reached.
 *
 * @throws PluginHostError as `openProvider`
 */
export async function openSelectedProvider(selection: ProviderSelection, settings: OpenSettings): Promise<SelectedProvider> {
  const { source } = selection;
  const replayed = await replayedProvider(settings.environment);
  if (replayed) return await openReplayed(selection, replayed, settings);
  if (source.kind === "file") return await openFile(selection, resolve(source.path), settings);
  const address = parseAddress(withNamespace(source.address), defaultHostnames.opentofu);
  const running = runningProvider(address, settings);
  return running
    ? await openRunning(selection, address, running, settings)
    : await openAddress(selection, address, source.version, settings);
}

/** Adds the default namespace to an address without one, like the CLIs: `time` is `hashicorp/time`. */
function withNamespace(address: string): string {
  return address.includes("/") ? address : `hashicorp/${address}`;
}

/** Opens a recording instead of the selected provider. The version is known only if the selection has an exact one. */
async function openReplayed(selection: ProviderSelection, recorded: Provider, settings: OpenSettings): Promise<SelectedProvider> {
  const { provider } = await open(recorded, settings);
  const { source } = selection;
  if (source.kind === "file") {
    const { name, version = "0.0.0" } = fileNameParts(source.path);
    return { provider, address: name, type: name, version, pinned: selection };
  }
  const parsed = parseAddress(withNamespace(source.address), defaultHostnames.opentofu);
  const version = isExact(source.version) ? (source.version ?? "").replace(/^[=\s]+/, "") : "0.0.0";
  const address = formatAddress(parsed);
  return { provider, address, type: parsed.type, version, pinned: { ...selection, source: { kind: "address", address, version } } };
}

async function openFile(selection: ProviderSelection, path: string, settings: OpenSettings): Promise<SelectedProvider> {
  const { name, version = "0.0.0" } = fileNameParts(path);
  const { provider } = await open([path], settings);
  return {
    provider: await recordedProvider(provider, settings.environment, settings.secrets),
    address: name,
    type: name,
    version,
    pinned: { ...selection, source: { kind: "file", path } },
  };
}

async function openRunning(
  selection: ProviderSelection,
  { type, ...rest }: SourceAddress,
  running: ProviderSource,
  settings: OpenSettings,
): Promise<SelectedProvider> {
  const address = formatAddress({ type, ...rest });
  const { provider } = await open(running, settings);
  const version = "0.0.0";
  return {
    provider: await recordedProvider(provider, settings.environment, settings.secrets),
    address,
    type,
    version,
    pinned: { ...selection, source: { kind: "address", address, version } },
  };
}

function runningProvider(address: SourceAddress, { environment }: OpenSettings): ProviderSource | undefined {
  const running = reattachProviders({ TF_REATTACH_PROVIDERS: environment[reattachVariable] });
  for (const [name, entry] of running) {
    if (formatAddress(parseAddress(name, defaultHostnames.opentofu)) === formatAddress(address))
      return () => attachProvider(entry, { name: formatAddress(address) });
  }
  return undefined;
}

async function openAddress(
  selection: ProviderSelection,
  parsed: SourceAddress,
  version: string | undefined,
  settings: OpenSettings,
): Promise<SelectedProvider> {
  const address = formatAddress(parsed);
  const cacheFolder = settings.environment[cacheVariable];
  const openVersion = async (upgrade: boolean): Promise<ProviderClient> =>
    await open(address, settings, {
      ...(version === undefined ? {} : { version }),
      install: { environment: settings.environment, upgrade, ...requiredHashes(selection.lock), ...(cacheFolder ? { cacheFolder } : {}) },
      schemaCache: true,
    });
  const { provider, installed } = isExact(version) ? await openVersion(false) : await newest(openVersion);
  const selected = installed?.version ?? "0.0.0";
  const lock = selection.lock ?? { platform: formatPlatform(currentPlatform()), hashes: installed?.hashes ?? [] };
  return {
    provider: await recordedProvider(provider, settings.environment, settings.secrets),
    address,
    type: parsed.type,
    version: selected,
    pinned: { ...selection, source: { kind: "address", address, version: selected }, lock },
    ...cacheOf(installed?.packageHash, settings),
  };
}

function cacheOf(
  packageHash: SchemaCacheEntry["packageHash"] | undefined,
  { environment, onProgress }: OpenSettings,
): Pick<SelectedProvider, "cache"> {
  if (packageHash === undefined) return {};
  return { cache: { folder: userCacheFolder("schemas", environment), packageHash, ...(onProgress ? { onWarning: onProgress } : {}) } };
}

/**
 * The hashes that apply to this platform. A registry reports the hashes of the archives for all platforms. Hashes of a single archive or folder
 * apply only to the platform that recorded them.
 */
function requiredHashes(lock: PackageLock | undefined): { readonly hashes?: readonly string[] } {
  if (lock === undefined) return {};
  const isComplete = lock.hashes.filter((hash) => hash.startsWith("zh:")).length > 1;
  return isComplete || lock.platform === formatPlatform(currentPlatform()) ? { hashes: lock.hashes } : {};
}

async function newest(openVersion: (upgrade: boolean) => Promise<ProviderClient>): Promise<ProviderClient> {
  try {
    return await openVersion(true);
  } catch (error) {
    if (!(error instanceof PluginHostError) || error.code !== "SOURCE_FAILED") throw error;
    // Without an installed version, the error says which source could not be reached.
    return await openVersion(false).catch(() => {
      throw error;
    });
  }
}

/** Whether the constraints allow exactly one version. */
function isExact(version: string | undefined): boolean {
  return version !== undefined && parseConstraints(version).some(({ operator }) => operator === "=");
}

async function open(source: ProviderSource, settings: OpenSettings, options: OpenOptions = {}): Promise<ProviderClient> {
  const { onLog, logLevel, stopGraceMs, signal, onProgress } = settings;
  return await openProvider(source, {
    ...options,
    configure: false,
    onLog,
    logLevel,
    stopGraceMs,
    ...(signal ? { signal } : {}),
    reportCalls: false,
    onProgress: (event) => {
      if (event.kind === "selected") onProgress?.(`selected ${event.address} ${event.version}`);
      if (event.kind === "warning") onProgress?.(event.message);
    },
  });
}
