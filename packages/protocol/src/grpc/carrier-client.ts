// SPDX-License-Identifier: Apache-2.0
/**
 * Client of Tenon's own carrier: gRPC over HTTP/2, without `node:http2`.
 *
 * @module
 */
import { type CarrierClient, type CarrierClientOptions, defaultMaxBytes } from "../carrier/carrier.ts";
import { ClientLink } from "./call/client-link.ts";
import { GrpcTransport } from "./call/transport.ts";

/** Opens one connection to a plugin. Returns immediately: calls wait until the connection is established. */
export function openCarrierClient(options: CarrierClientOptions): CarrierClient {
  const link = new ClientLink(options);
  const transport = new GrpcTransport({
    link,
    scheme: options.tls === undefined ? "http" : "https",
    readMaxBytes: options.readMaxBytes ?? defaultMaxBytes,
    writeMaxBytes: options.writeMaxBytes ?? defaultMaxBytes,
    tap: options.tap,
  });
  return { transport, connected: link.connected, closed: link.closed, close: () => link.close() };
}
