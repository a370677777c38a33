// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import { formatPlatform, type Platform } from "../address/platform.ts";
import { formatAddress, type SourceAddress } from "../address/source-address.ts";
import type { Credentials } from "../credentials/credentials.ts";
import { type HttpAnswer, type HttpClient, isHttp, resolveUrl, unexpectedStatus, withoutSecrets } from "../http/http-client.ts";
import { JsonAnswer } from "../http/json-answer.ts";
import { formatVersion, tryParseVersion, type Version } from "../version/version.ts";
import { checkAnyHash, isKnownHash } from "./package-check.ts";
import type { AvailableVersions, PackageOffer, PackageSource } from "./package-source.ts";

/** What a mirror needs. */
export interface NetworkMirrorSettings {
  readonly http: HttpClient;
  readonly credentials: Credentials;
  readonly url: string;
  /** Whether hashes for other platforms are believed, too. */
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
  private readonly settings: NetworkMirrorSettings;
  private readonly base: URL;

  constructor(settings: NetworkMirrorSettings) {
    this.settings = settings;
    this.base = new URL(settings.url);
    this.name = withoutSecrets(this.base);
  }

  async versions(address: SourceAddress): Promise<AvailableVersions | undefined> {
    const answer = await this.ask(address, "index.json");
    if (answer.status === 404) return undefined;
    const json = this.jsonOf(answer);
    // What is no version is passed over, as others may know more kinds of them.
    const versions = json
      .get("versions")
      .entries()
      .flatMap(([text]) => tryParseVersion(text) ?? []);
    return { versions, warnings: [] };
  }

  async locate(address: SourceAddress, version: Version, platform: Platform): Promise<PackageOffer | undefined> {
    const what = `${formatAddress(address)} ${formatVersion(version)}`;
    const answer = await this.ask(address, `${formatVersion(version)}.json`);
    if (answer.status === 404) {
      throw new PluginHostError("SOURCE_FAILED", `the mirror ${this.name} lists ${what}, but has nothing about it`);
    }
    const archives = this.jsonOf(answer).get("archives");
    const own = archives.get(formatPlatform(platform));
    if (own.isAbsent()) return undefined;
    const text = own.get("url").text();
    const url = resolveUrl(text, answer.url) ?? own.get("url").refuse("an address");
    if (!isHttp(url)) own.get("url").refuse("an http: or https: address");
    const hashesOf = (entry: JsonAnswer): string[] =>
      entry
        .get("hashes")
        .list()
        .map((hash) => hash.text());
    const everybodys = archives.entries().flatMap(([, entry]) => hashesOf(entry));
    const reported = this.settings.trustAllHashes ? everybodys.filter(isKnownHash) : [];
    const hashes = this.settings.trustAllHashes ? everybodys : hashesOf(own);
    return {
      source: this.name,
      location: { kind: "url", url, retries: this.settings.downloadRetries },
      checks: hashes.length === 0 ? [] : [checkAnyHash(what, hashesOf(own).filter(isKnownHash), reported)],
    };
  }

  private async ask({ hostname, namespace, type }: SourceAddress, file: string): Promise<HttpAnswer> {
    const { http, credentials, retries } = this.settings;
    const authorization = await credentials.authorizationFor(this.base.host);
    const url = new URL([hostname, namespace, type, file].map(encodeURIComponent).join("/").replaceAll("%3A", ":"), this.base);
    return await http.get(url, { accept: "application/json", authorization, retries, maxRedirects: 5 }, 64 * 2 ** 20);
  }

  private jsonOf(answer: HttpAnswer): JsonAnswer {
    if (answer.status !== 200) throw unexpectedStatus(answer.url, answer.status);
    if (answer.contentType !== "application/json") {
      const type = answer.contentType || "no type of content";
      throw new PluginHostError("SOURCE_FAILED", `${withoutSecrets(answer.url)} answers with ${type}, and not with JSON`);
    }
    return JsonAnswer.of(answer);
  }
}
