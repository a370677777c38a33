// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import type { Credentials } from "../credentials/credentials.ts";
import { type HttpClient, isHttp, resolveUrl, unexpectedStatus } from "../http/http-client.ts";
import { JsonAnswer } from "../http/json-answer.ts";

/** Finds out where on a host a service is, once for each host. */
export class ServiceDiscovery {
  private readonly http: HttpClient;
  private readonly credentials: Credentials;
  private readonly configured: ReadonlyMap<string, Readonly<Record<string, string>>>;
  private readonly retries: number;
  private readonly found = new Map<string, Promise<Services>>();

  /** @param configured Services that the CLI's configuration names, by hostname: these hosts are not asked. */
  constructor(
    http: HttpClient,
    credentials: Credentials,
    configured: ReadonlyMap<string, Readonly<Record<string, string>>>,
    retries: number,
  ) {
    this.http = http;
    this.credentials = credentials;
    this.configured = configured;
    this.retries = retries;
  }

  /**
   * The address of a host's registry of providers, ending in a slash.
   *
   * @throws PluginHostError `SOURCE_FAILED`, `UNAUTHORIZED`
   * @see OpenTofu svchost/disco
   */
  async providersAddress(hostname: string): Promise<URL> {
    let services = this.found.get(hostname);
    if (!services) {
      services = this.discover(hostname);
      this.found.set(hostname, services);
      // A failure is not kept: the next one may ask again.
      services.catch(() => this.found.delete(hostname));
    }
    const { base, names } = await services;
    const text = names.get("providers.v1");
    if (text === undefined) {
      const other = [...names.keys()].some((name) => name.startsWith("providers."));
      const reason = other ? "it has one of another version only" : "it has none";
      throw new PluginHostError("SOURCE_FAILED", `the host ${hostname} has no registry of providers that can be used here: ${reason}`);
    }
    const url = resolveUrl(text, base);
    if (!url || !isHttp(url)) throw new PluginHostError("SOURCE_FAILED", `the host ${hostname} names no usable address for its registry`);
    if (!url.pathname.endsWith("/")) url.pathname += "/";
    return url;
  }

  private async discover(hostname: string): Promise<Services> {
    const url = new URL(`https://${hostname}/.well-known/terraform.json`);
    const configured = this.configured.get(hostname);
    if (configured) return { base: url, names: new Map(Object.entries(configured)) };
    const authorization = await this.credentials.authorizationFor(hostname);
    const wanted = { accept: "application/json", authorization, retries: this.retries, maxRedirects: 3 };
    const answer = await this.http.get(url, wanted, 2 ** 20);
    if (answer.status === 404) return { base: answer.url, names: new Map() };
    if (answer.status !== 200) throw unexpectedStatus(answer.url, answer.status);
    if (answer.contentType !== "application/json") {
      throw new PluginHostError(
        "SOURCE_FAILED",
        `${url.href} answers with ${answer.contentType || "no type of content"}, and not with JSON`,
      );
    }
    const entries = JsonAnswer.of(answer).entries();
    return { base: answer.url, names: new Map(entries.flatMap(([name, value]) => (value.isText() ? [[name, value.text()]] : []))) };
  }
}

interface Services {
  /** Where the answer came from: what it names is relative to it. */
  readonly base: URL;
  readonly names: ReadonlyMap<string, string>;
}
