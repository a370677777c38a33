// SPDX-License-Identifier: Apache-2.0
import { isIPv4 } from "node:net";
import { formatPluginAddress, type HandshakeLine, parseHandshakeLine, ProtocolError } from "@tenon/protocol/handshake";
import { type FirstLine, readFirstLine } from "./first-line.ts";
import type { ProtocolVersion } from "./launch-options.ts";
import type { ProviderProcess } from "./process.ts";
import { StartProblem } from "./start-failure.ts";

/** A handshake line whose provider can be spoken to. */
export type Handshake = HandshakeLine & { readonly protocolVersion: ProtocolVersion };

/**
 * Waits for the provider's handshake line and judges it.
 *
 * @throws StartProblem
 * @see go-plugin client.go, Client.Start
 */
export async function readHandshake(
  process: ProviderProcess,
  expected: { readonly protocolVersions: readonly ProtocolVersion[]; readonly autoMtls: boolean },
): Promise<Handshake> {
  const first = await readFirstLine(process.stdout);
  const handshake = judge(first, process);
  const { protocolVersion, address } = handshake;
  if (address.network === "tcp" && !isOfThisMachine(address.host)) {
    throw new StartProblem(
      "HANDSHAKE_MALFORMED",
      `named ${formatPluginAddress(address)} in its handshake line, which may be on another machine; a provider listens on 127.0.0.1`,
    );
  }
  const spoken = expected.protocolVersions.find((version) => version === protocolVersion);
  if (spoken === undefined) {
    const versions = expected.protocolVersions.join(" and ");
    throw new StartProblem(
      "PROTOCOL_UNSUPPORTED",
      `speaks provider protocol ${protocolVersion}, but was offered ${versions}; use a release of it that speaks one of these`,
    );
  }
  if (expected.autoMtls && handshake.certificate === undefined) {
    throw new StartProblem(
      "AUTO_MTLS_MISMATCH",
      "was given a certificate and named none of its own; if its connection may be open to every program of this user, launch it with autoMtls: false",
    );
  }
  if (!expected.autoMtls && handshake.certificate !== undefined) {
    throw new StartProblem("AUTO_MTLS_MISMATCH", "named a certificate though it was given none; launch it with autoMtls: true");
  }
  return { ...handshake, protocolVersion: spoken };
}

/** Loopback, by an address that nobody has to look up, or all of this machine's addresses. What is configured would go there, secrets included. */
function isOfThisMachine(host: string): boolean {
  if (isIPv4(host)) return host.startsWith("127.") || host === "0.0.0.0";
  return ["localhost", "::1", "::"].includes(host);
}

function judge(first: FirstLine, process: ProviderProcess): HandshakeLine {
  if (first.kind === "line") return parseLine(first.line, first.rest);
  if (first.kind === "oversize") throw malformed(first.start, "no line end in 64 KiB");
  const what =
    process.exit === undefined
      ? "closed its standard output without a handshake line; is it a provider?"
      : "ended without a handshake line";
  throw new StartProblem("EXITED_EARLY", what);
}

function parseLine(line: string, rest: string): HandshakeLine {
  try {
    return parseHandshakeLine(line);
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause;
    throw malformed(line, cause.message, rest, cause);
  }
}

/** Something that looks like the line we wanted. */
const handshakeLike = /^\s*\d+\|\d+\|(unix|tcp)\|/m;

function malformed(line: string, problem: string, rest = "", cause?: unknown): StartProblem {
  const options = cause === undefined ? undefined : { cause };
  if (handshakeLike.test(line)) return new StartProblem("HANDSHAKE_MALFORMED", `printed an unusable handshake line: ${problem}`, options);
  const quoted = JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}…` : line);
  const advice = handshakeLike.test(rest)
    ? "the line came after it; a provider must print nothing before, so silence what does (a banner, a preloaded module)"
    : "is it a provider, and does it print anything before that line? It must not";
  return new StartProblem("HANDSHAKE_MALFORMED", `printed ${quoted} where its handshake line should be; ${advice}`, options);
}
