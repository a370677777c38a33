// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { PluginHostError } from "../../error.ts";
import type { Platform } from "../address/platform.ts";
import { formatAddress, type SourceAddress } from "../address/source-address.ts";
import type { OciCredentials } from "../cli-config/cli-config.ts";
import { type HttpResponse, type HttpClient, unexpectedStatus } from "../http/http-client.ts";
import { JsonResponse } from "../http/json-response.ts";
import { formatVersion, tryParseVersion, type Version } from "../version/version.ts";
import { OciAuthorization } from "./oci-authorization.ts";
import { repositoryFor } from "./oci-repository.ts";
import { checkSha256, checkSize } from "./package-check.ts";
import type { AvailableVersions, PackageOffer, PackageSource } from "./package-source.ts";

/** Settings of an OCI mirror. */
export interface OciMirrorSettings {
  readonly http: HttpClient;
  readonly repositoryTemplate: string;
  readonly credentials: readonly OciCredentials[];
  readonly retries: number;
  readonly downloadRetries: number;
}

const indexType = "application/vnd.oci.image.index.v1+json";
const manifestType = "application/vnd.oci.image.manifest.v1+json";
const providerType = "application/vnd.opentofu.provider";
const targetType = "application/vnd.opentofu.provider-target";
const archiveType = "archive/zip";
const maxManifest = 4 * 2 ** 20;

/**
 * A mirror in an OCI registry, in the format of OpenTofu: a tag for each version, an index of its platforms, and for each platform a
 * manifest with one layer, the zip file.
 *
 * @see OpenTofu internal/getproviders, OCIRegistryMirrorSource; OCI distribution specification 1.1
 */
export class OciMirror implements PackageSource {
  readonly name: string;
  readonly #settings: OciMirrorSettings;
  readonly #authorization: OciAuthorization;

  constructor(settings: OciMirrorSettings) {
    this.#settings = settings;
    this.name = settings.repositoryTemplate;
    this.#authorization = new OciAuthorization(settings.http, settings.credentials, settings.retries);
  }

  async versions(address: SourceAddress): Promise<AvailableVersions | undefined> {
    const repository = await repositoryFor(this.#settings.repositoryTemplate, address);
    const versions: Version[] = [];
    let next: URL | undefined = new URL(`https://${repository.host}/v2/${repository.path}/tags/list`);
    while (next) {
      const response: HttpResponse = await this.#authorization.get(repository, next, "application/json", maxManifest);
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
    const base = `https://${repository.host}/v2/${repository.path}`;
    const fetchManifest = async (reference: string, type: string): Promise<JsonResponse> => {
      const url = new URL(`${base}/manifests/${reference}`);
      const response = await this.#authorization.get(repository, url, type, maxManifest);
      if (response.status !== 200) throw unexpectedStatus(response.url, response.status);
      if (reference.startsWith("sha256:")) refuseOtherDigest(what, reference, response);
      const json = JsonResponse.of(response);
      if (json.get("mediaType").text() !== type) json.get("mediaType").refuse(type);
      return json;
    };

    const index = await fetchManifest(formatVersion(version).replaceAll("+", "_"), indexType);
    if (index.get("artifactType").optionalText() !== providerType) index.get("artifactType").refuse(providerType);
    const targets = index.get("manifests").list();
    const target = targets.find((entry) => isFor(entry, platform));
    if (!target) return undefined;
    const manifest = await fetchManifest(digestIn(target), manifestType);
    if (manifest.get("artifactType").optionalText() !== targetType) manifest.get("artifactType").refuse(targetType);
    const layers = manifest
      .get("layers")
      .list()
      .filter((layer) => layer.get("mediaType").optionalText() === archiveType);
    const [layer, ...more] = layers;
    if (!layer || more.length > 0) return manifest.get("layers").refuse(`a list with one layer of the type ${archiveType}`);
    const digest = digestIn(layer);
    const size = layer.get("size").number();
    const url = new URL(`${base}/blobs/${digest}`);
    const authorization = await this.#authorization.headerFor(repository);
    return {
      source: `${repository.host}/${repository.path}`,
      location: { kind: "url", url, retries: this.#settings.downloadRetries, maxBytes: size, ...(authorization ? { authorization } : {}) },
      checks: [checkSize(what, size), checkSha256(what, digest.slice("sha256:".length))],
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

function digestIn(entry: JsonResponse): string {
  const digest = entry.get("digest").text();
  return /^sha256:[0-9a-f]{64}$/.test(digest) ? digest : entry.get("digest").refuse("a SHA-256 digest");
}

function refuseOtherDigest(what: string, digest: string, { body }: HttpResponse): void {
  const found = createHash("sha256").update(body).digest("hex");
  if (`sha256:${found}` === digest) return;
  throw new PluginHostError("CHECKSUM_MISMATCH", `the manifest of ${what} has the digest sha256:${found} (expected ${digest})`);
}

function nextPage({ link, url }: HttpResponse): URL | undefined {
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next"?/i.exec(link) ?? [];
  const next = target === undefined ? null : URL.parse(target, url.href);
  // A next page on another host is ignored.
  return next && next.origin === url.origin ? next : undefined;
}
