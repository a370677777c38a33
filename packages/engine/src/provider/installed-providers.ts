// SPDX-License-Identifier: Apache-2.0
import type { LaunchSettings } from "@tenon/plugin-host";
import { formatConstraints } from "@tenon/plugin-host/address";
import type { InstalledProvider, InstallEvent, InstallOptions } from "@tenon/plugin-host/install";
import type { ProviderFactory } from "@tenon/schema";
import { formatProvider, isBuiltInProvider, parseProvider, type ProviderAddress } from "../address/provider.ts";
import type { ProviderRequirement } from "../configuration/provider-requirements.ts";
import { EngineError } from "../error.ts";

/**
 * Settings of the installation and the launch of required providers. By default, providers come from the same places as for `tofu init`: the
 * mirrors of the CLI configuration, or their registries.
 */
export interface ProviderInstallation extends Omit<InstallOptions, "version" | "signal" | "onProgress" | "lockFile"> {
  /**
   * Path of the dependency lock file; false for none. Default: `.terraform.lock.hcl` in the folder of the root module if the configuration is
   * on disk, else none.
   */
  readonly lockFile?: string | false;
  /** Options of the launch, such as environment variables of the provider. */
  readonly launch?: LaunchSettings;
}

/** Called with each step of an installation. */
export type ProviderInstallListener = (event: InstallEvent) => void;

/** The factory of an installed provider, which launches it. */
export interface InstalledFactory {
  readonly factory: ProviderFactory;
  /** Identifies the provider: equal for factories that launch the same executable with the same settings. */
  readonly origin: unknown;
}

/** Installs the providers that a configuration or a state needs, each once. */
export class ProviderInstaller {
  readonly #installation: ProviderInstallation;
  readonly #installed = new Map<string, Promise<InstalledFactory>>();

  constructor(installation: ProviderInstallation) {
    this.#installation = installation;
  }

  /** Whether a provider can be installed at all. */
  canInstall(provider: ProviderAddress): boolean {
    return !isBuiltInProvider(provider);
  }

  /**
   * Installs a provider and returns a factory that launches it. A provider that `TF_REATTACH_PROVIDERS` lists is not installed.
   *
   * @param requirement Undefined if only the state needs the provider. Then any version is accepted.
   * @throws EngineError `PROVIDER_INSTALLATION_FAILED`. After an abort, the reason of the signal.
   */
  async install(
    provider: ProviderAddress,
    requirement: ProviderRequirement | undefined,
    onProgress: ProviderInstallListener,
    signal?: AbortSignal,
  ): Promise<InstalledFactory> {
    const source = formatProvider(provider);
    const version = formatConstraints(requirement?.constraints ?? []);
    const key = `${source} ${version}`;
    let installed = this.#installed.get(key);
    if (installed === undefined) {
      installed = this.#install(source, version, onProgress, signal);
      this.#installed.set(key, installed);
      // After a failure, the next run tries again.
      installed.catch(() => this.#installed.delete(key));
    }
    return installed;
  }

  /** Removes all but the required providers from the lock file, as `tofu init` does. @throws EngineError `PROVIDER_INSTALLATION_FAILED` */
  async forgetOthers(required: ReadonlySet<string>, signal?: AbortSignal): Promise<void> {
    const { lockFile, readonlyLockFile = false, flavour } = this.#installation;
    if (typeof lockFile !== "string" || readonlyLockFile) return;
    const { pruneLockFile } = await import("@tenon/plugin-host/install");
    try {
      await pruneLockFile(lockFile, required, { ...(flavour && { flavour }), ...(signal && { signal }) });
    } catch (error) {
      signal?.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      throw new EngineError("PROVIDER_INSTALLATION_FAILED", `the lock file cannot be updated: ${reason}`, { cause: error });
    }
  }

  async #install(source: string, version: string, onProgress: ProviderInstallListener, signal?: AbortSignal): Promise<InstalledFactory> {
    const { launch, lockFile, ...settings } = this.#installation;
    const { providerFactory, reattachProviders } = await import("@tenon/plugin-host");
    const environment = settings.environment ?? process.env;
    for (const name of reattachProviders(environment).keys()) {
      const running = parseProvider(name).provider;
      if (running === undefined || formatProvider(running) !== source) continue;
      const factory = providerFactory(source, { install: { environment } });
      return { factory, origin: factory };
    }
    const { installProvider } = await import("@tenon/plugin-host/install");
    const options = { ...settings, ...(version !== "" && { version }), ...(typeof lockFile === "string" && { lockFile }) };
    let provider: InstalledProvider;
    try {
      provider = await installProvider(source, { ...options, ...(signal && { signal }), onProgress });
    } catch (error) {
      signal?.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      throw new EngineError("PROVIDER_INSTALLATION_FAILED", `the provider ${source} cannot be installed: ${reason}`, { cause: error });
    }
    const factory = providerFactory({ command: provider.executable, ...launch });
    return { factory, origin: launch === undefined ? provider.executable : factory };
  }
}
