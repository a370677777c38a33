// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import { formatPlatform, type Platform } from "../address/platform.ts";
import { defaultHostnames, formatAddress, type SourceAddress } from "../address/source-address.ts";
import type { Credentials } from "../credentials/credentials.ts";
import { type HttpAnswer, type HttpClient, isHttp, resolveUrl, unexpectedStatus, withoutSecrets } from "../http/http-client.ts";
import { JsonAnswer } from "../http/json-answer.ts";
import type { PackageHash } from "../package/package-hash.ts";
import { compareVersions, formatVersion, parseVersion, type Version } from "../version/version.ts";
import { checkSha256, checkSize, isKnownHash, type PackageCheck } from "./package-check.ts";
import type { AvailableVersions, PackageOffer, PackageSource } from "./package-source.ts";
import type { ServiceDiscovery } from "./service-discovery.ts";
import { checkListed, checkSignature, type SignaturePolicy } from "./signature.ts";

/** What a registry needs. */
export interface RegistrySettings {
  readonly http: HttpClient;
  readonly discovery: ServiceDiscovery;
  readonly credentials: Credentials;
  readonly policy: SignaturePolicy;
  readonly registryRetries: number;
  readonly downloadRetries: number;
}

const maxAnswer = 64 * 2 ** 20;

/** The registries that source addresses name, by the registry protocol for providers, version 1. */
export class Registry implements PackageSource {
  readonly name = "registry";
  private readonly settings: RegistrySettings;

  constructor(settings: RegistrySettings) {
    this.settings = settings;
  }

  async versions(address: SourceAddress): Promise<AvailableVersions | undefined> {
    const answer = await this.ask(address, "versions");
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw unexpectedStatus(answer.url, answer.status);
    const json = JsonAnswer.of(answer);
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
    const answer = await this.ask(address, `${formatVersion(version)}/download/${platform.os}/${platform.arch}`);
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw unexpectedStatus(answer.url, answer.status);
    const json = JsonAnswer.of(answer);
    await this.refuseProtocols(address, version, json);
    const target = `${json.get("os").text()}_${json.get("arch").text()}`;
    if (target !== formatPlatform(platform)) json.refuse(`for ${formatPlatform(platform)}, and not for ${target}`);

    const sha256 = json.get("shasum").text().toLowerCase();
    if (!/^[0-9a-f]{64}$/.test(sha256)) json.get("shasum").refuse("a SHA-256 in hex");
    const [document, signature] = await Promise.all([
      this.file(urlIn(json.get("shasums_url"), answer.url)),
      this.file(urlIn(json.get("shasums_signature_url"), answer.url)),
    ]);
    const keys = json
      .get("signing_keys")
      .get("gpg_public_keys")
      .list()
      .map((key) => key.get("ascii_armor").text());
    const mayBeUnsigned = address.hostname === defaultHostnames.opentofu;
    return {
      source: address.hostname,
      location: { kind: "url", url: urlIn(json.get("download_url"), answer.url), retries: this.settings.downloadRetries },
      checks: [
        ...packageChecks(what, json.get("packages"), platform, sha256),
        checkListed(what, document, json.get("filename").text(), sha256),
        checkSha256(what, sha256),
        checkSignature(what, { document, signature, keys }, this.settings.policy, mayBeUnsigned),
      ],
    };
  }

  private async ask({ hostname, namespace, type }: SourceAddress, path: string): Promise<HttpAnswer> {
    const { http, discovery, credentials, registryRetries: retries } = this.settings;
    const base = await discovery.providersAddress(hostname);
    const authorization = await credentials.authorizationFor(hostname);
    const url = new URL(`${encodeURIComponent(namespace)}/${encodeURIComponent(type)}/${path}`, base);
    return await http.get(url, { accept: "application/json", authorization, retries, maxRedirects: 10 }, maxAnswer);
  }

  /** A file that is public by its address: no credentials go there. */
  private async file(url: URL): Promise<Uint8Array> {
    const { http, registryRetries: retries } = this.settings;
    const answer = await http.get(url, { retries, maxRedirects: 10 }, maxAnswer);
    if (answer.status !== 200) throw unexpectedStatus(answer.url, answer.status);
    return answer.body;
  }

  private async refuseProtocols(address: SourceAddress, version: Version, json: JsonAnswer): Promise<void> {
    const protocols = json
      .get("protocols")
      .list()
      .map((protocol) => protocol.text());
    if (protocols.length === 0 || protocols.some(isSpoken)) return;
    const other = await this.closestVersion(address);
    const advice = other ? `; version ${formatVersion(other)} does` : "";
    const message =
      `${formatAddress(address)} ${formatVersion(version)} speaks no provider protocol that is spoken here: ` +
      `it has ${protocols.join(", ")}, and 5 and 6 are${advice}`;
    throw new PluginHostError("PLATFORM_UNSUPPORTED", message);
  }

  /** The newest version with a protocol of ours. */
  private async closestVersion(address: SourceAddress): Promise<Version | undefined> {
    const answer = await this.ask(address, "versions");
    if (answer.status !== 200) return undefined;
    const entries = JsonAnswer.of(answer).get("versions").list();
    const usable = entries.filter((entry) =>
      entry
        .get("protocols")
        .list()
        .some((protocol) => isSpoken(protocol.text())),
    );
    return usable
      .map((entry) => versionIn(entry.get("version")))
      .sort(compareVersions)
      .at(-1);
  }
}

/** Checks against `packages`, OpenTofu's addition to the protocol: sizes, and hashes of all platforms. */
function packageChecks(what: string, packages: JsonAnswer, platform: Platform, sha256: string): PackageCheck[] {
  if (packages.isAbsent()) return [];
  const own = packages.get(formatPlatform(platform));
  if (own.isAbsent()) packages.refuse(`with one for ${formatPlatform(platform)}`);
  const hashes = packages.entries().flatMap(([, entry]) =>
    entry
      .get("hashes")
      .list()
      .map((hash) => hash.text()),
  );
  const promised = own
    .get("hashes")
    .list()
    .map((hash) => hash.text());
  if (!promised.includes(`zh:${sha256}`) || promised.some((hash) => hash.startsWith("zh:") && hash !== `zh:${sha256}`)) {
    own.get("hashes").refuse(`what "shasum" says, too: zh:${sha256}`);
  }
  const reported: readonly PackageHash[] = hashes.filter(isKnownHash);
  return [checkSize(what, own.get("package_size").number()), async () => ({ reported })];
}

/** Any 5 and any 6. */
function isSpoken(protocol: string): boolean {
  return /^[56](?:\.[0-9]+)*$/.test(protocol);
}

function versionIn(json: JsonAnswer): Version {
  try {
    return parseVersion(json.text());
  } catch {
    return json.refuse("a version");
  }
}

function urlIn(json: JsonAnswer, base: URL): URL {
  const text = json.text();
  const url = resolveUrl(text, base) ?? json.refuse(`an address, and not ${JSON.stringify(text)}`);
  return isHttp(url) ? url : json.refuse(`an http: or https: address, and not ${withoutSecrets(url)}`);
}
