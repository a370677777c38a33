// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import { parseAddressPart, parseHostname } from "../address/hostname.ts";
import type { SourceAddress } from "../address/source-address.ts";

/**
 * Source address whose last parts, or all parts, may be stars: it matches a provider, or any provider of a namespace, of a host, or of all
 * hosts.
 */
export type SourcePattern = SourceAddress;

/**
 * Reads a pattern of `include` or `exclude`.
 *
 * @throws PluginHostError `INVALID_CLI_CONFIG`
 * @see OpenTofu internal/getproviders, ParseMultiSourceMatchingPatterns
 */
export function parseSourcePattern(text: string, defaultHostname: string): SourcePattern {
  const refuse = (reason: string): never => {
    throw new PluginHostError("INVALID_CLI_CONFIG", `${JSON.stringify(text)} is not a pattern for providers: ${reason}`);
  };
  const parts = text.split("/");
  if (parts.length < 2 || parts.length > 3) refuse("it must have two or three parts separated by slashes");
  const [type = "", namespace = "", host] = parts.toReversed();
  const hostname = host === undefined ? defaultHostname : host === "*" ? "*" : parseHostname(host, refuse);
  if (host === "*" && namespace !== "*") refuse("if the host is a star, namespace and type must be stars, too");
  if (namespace === "*" && type !== "*") refuse("if the namespace is a star, the type must be a star, too");
  return {
    hostname,
    namespace: namespace === "*" ? "*" : parseAddressPart(namespace, "namespace", refuse),
    type: type === "*" ? "*" : parseAddressPart(type, "type", refuse),
  };
}

/** Whether one of the patterns matches the address. */
export function matchesPattern(address: SourceAddress, patterns: readonly SourcePattern[]): boolean {
  return patterns.some(
    ({ hostname, namespace, type }) =>
      (hostname === "*" || hostname === address.hostname) &&
      (namespace === "*" || namespace === address.namespace) &&
      (type === "*" || type === address.type),
  );
}
