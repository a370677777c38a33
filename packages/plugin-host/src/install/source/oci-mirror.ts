// SPDX-License-Identifier: Apache-2.0
import type { Platform } from "../address/platform.ts";
import { formatAddress, type SourceAddress } from "../address/source-address.ts";
import { type HttpResponse, unexpectedStatus } from "../http/http-client.ts";
import { JsonResponse } from "../http/json-response.ts";
import { formatVersion, tryParseVersion, type Version } from "../version/version.ts";
import { baseOf, digestIn, imageManifestType, OciRegistry, type OciRegistrySettings } from "./oci-registry.ts";
import { repositoryFor } from "./oci-repository.ts";
import { checkSha256, checkSize } from "./package-check.ts";
import type { AvailableVersions, PackageOffer, PackageSource } from "./package-source.ts";

/** Settings of an OCI mirror. */
export interface OciMirrorSettings extends OciRegistrySettings {
  readonly repositoryTemplate: string;
  readonly downloadRetries: number;
}

const indexType = "application/vnd.oci.image.index.v1+json";
const providerType = "application/vnd.opentofu.provider";
const targetType = "application/vnd.opentofu.provider-target";

/**
 * A mirror in an OCI registry, in the format of OpenTofu: a tag for each version, an index of its platforms, and for each platform a
 * manifest with one layer, the zip file.
 *
 * @see OpenTofu internal/getproviders, OCIRegistryMirrorSource; OCI distribution specification 1.1
 */
export class OciMirror implements PackageSource {
  readonly name: string;
  readonly #settings: OciMirrorSettings;
  readonly #registry: OciRegistry;

  constructor(settings: OciMirrorSettings) {
    this.#settings = settings;
    this.name = settings.repositoryTemplate;
    this.#registry = new OciRegistry(settings);
  }

  async versions(address: SourceAddress): Promise<AvailableVersions | undefined> {
    const repository = await repositoryFor(this.#settings.repositoryTemplate, address);
    const versions: Version[] = [];
    let next: URL | undefined = new URL(`${baseOf(repository)}/tags/list`);
    while (next) {
      const response: HttpResponse = await this.#registry.get(repository, next);
      if (response.status === 404) return undefined;
      if (response.status !== 200) throw unexpectedStatus(response.url, response.status);
      const tags = JsonResponse.of(response).get("tags").list();
      // A tag cannot have a plus sign.
      versions.push(...tags.flatMap((tag) => tryParseVersion(tag.text().replaceAll("_", "+")) ?? []));
      next = nextPage(response);
    }
    return { versions, warnings: [] };
  }

  async locate(address: SourceAddress, version: Version, platform: Platform): Promise<PackageOffer | undefined> {
    const what = `${formatAddress(address)} ${formatVersion(version)}`;
    const repository = await repositoryFor(this.#settings.repositoryTemplate, address);
    const index = await this.#registry.manifest(what, repository, formatVersion(version).replaceAll("+", "_"), indexType);
    if (index.get("artifactType").optionalText() !== providerType) index.get("artifactType").refuse(providerType);
    const targets = index.get("manifests").list();
    const target = targets.find((entry) => isFor(entry, platform));
    if (!target) return undefined;
    const manifest = await this.#registry.manifest(what, repository, digestIn(target), imageManifestType);
    if (manifest.get("artifactType").optionalText() !== targetType) manifest.get("artifactType").refuse(targetType);
    const { url, sha256, size, authorization } = await this.#registry.archive(repository, manifest);
    return {
      source: `${repository.host}/${repository.path}`,
      location: { kind: "url", url, retries: this.#settings.downloadRetries, maxBytes: size, ...(authorization ? { authorization } : {}) },
      checks: [checkSize(what, size), checkSha256(what, sha256)],
    };
  }
}

function isFor(entry: JsonResponse, { os, arch }: Platform): boolean {
  const target = entry.get("platform");
  return (
    entry.get("artifactType").optionalText() === targetType &&
    target.get("os").optionalText() === os &&
    target.get("architecture").optionalText() === arch &&
    (target.get("os.version").optionalText() ?? "") === ""
  );
}

function nextPage({ link, url }: HttpResponse): URL | undefined {
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next"?/i.exec(link) ?? [];
  const next = target === undefined ? null : URL.parse(target, url.href);
  // A next page on another host is ignored.
  return next && next.origin === url.origin ? next : undefined;
}
