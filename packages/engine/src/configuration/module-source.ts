// SPDX-License-Identifier: Apache-2.0
import { posix } from "node:path";
import { goQuote } from "@tenon/cty/unstable/payload";
import { defaultRegistryHost, displayHostname, normalizeHostname } from "../address/provider.ts";
import { cleanPath } from "../functions/path.ts";
import { detectRemoteSource } from "./remote-source.ts";

/** The source of a called module. */
export type ModuleSource =
  /** A folder relative to the folder of the calling module. The path begins with `./` or `../`. */
  | { readonly kind: "local"; readonly path: string }
  | {
      readonly kind: "registry";
      readonly hostname: string;
      readonly namespace: string;
      readonly name: string;
      readonly targetSystem: string;
      /** A folder within the package; empty for its root. */
      readonly subfolder: string;
    }
  /** A package from a repository, an archive or a bucket. `address` has its full form: `git::https://example.com/a.git?ref=v1`. */
  | { readonly kind: "remote"; readonly address: string; readonly subfolder: string };

/** A source, or the reason why the text is not a valid source. */
export type ParsedModuleSource =
  | { readonly source: ModuleSource }
  /** `maybeRelative` is the relative path that the author may have meant. */
  | { readonly reason: string; readonly maybeRelative?: string };

/** Formats the canonical text of a source, as in `modules.json`. */
export function formatModuleSource(source: ModuleSource): string {
  if (source.kind === "local") return source.path;
  if (source.kind === "registry") {
    const { hostname, namespace, name, targetSystem, subfolder } = source;
    return `${displayHostname(hostname)}/${namespace}/${name}/${targetSystem}${subfolder === "" ? "" : `//${subfolder}`}`;
  }
  const { address, subfolder } = source;
  if (subfolder === "") return address;
  const query = address.indexOf("?");
  return query === -1 ? `${address}//${subfolder}` : `${address.slice(0, query)}//${subfolder}${address.slice(query)}`;
}

/** Reads the source of a module. @see OpenTofu addrs.ParseModuleSource */
export function parseModuleSource(text: string): ParsedModuleSource {
  if (isLocal(text)) return { source: { kind: "local", path: cleanLocalPath(text) } };
  const registry = parseRegistrySource(text);
  if ("source" in registry) return registry;
  const { address: given, subfolder } = splitSubfolder(text);
  if (subfolder.startsWith("../")) return { reason: `subdirectory path ${goQuote(subfolder)} leads outside of the module package` };
  const detected = detectRemoteSource(given);
  if ("reason" in detected) return detected;
  const normal = splitSubfolder(detected.address);
  const within = normal.subfolder === "" ? subfolder : subfolder === "" ? normal.subfolder : posix.join(normal.subfolder, subfolder);
  if (within.startsWith("../")) {
    return { reason: `detected subdirectory path ${goQuote(within)} of ${goQuote(normal.address)} leads outside of the module package` };
  }
  return { source: { kind: "remote", address: normal.address, subfolder: within } };
}

function isLocal(text: string): boolean {
  return /^\.\.?[/\\]/.test(text);
}

function cleanLocalPath(text: string): string {
  const clean = cleanPath(text.replaceAll("\\", "/"));
  return clean.startsWith("../") ? clean : `./${clean}`;
}

/** Splits the address of a package from the subfolder after `//`. @see go-getter SourceDirSubdir */
export function splitSubfolder(text: string): { readonly address: string; readonly subfolder: string } {
  const end = text.includes("?") ? text.indexOf("?") : text.length;
  const scheme = text.slice(0, end).indexOf("://");
  const start = scheme === -1 ? 0 : scheme + 3;
  const at = text.slice(start, end).indexOf("//");
  if (at === -1) return { address: text, subfolder: "" };
  const [path = "", ...query] = text.slice(start + at + 2).split("?");
  const address = text.slice(0, start + at) + (query.length === 0 ? "" : `?${query.join("?")}`);
  return { address, subfolder: path === "" ? "" : cleanPath(path) };
}

const namePattern = /^[0-9A-Za-z](?:[0-9A-Za-z\-_]{0,62}[0-9A-Za-z])?$/;
const targetSystemPattern = /^[0-9a-z]{1,64}$/;

/** Reads the address of a module in a registry. @see OpenTofu addrs.ParseModuleSourceRegistry */
export function parseRegistrySource(text: string): ParsedModuleSource {
  if (isLocal(text)) return { reason: `can't use local directory ${goQuote(text)} as a module registry address` };
  const { address, subfolder } = splitSubfolder(text);
  if (subfolder.startsWith("../")) return { reason: `subdirectory path ${goQuote(subfolder)} leads outside of the module package` };
  const parts = address.split("/");
  if (parts.length !== 3 && parts.length !== 4) {
    return { reason: "a module registry source address must have either three or four slash-separated components" };
  }
  let hostname: string | undefined = defaultRegistryHost;
  if (parts.length === 4) {
    const given = parts.shift()!;
    hostname = normalizeHostname(given);
    if (hostname === undefined) {
      const advice = given.includes("--")
        ? "; internationalized domain names must be given as direct unicode characters, not in punycode"
        : "";
      return { reason: `invalid module registry hostname ${goQuote(given)}${advice}` };
    }
    if (!hostname.includes(".")) return { reason: "invalid module registry hostname: must contain at least one dot" };
  }
  if (hostname === "github.com" || hostname === "bitbucket.org") {
    const reserved = "because it's reserved for installing directly from version control repositories";
    return { reason: `can't use "${hostname}" as a module registry host, ${reserved}` };
  }
  const [namespace, name, targetSystem] = parts as [string, string, string];
  const nameRule =
    "must be between one and 64 characters, including ASCII letters, digits, dashes, and underscores, where dashes and underscores may not be the prefix or suffix";
  if (!namePattern.test(namespace)) {
    if (namespace.includes(".")) {
      return {
        reason: "source address must have three more components after the hostname: the namespace, the name, and the target system",
      };
    }
    return { reason: `invalid namespace ${goQuote(namespace)}: ${nameRule}` };
  }
  if (!namePattern.test(name)) return { reason: `invalid module name ${goQuote(name)}: ${nameRule}` };
  if (!targetSystemPattern.test(targetSystem)) {
    if (targetSystem.includes("?")) return { reason: "module registry addresses may not include a query string portion" };
    return { reason: `invalid target system ${goQuote(targetSystem)}: must be between one and 64 ASCII letters or digits` };
  }
  return { source: { kind: "registry", hostname, namespace, name, targetSystem, subfolder } };
}

/** The folder of a local module, which is also the value of its `path.module`. */
export function localModuleFolder(parent: string, path: string): string {
  return cleanPath(posix.join(parent, path));
}
