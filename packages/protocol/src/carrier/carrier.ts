// SPDX-License-Identifier: Apache-2.0
import type { Socket } from "node:net";
import type { DescService } from "@bufbuild/protobuf";
import type { ContextKey, ServiceImpl, Transport } from "@connectrpc/connect";
import type { ProtocolError } from "../error.ts";
import type { PluginAddress } from "../handshake/plugin-address.ts";
import type { CarrierTap } from "./carrier-tap.ts";

/** What a client needs for a mutual TLS connection; all in PEM. */
export interface CarrierClientTls {
  /** The client's own certificate, handed to the plugin in `PLUGIN_CLIENT_CERT`. */
  readonly certificatePem: string;
  /** The key of that certificate. */
  readonly privateKeyPem: string;
  /** The certificate the plugin named in its handshake line; no other is accepted. It must be for `localhost`. */
  readonly serverCertificatePem: string;
}

/** Where to connect to, and how. */
export interface CarrierClientOptions {
  /** As the plugin's handshake line has it. */
  readonly address: PluginAddress;
  /** Absent: plaintext. */
  readonly tls?: CarrierClientTls;
  /** Largest message to receive, in bytes. Default: {@link defaultMaxBytes}. */
  readonly readMaxBytes?: number;
  /** Largest message to send, in bytes. Default: {@link defaultMaxBytes}. */
  readonly writeMaxBytes?: number;
  /** How long the connection may take to come about, in milliseconds. Default: 20,000. */
  readonly connectTimeoutMs?: number;
  /** Sees the messages of all calls as bytes. Our own carrier has it; connect-node's refuses to open with one. Default: nobody does. */
  readonly tap?: CarrierTap;
}

/** How a connection ended. */
export type CarrierEnd =
  /** `close()` was called at this end. */
  | { readonly kind: "closed" }
  /** No connection came about: `CONNECTION_FAILED`. */
  | { readonly kind: "refused"; readonly error: ProtocolError }
  /** The peer, or its process, is gone: `CONNECTION_LOST`. */
  | { readonly kind: "lost"; readonly error: ProtocolError };

/**
 * One connection to a plugin, and calls over it.
 *
 * It is never dialled again: a plugin that is gone stays gone. A call over a connection that has failed, been lost or
 * been closed is a `ConnectError` with code `Unavailable` whose `cause` is the {@link ProtocolError} that says why; a cancel
 * or a deadline of your own keeps its own code.
 */
export interface CarrierClient {
  /** For Connect's `createClient`. Calls made before the connection stands wait for it. */
  readonly transport: Transport;
  /**
   * Fulfilled when the peer has accepted the connection, certificate included; rejected with a `ProtocolError`
   * `CONNECTION_FAILED`. Need not be looked at: calls report the same.
   */
  readonly connected: Promise<void>;
  /** Fulfilled, never rejected, when the connection is over. */
  readonly closed: Promise<CarrierEnd>;
  /** Cancels the calls in flight and ends the connection. Fulfilled when it is gone, well under a second. */
  close(): Promise<void>;
}

/** Opens the one connection to a plugin. Returns at once. */
export type OpenCarrierClient = (options: CarrierClientOptions) => CarrierClient;

/** A service and what is behind it. Make one with `registration`. */
export interface ServiceRegistration {
  /** The service as it was generated. */
  readonly service: DescService;
  /** Methods left out answer `Unimplemented`. */
  readonly implementation: Partial<ServiceImpl<DescService>>;
}

/** What a server needs for mutual TLS; all in PEM. */
export interface CarrierServerTls {
  /** The plugin's own certificate, the one in its handshake line. */
  readonly certificatePem: string;
  /** The key of that certificate. */
  readonly privateKeyPem: string;
  /** The certificate of the host, from `PLUGIN_CLIENT_CERT`; nobody else is let in. */
  readonly clientCertificatePem: string;
}

/** One connection of a client, from its acceptance (TLS included) to its end. Equal objects are equal sessions. */
export interface CarrierSession {
  /** Calls on this session that ran to their end, whatever their status; those cut off do not count. */
  readonly completedCalls: number;
}

/** Of a handler's context whose signal is made when it is looked at. */
export interface LazySignal {
  /** Whether the signal is aborted, or would be, without making one. The caller has been answered by then. */
  isAborted(): boolean;
}

/** What to serve, and how. */
export interface CarrierServerOptions {
  /** All that can be called; the rest answers `Unimplemented`. */
  readonly services: readonly ServiceRegistration[];
  /** Absent: plaintext. */
  readonly tls?: CarrierServerTls;
  /** Largest message to receive, in bytes. Default: {@link defaultMaxBytes}. */
  readonly readMaxBytes?: number;
  /** Largest message to send, in bytes. Default: {@link defaultMaxBytes}. */
  readonly writeMaxBytes?: number;
  /** A client is there. */
  onSessionOpen?(session: CarrierSession): void;
  /** A client has gone. */
  onSessionClose?(session: CarrierSession): void;
  /** A connection that broke down or was not let in. For the log: the server goes on. */
  onConnectionError?(error: Error): void;
}

/**
 * Serves calls on connections that somebody else listens for.
 *
 * A handler that throws answers with the thrown error's text: code `Internal`, unless it threw a `ConnectError`. Nothing is
 * ever written to standard output or standard error.
 */
export interface CarrierServer {
  /** Serves a connection from now on. What it has received already is not lost; it must not be one of `pauseOnConnect`. */
  accept(socket: Socket): void;
  /** Sessions that are open now. */
  readonly sessionCount: number;
  /**
   * Ends every session: what is being answered may finish for a tenth of a second, then it is cut off. Sockets that come
   * later are closed at once. Fulfilled when all are gone.
   */
  close(): Promise<void>;
}

/** Creates a server that listens nowhere: give it sockets with `accept`. */
export type CreateCarrierServer = (options: CarrierServerOptions) => CarrierServer;

/** Both ends' limit for one message unless told otherwise, as in Go's plugin libraries: 256 MiB. */
export const defaultMaxBytes: number = 256 * 1024 * 1024;

/** Flow control of both ends, in bytes: how much may be under way for one call, and for all calls of a connection. */
export const windowSize: { readonly stream: number; readonly connection: number } = {
  stream: 8 * 1024 * 1024,
  connection: 16 * 1024 * 1024,
};

/**
 * The session a call came on, for handlers: `context.values.get(sessionKey)`.
 *
 * A provider instance belongs to a session: two aliases of one running provider then do not share their configuration.
 */
export const sessionKey: ContextKey<CarrierSession | undefined> = {
  // Not Connect's createContextKey: two installed copies of this package must mean the same.
  id: Symbol.for("@tenon/protocol/session"),
  defaultValue: undefined,
};

/** Joins a service and its implementation for {@link CarrierServerOptions.services}. */
export function registration<Service extends DescService>(
  service: Service,
  implementation: Partial<ServiceImpl<Service>>,
): ServiceRegistration {
  return { service, implementation };
}
