// SPDX-License-Identifier: Apache-2.0
import { normalize } from "node:path";
import { PluginHostError } from "../../error.ts";
import { parseHostname } from "../address/hostname.ts";
import { defaultHostnames, formatAddress, parseAddress } from "../address/source-address.ts";
import type { CliConfig, CliFlavour, CredentialsHelper, InstallationMethod, OciCredentials, ProviderInstallation } from "./cli-config.ts";
import { type Hcl1Item, type Hcl1Object, type Hcl1Value, isHcl1Object, readHcl1 } from "./hcl1-reader.ts";
import { parseSourcePattern } from "./source-pattern.ts";

/**
 * Decodes the text of one CLI configuration file. Settings that do not concern providers are ignored, as the CLIs ignore unknown
 * settings.
 *
 * @param name Name of the file in errors.
 * @param environment Values of the variables in `plugin_cache_dir`.
 * @throws PluginHostError `INVALID_CLI_CONFIG`
 *
 * @example
 * const text = 'provider_installation { dev_overrides { "acme/notes" = "/home/me/notes" } }';
 * decodeCliConfig(text, ".tofurc", "opentofu", process.env).providerInstallation?.devOverrides.get("registry.opentofu.org/acme/notes");
 * // => "/home/me/notes"
 */
export function decodeCliConfig(
  text: string,
  name: string,
  flavour: CliFlavour,
  environment: Readonly<Record<string, string | undefined>>,
): CliConfig {
  const file = new ConfigFile(name, flavour);
  const root = readHcl1(text, name);
  const cacheDir = file.text(root, "plugin_cache_dir");
  const mayBreak = file.value(root, "plugin_cache_may_break_dependency_lock_file");
  const helper = file.credentialsHelper(root);
  const installation = file.providerInstallation(root);
  return {
    ...(cacheDir ? { pluginCacheDir: expandVariables(cacheDir, environment) } : {}),
    ...(mayBreak === true || mayBreak === "true" ? { pluginCacheMayBreakDependencyLockFile: true } : {}),
    hosts: new Map(file.labelled(root, "host").map(([host, body]) => [file.hostname(host), file.services(body)])),
    credentials: new Map(
      file.labelled(root, "credentials").flatMap(([host, body]) => {
        const token = file.text(body, "token");
        return token === undefined ? [] : [[file.hostname(host), token] as const];
      }),
    ),
    ...(helper ? { credentialsHelper: helper } : {}),
    ...(installation ? { providerInstallation: installation } : {}),
    ociCredentials: file.ociCredentials(root),
  };
}

class ConfigFile {
  readonly #name: string;
  readonly #flavour: CliFlavour;

  constructor(name: string, flavour: CliFlavour) {
    this.#name = name;
    this.#flavour = flavour;
  }

  /** Returns the last value of a key, which overrides earlier ones. */
  value(object: Hcl1Object, key: string): Hcl1Value | undefined {
    return object.items.findLast((item) => item.keys[0] === key && item.keys.length === 1)?.value;
  }

  text(object: Hcl1Object, key: string): string | undefined {
    const value = this.value(object, key);
    if (value === undefined || typeof value === "string") return value;
    return this.#refuse(`${key} must be a string`);
  }

  texts(object: Hcl1Object, key: string): readonly string[] {
    const value = this.value(object, key) ?? [];
    if (Array.isArray(value) && value.every((element): element is string => typeof element === "string")) return value;
    return typeof value === "string" ? [value] : this.#refuse(`${key} must be a list of strings`);
  }

