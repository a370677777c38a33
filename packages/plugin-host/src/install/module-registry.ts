// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { PluginHostError } from "../error.ts";
import type { CliConfig, CliFlavour } from "./cli-config/cli-config.ts";
import { configFolder } from "./cli-config/load-cli-config.ts";
import { Credentials } from "./credentials/credentials.ts";
import { HttpClient, unexpectedStatus, type HttpResponse } from "./http/http-client.ts";
import { isHttp, resolveUrl } from "./http/http-url.ts";
import { JsonResponse } from "./http/json-response.ts";
import { ServiceDiscovery } from "./source/service-discovery.ts";

/** A module in a registry. */
export interface ModuleAddress {
  readonly hostname: string;
  readonly namespace: string;
  readonly name: string;
  readonly targetSystem: string;
}

/** Location of a version of a module. */
export interface ModuleLocation {
  /** A module source, or the URL of an archive if {@link isArchive}; relative ones are resolved. */
  readonly address: string;
  /** Whether the registry reports that the location is an archive of the registry itself. */
  readonly isArchive: boolean;
  /** Whether the archive is downloaded with the credentials of the registry's host. */
  readonly usesRegistryCredentials: boolean;
}

/** Options of a {@link ModuleRegistry}. */
export interface ModuleRegistryOptions {
  readonly config: CliConfig;
  /** Default: `opentofu`. */
  readonly flavour?: CliFlavour;
  /** Default: that of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

const maxResponseBytes = 16 * 2 ** 20;
/** Maximum size of a module's archive in bytes. */
const maxArchive = 2 ** 30;
const idleTimeoutMs = 10_000;

/** Client for module registries, version 1 of the module registry protocol. The host of a module source is its registry. */
export class ModuleRegistry implements AsyncDisposable {
  readonly #http: HttpClient;
  readonly #credentials: Credentials;
  readonly #discovery: ServiceDiscovery;

  constructor({ config, flavour = "opentofu", environment = process.env, signal }: ModuleRegistryOptions) {
    this.#http = new HttpClient({ environment, idleTimeoutMs, signal });
    this.#credentials = new Credentials(config, environment, [join(configFolder(flavour, environment), "plugins")], signal);
    this.#discovery = new ServiceDiscovery(this.#http, this.#credentials, config.hosts, 1);
  }

  /**
   * Returns the versions of a module as the registry writes them. Undefined if the registry does not have the module.
   *
   * @throws PluginHostError `SOURCE_FAILED`, `UNAUTHORIZED`
   */
  async versions(address: ModuleAddress): Promise<readonly string[] | undefined> {
    const response = await this.#get(address, "versions");
    if (response.status === 404) return undefined;
    if (response.status !== 200) throw unexpectedStatus(response.url, response.status);
    const [module] = JsonResponse.of(response).get("modules").list();
    return (module?.get("versions").list() ?? []).map((entry) => entry.get("version").text());
  }

  /**
   * Returns the location of a version of a module.
   *
   * @throws PluginHostError `SOURCE_FAILED`, `UNAUTHORIZED`
   */
  async locate(address: ModuleAddress, version: string): Promise<ModuleLocation> {
    const response = await this.#get(address, `${encodeURIComponent(version)}/download`);
    if (response.status !== 200 && response.status !== 204) throw unexpectedStatus(response.url, response.status);
    const json = response.status === 204 || response.body.length === 0 ? undefined : JsonResponse.of(response);
    const location = json?.get("location");
    const usesCredentials = json?.get("use_registry_credentials");
    const text = location?.isText() ? location.text() : response.moduleLocation;
    if (text === "") throw new PluginHostError("SOURCE_FAILED", "the registry returned no location for this package");
    const isArchive = usesCredentials !== undefined && !usesCredentials.isAbsent();
    const isRelative = /^(\/|\.\.?\/)/.test(text) || (isArchive && !/^[a-z][a-z0-9+.-]*:/i.test(text));
    const resolved = isRelative ? resolveUrl(text, response.url)?.href : text;
    if (resolved === undefined) throw new PluginHostError("SOURCE_FAILED", "the registry returned an invalid location for this package");
    return { address: resolved, isArchive, usesRegistryCredentials: isArchive && usesCredentials.isTrue() };
  }

  /**
   * Downloads an archive to a new file.
   *
   * @param authorizedHost - the registry whose credentials are sent, only to the origin of the URL. Default: none
   * @throws PluginHostError `SOURCE_FAILED`, `UNAUTHORIZED`, `CACHE_FAILED`
   */
  async download(address: string, path: string, authorizedHost?: string): Promise<void> {
    const url = URL.parse(address);
    if (url === null || !isHttp(url)) throw new PluginHostError("SOURCE_FAILED", "an archive of a module must have an http or https URL");
    const authorization = authorizedHost === undefined ? undefined : await this.#credentials.authorizationFor(authorizedHost);
    await this.#http.download(url, { authorization, retries: 2, maxRedirects: 10 }, path, maxArchive, () => {});
  }

  /**
   * Asks a web server for the source of the package at a URL: in the header `X-Terraform-Get`, or in an HTML element
   * `<meta name="terraform-get" content="…">`.
   *
   * @returns Undefined if the server names none.
   * @throws PluginHostError `SOURCE_FAILED`
   * @see go-getter HttpGetter
   */
  async namedSource(address: string): Promise<string | undefined> {
    const url = URL.parse(address);
    if (url === null || !isHttp(url)) throw new PluginHostError("SOURCE_FAILED", "a web server must have an http or https URL");
    url.searchParams.append("terraform-get", "1");
    const response = await this.#http.get(url, { retries: 1, maxRedirects: 10 }, maxResponseBytes);
    if (response.status < 200 || response.status > 299) throw unexpectedStatus(response.url, response.status);
    return response.moduleLocation || metaSource(new TextDecoder().decode(response.body));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http[Symbol.asyncDispose]();
  }

  async #get({ hostname, namespace, name, targetSystem }: ModuleAddress, path: string): Promise<HttpResponse> {
    const base = await this.#discovery.modulesAddress(hostname);
    const authorization = await this.#credentials.authorizationFor(hostname);
    const parts = [namespace, name, targetSystem].map(encodeURIComponent).join("/");
    const request = { accept: "application/json", authorization, retries: 1, maxRedirects: 10 };
    return await this.#http.get(new URL(`${parts}/${path}`, base), request, maxResponseBytes);
  }
}

/** Returns the source in the first `terraform-get` element of a page's head. */
function metaSource(html: string): string | undefined {
  const [head = ""] = html.split(/<body[\s>]|<\/head>/i);
  for (const [element] of head.matchAll(/<meta\s[^>]*>/gi)) {
    const attributes = new Map(
      Array.from(element.matchAll(/([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi), ([, name = "", double, single]) => [
        name.toLowerCase(),
        double ?? single ?? "",
      ]),
    );
    if (attributes.get("name") === "terraform-get") return attributes.get("content")?.replaceAll("&amp;", "&") || undefined;
  }
  return undefined;
}
