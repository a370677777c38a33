// SPDX-License-Identifier: Apache-2.0
import { resolve } from "node:path";
import { openProvider, type LogRecord, type ProviderClient, type ProviderSource, type OpenOptions } from "@tenon/plugin-host";
import { defaultHostnames, formatAddress, parseAddress } from "@tenon/plugin-host/address";
import type { LogLevel } from "@tenon/protocol/log-line";
import type { CallOptions, Provider, ProviderFactory } from "@tenon/schema";
import { fileNameParts, type ProviderLocation } from "./provider-selection.ts";

/** A provider of which any number of instances can be opened, each for one configuration. */
export interface ProviderSupply {
  /** Name in messages and in stored states, such as `registry.opentofu.org/hashicorp/time`. */
  readonly address: string;
  /** Version of the package; undefined where none is known, and before the first instance was opened. */
  readonly version: string | undefined;
  /** Opens an instance that is not configured. @throws PluginHostError */
  open(options?: CallOptions): Promise<Provider>;
}

/** Options of a supply. */
export interface SupplySettings {
  /** Environment of the installation, with the CLI configuration and credentials, and of the provider. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Receives the log of the provider, in which the secrets of calls are masked. Default: no log. */
  readonly onLog?: (record: LogRecord) => void;
  /** Default: `error`. */
  readonly logLevel?: LogLevel;
  /** Path of a dependency lock file, `.terraform.lock.hcl`: its version is installed, and the package must have one of its hashes. */
  readonly lockFile?: string;
  /** Folder of the packages. Default: `plugin_cache_dir` of the CLI configuration, or else `tenon/providers` in the user's cache folder. */
  readonly cacheFolder?: string;
  /** Maximum number of calls in flight in one instance; further calls wait. Default: no limit. */
  readonly maxConcurrentCalls?: number;
  /** Grace period of a cancelled change, in milliseconds. Default: 10,000. */
  readonly stopGraceMs?: number;
  /** Receives messages about the progress of the installation. */
  readonly onProgress?: (message: string) => void;
}

/**
 * Returns the supply of a provider that is found, verified and installed like by the CLIs, or launched from a file. All instances have the version and
 * the package hashes of the first one.
 *
 * @throws PluginHostError `INVALID_ADDRESS`
 */
export function installedSupply(location: ProviderLocation, settings: SupplySettings = {}): ProviderSupply {
  return location.kind === "file" ? new FileSupply(location.path, settings) : new PackageSupply(location, settings);
}

/** Returns the supply of a provider that runs in this process. The factory creates each instance. */
export function ownSupply(
  { address, version }: { readonly address: string; readonly version?: string },
  create: () => Provider | Promise<Provider>,
  settings: SupplySettings = {},
): ProviderSupply {
  const factory: ProviderFactory = async () => await create();
  return {
    address,
    version,
    open: async (options) => (await openInstance(factory, settings, {}, options)).provider,
  };
}

class FileSupply implements ProviderSupply {
  readonly address: string;
  readonly version: string | undefined;
  readonly #path: string;
  readonly #settings: SupplySettings;

  constructor(path: string, settings: SupplySettings) {
    const { name, version } = fileNameParts(path);
    this.address = name;
    this.version = version;
    this.#path = resolve(path);
    this.#settings = settings;
  }

  async open(options?: CallOptions): Promise<Provider> {
    return (await openInstance([this.#path], this.#settings, launchOf(this.#settings), options)).provider;
  }
}

class PackageSupply implements ProviderSupply {
  readonly address: string;
  readonly #settings: SupplySettings;
  /** Constraints on the version, and the package after it was first installed. */
  #package: { readonly version?: string; readonly hashes?: readonly string[] };

  constructor({ address, version }: Extract<ProviderLocation, { readonly kind: "address" }>, settings: SupplySettings) {
    const withNamespace = address.includes("/") ? address : `hashicorp/${address}`;
    this.address = formatAddress(parseAddress(withNamespace, defaultHostnames.opentofu));
    this.#settings = settings;
    this.#package = version === undefined ? {} : { version };
  }

  get version(): string | undefined {
    return this.#package.hashes ? this.#package.version : undefined;
  }

  async open(options?: CallOptions): Promise<Provider> {
    const { environment, lockFile, cacheFolder } = this.#settings;
    const { version, hashes } = this.#package;
    const { provider, installed } = await openInstance(
      this.address,
      this.#settings,
      {
        ...(version === undefined ? {} : { version }),
        install: {
          ...(environment ? { environment } : {}),
          ...(cacheFolder === undefined ? {} : { cacheFolder }),
          ...(lockFile === undefined ? (hashes ? { hashes } : {}) : { lockFile }),
        },
        schemaCache: true,
        ...launchOf(this.#settings),
      },
      options,
    );
    if (installed?.version !== undefined) this.#package = { version: installed.version, hashes: installed.hashes };
    return provider;
  }
}

/** Launched providers inherit the environment of this process, with the variables of the options added. */
function launchOf({ environment }: SupplySettings): Pick<OpenOptions, "launch"> {
  return environment === undefined ? {} : { launch: { env: environment } };
}

async function openInstance(
  source: ProviderSource,
  { onLog, logLevel = "error", stopGraceMs = 10_000, maxConcurrentCalls, onProgress }: SupplySettings,
  options: OpenOptions,
  { signal }: CallOptions = {},
): Promise<ProviderClient> {
  return await openProvider(source, {
    ...options,
    configure: false,
    logLevel,
    stopGraceMs,
    ...(onLog ? { onLog } : {}),
    ...(maxConcurrentCalls === undefined ? {} : { maxConcurrentCalls }),
    ...(signal ? { signal } : {}),
    onProgress: (event) => {
      if (event.kind === "selected") onProgress?.(`selected ${event.address} ${event.version}`);
      if (event.kind === "warning") onProgress?.(event.message);
    },
  });
}
