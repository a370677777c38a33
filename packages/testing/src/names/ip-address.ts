// SPDX-License-Identifier: Apache-2.0
import { isIP } from "node:net";
import { TestingError } from "../error.ts";

/**
 * An address in a range in CIDR notation.
 *
 * @param random Returns an integer of a number of bits.
 * @throws TestingError `OPTIONS_INVALID`
 */
export function addressIn(cidr: string, random: (bits: number) => bigint): string {
  const [address = "", prefixText = ""] = cidr.split("/");
  const version = isIP(address);
  const length = version === 6 ? 128 : 32;
  const prefix = Number(prefixText);
  if (version === 0 || !/^\d+$/.test(prefixText) || prefix > length)
    throw new TestingError("OPTIONS_INVALID", `${cidr} is not a range of addresses, such as 192.0.2.0/24 or 2001:db8::/32`);
  const hostBits = length - prefix;
  const network = (version === 4 ? ipv4Bits(address) : ipv6Bits(address)) >> BigInt(hostBits);
  const bits = (network << BigInt(hostBits)) | (hostBits === 0 ? 0n : random(hostBits));
  return version === 4 ? ipv4Text(bits) : ipv6Text(bits);
}

function ipv4Bits(address: string): bigint {
  return address.split(".").reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n);
}

function ipv6Bits(address: string): bigint {
  // The last 32 bits may be written as an IPv4 address.
  const groups = address.replace(/\d+\.\d+\.\d+\.\d+$/, (ipv4) => ipv6Text(ipv4Bits(ipv4)).split(":").slice(-2).join(":"));
  const [head = "", tail] = groups.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => "0");
  return [...first, ...zeros, ...last].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

function ipv4Text(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 255n)).join(".");
}

function ipv6Text(bits: bigint): string {
  return Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(16 * (7 - index))) & 0xffffn).toString(16)).join(":");
}
