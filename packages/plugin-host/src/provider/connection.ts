// SPDX-License-Identifier: Apache-2.0
import type { CarrierClient, CarrierClientOptions } from "@tenon/protocol/carrier";
import { openCarrierClient } from "@tenon/protocol/carrier/client";
import { GRPCController } from "@tenon/protocol/lean/plugin";
import type { Provider } from "@tenon/schema";
import type { SchemaStore } from "@tenon/schema/wire/v6";
import type { ProtocolVersion } from "../launch/launch-options.ts";
import type { LogSink } from "../output/log-record.ts";
import { readPrintedOutput } from "../output/printed-output.ts";

/** gRPC's status for a service or method that a server does not have. */
const unimplemented = 12;

/** One connection to a plugin, with the provider behind it. */
export interface Connection {
  /** Speaks to the provider and knows nothing of its life. */
  readonly wire: Provider;
  /** Fulfilled when the connection is over, from whichever end. */
  readonly closed: Promise<unknown>;
  /** Asks the plugin to end. False when it does not know how. Never rejects; may take for ever. */
  askToEnd(): Promise<boolean>;
  /** Ends the connection. */
  close(): Promise<void>;
}

/** Our own carrier, or the one it is held against where somebody wants to compare them. */
const open =
  process.env["TENON_CARRIER"] === "connect-node"
    ? (await import("@tenon/protocol/carrier/connect-node-client")).openCarrierClient
    : openCarrierClient;

/** Starts to connect. Loads with this file, so import it when there is something to connect to. */
export function dial(options: CarrierClientOptions): CarrierClient {
  return open(options);
}

/**
 * Completes a connection: waits until it stands, loads the one protocol version it needs, and reads what the plugin prints.
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
  }: {
    readonly protocolVersion: ProtocolVersion;
    readonly provider: string;
    readonly sink: LogSink | undefined;
    readonly schemaStore?: SchemaStore | undefined;
  },
): Promise<Connection> {
  const [wire] = await Promise.all([createWire(protocolVersion, client, schemaStore), client.connected]);
  const printed = new AbortController();
  void readPrintedOutput(client, provider, sink, printed.signal);
  return {
    wire,
    closed: client.closed,
    async askToEnd() {
      try {
        await client.transport.unary(GRPCController.method.shutdown, undefined, undefined, undefined, {});
      } catch (error) {
        // Go's plugins end before they answer: any other error is a success.
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

/**
 * What nearly every provider speaks: it loads with this file, while the provider is still starting. The other version's descriptor takes
 * milliseconds, too, and is loaded only where it is needed.
 */
const newest = import("@tenon/schema/wire/v6");

async function createWire(version: ProtocolVersion, client: CarrierClient, schemaStore: SchemaStore | undefined): Promise<Provider> {
  const { createProviderClient } = version === 6 ? await newest : await import("@tenon/schema/wire/v5");
  return createProviderClient(client.transport, { close: () => client.close(), ...(schemaStore ? { schemaStore } : {}) });
}
