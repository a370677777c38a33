// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Certificate, createCertificate } from "@tenon/protocol/certificate";
import { createMessage, generateKey, type PrivateKey, readPrivateKey, sign } from "openpgp";

/** A package in the registry, for one platform. */
export interface ServedPackage {
  readonly namespace: string;
  readonly type: string;
  readonly version: string;
  readonly platform: string;
  readonly zip: Uint8Array;
}

/** A key that signs checksums. */
export interface SigningKey {
  readonly armored: string;
  readonly privateKey: PrivateKey;
}

/** A request that the server received. */
export interface SeenRequest {
  readonly path: string;
  readonly authorization: string | undefined;
}

/** Returns a response that replaces the correct one, or undefined to keep the correct one. */
export type Tampering = (path: string, request: IncomingMessage) => ServedResponse | undefined;

/** An HTTP response. */
export interface ServedResponse {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Number of bytes after which the server closes the connection. */
  readonly cutAfter?: number;
}

/** Generates a key pair. */
export async function signingKey(options: { readonly date?: Date; readonly expiresInSeconds?: number } = {}): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKey({
    type: "rsa",
    rsaBits: 2048,
    userIDs: [{ name: "Acme", email: "releases@acme.example" }],
    format: "armored",
    ...(options.date ? { date: options.date } : {}),
    ...(options.expiresInSeconds ? { keyExpirationTime: options.expiresInSeconds } : {}),
  });
  return { armored: publicKey, privateKey: await readPrivateKey({ armoredKey: privateKey }) };
}

/**
 * A provider registry at `https://localhost:<port>`, with the protocols that both CLIs use. It also serves a network mirror below
 * `/mirror/` and an OCI registry below `/v2/`. `caFile` has its certificate.
 */
export class ProviderRegistry implements AsyncDisposable {
  readonly host: string;
  readonly caFile: string;
  readonly seen: SeenRequest[] = [];
  tamper: Tampering = () => undefined;
  /** Whether the response for a path is an endless stream of bytes. */
  stream: (path: string) => boolean = () => false;
  /** Published keys; the first one signs. */
  keys: readonly SigningKey[] = [];
  /** Date of the signatures. Default: now. */
  signedAt: Date | undefined;
  packages: readonly ServedPackage[] = [];
  /** The `Authorization` header that `/token` requires; undefined disables authentication for `/v2/`. */
  ociPassword: string | undefined;
  readonly #server: Server;
  readonly #folder: string;

  private constructor(server: Server, folder: string) {
    this.#server = server;
    this.#folder = folder;
    this.host = `localhost:${(server.address() as AddressInfo).port}`;
    this.caFile = join(folder, "ca.pem");
  }

  /** @param certificate - that of another registry, so that a client that trusts that registry trusts this one, too. */
  static async start(certificate: Certificate = createCertificate()): Promise<ProviderRegistry> {
    const { certificatePem, privateKeyPem } = certificate;
    const folder = mkdtempSync(join(tmpdir(), "tenon-registry-"));
    writeFileSync(join(folder, "ca.pem"), certificatePem);
    const server = createServer({ cert: certificatePem, key: privateKeyPem });
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    const registry = new ProviderRegistry(server, folder);
    server.on("request", (request, response) => {
      registry.#handle(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    return registry;
  }

  /** Environment variables with which a process trusts the server. */
  get environment(): Readonly<Record<string, string>> {
    return { SSL_CERT_FILE: this.caFile };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.#folder, { recursive: true });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "/";
    this.seen.push({ path, authorization: request.headers.authorization });
    const {
      status = 200,
      type = "application/json",
      headers,
      body = "",
      cutAfter,
    } = this.tamper(path, request) ?? (await this.#respond(path, request.headers.authorization));
    if (this.stream(path)) {
      response.writeHead(200);
      const timer = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(timer));
      return;
    }
    const bytes = Buffer.from(body);
    response.writeHead(status, { "content-type": type, "content-length": bytes.length, ...headers });
    if (cutAfter === undefined) response.end(bytes);
    else response.write(bytes.subarray(0, cutAfter), () => response.destroy());
  }

  async #respond(path: string, authorization: string | undefined): Promise<ServedResponse> {
    if (path === "/.well-known/terraform.json") return json({ "providers.v1": "/v1/providers/" });
    const [, section, ...parts] = path.split("/");
    if (section === "v1") return await this.#registryResponse(parts.slice(1));
    if (section === "mirror") return this.#mirrorResponse(parts);
    if (section === "v2") return this.#ociResponse(path.slice("/v2/".length), authorization);
    if (path.startsWith("/token?")) return json({ token: authorization === this.ociPassword ? "let-me-in" : "invalid" });
    if (section === "files") return this.#file(parts.join("/"));
    return { status: 404 };
  }

  async #registryResponse([namespace = "", type = "", ...rest]: readonly string[]): Promise<ServedResponse> {
    const all = this.#of(namespace, type);
    if (all.length === 0) return { status: 404 };
    if (rest[0] === "versions") {
      const versions = [...new Set(all.map(({ version }) => version))].map((version) => ({
        version,
        protocols: ["5.0", "6.0"],
        platforms: all.filter((one) => one.version === version).map(({ platform }) => platformJson(platform)),
      }));
      return json({ versions, warnings: ["this provider is for tests"] });
    }
    const [version = "", , os, arch] = rest;
    const found = all.find((one) => one.version === version && one.platform === `${os}_${arch}`);
    if (!found) return { status: 404 };
    const base = `/files/${namespace}/${type}/${version}`;
    return json({
      protocols: ["5.0", "6.0"],
      os,
      arch,
      filename: fileName(found),
      download_url: `${base}/${fileName(found)}`,
      shasum: sha256(found.zip),
      shasums_url: `${base}/SHA256SUMS`,
      shasums_signature_url: `${base}/SHA256SUMS.sig`,
      signing_keys: { gpg_public_keys: this.keys.map(({ armored }) => ({ key_id: "", ascii_armor: armored })) },
    });
  }

