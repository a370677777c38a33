// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import type { OciCredentials } from "../cli-config/cli-config.ts";
import { type HttpAnswer, type HttpClient, unexpectedStatus } from "../http/http-client.ts";
import { JsonAnswer } from "../http/json-answer.ts";
import type { OciRepository } from "./oci-repository.ts";

/**
 * Signs in to registries of OCI images when they ask for it: with a password, or with a token that the host they name gives for one.
 *
 * @see https://distribution.github.io/distribution/spec/auth/token/
 */
export class OciAuthorization {
  private readonly http: HttpClient;
  private readonly credentials: readonly OciCredentials[];
  private readonly retries: number;
  /** Headers that have been accepted, by repository. */
  private readonly headers = new Map<string, string>();

  constructor(http: HttpClient, credentials: readonly OciCredentials[], retries: number) {
    this.http = http;
    this.credentials = credentials;
    this.retries = retries;
  }

  /** What is at an address of the repository; asks again, signed in, where the registry wants it. */
  async get(repository: OciRepository, url: URL, accept: string, maxBytes: number): Promise<HttpAnswer> {
    const wanted = { accept, retries: this.retries, maxRedirects: 5 };
    const answer = await this.http.get(url, { ...wanted, authorization: this.headers.get(keyOf(repository)) }, maxBytes);
    if (answer.status !== 401 || answer.challenge === "") return answer;
    const authorization = await this.signIn(repository, answer.challenge);
    this.headers.set(keyOf(repository), authorization);
    return await this.http.get(url, { ...wanted, authorization }, maxBytes);
  }

  /** The header that was accepted last; undefined where none was wanted. */
  async headerFor(repository: OciRepository): Promise<string | undefined> {
    return this.headers.get(keyOf(repository));
  }

  private async signIn(repository: OciRepository, challenge: string): Promise<string> {
    const own = this.credentialsFor(repository);
    const basic = own?.username !== undefined && own.password !== undefined ? basicHeader(own.username, own.password) : undefined;
    const scheme = /^\s*([A-Za-z]+)/.exec(challenge)?.[1]?.toLowerCase();
    if (scheme === "basic" && basic !== undefined) return basic;
    if (scheme !== "bearer") {
      const reason = scheme === "basic" ? "wants a password, and the CLI configuration has none for it" : `wants ${scheme ?? "something"}`;
      throw new PluginHostError("UNAUTHORIZED", `the registry ${repository.host} ${reason}`);
    }
    if (own?.accessToken !== undefined) return `Bearer ${own.accessToken}`;
    const realm = parameter(challenge, "realm") ?? "";
    const url = URL.parse(realm);
    if (url?.protocol !== "https:") {
      throw new PluginHostError("SOURCE_FAILED", `the registry ${repository.host} names no protected address to sign in at`);
    }
    const service = parameter(challenge, "service");
    if (service !== undefined) url.searchParams.set("service", service);
    url.searchParams.set("scope", `repository:${repository.path}:pull`);
    const answer = await this.http.get(url, { authorization: basic, retries: this.retries, maxRedirects: 0 }, 2 ** 20);
    if (answer.status !== 200) throw unexpectedStatus(answer.url, answer.status);
    const json = JsonAnswer.of(answer);
    return `Bearer ${json.get("token").optionalText() ?? json.get("access_token").text()}`;
  }

  /** The most exact one: of the repository, of a path above it, of the host, or the default. */
  private credentialsFor(repository: OciRepository): OciCredentials | undefined {
    const name = keyOf(repository);
    const fits = ({ repositoryPrefix: prefix }: OciCredentials): boolean =>
      prefix === "" || name === prefix || name.startsWith(`${prefix}/`);
    return this.credentials.filter(fits).sort((left, right) => right.repositoryPrefix.length - left.repositoryPrefix.length)[0];
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
