// SPDX-License-Identifier: Apache-2.0
import { isIPv4 } from "node:net";
import { formatPluginAddress, type HandshakeLine, parseHandshakeLine, ProtocolError } from "@tenon/protocol/handshake";
import { type FirstLine, readFirstLine } from "./first-line.ts";
import type { ProtocolVersion } from "../connection/connection-settings.ts";
import type { ProviderProcess } from "../process/provider-process.ts";
import { StartError } from "./start-failure.ts";

/** A handshake line with a supported protocol version. */
export type Handshake = HandshakeLine & { readonly protocolVersion: ProtocolVersion };

/**
 * Reads and validates the provider's handshake line.
 *
 * @throws StartError
 * @see go-plugin client.go, Client.Start
 */
export async function readHandshake(
  process: ProviderProcess,
  expected: { readonly protocolVersions: readonly ProtocolVersion[]; readonly autoMtls: boolean },
): Promise<Handshake> {
  const first = await readFirstLine(process.stdout);
  const handshake = parseFirstLine(first, process);
  const { protocolVersion, address } = handshake;
  if (address.network === "tcp" && !isLocalAddress(address.host)) {
    throw new StartError(
      "HANDSHAKE_MALFORMED",
      `sent the address ${formatPluginAddress(address)} in its handshake line, which may be on another machine; a provider must listen on 127.0.0.1`,
    );
  }
  const supported = expected.protocolVersions.find((version) => version === protocolVersion);
  if (supported === undefined) {
    const versions = expected.protocolVersions.join(" and ");
    throw new StartError(
      "PROTOCOL_UNSUPPORTED",
      `speaks provider protocol ${protocolVersion}, but was offered ${versions}; use a release that supports one of these`,
    );
  }
  if (expected.autoMtls && handshake.certificate === undefined) {
    throw new StartError(
      "AUTO_MTLS_MISMATCH",
      "was given a certificate and sent none; to allow a connection that every program of this user can use, launch it with autoMtls: false",
    );
  }
  if (!expected.autoMtls && handshake.certificate !== undefined) {
    throw new StartError("AUTO_MTLS_MISMATCH", "sent a certificate although it was given none; launch it with autoMtls: true");
  }
  return { ...handshake, protocolVersion: supported };
}

/**
 * Whether the address is a loopback address or the wildcard address of this machine. Others are refused, because the configuration is sent
 * there with its secrets.
 */
function isLocalAddress(host: string): boolean {
  if (isIPv4(host)) return host.startsWith("127.") || host === "0.0.0.0";
  return ["localhost", "::1", "::"].includes(host);
}

function parseFirstLine(first: FirstLine, process: ProviderProcess): HandshakeLine {
  if (first.kind === "line") return parseLine(first.line, first.rest);
  if (first.kind === "oversize") throw malformed(first.start, "no line end in 64 KiB");
  const what =
    process.exit === undefined
      ? "closed its standard output without a handshake line; check that it is a provider"
      : "ended without a handshake line";
  throw new StartError("EXITED_EARLY", what);
}

function parseLine(line: string, rest: string): HandshakeLine {
  try {
    return parseHandshakeLine(line);
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause;
    throw malformed(line, cause.message, rest, cause);
  }
}

/** Text that starts like a handshake line. */
const handshakeLike = /^\s*\d+\|\d+\|(unix|tcp)\|/m;

function malformed(line: string, problem: string, rest = "", cause?: unknown): StartError {
  const options = cause === undefined ? undefined : { cause };
  if (handshakeLike.test(line)) return new StartError("HANDSHAKE_MALFORMED", `printed an invalid handshake line: ${problem}`, options);
  const quoted = JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}…` : line);
  const advice = handshakeLike.test(rest)
    ? "the handshake line came after it; a provider must print nothing before that line, so disable the source of that output (a banner, a preloaded module)"
    : "check that it is a provider, and that it prints nothing before that line";
  return new StartError("HANDSHAKE_MALFORMED", `printed ${quoted} where its handshake line should be; ${advice}`, options);
}
