// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { PluginHostError } from "../../error.ts";
import type { OciCredentials } from "../cli-config/cli-config.ts";
import { unexpectedStatus, type HttpClient, type HttpResponse } from "../http/http-client.ts";
import { JsonResponse } from "../http/json-response.ts";
import { OciAuthorization } from "./oci-authorization.ts";
import type { OciRepository } from "./oci-repository.ts";

/** Settings of an {@link OciRegistry}. */
export interface OciRegistrySettings {
  readonly http: HttpClient;
  readonly credentials: readonly OciCredentials[];
  /** Number of repetitions of a failed request. */
  readonly retries: number;
}

/** A blob of a repository. */
export interface OciBlob {
  readonly url: URL;
  /** Its SHA-256 digest in hexadecimal. */
  readonly sha256: string;
  /** Its size in bytes. */
  readonly size: number;
  /** The `Authorization` header of the request; undefined if the registry requires none. */
  readonly authorization: string | undefined;
}

/** Media type of an image manifest. */
export const imageManifestType = "application/vnd.oci.image.manifest.v1+json";

/** Maximum size of a manifest in bytes. @see OCI distribution specification 1.1, pushing manifests */
export const maxManifest: number = 4 * 2 ** 20;

const archiveType = "archive/zip";

/** Reads manifests of OCI registries. @see OCI distribution specification 1.1 */
export class OciRegistry {
  readonly #authorization: OciAuthorization;

  constructor({ http, credentials, retries }: OciRegistrySettings) {
    this.#authorization = new OciAuthorization(http, credentials, retries);
  }

  /** Fetches a JSON document of a repository, whatever its status. */
  async get(repository: OciRepository, url: URL, accept = "application/json"): Promise<HttpResponse> {
    return await this.#authorization.get(repository, url, accept, maxManifest);
  }

  /**
   * Fetches a manifest, and checks its digest and media type.
   *
   * @param what What the manifest describes, for errors.
   * @param reference A tag, or a digest.
   * @throws PluginHostError `SOURCE_FAILED`, `UNAUTHORIZED`, `CHECKSUM_MISMATCH`
   */
  async manifest(what: string, repository: OciRepository, reference: string, mediaType: string): Promise<JsonResponse> {
    const response = await this.get(repository, new URL(`${baseOf(repository)}/manifests/${reference}`), mediaType);
    if (response.status !== 200) throw unexpectedStatus(response.url, response.status);
    if (reference.startsWith("sha256:")) refuseOtherDigest(what, reference, response);
    const json = JsonResponse.of(response);
    if (json.get("mediaType").text() !== mediaType) json.get("mediaType").refuse(mediaType);
    return json;
  }

  /** Returns the zip archive of an image manifest: its only layer of that media type. */
  async archive(repository: OciRepository, manifest: JsonResponse): Promise<OciBlob> {
    const layers = manifest
      .get("layers")
      .list()
      .filter((layer) => layer.get("mediaType").optionalText() === archiveType);
    const [layer, ...more] = layers;
    if (!layer || more.length > 0) return manifest.get("layers").refuse(`a list with one layer of the type ${archiveType}`);
    const digest = digestIn(layer);
    return {
      url: new URL(`${baseOf(repository)}/blobs/${digest}`),
      sha256: digest.slice("sha256:".length),
      size: layer.get("size").number(),
      authorization: await this.#authorization.headerFor(repository),
    };
  }
}

/** The URL under which a registry serves a repository. */
export function baseOf({ host, path }: OciRepository): string {
  return `https://${host}/v2/${path}`;
}

/** Returns the digest of a descriptor. @throws PluginHostError `SOURCE_FAILED` unless it is a SHA-256 digest. */
export function digestIn(entry: JsonResponse): string {
  const digest = entry.get("digest").text();
  return /^sha256:[0-9a-f]{64}$/.test(digest) ? digest : entry.get("digest").refuse("a SHA-256 digest");
}

function refuseOtherDigest(what: string, digest: string, { body }: HttpResponse): void {
  const found = createHash("sha256").update(body).digest("hex");
  if (`sha256:${found}` === digest) return;
  throw new PluginHostError("CHECKSUM_MISMATCH", `the manifest of ${what} has the digest sha256:${found} (expected ${digest})`);
}
