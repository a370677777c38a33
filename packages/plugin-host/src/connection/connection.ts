// SPDX-License-Identifier: Apache-2.0
import type { CarrierClient, CarrierClientOptions } from "@tenon/protocol/carrier";
import { openCarrierClient } from "@tenon/protocol/carrier/client";
import { GRPCController } from "@tenon/protocol/lean/plugin";
import type { Provider } from "@tenon/schema";
import * as protocol6 from "@tenon/schema/wire/v6";
import type { SchemaStore, SharedSchemas } from "@tenon/schema/wire/v6";
import type { ProtocolVersion } from "./connection-settings.ts";
import type { LogSink } from "../output/log-record.ts";
import { readPrintedOutput } from "../output/printed-output.ts";

/** gRPC status of a service or method that the server lacks. */
const unimplemented = 12;

/** A connection to a plugin, and the provider it serves. */
export interface Connection {
  /** The provider over this connection, without handling of its process. */
  readonly wire: Provider;
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<unknown>;
  /** Sends the request to shut down. @returns whether the plugin supports it. Never rejects; may never resolve. */
  requestShutdown(): Promise<boolean>;
  /** Closes the connection. */
  close(): Promise<void>;
}

/** Opens a client of our carrier, or of connect-node, with which the tests compare it. */
const open =
  process.env["TENON_CARRIER"] === "connect-node"
    ? (await import("@tenon/protocol/carrier/connect-node-client")).openCarrierClient
    : openCarrierClient;

/** Starts to connect. The carrier is loaded with this module, so this module is imported only when the address is known. */
export function dial(options: CarrierClientOptions): CarrierClient {
  return open(options);
}

/**
 * Completes a connection: waits for the handshake, loads the protocol version, and starts to read the plugin's output.
 *
 * @throws ProtocolError `CONNECTION_FAILED`
 */
export async function connect(
  client: CarrierClient,
  {
    protocolVersion,
    provider,
    sink,
    schemaStore,
    sharedSchemas,
  }: {
    readonly protocolVersion: ProtocolVersion;
    readonly provider: string;
    readonly sink: LogSink | undefined;
    readonly schemaStore?: SchemaStore | undefined;
    readonly sharedSchemas?: SharedSchemas | undefined;
  },
): Promise<Connection> {
  const [wire] = await Promise.all([createWire(protocolVersion, client, { schemaStore, sharedSchemas }), client.connected]);
  const printed = new AbortController();
  void readPrintedOutput(client, provider, sink, printed.signal);
  return {
    wire,
    closed: client.closed,
    async requestShutdown() {
      try {
        await client.transport.unary(GRPCController.method.shutdown, undefined, undefined, undefined, {});
      } catch (error) {
        // Go plugins end before they respond, so every other error means success.
        return (error as { readonly code?: unknown }).code !== unimplemented;
      }
      return true;
    },
    async close() {
      printed.abort();
      await client.close();
    },
  };
}

/** Loads protocol 5 only if it is needed, because its descriptor takes milliseconds. Most providers serve protocol 6. */
async function createWire(
  version: ProtocolVersion,
  client: CarrierClient,
  { schemaStore, sharedSchemas }: { readonly schemaStore: SchemaStore | undefined; readonly sharedSchemas: SharedSchemas | undefined },
): Promise<Provider> {
  const { createProviderClient } = version === 6 ? protocol6 : await import("@tenon/schema/wire/v5");
  return createProviderClient(client.transport, {
    close: () => client.close(),
    ...(schemaStore ? { schemaStore } : {}),
    ...(sharedSchemas ? { sharedSchemas } : {}),
  });
}
