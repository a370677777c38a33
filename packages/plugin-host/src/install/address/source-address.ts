// SPDX-License-Identifier: Apache-2.0
import { PluginHostError } from "../../error.ts";
import { parseAddressPart, parseHostname } from "./hostname.ts";

/** Where a provider is from: `registry.example.com/acme/notes`. All parts are normalised, so that equal addresses have equal texts. */
export interface SourceAddress {
  /** In its ASCII form, with the port where it is not 443. */
  readonly hostname: string;
  readonly namespace: string;
  readonly type: string;
}

/** The registries of the two CLIs: what `hashicorp/time` means depends on who reads it. */
export const defaultHostnames = { opentofu: "registry.opentofu.org", terraform: "registry.terraform.io" } as const;

/**
 * Reads `[hostname/]namespace/type`.
 *
 * A type alone, which CLIs take for `hashicorp/type`, is refused: who means that can write it.
 *
 * @param defaultHostname Whose provider it is where no host is named.
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
        ? `the prefix ${JSON.stringify(prefix[0])} is not allowed in a provider's type, as it says nothing`
        : `a provider's type has no prefix ${JSON.stringify(prefix[0])}; ${JSON.stringify(`${parts.slice(0, -1).join("/")}/${shorter}`)} may be meant`,
    );
  }
  return address;
}

/** The whole address, with its host: what lock files and reattach variables use. */
export function formatAddress({ hostname, namespace, type }: SourceAddress): string {
  return `${hostname}/${namespace}/${type}`;
}

/** Whether it is part of the CLIs themselves, as `terraform.io/builtin/terraform`. Such a provider cannot be installed. */
export function isBuiltIn({ hostname, namespace }: SourceAddress): boolean {
  return namespace === "builtin" && (hostname === "terraform.io" || hostname === "opentofu.org");
}
