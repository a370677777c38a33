// SPDX-License-Identifier: Apache-2.0
import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { Code, ConnectError, type StreamResponse, type Transport, type UnaryResponse } from "@connectrpc/connect";
import type { CarrierTap } from "../../carrier/carrier-tap.ts";
import { encodeHeaders } from "../hpack/header-encoder.ts";
import { HeaderList } from "../hpack/header-list.ts";
import type { Stream } from "../frames/stream.ts";
import { ClientCall, type ResponseHandler } from "./client-call.ts";
import type { ClientLink } from "./client-link.ts";
import { decodeMessage } from "./decode-message.ts";
import { messagePrefixLength, MessageReader, type MessageSink } from "./message-reader.ts";
import { writeMessage } from "./message-writer.ts";
import { headersOf, metadataFields } from "./metadata.ts";
import { StreamIntake } from "./stream-intake.ts";
import { formatTimeout } from "./timeout.ts";
import { TappedCall } from "./tapped-call.ts";
import { UnaryResult } from "./unary-result.ts";

/** Request headers as Connect's callers pass them. */
type RequestHeaders = ConstructorParameters<typeof Headers>[0] | undefined;

/** Options of a {@link GrpcTransport}. */
export interface TransportOptions {
  readonly link: ClientLink;
  readonly scheme: "http" | "https";
  readonly readMaxBytes: number;
  readonly writeMaxBytes: number;
  readonly tap?: CarrierTap | undefined;
}

/** Connect's transport over a {@link ClientLink}. */
export class GrpcTransport implements Transport {
  readonly #options: TransportOptions;
  /** Encoded headers of calls without a deadline and without headers of the caller. */
  readonly #heads = new WeakMap<DescMethod, Buffer>();
  /** Number of calls reported to the tap. */
  #tapped = 0;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  unary<Input extends DescMessage, Output extends DescMessage>(
    method: DescMethodUnary<Input, Output>,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: RequestHeaders,
    input: MessageInitShape<Input>,
  ): Promise<UnaryResponse<Input, Output>> {
    return new Promise((resolve, reject) => {
      const { link, readMaxBytes, writeMaxBytes } = this.#options;
      const message = encode(method, input, writeMaxBytes);
      const tapped = this.#tappedCall(method);
      tapped?.sent(message.subarray(messagePrefixLength));
      const response = new UnaryResponseHandler(method, readMaxBytes, resolve, reject, tapped);
      new ClientCall(link, response, { head: this.#head(method, timeoutMs, header), message, signal, timeoutMs }).start();
    });
  }

  stream<Input extends DescMessage, Output extends DescMessage>(
    method: DescMethodStreaming<Input, Output>,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: RequestHeaders,
    input: AsyncIterable<MessageInitShape<Input>>,
  ): Promise<StreamResponse<Input, Output>> {
    return new Promise((resolve, reject) => {
      const { link, readMaxBytes, writeMaxBytes } = this.#options;
      const response = new StreamResponseHandler(method, { readMaxBytes, writeMaxBytes }, input, resolve, reject, this.#tappedCall(method));
      const head = this.#head(method, timeoutMs, header);
      response.call = new ClientCall(link, response, { head, message: undefined, signal, timeoutMs });
      response.call.start();
    });
  }

  #tappedCall(method: DescMethod): TappedCall | undefined {
    const { tap } = this.#options;
    return tap && new TappedCall(tap, ++this.#tapped, pathOf(method));
  }

  #head(method: DescMethod, timeoutMs: number | undefined, header: RequestHeaders): Buffer {
    if (timeoutMs !== undefined || header !== undefined) return this.#encodeHead(method, timeoutMs, header);
    let head = this.#heads.get(method);
    if (head === undefined) {
      head = this.#encodeHead(method, undefined, undefined);
      this.#heads.set(method, head);
    }
    return head;
  }

  #encodeHead(method: DescMethod, timeoutMs: number | undefined, header: RequestHeaders): Buffer {
    const { scheme } = this.#options;
    const fields = [
      ":method",
      "POST",
      ":scheme",
      scheme,
      ":path",
      pathOf(method),
      ":authority",
      "localhost",
      "content-type",
      "application/grpc",
    ];
    fields.push("te", "trailers");
    if (timeoutMs !== undefined) fields.push("grpc-timeout", formatTimeout(timeoutMs));
    if (header !== undefined) fields.push(...metadataFields(new Headers(header)));
    return encodeHeaders(fields);
  }
}

