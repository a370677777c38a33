// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import { formatPlatform, type Platform } from "../address/platform.ts";
import { formatAddress, type SourceAddress } from "../address/source-address.ts";
import type { Credentials } from "../credentials/credentials.ts";
import { type HttpResponse, type HttpClient, unexpectedStatus } from "../http/http-client.ts";
import { isHttp, resolveUrl, withoutSecrets } from "../http/http-url.ts";
import { JsonResponse } from "../http/json-response.ts";
import { formatVersion, tryParseVersion, type Version } from "../version/version.ts";
import { checkAnyHash, isKnownHash } from "./package-check.ts";
import type { AvailableVersions, PackageOffer, PackageSource } from "./package-source.ts";

/** Settings of a network mirror. */
export interface NetworkMirrorSettings {
  readonly http: HttpClient;
  readonly credentials: Credentials;
  readonly url: string;
  /** Whether hashes for other platforms are trusted, too. */
  readonly trustAllHashes: boolean;
  readonly retries: number;
  readonly downloadRetries: number;
}

/**
 * A mirror on a web server, by the provider network mirror protocol.
 *
 * @see OpenTofu internal/getproviders, HTTPMirrorSource
 */
export class NetworkMirror implements PackageSource {
  readonly name: string;
  readonly #settings: NetworkMirrorSettings;
  readonly #base: URL;

  constructor(settings: NetworkMirrorSettings) {
    this.#settings = settings;
    const url = URL.parse(settings.url);
    if (url?.protocol !== "https:") {
      const message = `the network mirror ${JSON.stringify(settings.url)} is not an https: URL, such as https://mirror.example.com/providers/`;
      throw new PluginHostError("INVALID_CLI_CONFIG", message);
    }
    this.#base = url;
    this.name = withoutSecrets(this.#base);
  }

  async versions(address: SourceAddress): Promise<AvailableVersions | undefined> {
    const response = await this.#get(address, "index.json");
    if (response.status === 404) return undefined;
    const json = this.#jsonOf(response);
    // Names that are not versions are ignored.
    const versions = json
      .get("versions")
      .entries()
      .flatMap(([text]) => tryParseVersion(text) ?? []);
    return { versions, warnings: [] };
  }

  async locate(address: SourceAddress, version: Version, platform: Platform): Promise<PackageOffer | undefined> {
    const what = `${formatAddress(address)} ${formatVersion(version)}`;
    const response = await this.#get(address, `${formatVersion(version)}.json`);
    if (response.status === 404) {
      throw new PluginHostError("SOURCE_FAILED", `the mirror ${this.name} lists ${what}, but has no packages of it`);
    }
    const archives = this.#jsonOf(response).get("archives");
    const own = archives.get(formatPlatform(platform));
    if (own.isAbsent()) return undefined;
    const text = own.get("url").text();
    const url = resolveUrl(text, response.url) ?? own.get("url").refuse("an address");
    if (!isHttp(url)) own.get("url").refuse("an http: or https: address");
    const hashesOf = (entry: JsonResponse): string[] =>
      entry
        .get("hashes")
        .list()
        .map((hash) => hash.text());
    const allHashes = archives.entries().flatMap(([, entry]) => hashesOf(entry));
    const reported = this.#settings.trustAllHashes ? allHashes.filter(isKnownHash) : [];
    const hashes = this.#settings.trustAllHashes ? allHashes : hashesOf(own);
    return {
      source: this.name,
      location: { kind: "url", url, retries: this.#settings.downloadRetries },
      checks: hashes.length === 0 ? [] : [checkAnyHash(what, hashesOf(own).filter(isKnownHash), reported)],
    };
  }

  async #get({ hostname, namespace, type }: SourceAddress, file: string): Promise<HttpResponse> {
    const { http, credentials, retries } = this.#settings;
    const authorization = await credentials.authorizationFor(this.#base.host);
    const url = new URL([hostname, namespace, type, file].map(encodeURIComponent).join("/").replaceAll("%3A", ":"), this.#base);
    return await http.get(url, { accept: "application/json", authorization, retries, maxRedirects: 5 }, 64 * 2 ** 20);
  }

  #jsonOf(response: HttpResponse): JsonResponse {
    if (response.status !== 200) throw unexpectedStatus(response.url, response.status);
    if (response.contentType !== "application/json") {
      const type = response.contentType || "no content type";
      throw new PluginHostError("SOURCE_FAILED", `${withoutSecrets(response.url)} returned ${type} instead of JSON`);
    }
    return JsonResponse.of(response);
  }
}
