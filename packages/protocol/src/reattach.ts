// SPDX-License-Identifier: Apache-2.0
/**
 * `TF_REATTACH_PROVIDERS`: lists running providers that a host connects to instead of launching them.
 *
 * @module
 */
import { ProtocolError } from "./error.ts";
import { formatPluginAddress, parsePluginAddress, type PluginAddress } from "./handshake/plugin-address.ts";

export { ProtocolError, type ProtocolErrorCode } from "./error.ts";
export type { PluginAddress } from "./handshake/plugin-address.ts";

/** Name of the environment variable. */
export const reattachVariable = "TF_REATTACH_PROVIDERS";

/** A running provider. The host connects in plaintext, without a magic cookie or a handshake line. */
export interface ReattachProvider {
  /** Protocol version, 5 or 6. An entry without one means 5. */
  readonly protocolVersion: number;
  /** Process of the provider, of the same user: when it ends, the host considers the provider lost. */
  readonly pid: number;
  /** Whether the host leaves the provider running when the host ends, instead of shutting it down. */
  readonly test: boolean;
  /** Address that the provider listens on. */
  readonly address: PluginAddress;
}

/**
 * Parses the value of the variable: providers by source address, as the variable spells it.
 *
 * @throws ProtocolError `REATTACH_MALFORMED` with the entry and the invalid field.
 * @see OpenTofu cmd/tofu/main.go, parseReattachProviders
 */
export function parseReattachProviders(text: string): ReadonlyMap<string, ReattachProvider> {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (cause) {
    throw new ProtocolError("REATTACH_MALFORMED", `${reattachVariable} is not JSON`, { cause });
  }
  if (!isObject(entries)) throw new ProtocolError("REATTACH_MALFORMED", `${reattachVariable} is not an object of providers`);
  return new Map(Object.entries(entries).map(([source, entry]) => [source, parseEntry(source, entry)]));
}

/**
 * Formats the value of the variable, on one line.
 *
 * Use the address of a provider in the default registry without its host (`namespace/type`): Terraform and OpenTofu add their own.
 *
 * @example
 * const address = { network: "unix", path: "/run/n" };
 * formatReattachProviders(new Map([["me/notes", { protocolVersion: 6, pid: 7, test: true, address }]]))
 * // => '{"me/notes":{"Protocol":"grpc","ProtocolVersion":6,"Pid":7,"Test":true,"Addr":{"Network":"unix","String":"/run/n"}}}'
 */
export function formatReattachProviders(providers: ReadonlyMap<string, ReattachProvider>): string {
  const entries = [...providers].map(([source, { protocolVersion, pid, test, address }]) => [
    source,
    {
      Protocol: "grpc",
      ProtocolVersion: protocolVersion,
      Pid: pid,
      Test: test,
      Addr: { Network: address.network, String: formatPluginAddress(address) },
    },
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}

function parseEntry(source: string, entry: unknown): ReattachProvider {
  const malformed = (reason: string): ProtocolError =>
    new ProtocolError("REATTACH_MALFORMED", `${reattachVariable}: ${reason} in the entry ${JSON.stringify(source)}`);
  if (!isObject(entry)) throw malformed("expected an object");
  const protocol = member(entry, "Protocol");
  const protocolVersion = member(entry, "ProtocolVersion") ?? 5;
  const pid = member(entry, "Pid");
  const test = member(entry, "Test") ?? false;
  const addr = member(entry, "Addr");
  if (protocol !== "grpc") throw malformed(`Protocol is ${JSON.stringify(protocol)}, expected "grpc",`);
  if (!isPositiveInteger(protocolVersion)) throw malformed("ProtocolVersion is not a positive integer");
  if (!isPositiveInteger(pid)) throw malformed("Pid is not a positive integer");
  if (typeof test !== "boolean") throw malformed("Test is not a boolean");
  const [network, text] = isObject(addr) ? [member(addr, "Network"), member(addr, "String")] : [];
  const address = typeof network === "string" && typeof text === "string" ? parsePluginAddress(network, text) : undefined;
  if (address === undefined) throw malformed("Addr is not a unix or tcp address");
  return { protocolVersion, pid, test, address };
}

/** Member of an object, by a name in any case, as Go matches them. Null counts as absent. */
function member(object: Readonly<Record<string, unknown>>, name: string): unknown {
  const key = Object.hasOwn(object, name) ? name : Object.keys(object).find((each) => each.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : (object[key] ?? undefined);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPositiveInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
