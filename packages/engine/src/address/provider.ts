// SPDX-License-Identifier: Apache-2.0
import { domainToUnicode } from "node:url";
import { compareCodePoints, goQuote } from "@tenon/cty/unstable/payload";
import type { Diagnostic } from "@tenon/hcl";
import { parseAddressPart, parseHostname, type SourceAddress } from "@tenon/plugin-host/address";

/**
 * The source address of a provider. `hostname` is in its ASCII form.
 *
 * A legacy address has the namespace `-`: only the type of its provider is known.
 */
export type ProviderAddress = SourceAddress;

/** The registry of provider and module addresses without a hostname. */
export const defaultRegistryHost = "registry.opentofu.org";

/** The provider of a local name without an entry in `required_providers`. @see OpenTofu addrs.ImpliedProviderForUnqualifiedType */
export function impliedProvider(name: string): ProviderAddress {
  if (name === "terraform") return builtInProvider(name);
  return { hostname: defaultRegistryHost, namespace: "hashicorp", type: name };
}

/** Returns the address of a provider that is part of OpenTofu, such as `terraform`. */
export function builtInProvider(type: string): ProviderAddress {
  return { hostname: "terraform.io", namespace: "builtin", type };
}

/** Whether the provider is part of OpenTofu, and has no package. */
export function isBuiltInProvider({ hostname, namespace }: ProviderAddress): boolean {
  return namespace === "builtin" && (hostname === "terraform.io" || hostname === "opentofu.org");
}

/** Formats the whole address, as in state files and lock files: `registry.opentofu.org/hashicorp/time`. */
export function formatProvider(provider: ProviderAddress): string {
  return `${displayHostname(provider.hostname)}/${provider.namespace}/${provider.type}`;
}

/** Formats the address for diagnostics: without the hostname of the default registry. */
export function formatProviderForDisplay(provider: ProviderAddress): string {
  return provider.hostname === defaultRegistryHost ? `${provider.namespace}/${provider.type}` : formatProvider(provider);
}

/** Whether both are the same provider. */
export function isSameProvider(a: ProviderAddress, b: ProviderAddress): boolean {
  return a === b || (a.type === b.type && a.namespace === b.namespace && a.hostname === b.hostname);
}

/** Orders providers by host, namespace and type. */
export function compareProviders(a: ProviderAddress, b: ProviderAddress): number {
  return compareCodePoints(a.hostname, b.hostname) || compareCodePoints(a.namespace, b.namespace) || compareCodePoints(a.type, b.type);
}

/** The Unicode form of a hostname, with the port. */
export function displayHostname(hostname: string): string {
  if (!hostname.includes("xn--")) return hostname;
  const [name = "", port] = hostname.split(":");
  return `${domainToUnicode(name)}${port === undefined ? "" : `:${port}`}`;
}

/** The normalised namespace or type of an address, or the reason why it is invalid, in OpenTofu's wording. @see OpenTofu registry-address, ParseProviderPart */
export function normalizeProviderPart(text: string): { readonly part: string } | { readonly reason: string } {
  if (text === "") return { reason: "must have at least one character" };
  if (text.includes(".")) return { reason: "dots are not allowed" };
  if (text.includes("--")) return { reason: "cannot use multiple consecutive dashes" };
  const part = resultUnlessRefused((refuse) => parseAddressPart(text, "type", refuse));
  if (part !== undefined) return { part };
  return { reason: "must contain only letters, digits, and dashes, and may not use leading or trailing dashes" };
}

/** The normalised form of a hostname; undefined if it is invalid. */
export function normalizeHostname(text: string): string | undefined {
  return resultUnlessRefused((refuse) => parseHostname(text, refuse));
}

const refusal = Symbol("refusal");

/** The result of `parse`; undefined if it calls `refuse`. */
function resultUnlessRefused(parse: (refuse: () => never) => string): string | undefined {
  try {
    return parse(() => {
      // oxlint-disable-next-line no-throw-literal -- caught three lines below, and cheaper than an error
      throw refusal;
    });
  } catch (thrown) {
    if (thrown === refusal) return undefined;
    throw thrown;
  }
}

