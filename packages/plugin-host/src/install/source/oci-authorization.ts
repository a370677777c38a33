// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import type { OciCredentials } from "../cli-config/cli-config.ts";
import { type HttpResponse, type HttpClient, unexpectedStatus } from "../http/http-client.ts";
import { JsonResponse } from "../http/json-response.ts";
import type { OciRepository } from "./oci-repository.ts";

/**
 * Authorization for OCI registries that require it: with a password, or with a token that their token server issues.
 *
 * @see https://distribution.github.io/distribution/spec/auth/token/
 */
export class OciAuthorization {
  readonly #http: HttpClient;
  readonly #credentials: readonly OciCredentials[];
  readonly #retries: number;
  /** Headers by repository. */
  readonly #headers = new Map<string, string>();

  constructor(http: HttpClient, credentials: readonly OciCredentials[], retries: number) {
    this.#http = http;
    this.#credentials = credentials;
    this.#retries = retries;
  }

  /** Fetches a URL of a repository. If the registry requires authorization, signs in and fetches it again. */
  async get(repository: OciRepository, url: URL, accept: string, maxBytes: number): Promise<HttpResponse> {
    const request = { accept, retries: this.#retries, maxRedirects: 5 };
    const response = await this.#http.get(url, { ...request, authorization: this.#headers.get(keyOf(repository)) }, maxBytes);
    if (response.status !== 401 || response.challenge === "") return response;
    const authorization = await this.#signIn(repository, response.challenge);
    this.#headers.set(keyOf(repository), authorization);
    return await this.#http.get(url, { ...request, authorization }, maxBytes);
  }

  /** Returns the `Authorization` header of a repository; undefined if the registry required none. */
  async headerFor(repository: OciRepository): Promise<string | undefined> {
    return this.#headers.get(keyOf(repository));
  }

  async #signIn(repository: OciRepository, challenge: string): Promise<string> {
    const own = this.#credentialsFor(repository);
    const basic = own?.username !== undefined && own.password !== undefined ? basicHeader(own.username, own.password) : undefined;
    const scheme = /^\s*([A-Za-z]+)/.exec(challenge)?.[1]?.toLowerCase();
    if (scheme === "basic" && basic !== undefined) return basic;
    if (scheme !== "bearer") {
      const reason =
        scheme === "basic"
          ? "requires a password, and the CLI configuration has none for it"
          : `requires authorization of an unsupported scheme: ${scheme ?? "none"}`;
      throw new PluginHostError("UNAUTHORIZED", `the registry ${repository.host} ${reason}`);
    }
    if (own?.accessToken !== undefined) return `Bearer ${own.accessToken}`;
    const realm = parameter(challenge, "realm") ?? "";
    const url = URL.parse(realm);
    if (url?.protocol !== "https:") {
      throw new PluginHostError("SOURCE_FAILED", `the registry ${repository.host} has no https: address for its token server`);
    }
    const service = parameter(challenge, "service");
    if (service !== undefined) url.searchParams.set("service", service);
    url.searchParams.set("scope", `repository:${repository.path}:pull`);
    const response = await this.#http.get(url, { authorization: basic, retries: this.#retries, maxRedirects: 0 }, 2 ** 20);
    if (response.status !== 200) throw unexpectedStatus(response.url, response.status);
    const json = JsonResponse.of(response);
    return `Bearer ${json.get("token").optionalText() ?? json.get("access_token").text()}`;
  }

  /** The most specific credentials: of the repository, of a path above it, of the host, or the default. */
  #credentialsFor(repository: OciRepository): OciCredentials | undefined {
    const name = keyOf(repository);
    const fits = ({ repositoryPrefix: prefix }: OciCredentials): boolean =>
      prefix === "" || name === prefix || name.startsWith(`${prefix}/`);
    return this.#credentials.filter(fits).sort((left, right) => right.repositoryPrefix.length - left.repositoryPrefix.length)[0];
  }
}

function keyOf({ host, path }: OciRepository): string {
  return `${host}/${path}`;
}

function basicHeader(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

function parameter(challenge: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`, "i").exec(challenge)?.[1];
}
