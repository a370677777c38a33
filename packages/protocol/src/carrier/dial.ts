// SPDX-License-Identifier: Apache-2.0
import { Buffer } from "node:buffer";
import { connect, Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { ProtocolError } from "../error.ts";
import { formatPluginAddress } from "../handshake/plugin-address.ts";
import type { CarrierClientOptions } from "./carrier.ts";

/** Bytes of a unix socket's path that the system takes. */
const longestPath = process.platform === "linux" ? 107 : 103;

/** Opens a socket to a plugin; over TLS if that was agreed. Where that cannot be, the socket fails, and nothing is thrown. */
export function dial({ address, tls }: CarrierClientOptions): Socket {
  if (address.network === "unix" && process.platform !== "win32" && Buffer.byteLength(address.path) > longestPath) {
    // Node's tls.connect throws for such a path, and emits the error where nobody can listen: that would end the process.
    return new Socket().destroy(new Error(`a socket's path has ${longestPath} bytes at most`));
  }
  const target = address.network === "unix" ? { path: address.path } : { host: address.host, port: address.port };
  const socket =
    tls === undefined
      ? connect(target)
      : connectTls({
          ...target,
          // Whatever the address, this is the name a plugin's certificate is for.
          servername: "localhost",
          // Node adds it by itself only when it dials by itself, and Go's gRPC insists.
          ALPNProtocols: ["h2"],
          ca: tls.serverCertificatePem,
          cert: tls.certificatePem,
          key: tls.privateKeyPem,
          minVersion: "TLSv1.2",
        });
  return socket.setNoDelay(true);
}

/** Why calls over a connection cannot go through: how far it had come, and what went wrong first, if that is known. */
export function connectionFailure(
  { address, tls }: CarrierClientOptions,
  state: "connecting" | "connected" | "closing",
  cause: Error | undefined,
): ProtocolError {
  const where = `the plugin at ${address.network} ${formatPluginAddress(address)}`;
  if (state === "closing") return new ProtocolError("CLOSED", `the connection to ${where} was closed at this end`);
  const options = cause === undefined ? undefined : { cause };
  const reason = cause === undefined ? "the peer hung up" : reasonOf(cause);
  if (state === "connected") return new ProtocolError("CONNECTION_LOST", `lost the connection to ${where}: ${reason}`, options);
  const hint = cause === undefined && tls !== undefined ? ", as one does that does not accept a certificate" : "";
  return new ProtocolError("CONNECTION_FAILED", `cannot connect to ${where}: ${reason}${hint}`, options);
}

function reasonOf(error: Error & { readonly code?: string; readonly reason?: string }): string {
  // OpenSSL's own message starts with a thread's number and ends with a line of its source.
  return error.reason ?? (error.message || error.code || error.name);
}
