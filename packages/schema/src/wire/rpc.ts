// SPDX-License-Identifier: Apache-2.0
import type { DescMethod, DescMethodClientStreaming, DescMethodServerStreaming, DescMethodUnary, Message } from "@bufbuild/protobuf";
import type { Diagnostic } from "../diagnostic.ts";
import type { Provider, StreamingCall, UnaryCall } from "../provider.ts";
import type { Needs } from "./kind/kind.ts";
import type { Types } from "./types.ts";

/** An RPC of one protocol version: its method and how its messages travel, in both directions. */
export interface Rpc<Request, Response, Method extends DescMethod = DescMethodUnary> {
  readonly method: Method;
  /** What must be known of the provider to translate the messages; undefined: nothing. */
  readonly needs: Needs | undefined;
  /** The type name in a request, of the model or of the wire; empty where it names none. */
  typeName(request: Request | Message): string;
  readRequest(message: Message, types: Types): Request;
  writeRequest(model: Request, types: Types): Message;
  readResponse(message: Message, types: Types): Response;
  writeResponse(model: Response, types: Types): Message;
  /** An answer that says only that it went wrong; undefined where the response cannot. */
  readonly refuse: ((reasons: readonly Diagnostic[]) => Message) | undefined;
  /** Puts into an answer what follows from the request alone. */
  readonly complete?: (answer: Message, request: Message) => void;
}

/** The unary calls of {@link Provider} with the given names, each bound to a protocol version. */
export type Rpcs<Names extends keyof Provider> = {
  readonly [Name in Names]: Provider[Name] extends UnaryCall<infer Request, infer Response> ? Rpc<Request, Response> : never;
};

/** A streaming call of {@link Provider}, bound to a protocol version. */
export type StreamRpc<Name extends keyof Provider> =
  Provider[Name] extends StreamingCall<infer Request, infer Event> ? Rpc<Request, Event, DescMethodServerStreaming> : never;

/** A call whose request is a stream, bound to a protocol version. */
export type UploadRpc<RequestChunk, Response> = Rpc<RequestChunk, Response, DescMethodClientStreaming>;
