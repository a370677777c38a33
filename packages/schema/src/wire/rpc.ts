// SPDX-License-Identifier: Apache-2.0
import type { DescMethod, DescMethodClientStreaming, DescMethodServerStreaming, DescMethodUnary, Message } from "@bufbuild/protobuf";
import type { Diagnostic } from "../diagnostic.ts";
import type { Provider, StreamingCall, UnaryCall } from "../provider/provider.ts";
import type { Needs } from "./kind/kind.ts";
import type { Types } from "./types.ts";

/** RPC of one protocol version: its method, and functions that read and write its messages. */
export interface Rpc<Request, Response, Method extends DescMethod = DescMethodUnary> {
  readonly method: Method;
  /** Description of the provider that the messages need; undefined if they need none. */
  readonly needs: Needs | undefined;
  /** Returns the type name in a request, of the model or of the wire; empty if the request has none. */
  typeName(request: Request | Message): string;
  readRequest(message: Message, types: Types): Request;
  writeRequest(model: Request, types: Types): Message;
  readResponse(message: Message, types: Types): Response;
  writeResponse(model: Response, types: Types): Message;
  /** Creates a response with error diagnostics; undefined where the response has no field for them. */
  readonly refuse: ((reasons: readonly Diagnostic[]) => Message) | undefined;
  /** Adds fields to a response that follow from the request alone. */
  readonly complete?: (response: Message, request: Message) => void;
}

/** Unary calls of {@link Provider} with the given names, bound to a protocol version. */
export type Rpcs<Names extends keyof Provider> = {
  readonly [Name in Names]: Provider[Name] extends UnaryCall<infer Request, infer Response> ? Rpc<Request, Response> : never;
};

/** Streaming call of {@link Provider}, bound to a protocol version. */
export type StreamRpc<Name extends keyof Provider> =
  Provider[Name] extends StreamingCall<infer Request, infer Event> ? Rpc<Request, Event, DescMethodServerStreaming> : never;

/** Call whose request is a stream, bound to a protocol version. */
export type UploadRpc<RequestChunk, Response> = Rpc<RequestChunk, Response, DescMethodClientStreaming>;
