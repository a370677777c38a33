// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import type { SourceAddress } from "./address/source-address.ts";
import type { CliConfig, CliFlavour, InstallationMethod } from "./cli-config/cli-config.ts";
import { configFolder } from "./cli-config/load-cli-config.ts";
import { Credentials } from "./credentials/credentials.ts";
import { type ByteProgress, HttpClient } from "./http/http-client.ts";
import { FilesystemMirror } from "./source/filesystem-mirror.ts";
import { explicitRules, implicitRules, InstallationSources } from "./source/installation-sources.ts";
import { NetworkMirror } from "./source/network-mirror.ts";
import { OciMirror } from "./source/oci-mirror.ts";
import type { PackageLocation, PackageSource } from "./source/package-source.ts";
import { Registry } from "./source/registry.ts";
import { ServiceDiscovery } from "./source/service-discovery.ts";
import type { SignaturePolicy } from "./source/signature.ts";

/** What does not change while providers are installed. */
export interface SessionSettings {
  readonly config: CliConfig;
  readonly flavour: CliFlavour;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal | undefined;
  readonly policy: SignaturePolicy;
}

/** More than the largest provider there is. */
const maxPackageBytes = 4 * 2 ** 30;

/** Connections, credentials and what hosts answered, for as long as providers are installed. */
export class InstallSession implements Disposable {
  private readonly settings: SessionSettings;
  private readonly http: HttpClient;
  private readonly credentials: Credentials;
  private readonly discovery: ServiceDiscovery;
  private readonly registryRetries: number;
  private readonly downloadRetries: number;

  constructor(settings: SessionSettings) {
    const { config, flavour, environment, signal } = settings;
    this.settings = settings;
    const seconds = positive(environment["TF_REGISTRY_CLIENT_TIMEOUT"]) ?? 10;
    this.registryRetries = positive(environment["TF_REGISTRY_DISCOVERY_RETRY"]) ?? 1;
    this.downloadRetries = positive(environment["TF_PROVIDER_DOWNLOAD_RETRY"]) ?? 2;
    this.http = new HttpClient({ environment, timeoutMs: seconds * 1_000, signal });
    this.credentials = new Credentials(config, environment, [join(configFolder(flavour, environment), "plugins")]);
    this.discovery = new ServiceDiscovery(this.http, this.credentials, config.hosts, this.registryRetries);
  }

  /** Where a provider is looked for. */
  async sourcesFor(address: SourceAddress): Promise<InstallationSources> {
    const { config, flavour, environment } = this.settings;
    const installation = config.providerInstallation;
    if (installation) return new InstallationSources(explicitRules(installation.methods, (method) => this.sourceOf(method)));
    return new InstallationSources(await implicitRules(address, this.registry(this.downloadRetries), flavour, environment));
  }

  /** Fetches a package from where a source says it is. */
  async download(location: PackageLocation & { readonly kind: "url" }, path: string, onProgress: ByteProgress): Promise<void> {
    const { url, authorization, retries } = location;
    const wanted = { authorization, retries, maxRedirects: 10 };
    await this.http.download(url, wanted, path, Math.min(location.maxBytes ?? maxPackageBytes, maxPackageBytes), onProgress);
  }

  [Symbol.dispose](): void {
    this.http[Symbol.dispose]();
  }

  private sourceOf(method: InstallationMethod): PackageSource {
    const downloadRetries = ("downloadRetries" in method ? method.downloadRetries : undefined) ?? this.downloadRetries;
    if (method.kind === "direct") return this.registry(downloadRetries);
    if (method.kind === "filesystem_mirror") return new FilesystemMirror(method.path);
    const { http, credentials, registryRetries: retries } = this;
    if (method.kind === "network_mirror") return new NetworkMirror({ http, credentials, retries, ...method, downloadRetries });
    const { repositoryTemplate } = method;
    return new OciMirror({ http, repositoryTemplate, credentials: this.settings.config.ociCredentials, retries, downloadRetries });
  }

  private registry(downloadRetries: number): Registry {
    const { http, discovery, credentials, registryRetries, settings } = this;
    return new Registry({ http, discovery, credentials, policy: settings.policy, registryRetries, downloadRetries });
  }
}

function positive(text: string | undefined): number | undefined {
  const number = Number(text);
  return text !== undefined && Number.isInteger(number) && number > 0 ? number : undefined;
}