  /** Returns the blocks of one type, each with its label. In JSON they are members of an object. */
  labelled(root: Hcl1Object, type: string): (readonly [label: string, body: Hcl1Object])[] {
    return root.items
      .filter((item) => item.keys[0] === type)
      .flatMap((item) => {
        const [, label, ...more] = item.keys;
        if (more.length > 0) this.#refuse(`a ${type} block has one label`, item);
        const bodies = this.#objects(item.value, type, item);
        if (label !== undefined) return bodies.map((body) => [label, body] as const);
        return bodies.flatMap((body) =>
          body.items.flatMap((inner) => this.#objects(inner.value, type, inner).map((value) => [inner.keys[0] ?? "", value] as const)),
        );
      });
  }

  hostname(text: string): string {
    return parseHostname(text, (reason) => this.#refuse(reason));
  }

  services(body: Hcl1Object): Readonly<Record<string, string>> {
    const services = this.value(body, "services");
    if (services === undefined) return {};
    const entries = this.#objects(services, "services").flatMap(({ items }) => items);
    // Services of providers are plain addresses; services with settings, such as `login.v1`, are not needed here.
    return Object.fromEntries(entries.flatMap(({ keys: [key = ""], value }) => (typeof value === "string" ? [[key, value]] : [])));
  }

  credentialsHelper(root: Hcl1Object): CredentialsHelper | undefined {
    const [helper, ...more] = this.labelled(root, "credentials_helper");
    if (more.length > 0) this.#refuse("there may be only one credentials_helper block");
    return helper && { type: helper[0], args: this.texts(helper[1], "args") };
  }

  providerInstallation(root: Hcl1Object): ProviderInstallation | undefined {
    const blocks = root.items.filter((item) => item.keys[0] === "provider_installation");
    if (blocks.length > 1) this.#refuse("there may be only one provider_installation block", blocks[1]);
    const [block] = blocks;
    if (!block) return undefined;
    this.#refuseUnlessBlock(block, "a provider_installation block");
    const devOverrides = new Map<string, string>();
    const methods: InstallationMethod[] = [];
    for (const body of this.#objects(block.value, "provider_installation", block)) {
      for (const item of body.items) {
        const kind = item.keys[0] ?? "";
        this.#refuseUnlessBlock(item, `the ${kind} block`);
        for (const method of this.#objects(item.value, kind, item)) {
          if (kind !== "dev_overrides") methods.push(this.#method(kind, method, item));
          else if (methods.length > 0) this.#refuse("dev_overrides must come before all other methods, because it overrides them", item);
          else for (const [address, folder] of this.#overrides(method)) devOverrides.set(address, folder);
        }
      }
    }
    return { devOverrides, methods };
  }

  ociCredentials(root: Hcl1Object): readonly OciCredentials[] {
    const read = (repositoryPrefix: string, body: Hcl1Object): OciCredentials => {
      const parts = { username: "username", password: "password", accessToken: "access_token", refreshToken: "refresh_token" };
      const given = Object.entries(parts).map(([name, key]) => [name, this.text(body, key)] as const);
      return { repositoryPrefix, ...Object.fromEntries(given.filter(([, value]) => value !== undefined)) };
    };
    const defaults = root.items.filter((item) => item.keys[0] === "oci_default_credentials");
    return [
      ...this.labelled(root, "oci_credentials").map(([prefix, body]) => read(prefix, body)),
      ...defaults.flatMap((item) => this.#objects(item.value, "oci_default_credentials", item)).map((body) => read("", body)),
    ];
  }

  #overrides(body: Hcl1Object): (readonly [address: string, folder: string])[] {
    return body.items.map(({ keys: [source = ""], value, line }) => {
      if (typeof value !== "string") return this.#refuse(`the folder of ${JSON.stringify(source)} must be a string`, { line });
      // A type without a namespace refers to the namespace hashicorp, as in configurations.
      const address = parseAddress(source.includes("/") ? source : `hashicorp/${source}`, defaultHostnames[this.#flavour]);
      return [formatAddress(address), normalize(value)] as const;
    });
  }

  #method(kind: string, body: Hcl1Object, item: Hcl1Item): InstallationMethod {
    const pattern = (text: string) => parseSourcePattern(text, defaultHostnames[this.#flavour]);
    const common = { include: this.texts(body, "include").map(pattern), exclude: this.texts(body, "exclude").map(pattern) };
    const required = (key: string): string => this.text(body, key) || this.#refuse(`${kind} must have ${key}`, item);
    const retries = this.value(body, "download_retry_count");
    if (retries !== undefined && typeof retries !== "number") this.#refuse("download_retry_count must be a number", item);
    const downloadRetries = typeof retries === "number" ? { downloadRetries: retries } : {};
    if (kind === "direct") return { ...common, kind, ...downloadRetries };
    if (kind === "filesystem_mirror") return { ...common, kind, path: required("path") };
    if (kind === "network_mirror") {
      const url = required("url");
      if (!URL.canParse(url) || new URL(url).protocol !== "https:") this.#refuse(`${JSON.stringify(url)} is not an https: address`, item);
      return { ...common, kind, url, trustAllHashes: this.value(body, "trust_all_hashes") === true, ...downloadRetries };
    }
    // Terraform has no oci_mirror, and rejects it as an unknown method.
    if (kind === "oci_mirror" && this.#flavour === "opentofu") {
      return { ...common, kind, repositoryTemplate: required("repository_template") };
    }
    return this.#refuse(`there is no method ${JSON.stringify(kind)} for the installation of providers`, item);
  }

  #objects(value: Hcl1Value, what: string, item?: Hcl1Item): readonly Hcl1Object[] {
    if (Array.isArray(value)) return value.flatMap((element: Hcl1Value) => this.#objects(element, what, item));
    if (isHcl1Object(value)) return [value];
    return this.#refuse(`${what} must be a block`, item);
  }

  #refuseUnlessBlock(item: Hcl1Item, what: string): void {
    if (item.assigned === true) this.#refuse(`${what} must not have an equals sign`, item);
    if (item.keys.length > 1) this.#refuse(`${what} must not have labels`, item);
  }

  #refuse(reason: string, item?: { readonly line: number }): never {
    const where = item && item.line > 0 ? `${this.#name}, line ${item.line}` : this.#name;
    throw new PluginHostError("INVALID_CLI_CONFIG", `${where}: ${reason}`);
  }
}

/** Replaces `$NAME` and `${NAME}`; a variable that is not set is empty. */
function expandVariables(text: string, environment: Readonly<Record<string, string | undefined>>): string {
  return text.replaceAll(/\$(?:\{([^}]*)\}|([A-Za-z0-9_]+))/g, (_, braced: string | undefined, bare: string | undefined) => {
    return environment[braced ?? bare ?? ""] ?? "";
  });
}
