// SPDX-License-Identifier: Apache-2.0
import { Code, ConnectError } from "@connectrpc/connect";
import { errorCode } from "../frames/frame.ts";
import type { Stream } from "../frames/stream.ts";
import type { HeaderList } from "../hpack/header-list.ts";
import type { Caller, ClientLink } from "./client-link.ts";
import { errorIn, httpStatusError, resetError } from "./status.ts";
import { headersOf } from "./metadata.ts";
import { startDeadline } from "./timeout.ts";

/** Who waits for an answer. */
export interface Answered {
  /** Data of the answer; messages are this one's to find, and credit to give. @throws ConnectError where they may not be. */
  data(stream: Stream, bytes: Buffer, start: number, end: number): void;
  /** The answer's headers are there, and it is gRPC. */
  headers?(headers: HeaderList): void;
  /** A call that is being streamed: what was sent has been written. */
  drained?(): void;
  /** The call has a stream, and its headers are sent. */
  begun?(): void;
  /** Whether data stops in the middle of a message. */
  readonly unfinished: boolean;
  /** The answer is complete. */
  complete(headers: HeaderList | undefined, trailers: HeaderList): void;
  /** The call has failed. What has arrived before an error of the server's own counts. */
  failed(error: ConnectError, atOnce: boolean): void;
}

export interface ClientCallOptions {
  /** Its request's headers. */
  readonly head: Buffer;
  /** Its only message as it travels; absent: they are sent one by one. */
  readonly message: Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
}

/** One call at the client's end. It fails or completes exactly once. */
export class ClientCall implements Caller {
  readonly #link: ClientLink;
  readonly #answered: Answered;
  readonly #options: ClientCallOptions;
  readonly #abort: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stream: Stream | undefined;
  #headers: HeaderList | undefined;
  #over = false;

  constructor(link: ClientLink, answered: Answered, options: ClientCallOptions) {
    this.#link = link;
    this.#answered = answered;
    this.#options = options;
    const { signal } = options;
    if (signal !== undefined) this.#abort = () => this.#giveUp(ConnectError.from(signal.reason, Code.Canceled));
  }

  /** Whether it is over, however. */
  get over(): boolean {
    return this.#over;
  }

  /** Whether what was sent has not been written yet. */
  get pending(): boolean {
    return this.#stream?.pending ?? false;
  }

  start(): void {
    const { signal, timeoutMs } = this.#options;
    if (signal?.aborted) {
      this.#abort!();
      return;
    }
    if (timeoutMs !== undefined) {
      const passed = (): void => this.#giveUp(new ConnectError("the call's deadline has passed", Code.DeadlineExceeded));
      if (timeoutMs <= 0) {
        passed();
        return;
      }
      this.#timer = startDeadline(timeoutMs, passed);
    }
    signal?.addEventListener("abort", this.#abort!, { once: true });
    this.#link.call(this);
  }

  begin(stream: Stream): void {
    this.#stream = stream;
    const { head, message } = this.#options;
    if (message === undefined) {
      stream.send(head, undefined, undefined, false);
      this.#answered.begun?.();
      return;
    }
    stream.send(head, message, undefined, true);
  }

  /** Sends a message as it travels. */
  send(message: Uint8Array): void {
    this.#stream?.send(undefined, message, undefined, false);
  }

  endRequest(): void {
    this.#stream?.send(undefined, new Uint8Array(0), undefined, true);
  }

  /** Ends the call from this end. */
  cancel(error: ConnectError): void {
    this.#giveUp(error);
  }

  headers(list: HeaderList, last: boolean): void {
    if (list.oversized) {
      this.#giveUp(new ConnectError("the headers of the answer are too long", Code.ResourceExhausted));
      return;
    }
    if (last && (this.#headers !== undefined || list.get("grpc-status") !== undefined)) {
      this.#finish(list);
      return;
    }
    if (this.#headers !== undefined) {
      this.#giveUp(new ConnectError("headers in the middle of the answer", Code.Internal), errorCode.protocolError);
      return;
    }
    const status = list.get(":status");
    // Something else will follow.
    if (status !== undefined && /^1\d\d$/.test(status) && !last) return;
    const error = (list.memo ??= { error: headError(list, status) }) as { readonly error: (() => ConnectError) | undefined };
    if (error.error !== undefined || last) {
      this.#giveUp(error.error?.() ?? new ConnectError("the answer ended without a status", Code.Internal, headersOf(list)));
      return;
    }
    this.#headers = list;
    this.#answered.headers?.(list);
  }

  data(bytes: Buffer, start: number, end: number, last: boolean): void {
    if (this.#over) return;
    if (this.#headers === undefined) {
      this.#giveUp(new ConnectError("an answer without headers", Code.Internal), errorCode.protocolError);
      return;
    }
    try {
      this.#answered.data(this.#stream!, bytes, start, end);
    } catch (error) {
      this.#giveUp(ConnectError.from(error, Code.Internal));
      return;
    }
    if (!last) return;
    // Node's own servers cannot end a stream with its headers: they add data of nothing.
    const trailers = this.#headers;
    this.#headers = undefined;
    this.#finish(trailers);
  }

  drained(): void {
    this.#answered.drained?.();
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
    // Whoever still has a request to send need not: nobody reads it.
    if (!this.#stream!.over) this.#stream!.reset(errorCode.cancel);
    if (error !== undefined) this.#fail(error, false);
    else if (this.#answered.unfinished)
      this.#fail(new ConnectError("the answer breaks off in the middle of a message", Code.Internal), false);
    else {
      this.#release();
      this.#answered.complete(this.#headers, trailers);
    }
  }

  #giveUp(error: ConnectError, code: number = errorCode.cancel): void {
    if (this.#over) return;
    this.#stream?.reset(code);
    this.#fail(error, true);
  }

  #fail(error: ConnectError, atOnce: boolean): void {
    if (this.#over) return;
    this.#release();
    this.#answered.failed(error, atOnce);
  }

  #release(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    if (this.#abort !== undefined) this.#options.signal?.removeEventListener("abort", this.#abort);
    this.#link.forget(this);
  }
}

/** Why headers do not begin an answer that can be read. An error is made for each call: it is theirs. */
function headError(list: HeaderList, status: string | undefined): (() => ConnectError) | undefined {
  if (status !== "200") return () => httpStatusError(status, list);
  const type = list.get("content-type") ?? "";
  if (!/^application\/grpc(\+proto)?\s*(;|$)/i.test(type)) {
    return () => new ConnectError(`the answer is no gRPC: content type ${JSON.stringify(type)}`, Code.Unknown, headersOf(list));
  }
  const encoding = list.get("grpc-encoding") ?? "identity";
  if (encoding === "identity") return undefined;
  return () => new ConnectError(`the answer is compressed with ${JSON.stringify(encoding)}, which was not offered`, Code.Internal);
}
