// SPDX-License-Identifier: Apache-2.0
/**
 * The reference carrier's client: Connect's own gRPC over `node:http2`.
 *
 * Node 24.20 and later, and 26.3 and later, break it under load (nodejs/node#65677); 24.19 does not.
 *
 * @module
 */
import { Code, ConnectError, type StreamResponse, type Transport } from "@connectrpc/connect";
import type { DescMessage } from "@bufbuild/protobuf";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { type CarrierClient, type CarrierClientOptions, defaultMaxBytes } from "./carrier.ts";
import { ClientConnection } from "./client-connection.ts";

/** Opens the one connection to a plugin. Returns at once: calls wait until it stands. */
export function openCarrierClient(options: CarrierClientOptions): CarrierClient {
  if (options.tap !== undefined) throw new TypeError("connect-node's client has no tap: take our own carrier");
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
    transport: reportingLoss(transport, connection),
    connected: connection.connected,
    closed: connection.closed,
    close: () => connection.close(),
  };
}

/**
 * A connection that breaks reaches connect-node's calls as `Canceled`, `Aborted` or `Internal`, by circumstance. Nobody
 * cancelled: say `Unavailable`, and why.
 */
function reportingLoss(transport: Transport, connection: ClientConnection): Transport {
  const reported = (error: unknown, signal: AbortSignal | undefined): unknown => {
    if (signal?.aborted || !connection.over || !isOfTransport(error)) return error;
    const failure = connection.failure();
    return new ConnectError(failure.message, Code.Unavailable, undefined, undefined, failure);
  };
  return {
    async unary(method, signal, ...rest) {
      try {
        return await transport.unary(method, signal, ...rest);
      } catch (error) {
        throw reported(error, signal);
      }
    },
    async stream<Input extends DescMessage, Output extends DescMessage>(
      ...[method, signal, ...rest]: Parameters<typeof transport.stream<Input, Output>>
    ): Promise<StreamResponse<Input, Output>> {
      try {
        const response = await transport.stream(method, signal, ...rest);
        return { ...response, message: mapErrors(response.message, (error) => reported(error, signal)) };
      } catch (error) {
        throw reported(error, signal);
      }
    },
  };
}

/** True for what may have gone wrong underneath a call, false for what the server answered, for deadlines, and for limits. */
function isOfTransport(error: unknown): boolean {
  const { code, metadata } = ConnectError.from(error);
  return transportCodes.has(code) && !metadata.has("grpc-status");
}

/** `InvalidArgument` is a message that breaks off in the middle. */
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
