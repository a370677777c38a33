// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import type { Credentials } from "../credentials/credentials.ts";
import { type HttpClient, unexpectedStatus } from "../http/http-client.ts";
import { isHttp, resolveUrl } from "../http/http-url.ts";
import { JsonResponse } from "../http/json-response.ts";

/** Discovers the services of hosts, once for each host. */
export class ServiceDiscovery {
  readonly #http: HttpClient;
  readonly #credentials: Credentials;
  readonly #configured: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly #retries: number;
  readonly #found = new Map<string, Promise<Services>>();

  /** @param configured - services in the CLI configuration, by hostname; the services of these hosts are not requested */
  constructor(
    http: HttpClient,
    credentials: Credentials,
    configured: ReadonlyMap<string, Readonly<Record<string, string>>>,
    retries: number,
  ) {
    this.#http = http;
    this.#credentials = credentials;
    this.#configured = configured;
    this.#retries = retries;
  }

  /**
   * Returns the URL of a host's provider registry, with a trailing slash.
   *
   * @throws PluginHostError `SOURCE_FAILED`, `UNAUTHORIZED`
   * @see OpenTofu svchost/disco
   */
  async providersAddress(hostname: string): Promise<URL> {
    return await this.#serviceAddress(hostname, "providers");
  }

  /** Returns the URL of a host's module registry, as {@link providersAddress} does for providers. */
  async modulesAddress(hostname: string): Promise<URL> {
    return await this.#serviceAddress(hostname, "modules");
  }

  async #serviceAddress(hostname: string, service: "providers" | "modules"): Promise<URL> {
    let services = this.#found.get(hostname);
    if (!services) {
      services = this.#discover(hostname);
      this.#found.set(hostname, services);
      // After a failure the next call repeats the request.
      services.catch(() => this.#found.delete(hostname));
    }
    const { base, names } = await services;
    const text = names.get(`${service}.v1`);
    if (text === undefined) {
      const other = [...names.keys()].some((name) => name.startsWith(`${service}.`));
      const reason = other ? "it has only another version of the service" : "it does not list the service";
      throw new PluginHostError("SOURCE_FAILED", `the host ${hostname} has no supported registry of ${service}: ${reason}`);
    }
    const url = resolveUrl(text, base);
    if (!url || !isHttp(url))
      throw new PluginHostError("SOURCE_FAILED", `the host ${hostname} lists an invalid address for its registry of ${service}`);
    if (!url.pathname.endsWith("/")) url.pathname += "/";
    return url;
  }

  async #discover(hostname: string): Promise<Services> {
    const url = new URL(`https://${hostname}/.well-known/terraform.json`);
    const configured = this.#configured.get(hostname);
    if (configured) return { base: url, names: new Map(Object.entries(configured)) };
    const authorization = await this.#credentials.authorizationFor(hostname);
    const request = { accept: "application/json", authorization, retries: this.#retries, maxRedirects: 3 };
    const response = await this.#http.get(url, request, 2 ** 20);
    if (response.status === 404) return { base: response.url, names: new Map() };
    if (response.status !== 200) throw unexpectedStatus(response.url, response.status);
    if (response.contentType !== "application/json") {
      throw new PluginHostError("SOURCE_FAILED", `${url.href} returned ${response.contentType || "no content type"} instead of JSON`);
    }
    const entries = JsonResponse.of(response).entries();
    return { base: response.url, names: new Map(entries.flatMap(([name, value]) => (value.isText() ? [[name, value.text()]] : []))) };
  }
}

interface Services {
  /** The final URL, to which the addresses are relative. */
  readonly base: URL;
  readonly names: ReadonlyMap<string, string>;
}