  #mirrorResponse([, namespace = "", type = "", file = ""]: readonly string[]): ServedResponse {
    const all = this.#of(namespace, type);
    if (all.length === 0) return { status: 404 };
    if (file === "index.json") return json({ versions: Object.fromEntries(all.map(({ version }) => [version, {}])) });
    const archives = all
      .filter(({ version }) => file === `${version}.json`)
      .map((one) => {
        const url = `/files/${namespace}/${type}/${one.version}/${fileName(one)}`;
        return [one.platform, { url, hashes: [`zh:${sha256(one.zip)}`] }];
      });
    return archives.length === 0 ? { status: 404 } : json({ archives: Object.fromEntries(archives) });
  }

  /** Responds as an OCI registry at `/v2/<namespace>/<type>/…`. Each page has one tag, so that clients must follow the links. */
  #ociResponse(path: string, authorization: string | undefined): ServedResponse {
    if (this.ociPassword !== undefined && authorization !== "Bearer let-me-in") {
      const challenge = `Bearer realm="https://${this.host}/token",service="${this.host}"`;
      return { status: 401, headers: { "www-authenticate": challenge }, body: '{"errors":[{"code":"UNAUTHORIZED"}]}' };
    }
    if (path === "") return json({});
    const [, namespace = "", type = "", kind = "", reference = ""] = /^([^/]+)\/([^/]+)\/([^/]+)\/([^?]+)/.exec(path) ?? [];
    const all = this.#of(namespace, type);
    const unknown = { status: 404, body: '{"errors":[{"code":"NAME_UNKNOWN"}]}' };
    if (all.length === 0) return unknown;
    if (kind === "tags") {
      const tags = [...new Set(all.map(({ version }) => version.replaceAll("+", "_")))];
      const at = tags.indexOf(/[?&]last=([^&]*)/.exec(path)?.[1] ?? "") + 1;
      const link = `</v2/${namespace}/${type}/tags/list?n=1&last=${tags[at]}>; rel="next"`;
      return {
        ...json({ name: `${namespace}/${type}`, tags: tags.slice(at, at + 1) }),
        ...(at + 1 < tags.length ? { headers: { link } } : {}),
      };
    }
    const documents = new Map<string, { readonly type: string; readonly body: Uint8Array }>();
    const put = (mediaType: string, body: Uint8Array): OciDescriptor => {
      const digest = `sha256:${sha256(body)}`;
      documents.set(digest, { type: mediaType, body });
      return { mediaType, digest, size: body.length };
    };
    for (const version of new Set(all.map((one) => one.version))) {
      const manifests = all.filter((one) => one.version === version).map((one) => ociTarget(one, put));
      const index = { schemaVersion: 2, mediaType: ociIndex, artifactType: "application/vnd.opentofu.provider", manifests };
      const { digest } = put(ociIndex, Buffer.from(JSON.stringify(index)));
      documents.set(version.replaceAll("+", "_"), documents.get(digest)!);
    }
    const found = documents.get(reference);
    return found ? { ...found, headers: { "docker-content-digest": `sha256:${sha256(found.body)}` } } : unknown;
  }

  async #file(path: string): Promise<ServedResponse> {
    const [namespace = "", type = "", version = "", file = ""] = path.split("/");
    const all = this.#of(namespace, type).filter((one) => one.version === version);
    const sums = all.map((one) => `${sha256(one.zip)}  ${fileName(one)}\n`).join("");
    if (file === "SHA256SUMS") return { type: "text/plain", body: sums };
    if (file === "SHA256SUMS.sig") return { type: "application/octet-stream", body: await this.#signature(sums) };
    const found = all.find((one) => fileName(one) === file);
    return found ? { type: "application/zip", body: found.zip } : { status: 404 };
  }

  async #signature(text: string): Promise<Uint8Array> {
    const [key] = this.keys;
    if (!key) return new Uint8Array();
    const message = await createMessage({ binary: Buffer.from(text) });
    const date = this.signedAt ? { date: this.signedAt } : {};
    return await sign({ message, signingKeys: key.privateKey, detached: true, format: "binary", ...date });
  }

  #of(namespace: string, type: string): readonly ServedPackage[] {
    return this.packages.filter((one) => one.namespace === namespace && one.type === type);
  }
}

interface OciDescriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

const ociIndex = "application/vnd.oci.image.index.v1+json";
const ociManifest = "application/vnd.oci.image.manifest.v1+json";

function ociTarget({ platform, zip }: ServedPackage, put: (mediaType: string, body: Uint8Array) => OciDescriptor): object {
  const { os, arch: architecture } = platformJson(platform);
  const artifactType = "application/vnd.opentofu.provider-target";
  const config = put("application/vnd.oci.empty.v1+json", Buffer.from("{}"));
  const layers = [put("archive/zip", zip)];
  const manifest = put(
    ociManifest,
    Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: ociManifest, artifactType, config, layers })),
  );
  return { ...manifest, artifactType, platform: { os, architecture } };
}

function fileName({ type, version, platform }: ServedPackage): string {
  return `terraform-provider-${type}_${version}_${platform}.zip`;
}

function platformJson(platform: string): { readonly os: string; readonly arch: string } {
  const [os = "", arch = ""] = platform.split("_");
  return { os, arch };
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function json(value: unknown): ServedResponse {
  return { body: JSON.stringify(value) };
}
