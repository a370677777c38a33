// SPDX-License-Identifier: Apache-2.0
import { validator } from "../validators/validator.ts";
import { textType, type TextType } from "./text-type.ts";

/** An IPv4 or IPv6 address. The long and the short form of one mean the same. */
export const ipAddress: TextType = textType({
  validators: [validator("must be an IPv4 or IPv6 address", (text: string) => canonicalAddress(text) !== undefined)],
  equivalent: (a, b) => canonicalAddress(a) === canonicalAddress(b),
});

/** A network in CIDR notation, `10.0.0.0/8` or `2001:db8::/32`. The long and the short form of an address mean the same. */
export const cidr: TextType = textType({
  validators: [validator("must be a network in CIDR notation, such as 10.0.0.0/8", (text: string) => canonicalNetwork(text) !== undefined)],
  equivalent: (a, b) => canonicalNetwork(a) === canonicalNetwork(b),
});

function canonicalNetwork(text: string): string | undefined {
  const [, address = "", length = ""] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const canonical = canonicalAddress(address);
  return canonical === undefined || Number(length) > (canonical.includes(":") ? 128 : 32) ? undefined : `${canonical}/${length}`;
}

/** Undefined for anything that is no address; zeros before a part of an IPv4 address, which some read as octal, are not taken. */
function canonicalAddress(text: string): string | undefined {
  if (!text.includes(":")) {
    const parts = text.split(".");
    return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256) ? text : undefined;
  }
  const candidate = `http://[${text}]`;
  // URLs have the one short form of RFC 5952; text with brackets or a path would get past them.
  return /^[\da-f:.]+$/i.test(text) && URL.canParse(candidate) ? new URL(candidate).hostname : undefined;
}
