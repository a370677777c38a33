// SPDX-License-Identifier: Apache-2.0

/** Host and namespace that the cores assume when an address omits them. */
const defaultParts = ["registry.terraform.io", "hashicorp"];

/**
 * Returns a source address with host, namespace and name; undefined for an empty or absent address.
 *
 * @example
 * addressInFull("acme/notebook")
 * // => "registry.terraform.io/acme/notebook"
 */
export function addressInFull(address: string | undefined): string | undefined {
  if (address === undefined || address === "") return undefined;
  const parts = address.split("/");
  return [...defaultParts.slice(0, Math.max(0, 3 - parts.length)), ...parts].join("/");
}
