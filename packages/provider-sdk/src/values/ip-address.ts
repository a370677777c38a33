// SPDX-License-Identifier: Apache-2.0
import { validator } from "../validators/validator.ts";
import { textType, type TextType } from "./text-type.ts";

type Family = "IPv4" | "IPv6";

/** An IPv4 or IPv6 address. The long and the short form of an address are equivalent. */
export const ipAddress: TextType = addressOf(["IPv4", "IPv6"]);
/** An IPv4 address. */
export const ipv4Address: TextType = addressOf(["IPv4"]);
/** An IPv6 address. Its long and its short form are equivalent. */
export const ipv6Address: TextType = addressOf(["IPv6"]);

/** A network in CIDR notation, `10.0.0.0/8` or `2001:db8::/32`. The long and the short form of its address are equivalent. */
export const cidr: TextType = networkOf(["IPv4", "IPv6"]);
/** An IPv4 network in CIDR notation. */
export const ipv4Cidr: TextType = networkOf(["IPv4"]);
/** An IPv6 network in CIDR notation. */
export const ipv6Cidr: TextType = networkOf(["IPv6"]);

function addressOf(families: readonly Family[]): TextType {
  return textType({
    validators: [validator(`must be an ${families.join(" or ")} address`, (text: string) => isOf(families, canonicalAddress(text)))],
    equivalent: (a, b) => canonicalAddress(a) === canonicalAddress(b),
  });
}

function networkOf(families: readonly Family[]): TextType {
  const kind = families.length === 1 ? `an ${families[0]} network` : "a network";
  const example = families.includes("IPv4") ? "10.0.0.0/8" : "2001:db8::/32";
  return textType({
    validators: [
      validator(`must be ${kind} in CIDR notation, such as ${example}`, (text: string) => isOf(families, canonicalNetwork(text))),
    ],
    equivalent: (a, b) => canonicalNetwork(a) === canonicalNetwork(b),
  });
}

function isOf(families: readonly Family[], canonical: string | undefined): boolean {
  return canonical !== undefined && families.includes(canonical.includes(":") ? "IPv6" : "IPv4");
}

function canonicalNetwork(text: string): string | undefined {
  const [, address = "", length = ""] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const canonical = canonicalAddress(address);
  return canonical === undefined || Number(length) > (canonical.includes(":") ? 128 : 32) ? undefined : `${canonical}/${length}`;
}

/**
 * Returns the canonical form, or undefined if the text is not an address. Rejects leading zeros in IPv4: some parsers read them as octal.
 */
function canonicalAddress(text: string): string | undefined {
  if (!text.includes(":")) {
    const parts = text.split(".");
    return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256) ? text : undefined;
  }
  const candidate = `http://[${text}]`;
  // The URL parser returns the short form of RFC 5952. The pattern rejects brackets and paths, which it would accept.
  return /^[\da-f:.]+$/i.test(text) && URL.canParse(candidate) ? new URL(candidate).hostname : undefined;
}
