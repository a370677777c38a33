// SPDX-License-Identifier: Apache-2.0
import { create, type Message, type MessageInitShape, type DescMessage } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { handlerError } from "../../carrier/handler-error.ts";
import { errorCode } from "../frames/frame.ts";
import type { Stream, StreamListener } from "../frames/stream.ts";
import { encodeHeaders } from "../hpack/header-encoder.ts";
import type { HeaderList } from "../hpack/header-list.ts";
import { cancellation } from "./cancellation.ts";
import { CallContext } from "./handler-context.ts";
import { invalidRequest } from "./invalid-request.ts";
import { MessageReader, type MessageSink } from "./message-reader.ts";
import { writeMessage } from "./message-writer.ts";
import { metadataFields } from "./metadata.ts";
import type { Route } from "./router.ts";
import { errorTrailers, resetError, responseFields } from "./status.ts";
import { StreamIntake } from "./stream-intake.ts";
import { startDeadline } from "./timeout.ts";

/** State that the calls of one connection share. */
export interface ServedConnection {
  readonly session: { completedCalls: number };
  /** Size of the largest message to receive, in bytes. */
  readonly readMaxBytes: number;
  /** Size of the largest message to send, in bytes. */
  readonly writeMaxBytes: number;
}

/** Headers of a response without metadata. */
const plainHead = encodeHeaders(responseFields);

/** Trailers of a successful call without metadata. */
const plainTrailers = encodeHeaders(["grpc-status", "0"]);

/** Server side of a call: receives the request, runs the handler, sends the response. */
export class ServerCall implements StreamListener, MessageSink {
  readonly #served: ServedConnection;
  readonly #stream: Stream;
  readonly #route: Route;
  readonly #context: CallContext;
  readonly #timer: NodeJS.Timeout | undefined;
  /** Reads the only request message; undefined for a method with a stream of requests. */
  readonly #reader: MessageReader | undefined;
  readonly #intake: StreamIntake<Message> | undefined;
  /** The only request message, until the request has ended. */
  #request: Uint8Array | undefined;
  #requestCount = 0;
  #headSent = false;
  /** Whether the response is complete or the call has been cancelled: the result of the handler is ignored. */
  #settled = false;
  /** Responses of a streaming handler. */
  #responses: AsyncIterator<unknown> | undefined;
  #resumeSending: (() => void) | undefined;

