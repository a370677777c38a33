// SPDX-License-Identifier: Apache-2.0
import type { Socket } from "node:net";
import type { DescService } from "@bufbuild/protobuf";
import type { ContextKey, ServiceImpl, Transport } from "@connectrpc/connect";
import type { ProtocolError } from "../error.ts";
import type { PluginAddress } from "../handshake/plugin-address.ts";
import type { CarrierTap } from "./carrier-tap.ts";

/** Certificates and key of a client for mutual TLS, all in PEM. */
export interface CarrierClientTls {
  /** Certificate of the client; the plugin receives it in `PLUGIN_CLIENT_CERT`. */
  readonly certificatePem: string;
  /** Private key of that certificate. */
  readonly privateKeyPem: string;
  /** Certificate from the handshake line of the plugin, issued for `localhost`. No other is accepted. */
  readonly serverCertificatePem: string;
}

/** Options of a client. */
export interface CarrierClientOptions {
  /** Address from the handshake line of the plugin. */
  readonly address: PluginAddress;
  /** Certificates for mutual TLS. Default: plaintext. */
  readonly tls?: CarrierClientTls;
  /** Size of the largest message to receive, in bytes. Default: {@link defaultMaxBytes}. */
  readonly readMaxBytes?: number;
  /** Size of the largest message to send, in bytes. Default: {@link defaultMaxBytes}. */
  readonly writeMaxBytes?: number;
  /** Maximum time to establish the connection, in milliseconds. Default: 20,000. */
  readonly connectTimeoutMs?: number;
  /** Receives the encoded messages of all calls. Supported by Tenon's own carrier only. Default: none. */
  readonly tap?: CarrierTap;
}

/** Reason why a connection ended. */
export type CarrierEnd =
  /** The client called `close()`. */
  | { readonly kind: "closed" }
  /** The connection could not be established: `CONNECTION_FAILED`. */
  | { readonly kind: "refused"; readonly error: ProtocolError }
  /** The peer closed the connection, or its process ended: `CONNECTION_LOST`. */
  | { readonly kind: "lost"; readonly error: ProtocolError };

/**
 * One connection to a plugin, and calls over it.
 *
 * The client never reconnects. A call over a connection that failed, was lost or was closed rejects with a `ConnectError` with code
 * `Unavailable`, whose `cause` is the {@link ProtocolError} with the reason; a cancel or a deadline of the caller keeps its own code.
 */
export interface CarrierClient {
  /** Transport for Connect's `createClient`. Calls wait until the connection is established. */
  readonly transport: Transport;
  /**
   * Fulfilled when the peer has accepted the connection, including the certificate; rejected with a `ProtocolError`
   * `CONNECTION_FAILED`. Callers may ignore it: calls report the same error.
   */
  readonly connected: Promise<void>;
  /** Fulfilled, never rejected, when the connection has ended. */
  readonly closed: Promise<CarrierEnd>;
  /** Cancels the calls in flight and closes the connection. Fulfilled when it has ended, within a second. */
  close(): Promise<void>;
}

/** Opens one connection to a plugin. Returns immediately. */
export type OpenCarrierClient = (options: CarrierClientOptions) => CarrierClient;

/** A service and its implementation. Created by `registration` or `structMapRegistration`. */
export interface ServiceRegistration {
  /** Generated descriptor of the service. */
  readonly service: DescService;
  /** Handlers by method name. A method without one fails with `Unimplemented`. */
  readonly implementation: Partial<ServiceImpl<DescService>>;
  /** Form of each `google.protobuf.Struct` in requests. Default: JSON. */
  readonly structs?: "map";
}

/** Certificates and key of a server for mutual TLS, all in PEM. */
export interface CarrierServerTls {
  /** Certificate of the plugin, as in its handshake line. */
  readonly certificatePem: string;
  /** Private key of that certificate. */
  readonly privateKeyPem: string;
  /** Certificate of the host, from `PLUGIN_CLIENT_CERT`. No other client is accepted. */
  readonly clientCertificatePem: string;
}

/** One connection of a client, from its acceptance (after the TLS handshake) to its end. Compared by identity. */
export interface CarrierSession {
  /** Number of calls on this session that got a response, with any status. Cancelled calls do not count. */
  readonly completedCalls: number;
}

/** Context of a handler that creates its signal on first use. */
export interface LazySignal {
  /**
   * Whether the signal is aborted, or would be aborted if it existed; does not create the signal. The carrier ignores the result of the
   * handler by then.
   */
  isAborted(): boolean;
  /**
   * Calls the listener when the signal is aborted, or would be aborted if it existed; does not create the signal. Each call has at most one listener.
   *
   * @returns a function that removes the listener.
   */
  onAbort(listener: (reason: unknown) => void): () => void;
}

/** Options of a server. */
export interface CarrierServerOptions {
  /** Services that clients can call. Other calls fail with `Unimplemented`. */
  readonly services: readonly ServiceRegistration[];
  /** Certificates for mutual TLS. Default: plaintext. */
  readonly tls?: CarrierServerTls;
  /** Size of the largest message to receive, in bytes. Default: {@link defaultMaxBytes}. */
  readonly readMaxBytes?: number;
  /** Size of the largest message to send, in bytes. Default: {@link defaultMaxBytes}. */
  readonly writeMaxBytes?: number;
  /** Called when a session starts. */
  onSessionOpen?(session: CarrierSession): void;
  /** Called when a session has ended. */
  onSessionClose?(session: CarrierSession): void;
  /** Called when a connection fails, or the server refuses it. For logs: the server continues. */
  onConnectionError?(error: Error): void;
}

/**
 * Serves calls on sockets that the caller accepts.
 *
 * When a handler throws, the call fails with the text of the error: code `Internal`, unless it is a `ConnectError`. Nothing is ever
 * written to standard output or standard error.
 */
export interface CarrierServer {
  /** Serves a socket. Data that it has already received is not lost. The socket must not come from a server with `pauseOnConnect`. */
  accept(socket: Socket): void;
  /** Number of open sessions. */
  readonly sessionCount: number;
  /**
   * Ends every session: running calls may finish within 100 ms, and are then cancelled. Later sockets are closed
   * immediately. Fulfilled when all sessions have ended.
   */
  close(): Promise<void>;
}

/** Creates a server that does not listen itself: pass sockets to `accept`. */
export type CreateCarrierServer = (options: CarrierServerOptions) => CarrierServer;

/** Default size of the largest message to receive or send, as in Go's plugin libraries: 256 MiB. */
export const defaultMaxBytes: number = 256 * 1024 * 1024;

/** Flow-control windows of the client and the server, in bytes, for one stream and for a whole connection. */
export const windowSize: { readonly stream: number; readonly connection: number } = {
  stream: 8 * 1024 * 1024,
  connection: 16 * 1024 * 1024,
};

/**
 * Key of the session that a call belongs to, for handlers: `context.values.get(sessionKey)`.
 *
 * Create a provider instance for each session, so that two aliases of one running provider do not share a configuration.
 */
export const sessionKey: ContextKey<CarrierSession | undefined> = {
  // Not Connect's createContextKey: two installed copies of this package must have the same key.
  id: Symbol.for("@tenon/protocol/session"),
  defaultValue: undefined,
};

/** Combines a service and its implementation for {@link CarrierServerOptions.services}. */
export function registration<Service extends DescService>(
  service: Service,
  implementation: Partial<ServiceImpl<Service>>,
): ServiceRegistration {
  return { service, implementation };
}