function pathOf(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}

/** Encodes a request with its prefix. */
function encode<Input extends DescMessage>(
  method: { readonly input: Input },
  input: MessageInitShape<Input>,
  maxBytes: number,
): Uint8Array {
  try {
    return writeMessage(method.input, create(method.input, input), maxBytes);
  } catch (cause) {
    if (cause instanceof ConnectError) throw cause;
    const text = `the request is not a valid ${method.input.typeName}: ${String(cause)}`;
    throw new ConnectError(text, Code.Internal, undefined, undefined, cause);
  }
}

function decode<Output extends DescMessage>(method: { readonly output: Output }, bytes: Uint8Array): MessageShape<Output> {
  try {
    return decodeMessage(method.output, bytes);
  } catch (cause) {
    const text = `the response is not a valid ${method.output.typeName}: ${String(cause)}`;
    throw new ConnectError(text, Code.Internal, undefined, undefined, cause);
  }
}

/** Receives the response of a unary call. */
class UnaryResponseHandler<Input extends DescMessage, Output extends DescMessage> implements ResponseHandler, MessageSink {
  readonly #method: DescMethodUnary<Input, Output>;
  readonly #resolve: (response: UnaryResponse<Input, Output>) => void;
  readonly #reject: (error: unknown) => void;
  readonly #reader: MessageReader;
  readonly #tapped: TappedCall | undefined;
  #message: Uint8Array | undefined;
  #messages = 0;

  constructor(
    method: DescMethodUnary<Input, Output>,
    maxBytes: number,
    resolve: (response: UnaryResponse<Input, Output>) => void,
    reject: (error: unknown) => void,
    tapped: TappedCall | undefined,
  ) {
    this.#method = method;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#tapped = tapped;
    this.#reader = new MessageReader(maxBytes, this);
  }

  get incomplete(): boolean {
    return this.#reader.incomplete;
  }

  data(stream: Stream, bytes: Buffer, start: number, end: number): void {
    stream.credit(end - start);
    this.#reader.push(bytes, start, end, stream.memory);
  }

  message(bytes: Uint8Array): void {
    this.#tapped?.received(bytes);
    if (++this.#messages > 1) throw new ConnectError("received more than one response message", Code.Unimplemented);
    this.#message = bytes;
  }

  complete(headers: HeaderList | undefined, trailers: HeaderList): void {
    const method = this.#method;
    this.#tapped?.ended();
    if (this.#message === undefined) {
      this.#reject(new ConnectError("received no response message", Code.Unimplemented));
      return;
    }
    let message: MessageShape<Output>;
    try {
      message = decode(method, this.#message);
    } catch (error) {
      this.#reject(error);
      return;
    }
    this.#resolve(new UnaryResult(method, message, headers, trailers));
  }

  failed(error: ConnectError): void {
    this.#reader.discard();
    this.#tapped?.ended(error);
    this.#reject(error);
  }
}

function trailerOf(trailers: HeaderList | Headers | undefined): Headers {
  return trailers instanceof HeaderList || trailers === undefined ? headersOf(trailers) : new Headers(trailers);
}

/** Sends the requests of a streaming call, and receives its responses, independently of each other. */
class StreamResponseHandler<Input extends DescMessage, Output extends DescMessage> implements ResponseHandler {
  /** The call; set before it starts. */
  call!: ClientCall;
  readonly #method: DescMethodStreaming<Input, Output>;
  readonly #writeMaxBytes: number;
  readonly #input: AsyncIterable<MessageInitShape<Input>>;
  readonly #resolve: (response: StreamResponse<Input, Output>) => void;
  readonly #reject: (error: unknown) => void;
  readonly #intake: StreamIntake<MessageShape<Output>>;
  readonly #tapped: TappedCall | undefined;
  #trailers: HeaderList | Headers | undefined;
  #trailer: Headers | undefined;
  #requests: AsyncIterator<MessageInitShape<Input>> | undefined;
  #resumeSending: (() => void) | undefined;

  constructor(
    method: DescMethodStreaming<Input, Output>,
    { readMaxBytes, writeMaxBytes }: Pick<TransportOptions, "readMaxBytes" | "writeMaxBytes">,
    input: AsyncIterable<MessageInitShape<Input>>,
    resolve: (response: StreamResponse<Input, Output>) => void,
    reject: (error: unknown) => void,
    tapped: TappedCall | undefined,
  ) {
    this.#method = method;
    this.#writeMaxBytes = writeMaxBytes;
    this.#input = input;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#tapped = tapped;
    this.#intake = new StreamIntake({
      maxBytes: readMaxBytes,
      decode: (bytes) => decode(method, bytes),
      ...(tapped ? { onArrived: (bytes) => tapped.received(bytes) } : {}),
      onAbandoned: () => this.call.cancel(new ConnectError("the caller stopped reading the response", Code.Canceled)),
    });
  }

