// SPDX-License-Identifier: Apache-2.0
/**
 * Our own carrier's client: gRPC over HTTP/2 frames that it reads and writes itself.
 *
 * @module
 */
import { type CarrierClient, type CarrierClientOptions, defaultMaxBytes } from "../carrier/carrier.ts";
import { ClientLink } from "./call/client-link.ts";
import { GrpcTransport } from "./call/transport.ts";

/** Opens the one connection to a plugin. Returns at once: calls wait until it stands. */
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
