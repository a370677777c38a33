// SPDX-License-Identifier: Apache-2.0
import { bool, CtyError, list, listOf, number, of, string, type Value } from "@tenon/cty";
import { argumentError, defineFunction, type CtyFunction } from "@tenon/cty/function";
import { integerOf, numberOf, stringOf } from "@tenon/cty/unstable/native";
import { numberToBigint } from "@tenon/cty/unstable/payload";
import {
  contains,
  formatIpAddress,
  formatIpNetwork,
  isIpv4,
  lastAddress,
  maskHostBits,
  parseIpAddress,
  parseIpNetwork,
  type IpAddress,
  type IpNetwork,
} from "./ip-network.ts";

const notNull = { notNull: true } as const;

function refuse(message: string): never {
  throw new CtyError("INVALID_VALUE", message);
}

function networkOf(prefix: Value): IpNetwork {
  const text = stringOf(prefix);
  return parseIpNetwork(text) ?? refuse(`invalid CIDR expression: invalid CIDR address: ${text}`);
}

/** A whole number of any size. */
function wholeNumberOf(value: Value): bigint {
  return numberToBigint(numberOf(value)) ?? refuse("value must be a whole number");
}

/**
 * The address of a host by its number in a network; negative numbers count from the end.
 *
 * @see OpenTofu funcs.CidrHostFunc
 */
export const cidrHostFunction: CtyFunction = defineFunction({
  description: "Returns the address of a host, by its number, in a network prefix.",
  params: [
    { name: "prefix", type: string },
    { name: "hostnum", type: number },
  ],
  type: string,
  refineResult: notNull,
  impl: ([prefix, hostNumber]) => {
    const wanted = wholeNumberOf(hostNumber);
    const network = networkOf(prefix);
    const last = (1n << BigInt(network.bits - network.prefixLength)) - 1n;
    const host = wanted < 0n ? last + 1n + wanted : wanted;
    // go-cidr compares only the lowest 64 bits as a signed number, and therefore accepts some larger numbers.
    const compared = wanted < 0n ? -wanted - 1n : BigInt.asIntN(64, wanted);
    if (compared > last) refuse(`prefix of ${network.prefixLength} does not accommodate a host numbered ${host}`);
    // go-cidr uses the size of an IPv4 address for an IPv4 address in IPv6 form, and therefore sets the wrong bits.
    const shift = network.bits === 128 && isIpv4(network) ? 96n : 0n;
    const value = network.value | (host << shift);
    if (value >> BigInt(network.bits) !== 0n) refuse(`prefix of ${network.prefixLength} does not accommodate a host numbered ${host}`);
    return of(string, formatIpAddress({ bits: network.bits, value }));
  },
});

/**
 * The netmask of an IPv4 network.
 *
 * @see OpenTofu funcs.CidrNetmaskFunc
 */
export const cidrNetmaskFunction: CtyFunction = defineFunction({
  description: "Returns the netmask of an IPv4 network prefix.",
  params: [{ name: "prefix", type: string }],
  type: string,
  refineResult: notNull,
  impl: ([prefix]) => {
    const network = networkOf(prefix);
    if (!isIpv4(network)) refuse(`IPv6 addresses cannot have a netmask: ${stringOf(prefix)}`);
    const value = maskHostBits((1n << BigInt(network.bits)) - 1n, network.bits, network.prefixLength);
    return of(string, formatIpAddress({ bits: network.bits, value }));
  },
});

/**
 * A subnet of a network, by the number of additional prefix bits and its number.
 *
 * @see OpenTofu funcs.CidrSubnetFunc
 */
export const cidrSubnetFunction: CtyFunction = defineFunction({
  description: "Returns a subnet of a network prefix.",
  params: [
    { name: "prefix", type: string },
    { name: "newbits", type: number },
    { name: "netnum", type: number },
  ],
  type: string,
  refineResult: notNull,
  impl: ([prefix, newBitsValue, subnetNumber]) => {
    const newBits = integerOf(newBitsValue);
    const wanted = wholeNumberOf(subnetNumber);
    const network = networkOf(prefix);
    const prefixLength = BigInt(network.prefixLength) + newBits;
    if (prefixLength < 0n) refuse(`prefix of ${network.prefixLength} cannot be extended by ${newBits}`);
    if (prefixLength > BigInt(network.bits)) {
      refuse(`insufficient address space to extend prefix of ${network.prefixLength} by ${newBits}`);
    }
    // Go compares unsigned numbers of 64 bits.
    const last = newBits < 0n || newBits >= 64n ? 2n ** 64n - 1n : (1n << newBits) - 1n;
    if (BigInt.asUintN(64, wanted < 0n ? -wanted : wanted) > last) {
      refuse(`prefix extension of ${newBits} does not accommodate a subnet numbered ${wanted}`);
    }
    const combined = network.value | (wanted << (BigInt(network.bits) - prefixLength));
    // go-cidr ignores the sign of a negative number.
    const value = combined < 0n ? -combined : combined;
    if (value >> BigInt(network.bits) !== 0n) refuse(`prefix extension of ${newBits} does not accommodate a subnet numbered ${wanted}`);
    return of(string, formatIpNetwork({ bits: network.bits, value, prefixLength: Number(prefixLength) }));
  },
});

