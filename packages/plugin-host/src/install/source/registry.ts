// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import { formatPlatform, type Platform } from "../address/platform.ts";
import { defaultHostnames, formatAddress, type SourceAddress } from "../address/source-address.ts";
import type { Credentials } from "../credentials/credentials.ts";
import { type HttpResponse, type HttpClient, unexpectedStatus } from "../http/http-client.ts";
import { isHttp, resolveUrl, withoutSecrets } from "../http/http-url.ts";
import { JsonResponse } from "../http/json-response.ts";
import type { PackageHash } from "../package/package-hash.ts";
import { compareVersions, formatVersion, parseVersion, type Version } from "../version/version.ts";
import { checkSha256, checkSize, isKnownHash, type PackageCheck } from "./package-check.ts";
import type { AvailableVersions, PackageOffer, PackageSource } from "./package-source.ts";
import type { ServiceDiscovery } from "./service-discovery.ts";
import { checkListed, checkSignature, type SignaturePolicy } from "./signature.ts";

/** Settings of a registry. */
export interface RegistrySettings {
  readonly http: HttpClient;
  readonly discovery: ServiceDiscovery;
  readonly credentials: Credentials;
  readonly policy: SignaturePolicy;
  readonly registryRetries: number;
  readonly downloadRetries: number;
}

const maxResponseBytes = 64 * 2 ** 20;

/** Client for provider registries, version 1 of the provider registry protocol. The host of a source address is its registry. */
export class Registry implements PackageSource {
  readonly name = "registry";
  readonly #settings: RegistrySettings;

  constructor(settings: RegistrySettings) {
    this.#settings = settings;
  }

  async versions(address: SourceAddress): Promise<AvailableVersions | undefined> {
    const response = await this.#get(address, "versions");
    if (response.status === 404) return undefined;
    if (response.status !== 200) throw unexpectedStatus(response.url, response.status);
    const json = JsonResponse.of(response);
    const warnings = json
      .get("warnings")
      .list()
      .map((warning) => warning.text());
    return {
      versions: json
        .get("versions")
        .list()
        .map((entry) => versionIn(entry.get("version"))),
      warnings,
    };
  }

  async locate(address: SourceAddress, version: Version, platform: Platform): Promise<PackageOffer | undefined> {
    const what = `${formatAddress(address)} ${formatVersion(version)}`;
    const response = await this.#get(address, `${formatVersion(version)}/download/${platform.os}/${platform.arch}`);
    if (response.status === 404) return undefined;
    if (response.status !== 200) throw unexpectedStatus(response.url, response.status);
    const json = JsonResponse.of(response);
    await this.#refuseProtocols(address, version, json);
    const target = `${json.get("os").text()}_${json.get("arch").text()}`;
    if (target !== formatPlatform(platform)) json.refuse(`for ${formatPlatform(platform)}, and not for ${target}`);

    const sha256 = json.get("shasum").text().toLowerCase();
    if (!/^[0-9a-f]{64}$/.test(sha256)) json.get("shasum").refuse("a SHA-256 in hex");
    const [document, signature] = await Promise.all([
      this.#file(urlIn(json.get("shasums_url"), response.url)),
      this.#file(urlIn(json.get("shasums_signature_url"), response.url)),
    ]);
    const keys = json
      .get("signing_keys")
      .get("gpg_public_keys")
      .list()
      .map((key) => key.get("ascii_armor").text());
    const mayBeUnsigned = address.hostname === defaultHostnames.opentofu;
    return {
      source: address.hostname,
      location: { kind: "url", url: urlIn(json.get("download_url"), response.url), retries: this.#settings.downloadRetries },
      checks: [
        ...packageChecks(what, json.get("packages"), platform, sha256),
        checkListed(what, document, json.get("filename").text(), sha256),
        checkSha256(what, sha256),
        checkSignature(what, { document, signature, keys }, this.#settings.policy, mayBeUnsigned),
      ],
    };
  }

  async #get({ hostname, namespace, type }: SourceAddress, path: string): Promise<HttpResponse> {
    const { http, discovery, credentials, registryRetries: retries } = this.#settings;
    const base = await discovery.providersAddress(hostname);
    const authorization = await credentials.authorizationFor(hostname);
    const url = new URL(`${encodeURIComponent(namespace)}/${encodeURIComponent(type)}/${path}`, base);
    return await http.get(url, { accept: "application/json", authorization, retries, maxRedirects: 10 }, maxResponseBytes);
  }

  /** Fetches a public file, without credentials. */
  async #file(url: URL): Promise<Uint8Array> {
    const { http, registryRetries: retries } = this.#settings;
    const response = await http.get(url, { retries, maxRedirects: 10 }, maxResponseBytes);
    if (response.status !== 200) throw unexpectedStatus(response.url, response.status);
    return response.body;
  }

