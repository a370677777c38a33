// SPDX-License-Identifier: Apache-2.0

/** The size of an address in bits: 32 for IPv4, 128 for IPv6. */
export type AddressBits = 32 | 128;

/** An IP address as a number. */
export interface IpAddress {
  readonly bits: AddressBits;
  readonly value: bigint;
}

/** A network prefix: an address whose host bits are zero, and the number of leading bits that are fixed. */
export interface IpNetwork extends IpAddress {
  readonly prefixLength: number;
}

/**
 * Reads an IPv4 or IPv6 address; undefined if it is neither. Decimal numbers may have leading zeros, as in Go before 1.17.
 * An IPv4 address mapped into IPv6 counts as IPv4.
 *
 * @see OpenTofu internal/ipaddr, ParseIP
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const address = text.includes(":") ? parseIpv6(text) : parseIpv4(text);
  return address === undefined ? undefined : unmap(address);
}

/** Reads dotted decimals. The numbers may have leading zeros. */
function parseIpv4(text: string): IpAddress | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^[0-9]+$/.test(part) && Number(part) <= 255)) return undefined;
  return { bits: 32, value: parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n) };
}

function parseIpv6(text: string): IpAddress | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const groupsOf = (half: string, isLast: boolean): readonly bigint[] | undefined => {
    if (half === "") return [];
    const groups: bigint[] = [];
    const parts = half.split(":");
    for (const [index, part] of parts.entries()) {
      if (isLast && index === parts.length - 1 && part.includes(".")) {
        const tail = parseIpv4(part);
        if (tail === undefined) return undefined;
        groups.push(tail.value >> 16n, tail.value & 0xffffn);
      } else if (/^[0-9a-f]{1,}$/i.test(part) && BigInt(`0x${part}`) <= 0xffffn) {
        groups.push(BigInt(`0x${part}`));
      } else {
        return undefined;
      }
    }
    return groups;
  };
  const [left = "", right] = halves;
  const before = groupsOf(left, right === undefined);
  const after = right === undefined ? [] : groupsOf(right, true);
  if (before === undefined || after === undefined) return undefined;
  const missing = 8 - before.length - after.length;
  if (right === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...before, ...Array.from({ length: missing }, () => 0n), ...after];
  return { bits: 128, value: groups.reduce((value, group) => (value << 16n) | group, 0n) };
}

/**
 * Reads `address/prefix length`; undefined if it is malformed. Host bits are cleared.
 *
 * @see OpenTofu internal/ipaddr, ParseCIDR
 */
export function parseIpNetwork(text: string): IpNetwork | undefined {
  const slash = text.indexOf("/");
  if (slash < 0) return undefined;
  const digits = text.slice(slash + 1);
  const isIpv6 = text.slice(0, slash).includes(":");
  const address = parseIpAddress(text.slice(0, slash));
  if (address === undefined || !/^[0-9]+$/.test(digits)) return undefined;
  const written = Number(digits);
  if (written > (isIpv6 ? 128 : 32)) return undefined;
  // An IPv4 address in IPv6 form gives a network of 128 bits.
  if (isIpv6 && address.bits === 32) {
    return { bits: 128, prefixLength: written, value: maskHostBits((0xffffn << 32n) | address.value, 128, written) };
  }
  return { bits: address.bits, prefixLength: written, value: maskHostBits(address.value, address.bits, written) };
}

/** Clears the bits of an address after the prefix. */
export function maskHostBits(value: bigint, bits: AddressBits, prefixLength: number): bigint {
  const hostBits = BigInt(bits - prefixLength);
  return (value >> hostBits) << hostBits;
}

/** The highest address of a network. */
export function lastAddress({ bits, value, prefixLength }: IpNetwork): bigint {
  return value | ((1n << BigInt(bits - prefixLength)) - 1n);
}

/** Whether a network contains an address. IPv4 addresses and networks in IPv6 form count as IPv4. */
export function contains(network: IpNetwork, address: IpAddress): boolean {
  const { bits, value, prefixLength } = unmapNetwork(network);
  const plain = unmap(address);
  return bits === plain.bits && maskHostBits(plain.value, bits, prefixLength) === value;
}

/** Whether the address is an IPv4 address, also in IPv6 form. */
export function isIpv4({ bits, value }: IpAddress): boolean {
  return bits === 32 || value >> 32n === 0xffffn;
}

function unmap(address: IpAddress): IpAddress {
  return isIpv4(address) ? { bits: 32, value: address.value & 0xffff_ffffn } : address;
}

function unmapNetwork(network: IpNetwork): IpNetwork {
  if (network.bits === 32 || !isIpv4(network)) return network;
  return { ...unmap(network), prefixLength: network.prefixLength - 96 };
}

/** The canonical text: dotted decimals, or RFC 5952 for IPv6. */
export function formatIpAddress(address: IpAddress): string {
  const { value } = address;
  if (isIpv4(address)) {
    return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join(".");
  }
  const groups = Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(112 - index * 16)) & 0xffffn));
  const [start, length] = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  return length < 2 ? hex.join(":") : `${hex.slice(0, start).join(":")}::${hex.slice(start + length).join(":")}`;
}

/** Formats `address/prefix length`. */
export function formatIpNetwork(network: IpNetwork): string {
  return `${formatIpAddress(network)}/${unmapNetwork(network).prefixLength}`;
}

/** The first longest run of zero groups, which RFC 5952 abbreviates. */
function longestZeroRun(groups: readonly number[]): readonly [start: number, length: number] {
  let best: readonly [number, number] = [0, 0];
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === 0) end++;
    if (end - start > best[1]) best = [start, end - start];
    start = Math.max(start, end);
  }
  return best;
}
