// SPDX-License-Identifier: Apache-2.0
import { Buffer } from "node:buffer";
import { ProtocolError } from "../error.ts";
import { formatPluginAddress, parsePluginAddress, type PluginAddress } from "./plugin-address.ts";

/** The first line that a plugin writes to standard output. */
export interface HandshakeLine {
  /** Version of the line format. go-plugin has used no other version than 1. */
  readonly coreVersion: 1;
  /** Major version of the provider protocol that the plugin serves: 5 or 6. */
  readonly protocolVersion: number;
  /** Address that the plugin listens on. */
  readonly address: PluginAddress;
  /** Certificate of the plugin in DER; present only when the host requested AutoMTLS. */
  readonly certificate?: Uint8Array;
  /** Whether broker connections may share one connection; present only when the host requested it. */
  readonly multiplexing?: boolean;
}

/**
 * Parses `CORE|PROTOCOL|NETWORK|ADDRESS|grpc[|CERT[|MULTIPLEXING]]`, with or without its line end.
 *
 * The caller checks whether it supports the protocol version, and whether the certificate is valid.
 *
 * @throws ProtocolError `HANDSHAKE_MALFORMED` with the line and the invalid field.
 * @see go-plugin client.go, Client.Start
 *
 * @example
 * parseHandshakeLine("1|6|unix|/tmp/plugin1|grpc|").address
 * // => { network: "unix", path: "/tmp/plugin1" }
 */
export function parseHandshakeLine(line: string): HandshakeLine {
  const fields = line.trim().split("|");
  const [core, protocol, network, address, transport, certificate, multiplexing] = fields;
  if (fields.length < 4) throw malformed(line, "too few fields: the program is not a plugin, or printed something else first");
  if (core !== "1") throw malformed(line, `unsupported core version ${core}, expected 1`);
  if (!/^\d{1,9}$/.test(protocol ?? "")) throw malformed(line, `the protocol version is ${JSON.stringify(protocol)}, expected a number`);
  if (network !== "unix" && network !== "tcp") throw malformed(line, `the network is ${network}, expected unix or tcp`);
  const listening = parsePluginAddress(network, address);
  if (listening === undefined) throw malformed(line, `the ${network} address is invalid`);
  // A plugin from before the support for gRPC prints a line without this field.
  if (transport !== "grpc") throw malformed(line, `the transport is ${transport ?? "missing"}, expected grpc`);
  return {
    coreVersion: 1,
    protocolVersion: Number(protocol),
    address: listening,
    ...(certificate ? { certificate: decodeCertificate(certificate, line) } : {}),
    ...(multiplexing ? { multiplexing: decodeFlag(multiplexing, line) } : {}),
  };
}

/**
 * Formats the line for the host, with its line end.
 *
 * The sixth field is written even when it is empty; the seventh only when `multiplexing` is given, because go-plugin before 1.6 reads
 * everything after the fifth bar as the certificate.
 *
 * @throws ProtocolError `HANDSHAKE_MALFORMED` for an address that a handshake line cannot contain.
 * @see go-plugin server.go, Serve
 */
export function formatHandshakeLine(handshake: HandshakeLine): string {
  const { coreVersion, protocolVersion, address, certificate, multiplexing } = handshake;
  const text = formatPluginAddress(address);
  if (/[|\r\n]|^\s|\s$/.test(text) || parsePluginAddress(address.network, text) === undefined) {
    throw new ProtocolError(
      "HANDSHAKE_MALFORMED",
      `the address ${JSON.stringify(text)} cannot be written in a handshake line: listen on another address`,
    );
  }
  // Go accepts only the standard alphabet without padding.
  const encoded = certificate === undefined ? "" : Buffer.from(certificate).toString("base64").replace(/=+$/, "");
  const fields = [coreVersion, protocolVersion, address.network, text, "grpc", encoded];
  return `${(multiplexing === undefined ? fields : [...fields, multiplexing]).join("|")}\n`;
}

function decodeCertificate(text: string, line: string): Uint8Array {
  // Checked first, because Node's decoder ignores invalid characters. Padding is tolerated.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw malformed(line, "the certificate is not base64");
  return Buffer.from(text, "base64");
}

/** Parses a boolean as Go's strconv.ParseBool does. */
function decodeFlag(text: string, line: string): boolean {
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
  if (/^(0|f|F|false|FALSE|False)$/.test(text)) return false;
  throw malformed(line, `the multiplexing flag is ${JSON.stringify(text)}, expected true or false`);
}

function malformed(line: string, reason: string): ProtocolError {
  const shown = line.length > 400 ? `${line.slice(0, 400)}…` : line;
  return new ProtocolError("HANDSHAKE_MALFORMED", `${reason}, in the handshake line ${JSON.stringify(shown)}`);
}
