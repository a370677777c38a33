// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import { parseAddressPart, parseHostname } from "./hostname.ts";

/**
 * The source address of a provider: `registry.example.com/acme/notes`. All parts are normalised, so that equal addresses have equal texts.
 */
export interface SourceAddress {
  /** In ASCII form, with the port unless it is 443. */
  readonly hostname: string;
  readonly namespace: string;
  readonly type: string;
}

/** The default registries of the two CLIs, for addresses without a host. */
export const defaultHostnames = { opentofu: "registry.opentofu.org", terraform: "registry.terraform.io" } as const;

/**
 * Reads `[hostname/]namespace/type`.
 *
 * A type alone, which the CLIs read as `hashicorp/type`, is refused.
 *
 * @param defaultHostname - the host of an address without one
 * @throws PluginHostError `INVALID_ADDRESS`
 * @see OpenTofu registry-address, ParseProviderSource
 *
 * @example
 * formatAddress(parseAddress("HashiCorp/time", "registry.opentofu.org"));
 * // => "registry.opentofu.org/hashicorp/time"
 */
export function parseAddress(text: string, defaultHostname: string): SourceAddress {
  const refuse = (reason: string): never => {
    throw new PluginHostError("INVALID_ADDRESS", `${JSON.stringify(text)} is not the source address of a provider: ${reason}`);
  };
  const parts = text.split("/");
  const [type, namespace, hostname] = parts.toReversed();
  if (parts.length > 3 || parts.includes("") || type === undefined) refuse("it must be written [hostname/]namespace/type");
  if (namespace === undefined) return refuse(`it has no namespace; ${JSON.stringify(`hashicorp/${text}`)} may be meant`);
  const address = {
    hostname: hostname === undefined ? defaultHostname : parseHostname(hostname, refuse),
    namespace: parseAddressPart(namespace, "namespace", refuse),
    type: parseAddressPart(type ?? "", "type", refuse),
  };
  const prefix = /^(terraform|opentofu)-(provider-)?/.exec(address.type);
  if (prefix) {
    const shorter = address.type.slice(prefix[0].length);
    refuse(
      prefix[2] === undefined || shorter === ""
        ? `the prefix ${JSON.stringify(prefix[0])} is not allowed in a provider's type, because it is redundant`
        : `a provider's type has no prefix ${JSON.stringify(prefix[0])}; ${JSON.stringify(`${parts.slice(0, -1).join("/")}/${shorter}`)} may be meant`,
    );
  }
  return address;
}

/** Returns the full address with its host, as in lock files and `TF_REATTACH_PROVIDERS`. */
export function formatAddress({ hostname, namespace, type }: SourceAddress): string {
  return `${hostname}/${namespace}/${type}`;
}

/** Whether the provider is built into the CLIs, such as `terraform.io/builtin/terraform`, and cannot be installed. */
export function isBuiltIn({ hostname, namespace }: SourceAddress): boolean {
  return namespace === "builtin" && (hostname === "terraform.io" || hostname === "opentofu.org");
}