  get incomplete(): boolean {
    return this.#intake.incomplete;
  }

  begun(): void {
    void this.#sendAll();
  }

  headers(headers: HeaderList): void {
    let header: Headers | undefined;
    // Headers and trailers are created on first use: few callers read them.
    const trailer = (): Headers => (this.#trailer ??= trailerOf(this.#trailers));
    this.#resolve({
      stream: true,
      service: this.#method.parent,
      method: this.#method,
      message: this.#intake.queue,
      get header() {
        return (header ??= headersOf(headers));
      },
      get trailer() {
        return trailer();
      },
    });
  }

  data(stream: Stream, bytes: Buffer, start: number, end: number): void {
    this.#intake.push(stream, bytes, start, end);
  }

  drained(): void {
    this.#resumeSending?.();
  }

  complete(headers: HeaderList | undefined, trailers: HeaderList): void {
    // The response consists of trailers only.
    if (headers === undefined) this.headers(trailers);
    this.#tapped?.ended();
    this.#setTrailers(trailers);
    this.#intake.queue.end();
    this.#intake.stopAccounting();
    this.#stopSending();
  }

  failed(error: ConnectError, immediate: boolean): void {
    this.#tapped?.ended(error);
    this.#setTrailers(error.metadata);
    this.#reject(error);
    if (immediate) this.#intake.queue.abort(error);
    else this.#intake.queue.fail(error);
    this.#intake.stopAccounting();
    this.#stopSending();
  }

  async #sendAll(): Promise<void> {
    const { call } = this;
    try {
      this.#requests = this.#input[Symbol.asyncIterator]();
      for (;;) {
        const next = await this.#requests.next();
        if (call.over) return;
        if (next.done === true) break;
        const message = encode(this.#method, next.value, this.#writeMaxBytes);
        this.#tapped?.sent(message.subarray(messagePrefixLength));
        call.send(message);
        if (call.pending) await new Promise<void>((resolve) => (this.#resumeSending = resolve));
        if (call.over) return;
      }
      call.endRequest();
    } catch (error) {
      call.cancel(ConnectError.from(error, Code.Internal));
    }
  }

  /** Sets the trailers. Adds them to the empty trailers that a caller may have received already. */
  #setTrailers(trailers: HeaderList | Headers): void {
    this.#trailers = trailers;
    const early = this.#trailer;
    if (early !== undefined) trailerOf(trailers).forEach((value, name) => early.append(name, value));
  }

  #stopSending(): void {
    this.#resumeSending?.();
    this.#requests?.return?.().catch(() => {});
  }
}
