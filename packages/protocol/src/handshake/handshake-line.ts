// SPDX-License-Identifier: Apache-2.0
import { Buffer } from "node:buffer";
import { ProtocolError } from "../error.ts";
import { formatPluginAddress, parsePluginAddress, type PluginAddress } from "./plugin-address.ts";

/** What a plugin says on its first line of standard output, before anything else. */
export interface HandshakeLine {
  /** Version of the line itself; go-plugin has only ever used 1. */
  readonly coreVersion: 1;
  /** Major version of the provider protocol the plugin will speak: 5 or 6. */
  readonly protocolVersion: number;
  /** Where the plugin listens. */
  readonly address: PluginAddress;
  /** The plugin's certificate (DER), present exactly when the host asked for AutoMTLS. */
  readonly certificate?: Uint8Array;
  /** Whether broker connections may share one; present only when the host asked. */
  readonly multiplexing?: boolean;
}

/**
 * Reads `CORE|PROTOCOL|NETWORK|ADDRESS|grpc[|CERT[|MULTIPLEXING]]`, with or without its line end.
 *
 * Whether the protocol version is one you speak, and whether the certificate is one, is left to the caller.
 *
 * @throws ProtocolError `HANDSHAKE_MALFORMED` with the offending line and the field that is wrong.
 * @see go-plugin client.go, Client.Start
 *
 * @example
 * parseHandshakeLine("1|6|unix|/tmp/plugin1|grpc|").address
 * // => { network: "unix", path: "/tmp/plugin1" }
 */
export function parseHandshakeLine(line: string): HandshakeLine {
  const fields = line.trim().split("|");
  const [core, protocol, network, address, transport, certificate, multiplexing] = fields;
  if (fields.length < 4) throw malformed(line, "too few fields: this is not a plugin, or it printed something else before");
  if (core !== "1") throw malformed(line, `unsupported core version ${core}, expected 1`);
  if (!/^\d{1,9}$/.test(protocol ?? "")) throw malformed(line, `no protocol version but ${JSON.stringify(protocol)}`);
  if (network !== "unix" && network !== "tcp") throw malformed(line, `network ${network}, expected unix or tcp`);
  const listening = parsePluginAddress(network, address);
  if (listening === undefined) throw malformed(line, `no usable ${network} address`);
  // A line that ends before this field comes from a plugin older than gRPC.
  if (transport !== "grpc") throw malformed(line, `transport ${transport ?? "missing"}, expected grpc`);
  return {
    coreVersion: 1,
    protocolVersion: Number(protocol),
    address: listening,
    ...(certificate ? { certificate: decodeCertificate(certificate, line) } : {}),
    ...(multiplexing ? { multiplexing: decodeFlag(multiplexing, line) } : {}),
  };
}

/**
 * Writes the line a host expects, with its line end.
 *
 * The sixth field stands even when it is empty; the seventh only when `multiplexing` is given, because hosts with
 * go-plugin before 1.6 take everything after the fifth bar for the certificate.
 *
 * @throws ProtocolError `HANDSHAKE_MALFORMED` for an address that cannot stand in such a line.
 * @see go-plugin server.go, Serve
 */
export function formatHandshakeLine(handshake: HandshakeLine): string {
  const { coreVersion, protocolVersion, address, certificate, multiplexing } = handshake;
  const text = formatPluginAddress(address);
  if (/[|\r\n]|^\s|\s$/.test(text) || parsePluginAddress(address.network, text) === undefined) {
    throw new ProtocolError(
      "HANDSHAKE_MALFORMED",
      `the address ${JSON.stringify(text)} cannot stand in a handshake line; listen elsewhere`,
    );
  }
  // Go reads the certificate strictly: standard alphabet, no padding.
  const encoded = certificate === undefined ? "" : Buffer.from(certificate).toString("base64").replace(/=+$/, "");
  const fields = [coreVersion, protocolVersion, address.network, text, "grpc", encoded];
  return `${(multiplexing === undefined ? fields : [...fields, multiplexing]).join("|")}\n`;
}

function decodeCertificate(text: string, line: string): Uint8Array {
  // Node's decoder skips what it cannot read, so look first. Padding is wrong but harms nobody.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw malformed(line, "the certificate is not base64");
  return Buffer.from(text, "base64");
}

/** The words Go's strconv.ParseBool takes. */
function decodeFlag(text: string, line: string): boolean {
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
  if (/^(0|f|F|false|FALSE|False)$/.test(text)) return false;
  throw malformed(line, `the multiplexing flag is ${JSON.stringify(text)}, expected true or false`);
}

function malformed(line: string, what: string): ProtocolError {
  const shown = line.length > 400 ? `${line.slice(0, 400)}…` : line;
  return new ProtocolError("HANDSHAKE_MALFORMED", `${what}, in the plugin's first line ${JSON.stringify(shown)}`);
}
