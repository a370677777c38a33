// SPDX-License-Identifier: Apache-2.0
import { Code, ConnectError, type StreamResponse, type Transport } from "@connectrpc/connect";
import type { DescMessage } from "@bufbuild/protobuf";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { type CarrierClient, type CarrierClientOptions, defaultMaxBytes } from "../carrier/carrier.ts";
import { ClientConnection } from "./client-connection.ts";

/** Opens one connection to a plugin over connect-node. Returns immediately: calls wait until the connection is established. */
export function openCarrierClient(options: CarrierClientOptions): CarrierClient {
  if (options.tap !== undefined) throw new TypeError("the connect-node client does not support a tap: use @tenon/protocol/carrier/client");
  const connection = new ClientConnection(options);
  const transport = createGrpcTransport({
    baseUrl: connection.authority,
    acceptCompression: [],
    readMaxBytes: options.readMaxBytes ?? defaultMaxBytes,
    writeMaxBytes: options.writeMaxBytes ?? defaultMaxBytes,
    sessionManager: {
      authority: connection.authority,
      request: (method, path, headers) => connection.request(method, path, headers),
      notifyResponseByteRead: () => {},
    },
  });
  return {
    transport: withConnectionErrors(transport, connection),
    connected: connection.connected,
    closed: connection.closed,
    close: () => connection.close(),
  };
}

/**
 * Wraps a transport so that a lost connection is reported as `Unavailable`, with the reason as the cause.
 *
 * connect-node reports it as `Canceled`, `Aborted` or `Internal`, depending on the moment.
 */
function withConnectionErrors(transport: Transport, connection: ClientConnection): Transport {
  const asUnavailable = (error: unknown, signal: AbortSignal | undefined): unknown => {
    if (signal?.aborted || !connection.over || !mayComeFromConnection(error)) return error;
    const failure = connection.failure();
    return new ConnectError(failure.message, Code.Unavailable, undefined, undefined, failure);
  };
  return {
    async unary(method, signal, ...rest) {
      try {
        return await transport.unary(method, signal, ...rest);
      } catch (error) {
        throw asUnavailable(error, signal);
      }
    },
    async stream<Input extends DescMessage, Output extends DescMessage>(
      ...[method, signal, ...rest]: Parameters<typeof transport.stream<Input, Output>>
    ): Promise<StreamResponse<Input, Output>> {
      try {
        const response = await transport.stream(method, signal, ...rest);
        return { ...response, message: mapErrors(response.message, (error) => asUnavailable(error, signal)) };
      } catch (error) {
        throw asUnavailable(error, signal);
      }
    },
  };
}

/** Whether the error may come from the connection, rather than from the server, a deadline or a limit. */
function mayComeFromConnection(error: unknown): boolean {
  const { code, metadata } = ConnectError.from(error);
  return transportCodes.has(code) && !metadata.has("grpc-status");
}

/** Codes of errors that a lost connection causes. connect-node reports a truncated message as `InvalidArgument`. */
const transportCodes: ReadonlySet<Code> = new Set([Code.Canceled, Code.Aborted, Code.Internal, Code.Unknown, Code.InvalidArgument]);

function mapErrors<T>(elements: AsyncIterable<T>, map: (error: unknown) => unknown): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = elements[Symbol.asyncIterator]();
      return {
        async next() {
          try {
            return await iterator.next();
          } catch (error) {
            throw map(error);
          }
        },
      };
    },
  };
}
