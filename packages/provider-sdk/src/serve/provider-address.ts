// SPDX-License-Identifier: Apache-2.0

/** Where a name alone belongs, as the cores read it. */
const usual = ["registry.terraform.io", "hashicorp"];

/**
 * A source address with all its parts: host, namespace, name. Undefined where there is none.
 *
 * @example
 * addressInFull("acme/notebook")
 * // => "registry.terraform.io/acme/notebook"
 */
export function addressInFull(address: string | undefined): string | undefined {
  if (address === undefined || address === "") return undefined;
  const parts = address.split("/");
  return [...usual.slice(0, Math.max(0, 3 - parts.length)), ...parts].join("/");
}