/** The result of {@link parseProvider}. The diagnostics have no ranges: the caller adds the range of the text. */
export interface ParsedProvider {
  /** Absent if there are errors. */
  readonly provider?: ProviderAddress;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads `[hostname/][namespace/]type`. The default namespace is `hashicorp`.
 *
 * @see OpenTofu addrs.ParseProviderSourceString
 *
 * @example
 * formatProvider(parseProvider("acme/notebook").provider!); // => "registry.opentofu.org/acme/notebook"
 */
export function parseProvider(source: string): ParsedProvider {
  const failure = (summary: string, detail: string): ParsedProvider => ({ diagnostics: [{ severity: "error", summary, detail }] });
  const parts = source.split("/");
  if (parts.length > 3 || parts.includes("")) {
    return failure("Invalid provider source string", 'The "source" attribute must be in the format "[hostname/][namespace/]name"');
  }
  const [givenType = "", givenNamespace, givenHost] = parts.toReversed();
  // OpenTofu's texts also have the superfluous quotation mark at the end.
  const type = normalizeProviderPart(givenType);
  if ("reason" in type) {
    return failure("Invalid provider type", `Invalid provider type ${goQuote(givenType)} in source ${goQuote(source)}: ${type.reason}"`);
  }
  if (givenNamespace === undefined) return { provider: { ...impliedProvider(""), type: type.part }, diagnostics: [] };
  const namespace = givenNamespace === "-" ? { part: "-" } : normalizeProviderPart(givenNamespace);
  if ("reason" in namespace) {
    return failure("Invalid provider namespace", `Invalid provider namespace "" in source ${goQuote(source)}: ${namespace.reason}"`);
  }
  const hostname = givenHost === undefined ? defaultRegistryHost : normalizeHostname(givenHost);
  if (hostname === undefined) {
    const detail = `Invalid provider source hostname namespace "" in source ${goQuote(source)}: ${hostnameFault(givenHost ?? "")}"`;
    return failure("Invalid provider source hostname", detail);
  }
  if (namespace.part === "-" && hostname !== defaultRegistryHost) {
    const detail = `The legacy provider namespace "-" can be used only with hostname ${defaultRegistryHost}.`;
    return failure("Invalid provider namespace", detail);
  }
  const provider = { hostname, namespace: namespace.part, type: type.part };
  const prefixFault = redundantPrefix(provider);
  return prefixFault === undefined ? { provider, diagnostics: [] } : failure("Invalid provider type", prefixFault);
}

/** The reason why a hostname is invalid, in OpenTofu's wording. @see OpenTofu svchost.ForComparison */
function hostnameFault(text: string): string {
  const colon = text.indexOf(":");
  const name = colon === -1 ? text : text.slice(0, colon);
  if (colon !== -1) {
    const port = text.slice(colon + 1);
    const isUrl = /^https?$/i.test(name);
    if (!/^[+-]?[0-9]+$/.test(port)) {
      return isUrl ? "need just a hostname and optional port number, not a full URL" : "port portion contains non-digit characters";
    }
    if (Number(port) > 65_535) return "port number is greater than 65535";
  }
  if (name === "") return "empty string is not a valid hostname";
  for (const label of name.split(".")) {
    if (label === "") return "hostname contains empty label (two consecutive periods)";
    if (label.startsWith("xn--")) {
      return `hostname label ${goQuote(label)} specified in punycode format; service hostnames must be given in unicode`;
    }
  }
  return `idna: invalid label ${goQuote(name)}`;
}

/** The error for a type that begins with the name of the product; undefined for any other type. */
function redundantPrefix(provider: ProviderAddress): string | undefined {
  for (const [product, article, often] of [
    ["terraform", "a Terraform", "often used in the names of version control repositories for Terraform"],
    ["opentofu", "an OpenTofu", "sometimes used in the names of version control repositories for OpenTofu"],
  ] as const) {
    if (!provider.type.startsWith(`${product}-`)) continue;
    const longPrefix = `${product}-provider-`;
    const shorter = provider.type.slice(longPrefix.length);
    if (provider.type.startsWith(longPrefix) && "part" in normalizeProviderPart(shorter)) {
      const suggestion = formatProviderForDisplay({ ...provider, type: shorter });
      return `Provider source ${goQuote(formatProviderForDisplay(provider))} has a type with the prefix "${longPrefix}", which isn't valid. Although that prefix is ${often} providers, provider source strings should not include it.\n\nDid you mean ${goQuote(suggestion)}?`;
    }
    return `Provider source ${goQuote(formatProvider(provider))} has a type with the prefix "${product}-", which isn't allowed because it would be redundant to name ${article} provider with that prefix. If you are the author of this provider, rename it to not include the prefix.`;
  }
  return undefined;
}
