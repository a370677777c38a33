// SPDX-License-Identifier: Apache-2.0
import { domainToASCII, domainToUnicode } from "node:url";

type Refuse = (reason: string) => never;

/**
 * Normalises the name of a registry's host: lower case, ASCII, the port only where it is not 443.
 *
 * @see OpenTofu svchost, ForComparison
 */
export function parseHostname(text: string, refuse: Refuse): string {
  const [, name = "", portText] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  const port = portText === undefined ? 443 : Number(portText);
  if (portText !== undefined && !/^[0-9]+$/.test(portText)) refuse(`the port of the host ${JSON.stringify(text)} is not a number`);
  if (port > 65_535) refuse(`the port of the host ${JSON.stringify(text)} is greater than 65535`);
  if (name.split(".").some((label) => label.toLowerCase().startsWith("xn--"))) {
    refuse(`the host ${JSON.stringify(name)} is in punycode; write it in Unicode`);
  }
  const ascii = isAscii(name) ? name.toLowerCase() : domainToASCII(name);
  if (!ascii.split(".").every(isLabel)) refuse(`${JSON.stringify(name)} is not the name of a host`);
  return port === 443 ? ascii : `${ascii}:${port}`;
}

/**
 * Normalises a namespace or a type, which follow the rules of one label of a host's name.
 *
 * @see OpenTofu registry-address, ParseProviderPart
 */
export function parseAddressPart(text: string, what: "namespace" | "type", refuse: Refuse): string {
  const refusePart = (reason: string): never => refuse(`the ${what} ${JSON.stringify(text)} ${reason}`);
  if (text.includes(".")) refusePart("contains a dot");
  if (text.includes("--")) refusePart("contains two dashes in a row");
  // The appended label prevents digits from being read as an IPv4 address.
  const ascii = isAscii(text) ? text.toLowerCase() : domainToASCII(`${text}.a`).slice(0, -2);
  if (!isLabel(ascii)) refusePart("must contain only letters, digits, and dashes, and may not begin or end with a dash");
  return ascii === text.toLowerCase() ? ascii : domainToUnicode(`${ascii}.a`).slice(0, -2);
}

/** The folder name of a host. On Windows, where names have no colon, the colon before a port becomes an underscore. */
export function folderName(hostname: string): string {
  return process.platform === "win32" ? hostname.replace(":", "_") : hostname;
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

function isLabel(label: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label);
}