  async #refuseProtocols(address: SourceAddress, version: Version, json: JsonResponse): Promise<void> {
    const protocols = json
      .get("protocols")
      .list()
      .map((protocol) => protocol.text());
    if (protocols.length === 0 || protocols.some(isSupportedProtocol)) return;
    const other = await this.#closestVersion(address);
    const advice = other ? `; version ${formatVersion(other)} has one of them` : "";
    const message =
      `${formatAddress(address)} ${formatVersion(version)} has no supported provider protocol: ` +
      `it has ${protocols.join(", ")}, but only 5 and 6 are supported${advice}`;
    throw new PluginHostError("PLATFORM_UNSUPPORTED", message);
  }

  /** Returns the newest version with a supported protocol. */
  async #closestVersion(address: SourceAddress): Promise<Version | undefined> {
    const response = await this.#get(address, "versions");
    if (response.status !== 200) return undefined;
    const entries = JsonResponse.of(response).get("versions").list();
    const usable = entries.filter((entry) =>
      entry
        .get("protocols")
        .list()
        .some((protocol) => isSupportedProtocol(protocol.text())),
    );
    return usable
      .map((entry) => versionIn(entry.get("version")))
      .sort(compareVersions)
      .at(-1);
  }
}

/** Checks with `packages`, OpenTofu's extension of the protocol: sizes, and hashes of all platforms. */
function packageChecks(what: string, packages: JsonResponse, platform: Platform, sha256: string): PackageCheck[] {
  if (packages.isAbsent()) return [];
  const own = packages.get(formatPlatform(platform));
  if (own.isAbsent()) packages.refuse(`with one for ${formatPlatform(platform)}`);
  const hashes = packages.entries().flatMap(([, entry]) =>
    entry
      .get("hashes")
      .list()
      .map((hash) => hash.text()),
  );
  const ownHashes = own
    .get("hashes")
    .list()
    .map((hash) => hash.text());
  if (!ownHashes.includes(`zh:${sha256}`) || ownHashes.some((hash) => hash.startsWith("zh:") && hash !== `zh:${sha256}`)) {
    own.get("hashes").refuse(`the same as "shasum": zh:${sha256}`);
  }
  const reported: readonly PackageHash[] = hashes.filter(isKnownHash);
  return [checkSize(what, own.get("package_size").number()), async () => ({ reported })];
}

/** Whether a protocol version is 5.x or 6.x. */
function isSupportedProtocol(protocol: string): boolean {
  return /^[56](?:\.[0-9]+)*$/.test(protocol);
}

function versionIn(json: JsonResponse): Version {
  try {
    return parseVersion(json.text());
  } catch {
    return json.refuse("a version");
  }
}

function urlIn(json: JsonResponse, base: URL): URL {
  const text = json.text();
  const url = resolveUrl(text, base) ?? json.refuse(`a URL, and not ${JSON.stringify(text)}`);
  return isHttp(url) ? url : json.refuse(`an http: or https: address, and not ${withoutSecrets(url)}`);
}
