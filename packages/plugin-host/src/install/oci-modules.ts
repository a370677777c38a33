// SPDX-License-Identifier: Apache-2.0
import { HttpClient } from "./http/http-client.ts";
import type { ModuleRegistryOptions } from "./module-registry.ts";
import { imageManifestType, OciRegistry } from "./source/oci-registry.ts";
import type { OciRepository } from "./source/oci-repository.ts";
import { checkSha256, checkSize } from "./source/package-check.ts";

const moduleType = "application/vnd.opentofu.modulepkg";
const idleTimeoutMs = 10_000;
const retries = 2;

/**
 * Downloads module packages from OCI registries, with the credentials of the CLI configuration.
 *
 * @see OpenTofu internal/getmodules, ociDistributionGetter
 */
export class OciModules implements AsyncDisposable {
  readonly #http: HttpClient;
  readonly #registry: OciRegistry;
  readonly #signal: AbortSignal | undefined;

  constructor({ config, environment = process.env, signal }: Omit<ModuleRegistryOptions, "flavour">) {
    this.#http = new HttpClient({ environment, idleTimeoutMs, signal });
    this.#registry = new OciRegistry({ http: this.#http, credentials: config.ociCredentials, retries });
    this.#signal = signal;
  }

  /**
   * Downloads the zip file of a module package to a new file, and checks its size and digest.
   *
   * @param reference A tag, or a SHA-256 digest such as `sha256:2cf2…`.
   * @throws PluginHostError `SOURCE_FAILED`, `UNAUTHORIZED`, `CHECKSUM_MISMATCH`, `CACHE_FAILED`
   */
  async download(repository: OciRepository, reference: string, file: string): Promise<void> {
    const what = `${repository.host}/${repository.path}${reference.startsWith("sha256:") ? "@" : ":"}${reference}`;
    const manifest = await this.#registry.manifest(what, repository, reference, imageManifestType);
    const artifactType = manifest.get("artifactType");
    if (artifactType.optionalText() !== moduleType) artifactType.refuse(moduleType);
    const { url, sha256, size, authorization } = await this.#registry.archive(repository, manifest);
    await this.#http.download(url, { authorization, retries, maxRedirects: 10 }, file, size, () => {});
    const options = this.#signal ? { signal: this.#signal } : {};
    for (const check of [checkSize(what, size), checkSha256(what, sha256)]) await check({ kind: "archive", path: file }, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http[Symbol.asyncDispose]();
  }
}
