// SPDX-License-Identifier: Apache-2.0
import { Buffer } from "node:buffer";
import { connect, Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { ProtocolError } from "../error.ts";
import { formatPluginAddress } from "../handshake/plugin-address.ts";
import type { CarrierClientOptions } from "./carrier.ts";
import { noRenegotiation } from "./renegotiation.ts";

/** Maximum length of the path of a unix socket, in bytes. */
const longestPath = process.platform === "linux" ? 107 : 103;

/** Opens a socket to a plugin, with TLS when certificates are given. Never throws: errors are events of the socket. */
export function dial({ address, tls }: CarrierClientOptions): Socket {
  if (address.network === "unix" && process.platform !== "win32" && Buffer.byteLength(address.path) > longestPath) {
    // Node's tls.connect reports a path that is too long on an inner socket, where an unhandled error would end the process.
    return new Socket().destroy(new Error(`the path of a unix socket cannot be longer than ${longestPath} bytes`));
  }
  const target = address.network === "unix" ? { path: address.path } : { host: address.host, port: address.port };
  const socket =
    tls === undefined
      ? connect(target)
      : connectTls({
          ...target,
          // The certificate of a plugin is issued for this name, whatever its address.
          servername: "localhost",
          // Required by Go's gRPC. Node's HTTP/2 client sets it only on sockets that it opens itself.
          ALPNProtocols: ["h2"],
          ca: tls.serverCertificatePem,
          cert: tls.certificatePem,
          key: tls.privateKeyPem,
          minVersion: "TLSv1.2",
          secureOptions: noRenegotiation,
        });
  return socket.setNoDelay(true);
}

/** Returns the error for calls over a connection that has ended. `state`: its last state; `cause`: its first error, if known. */
export function connectionFailure(
  { address, tls }: CarrierClientOptions,
  state: "connecting" | "connected" | "closing",
  cause: Error | undefined,
): ProtocolError {
  const where = `the plugin at ${address.network} ${formatPluginAddress(address)}`;
  if (state === "closing") return new ProtocolError("CLOSED", `the connection to ${where} was closed by this client`);
  const options = cause === undefined ? undefined : { cause };
  const reason = cause === undefined ? "the peer closed the connection" : reasonOf(cause);
  if (state === "connected") return new ProtocolError("CONNECTION_LOST", `lost the connection to ${where}: ${reason}`, options);
  const hint = cause === undefined && tls !== undefined ? ", perhaps because it refuses the certificate" : "";
  return new ProtocolError("CONNECTION_FAILED", `cannot connect to ${where}: ${reason}${hint}`, options);
}

function reasonOf(error: Error & { readonly code?: string; readonly reason?: string }): string {
  // OpenSSL's message starts with a thread identifier and ends with a line of its source.
  return error.reason ?? (error.message || error.code || error.name);
}