/**
 * Consecutive subnets of a network, each with its own number of additional prefix bits.
 *
 * @see OpenTofu funcs.CidrSubnetsFunc
 */
export const cidrSubnetsFunction: CtyFunction = defineFunction({
  description: "Returns consecutive subnets of a network prefix.",
  params: [{ name: "prefix", type: string }],
  varParam: { name: "newbits", type: number },
  type: list(string),
  refineResult: notNull,
  impl: ([prefix, ...newBits]) => {
    const network = parseIpNetwork(stringOf(prefix));
    if (network === undefined) throw argumentError(0, `invalid CIDR expression: invalid CIDR address: ${stringOf(prefix)}`);
    let next = network.value;
    let previous = previousNetwork(network, newBits[0]);
    const subnets = newBits.map((value, index) => {
      const subnet = subnetAfter(network, next, prefixLengthOf(network, value, index + 1));
      if (subnet === undefined) {
        const length = network.prefixLength + Number(integerOf(value));
        throw argumentError(
          index + 1,
          `not enough remaining address space for a subnet with a prefix of ${length} bits after ${formatIpNetwork(previous)}`,
        );
      }
      previous = subnet;
      next = lastAddress(subnet) + 1n;
      return of(string, formatIpNetwork(subnet));
    });
    return listOf(subnets, string);
  },
});

/** The network of the requested size just before the first subnet. OpenTofu's error names it if no subnet fits. */
function previousNetwork(network: IpNetwork, newBits: Value | undefined): IpNetwork {
  if (newBits === undefined) return network;
  const prefixLength = Math.min(network.bits, network.prefixLength + Number(BigInt.asIntN(16, whole(newBits, 1))));
  const value = maskHostBits(BigInt.asUintN(network.bits, network.value - 1n), network.bits, Math.max(0, prefixLength));
  return { bits: network.bits, value, prefixLength };
}

function whole(value: Value, argument: number): bigint {
  try {
    return integerOf(value);
  } catch (error) {
    throw error instanceof CtyError ? argumentError(argument, error) : error;
  }
}

function prefixLengthOf(network: IpNetwork, value: Value, argument: number): number {
  const newBits = whole(value, argument);
  if (newBits < 1n) throw argumentError(argument, "must extend prefix by at least one bit");
  if (newBits > 32n) throw argumentError(argument, "may not extend prefix by more than 32 bits");
  const prefixLength = network.prefixLength + Number(newBits);
  if (prefixLength > network.bits) {
    const protocol = network.bits === 32 ? "IPv4" : "IPv6";
    throw argumentError(argument, `would extend prefix to ${prefixLength} bits, which is too long for an ${protocol} address`);
  }
  return prefixLength;
}

/** The first subnet of the size that begins at or after the address; undefined if it does not fit into the network. */
function subnetAfter(network: IpNetwork, address: bigint, prefixLength: number): IpNetwork | undefined {
  // go-cidr regards a first address of zero as an overflow.
  if (address === 0n) return undefined;
  const size = 1n << BigInt(network.bits - prefixLength);
  const value = ((address + size - 1n) / size) * size;
  return value > lastAddress(network) ? undefined : { bits: network.bits, value, prefixLength };
}

/**
 * Whether a network contains an address or another network.
 *
 * @see OpenTofu funcs.CidrContainsFunc
 */
export const cidrContainsFunction: CtyFunction = defineFunction({
  description: "Returns whether a network prefix contains an address or another prefix.",
  params: [
    { name: "containing_prefix", type: string },
    { name: "contained_ip_or_prefix", type: string },
  ],
  type: bool,
  impl: ([prefixValue, containedValue]) => {
    const prefix = stringOf(prefixValue);
    const text = stringOf(containedValue);
    const network = parseIpNetwork(prefix) ?? refuse(`invalid CIDR address: ${prefix}`);
    const [first, last] = addressRange(text) ?? refuse(`invalid IP address or prefix: ${text}`);
    if (isIpv4(first) !== isIpv4(network)) refuse(`address family mismatch: ${prefix} vs. ${text}`);
    return of(bool, contains(network, first) && contains(network, last));
  },
});

function addressRange(text: string): readonly [first: IpAddress, last: IpAddress] | undefined {
  const address = parseIpAddress(text);
  if (address !== undefined) return [address, address];
  const network = parseIpNetwork(text);
  return network === undefined ? undefined : [network, { bits: network.bits, value: lastAddress(network) }];
}
