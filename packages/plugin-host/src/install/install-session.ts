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

/** Settings that all installations of a session share. */
export interface SessionSettings {
  readonly config: CliConfig;
  readonly flavour: CliFlavour;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal | undefined;
  readonly policy: SignaturePolicy;
}

/** Maximum size of a download in bytes. The largest provider is far smaller. */
const maxPackageBytes = 4 * 2 ** 30;

/** The connections, credentials and discovered services of an installation. */
export class InstallSession implements AsyncDisposable {
  readonly #settings: SessionSettings;
  readonly #http: HttpClient;
  readonly #credentials: Credentials;
  readonly #discovery: ServiceDiscovery;
  readonly #registryRetries: number;
  readonly #downloadRetries: number;

  constructor(settings: SessionSettings) {
    const { config, flavour, environment, signal } = settings;
    this.#settings = settings;
    const seconds = integer(environment["TF_REGISTRY_CLIENT_TIMEOUT"], 1) ?? 10;
    this.#registryRetries = integer(environment["TF_REGISTRY_DISCOVERY_RETRY"], 0) ?? 1;
    this.#downloadRetries = integer(environment["TF_PROVIDER_DOWNLOAD_RETRY"], 0) ?? 2;
    this.#http = new HttpClient({ environment, idleTimeoutMs: seconds * 1_000, signal });
    this.#credentials = new Credentials(config, environment, [join(configFolder(flavour, environment), "plugins")], signal);
    this.#discovery = new ServiceDiscovery(this.#http, this.#credentials, config.hosts, this.#registryRetries);
  }

  /** Returns the sources of a provider. */
  async sourcesFor(address: SourceAddress): Promise<InstallationSources> {
    const { config, flavour, environment } = this.#settings;
    const installation = config.providerInstallation;
    if (installation) return new InstallationSources(explicitRules(installation.methods, (method) => this.#sourceOf(method)));
    return new InstallationSources(await implicitRules(address, this.#registry(this.#downloadRetries), flavour, environment));
  }

  /** Downloads a package to a new file. */
  async download(location: PackageLocation & { readonly kind: "url" }, path: string, onProgress: ByteProgress): Promise<void> {
    const { url, authorization, retries } = location;
    const maxBytes = Math.min(location.maxBytes ?? maxPackageBytes, maxPackageBytes);
    await this.#http.download(url, { authorization, retries, maxRedirects: 10 }, path, maxBytes, onProgress);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http[Symbol.asyncDispose]();
  }

  #sourceOf(method: InstallationMethod): PackageSource {
    const downloadRetries = ("downloadRetries" in method ? method.downloadRetries : undefined) ?? this.#downloadRetries;
    if (method.kind === "direct") return this.#registry(downloadRetries);
    if (method.kind === "filesystem_mirror") return new FilesystemMirror(method.path);
    const [http, credentials, retries] = [this.#http, this.#credentials, this.#registryRetries];
    if (method.kind === "network_mirror") return new NetworkMirror({ http, credentials, retries, ...method, downloadRetries });
    const { repositoryTemplate } = method;
    return new OciMirror({ http, repositoryTemplate, credentials: this.#settings.config.ociCredentials, retries, downloadRetries });
  }

  #registry(downloadRetries: number): Registry {
    return new Registry({
      http: this.#http,
      discovery: this.#discovery,
      credentials: this.#credentials,
      policy: this.#settings.policy,
      registryRetries: this.#registryRetries,
      downloadRetries,
    });
  }
}

/** The value of an environment variable, if it is an integer of at least `minimum`. */
function integer(text: string | undefined, minimum: number): number | undefined {
  const value = text === undefined || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isInteger(value) && value >= minimum ? value : undefined;
}
