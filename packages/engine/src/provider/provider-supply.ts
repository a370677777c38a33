// SPDX-License-Identifier: Apache-2.0
import type { InstallEvent } from "@tenon/plugin-host/install";
import type { CallOptions, Provider, ProviderFactory } from "@tenon/schema";
import { formatProvider, type ProviderAddress } from "../address/provider.ts";
import type { ProviderRequirement } from "../configuration/provider-requirements.ts";
import { EngineError } from "../error.ts";
import type { ProviderInstaller } from "./installed-providers.ts";
import type { WarmProviders } from "./warm-providers.ts";

/** The sources of a workspace's providers. */
export interface ProviderSources {
  /** Providers that the caller passes, by source address such as `registry.opentofu.org/hashicorp/aws`. */
  readonly given: ReadonlyMap<string, ProviderFactory>;
  /** Installs other providers. If absent, they are not available. */
  readonly installer?: ProviderInstaller | undefined;
  /** Keeps instances after a run. If absent, a run closes its instances. */
  readonly warm?: WarmProviders | undefined;
}

/** The requirements of a run, for the installation of providers. */
export interface ProviderNeeds {
  /** The providers that the configuration requires, by source address. Default: none. */
  readonly requirements?: ReadonlyMap<string, ProviderRequirement>;
  /** Called with each step of an installation. */
  readonly onInstall?: ((event: InstallEvent) => void) | undefined;
}

/** Opens instances of providers for a run. */
export class ProviderSupply {
  readonly #sources: ProviderSources;
  readonly #needs: ProviderNeeds;

  constructor(sources: ProviderSources, needs: ProviderNeeds = {}) {
    this.#sources = sources;
    this.#needs = needs;
  }

  /** Whether instances of the provider can be opened. */
  has(provider: ProviderAddress): boolean {
    return this.#sources.given.has(formatProvider(provider)) || this.#sources.installer?.canInstall(provider) === true;
  }

  /**
   * Installs the providers that the configuration requires and the caller does not pass, so that the lock file has all of them.
   *
   * @throws EngineError `PROVIDER_INSTALLATION_FAILED`.
   */
  async installRequired(signal: AbortSignal | undefined): Promise<void> {
    const required = [...(this.#needs.requirements ?? new Map<string, ProviderRequirement>()).values()];
    await Promise.all(required.map(async ({ provider }) => this.#installed(provider, signal)));
  }

  /** Opens an instance. @throws EngineError `PROVIDER_NOT_FOUND`, `PROVIDER_INSTALLATION_FAILED`. */
  async open(provider: ProviderAddress, options: CallOptions): Promise<Provider> {
    const text = formatProvider(provider);
    const { given, warm } = this.#sources;
    const factory = given.get(text);
    if (factory !== undefined) return (warm?.keep(factory) ?? factory)(options);
    const installed = await this.#installed(provider, options.signal);
    if (installed === undefined) {
      throw new EngineError("PROVIDER_NOT_FOUND", `the configuration needs the provider ${text}, and the options have no such provider`);
    }
    return (warm?.keep(installed.factory, installed.origin) ?? installed.factory)(options);
  }

  async #installed(
    provider: ProviderAddress,
    signal: AbortSignal | undefined,
  ): Promise<Awaited<ReturnType<ProviderInstaller["install"]>> | undefined> {
    const text = formatProvider(provider);
    const { given, installer } = this.#sources;
    if (given.has(text) || installer?.canInstall(provider) !== true) return undefined;
    const { requirements, onInstall = () => {} } = this.#needs;
    return installer.install(provider, requirements?.get(text), onInstall, signal);
  }
}
