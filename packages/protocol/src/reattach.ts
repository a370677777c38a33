// SPDX-License-Identifier: Apache-2.0
/**
 * `TF_REATTACH_PROVIDERS`: how a host is told of providers that run already.
 *
 * @module
 */
import { ProtocolError } from "./error.ts";
import { formatPluginAddress, parsePluginAddress, type PluginAddress } from "./handshake/plugin-address.ts";

export { ProtocolError, type ProtocolErrorCode } from "./error.ts";
export type { PluginAddress } from "./handshake/plugin-address.ts";

/** Name of the variable. */
export const reattachVariable = "TF_REATTACH_PROVIDERS";

/** A provider that runs already. It is spoken to in plaintext, without magic cookie and handshake line. */
export interface ReattachProvider {
  /** 5 or 6; an entry without one means 5. */
  readonly protocolVersion: number;
  /** A living process of the same user: the host gives the provider up when it ends. */
  readonly pid: number;
  /** True: the host leaves the provider running. False: it shuts it down when it is done. */
  readonly test: boolean;
  /** Where the provider listens. */
  readonly address: PluginAddress;
}

/**
 * Reads the variable's value: providers by source address, as written there.
 *
 * @throws ProtocolError `REATTACH_MALFORMED` with the entry and the field that is wrong.
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
 * Writes the variable's value, on one line.
 *
 * Name a provider of the default registry without its host (`namespace/type`): Terraform and OpenTofu fill in their own.
 *
 * @example
 * formatReattachProviders(new Map([["me/notes", { protocolVersion: 6, pid: 7, test: true, address: { network: "unix", path: "/run/n" } }]]))
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
  const wrong = (what: string): ProtocolError =>
    new ProtocolError("REATTACH_MALFORMED", `${reattachVariable}: ${what} in the entry of ${JSON.stringify(source)}`);
  if (!isObject(entry)) throw wrong("no object");
  const protocol = member(entry, "Protocol");
  const protocolVersion = member(entry, "ProtocolVersion") ?? 5;
  const pid = member(entry, "Pid");
  const test = member(entry, "Test") ?? false;
  const addr = member(entry, "Addr");
  if (protocol !== "grpc") throw wrong(`Protocol is ${JSON.stringify(protocol)}, expected "grpc",`);
  if (!isCount(protocolVersion)) throw wrong("ProtocolVersion is no version");
  if (!isCount(pid)) throw wrong("Pid is no process");
  if (typeof test !== "boolean") throw wrong("Test is no boolean");
  const [network, text] = isObject(addr) ? [member(addr, "Network"), member(addr, "String")] : [];
  const address = typeof network === "string" && typeof text === "string" ? parsePluginAddress(network, text) : undefined;
  if (address === undefined) throw wrong("Addr is no unix or tcp address");
  return { protocolVersion, pid, test, address };
}

/** Go reads member names in any case, and so must we; null counts as absent. */
function member(object: Readonly<Record<string, unknown>>, name: string): unknown {
  const found = Object.hasOwn(object, name) ? name : Object.keys(object).find((key) => key.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : (object[found] ?? undefined);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