  constructor(served: ServedConnection, stream: Stream, route: Route, headers: HeaderList, timeoutMs: number | undefined) {
    this.#served = served;
    this.#stream = stream;
    this.#route = route;
    this.#context = new CallContext(route, headers, served.session, timeoutMs);
    stream.listener = this;
    if (timeoutMs !== undefined) this.#timer = startDeadline(timeoutMs, () => this.#expire());
    const { methodKind } = route.method;
    if (methodKind === "unary" || methodKind === "server_streaming") {
      this.#reader = new MessageReader(served.readMaxBytes, this);
      return;
    }
    this.#intake = new StreamIntake({
      maxBytes: served.readMaxBytes,
      decode: (bytes) => this.#decode(bytes),
      // The rest of the request is still received: some clients read the response only after they have sent everything.
      onAbandoned: () => {},
    });
  }

  /** Starts the call. `last`: whether the request has ended with its headers. */
  start(last: boolean): void {
    if (this.#intake !== undefined) this.#invoke(this.#intake.queue);
    if (last) this.#handleRequestEnd();
  }

  headers(): void {
    // Trailers of a request: HTTP/2 allows them only as its end.
    this.#handleRequestEnd();
  }

  data(bytes: Buffer, start: number, end: number, last: boolean): void {
    if (this.#settled) return;
    try {
      if (this.#intake !== undefined) this.#intake.push(this.#stream, bytes, start, end);
      else {
        this.#stream.credit(end - start);
        this.#reader!.push(bytes, start, end, this.#stream.memory);
        if (!last) this.#detachRequest();
      }
    } catch (error) {
      this.#fail(error);
      this.#stream.countReset();
      return;
    }
    if (last) this.#handleRequestEnd();
  }

  message(bytes: Uint8Array): void {
    if (++this.#requestCount > 1) throw new ConnectError("the call takes one request message", Code.Unimplemented);
    this.#request = bytes;
  }

  drained(): void {
    if (this.#stream.localClosed) this.#served.session.completedCalls++;
    this.#resumeSending?.();
  }

  reset(code: number, reason: string | undefined): void {
    const text = reason ?? (code === errorCode.cancel ? "the client cancelled the call" : resetError(code, undefined).rawMessage);
    this.#cancel(cancellation(text));
  }

  lost(): void {
    this.#cancel(cancellation("the connection to the client was lost"));
  }

  #handleRequestEnd(): void {
    if (this.#settled) return;
    if ((this.#reader ?? this.#intake)!.incomplete) {
      this.#fail(new ConnectError("the request ends in the middle of a message", Code.InvalidArgument));
      return;
    }
    if (this.#intake !== undefined) {
      this.#intake.queue.end();
      return;
    }
    const request = this.#request;
    this.#request = undefined;
    if (request === undefined) {
      this.#fail(new ConnectError("the call needs a request message", Code.Unimplemented));
      return;
    }
    let message: Message;
    try {
      message = this.#decode(request);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#invoke(message);
  }

  /** Copies a request that is a view of a much larger chunk, which it would keep alive until the request ends. */
  #detachRequest(): void {
    const request = this.#request;
    if (request !== undefined && request.length * 2 < request.buffer.byteLength) this.#request = request.slice();
  }

  #decode(bytes: Uint8Array): Message {
    try {
      return this.#route.decode(this.#route.method.input, bytes);
    } catch (cause) {
      throw invalidRequest(this.#route.method.input.typeName, cause);
    }
  }

  #invoke(request: unknown): void {
    const { handler, method } = this.#route;
    try {
      const response = handler(request, this.#context);
      if (method.methodKind === "server_streaming" || method.methodKind === "bidi_streaming") {
        this.#stream.startWork();
        void this.#sendAll(response as AsyncIterable<unknown>);
      } else if (isPromise(response)) {
        this.#stream.startWork();
        response.then(
          (message) => this.#respond(message),
          (error: unknown) => this.#handleFailure(error),
        );
      } else this.#respond(response);
    } catch (error) {
      this.#handleFailure(error);
    }
  }

  #respond(message: unknown): void {
    this.#stream.finishWork();
    if (this.#settled) return;
    let response: Uint8Array;
    try {
      response = this.#encode(message);
    } catch (error) {
      this.#handleFailure(error);
      return;
    }
    this.#settle();
    this.#stream.send(this.#head(), response, this.#trailers(), false);
    this.#stream.resetWhenSent(errorCode.noError);
  }

  async #sendAll(responses: AsyncIterable<unknown>): Promise<void> {
    try {
      const iterator = responses[Symbol.asyncIterator]();
      this.#responses = iterator;
      for (;;) {
        const next = await iterator.next();
        if (this.#settled) return;
        if (next.done === true) break;
        const message = this.#encode(next.value);
        this.#stream.send(this.#headSent ? undefined : this.#head(), message, undefined, false);
        if (this.#stream.pending) await new Promise<void>((resolve) => (this.#resumeSending = resolve));
        if (this.#settled) return;
      }
    } catch (error) {
      this.#handleFailure(error);
      return;
    } finally {
      this.#stream.finishWork();
    }
    this.#settle();
    this.#stream.send(this.#headSent ? undefined : this.#head(), undefined, this.#trailers(), false);
    this.#stream.resetWhenSent(errorCode.noError);
  }

  #encode(message: unknown): Uint8Array {
    const { output } = this.#route.method;
    return writeMessage(output, create(output, message as MessageInitShape<DescMessage>), this.#served.writeMaxBytes);
  }

  #head(): Buffer {
    this.#headSent = true;
    const { customHeader } = this.#context;
    return customHeader === undefined ? plainHead : encodeHeaders([...responseFields, ...metadataFields(customHeader)]);
  }

  #trailers(): Buffer {
    const { customTrailer } = this.#context;
    return customTrailer === undefined ? plainTrailers : encodeHeaders(["grpc-status", "0", ...metadataFields(customTrailer)]);
  }

  #handleFailure(reason: unknown): void {
    this.#stream.finishWork();
    if (!this.#settled) this.#fail(handlerError(reason, this.#context));
  }

  #fail(reason: unknown): void {
    if (this.#settled) return;
    const error = ConnectError.from(reason, Code.Internal);
    this.#settle(error);
    const { customHeader, customTrailer } = this.#context;
    const fields = [...errorTrailers(error), ...(customTrailer === undefined ? [] : metadataFields(customTrailer))];
    // Without headers of the handler, the trailers are the whole response.
    const head = this.#headSent || customHeader === undefined ? undefined : this.#head();
    const trailers = encodeHeaders(this.#headSent ? fields : [...responseFields, ...fields]);
    this.#stream.send(head, undefined, trailers, false);
    this.#stream.resetWhenSent(errorCode.noError);
  }

  #expire(): void {
    this.#fail(new ConnectError("the call's deadline has passed", Code.DeadlineExceeded));
  }

  /** Ends the call without a response: the client does not wait for it. */
  #cancel(reason: ConnectError): void {
    if (!this.#settled) this.#settle(reason);
    // A handler that waits to send the rest of its response must continue, and end.
    this.#resumeSending?.();
  }

  /** Ends the request and the handler. `error`: why the call failed; undefined for a successful call. */
  #settle(error?: ConnectError): void {
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#request = undefined;
    this.#reader?.discard();
    const reason = error ?? answeredReason();
    this.#context.abort(reason);
    if (this.#intake !== undefined) {
      this.#intake.queue.abort(reason);
      this.#intake.stopAccounting();
    }
    if (error === undefined || this.#responses === undefined) return;
    // A suspended generator ends now; a running one ends when it next yields.
    returnQuietly(this.#responses);
    this.#resumeSending?.();
  }
}

function returnQuietly(iterator: AsyncIterator<unknown>): void {
  iterator.return?.().catch(() => {});
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | undefined)?.then === "function";
}

let sharedReason: DOMException | undefined;

/**
 * Abort reason of a signal whose call was successful.
 *
 * All calls share one: creating an error takes longer than the rest of the response. It is not a `ConnectError`, because its headers would
 * load Node's whole `fetch` with the first call.
 */
function answeredReason(): DOMException {
  return (sharedReason ??= new DOMException("the call has completed", "AbortError"));
}
