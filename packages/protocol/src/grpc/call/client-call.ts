// SPDX-License-Identifier: Apache-2.0
import { Code, ConnectError } from "@connectrpc/connect";
import { quoted } from "../../carrier/quoted.ts";
import { errorCode } from "../frames/frame.ts";
import type { Stream } from "../frames/stream.ts";
import type { HeaderList } from "../hpack/header-list.ts";
import type { Caller, ClientLink } from "./client-link.ts";
import { errorIn, httpStatusError, resetError } from "./status.ts";
import { headersOf } from "./metadata.ts";
import { startDeadline } from "./timeout.ts";

/** Receives the response of a {@link ClientCall}. */
export interface ResponseHandler {
  /** Reads data of the response, and credits it. @throws ConnectError when the data is invalid or above a limit. */
  data(stream: Stream, bytes: Buffer, start: number, end: number): void;
  /** The headers of a gRPC response arrived. */
  headers?(headers: HeaderList): void;
  /** Streaming calls only: all queued messages have been written to the socket. */
  drained?(): void;
  /** Streaming calls only: the call has a stream, and its headers are sent. */
  begun?(): void;
  /** Whether the data received so far ends in the middle of a message. */
  readonly incomplete: boolean;
  /** The response is complete. */
  complete(headers: HeaderList | undefined, trailers: HeaderList): void;
  /** The call failed. `immediate`: whether messages that arrived before are discarded. */
  failed(error: ConnectError, immediate: boolean): void;
}

/** Request of a {@link ClientCall}, and its signal and timeout. */
export interface ClientCallOptions {
  /** Encoded request headers. */
  readonly head: Buffer;
  /** The only message, with its prefix. Undefined: messages are sent with {@link ClientCall.send}. */
  readonly message: Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
}

/** Client side of a call. It completes or fails exactly once. */
export class ClientCall implements Caller {
  readonly #link: ClientLink;
  readonly #response: ResponseHandler;
  readonly #options: ClientCallOptions;
  readonly #abort: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stream: Stream | undefined;
  #headers: HeaderList | undefined;
  #over = false;

  constructor(link: ClientLink, response: ResponseHandler, options: ClientCallOptions) {
    this.#link = link;
    this.#response = response;
    this.#options = options;
    const { signal } = options;
    if (signal !== undefined) this.#abort = () => this.#abandon(ConnectError.from(signal.reason, Code.Canceled));
  }

  /** Whether the call has completed or failed. */
  get over(): boolean {
    return this.#over;
  }

  /** Whether headers or messages are queued to be sent. */
  get pending(): boolean {
    return this.#stream?.pending ?? false;
  }

  /** Starts the call, unless it is already cancelled. */
  start(): void {
    const { signal, timeoutMs } = this.#options;
    if (signal?.aborted) {
      this.#abort!();
      return;
    }
    if (timeoutMs !== undefined) {
      const expire = (): void => this.#abandon(new ConnectError("the call's deadline has passed", Code.DeadlineExceeded));
      if (timeoutMs <= 0) {
        expire();
        return;
      }
      this.#timer = startDeadline(timeoutMs, expire);
    }
    signal?.addEventListener("abort", this.#abort!, { once: true });
    this.#link.call(this);
  }

  begin(stream: Stream): void {
    this.#stream = stream;
    const { head, message } = this.#options;
    if (message === undefined) {
      stream.send(head, undefined, undefined, false);
      this.#response.begun?.();
      return;
    }
    stream.send(head, message, undefined, true);
  }

  /** Sends a message with its prefix. */
  send(message: Uint8Array): void {
    this.#stream?.send(undefined, message, undefined, false);
  }

  /** Ends the stream of requests. */
  endRequest(): void {
    this.#stream?.send(undefined, new Uint8Array(0), undefined, true);
  }

  /** Cancels the call with an error. */
  cancel(error: ConnectError): void {
    this.#abandon(error);
  }

  headers(list: HeaderList, last: boolean): void {
    if (list.oversized) {
      this.#abandon(new ConnectError("the headers of the response are too long", Code.ResourceExhausted));
      return;
    }
    if (last && (this.#headers !== undefined || list.get("grpc-status") !== undefined)) {
      this.#finish(list);
      return;
    }
    if (this.#headers !== undefined) {
      this.#abandon(new ConnectError("received headers in the middle of the response", Code.Internal), errorCode.protocolError);
      return;
    }
    const status = list.get(":status");
    // An informational response: another one follows.
    if (status !== undefined && /^1\d\d$/.test(status) && !last) return;
    const error = (list.memo ??= { error: headersError(list, status) }) as { readonly error: (() => ConnectError) | undefined };
    if (error.error !== undefined || last) {
      this.#abandon(error.error?.() ?? new ConnectError("the response ended without a gRPC status", Code.Internal, headersOf(list)));
      return;
    }
    this.#headers = list;
    this.#response.headers?.(list);
  }

  data(bytes: Buffer, start: number, end: number, last: boolean): void {
    if (this.#over) return;
    if (this.#headers === undefined) {
      this.#abandon(new ConnectError("received data before the headers of the response", Code.Internal), errorCode.protocolError);
      return;
    }
    try {
      this.#response.data(this.#stream!, bytes, start, end);
    } catch (error) {
      this.#abandon(ConnectError.from(error, Code.Internal));
      return;
    }
    if (!last) return;
    // Node's servers end a trailers-only response with an empty DATA frame.
    const trailers = this.#headers;
    this.#headers = undefined;
    this.#finish(trailers);
  }

  drained(): void {
    this.#response.drained?.();
  }

  reset(code: number, reason: string | undefined): void {
    this.#fail(resetError(code, reason), false);
  }

  lost(): void {
    const failure = this.#link.failure();
    this.#stream?.reset(errorCode.cancel);
    this.#fail(new ConnectError(failure.message, Code.Unavailable, undefined, undefined, failure), false);
  }

  #finish(trailers: HeaderList): void {
    if (this.#over) return;
    const error = errorIn(trailers, this.#headers);
    // The server does not read the rest of the request.
    if (!this.#stream!.over) this.#stream!.reset(errorCode.cancel);
    if (error !== undefined) this.#fail(error, false);
    else if (this.#response.incomplete) this.#fail(new ConnectError("the response ends in the middle of a message", Code.Internal), false);
    else {
      this.#release();
      this.#response.complete(this.#headers, trailers);
    }
  }

  #abandon(error: ConnectError, code: number = errorCode.cancel): void {
    if (this.#over) return;
    this.#stream?.reset(code);
    this.#fail(error, true);
  }

  #fail(error: ConnectError, immediate: boolean): void {
    if (this.#over) return;
    this.#release();
    this.#response.failed(error, immediate);
  }

  #release(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    if (this.#abort !== undefined) this.#options.signal?.removeEventListener("abort", this.#abort);
    this.#link.forget(this);
  }
}

/**
 * Returns a function that creates the error for response headers that this client cannot accept; undefined when it can. Each call gets its
 * own error.
 */
function headersError(list: HeaderList, status: string | undefined): (() => ConnectError) | undefined {
  if (status !== "200") return () => httpStatusError(status, list);
  const type = list.get("content-type") ?? "";
  if (!/^application\/grpc(\+proto)?\s*(;|$)/i.test(type)) {
    return () => new ConnectError(`the response is not gRPC: content type ${quoted(type)}`, Code.Unknown, headersOf(list));
  }
  const encoding = list.get("grpc-encoding") ?? "identity";
  if (encoding === "identity") return undefined;
  return () => new ConnectError(`the response is compressed with ${quoted(encoding)}, which was not offered`, Code.Internal);
}
