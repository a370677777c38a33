// SPDX-License-Identifier: Apache-2.0
import { create, fromBinary, type Message, type MessageInitShape, type DescMessage } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { handlerError } from "../../carrier/handler-error.ts";
import { errorCode } from "../frames/frame.ts";
import type { Stream, StreamListener } from "../frames/stream.ts";
import { encodeHeaders } from "../hpack/header-encoder.ts";
import type { HeaderList } from "../hpack/header-list.ts";
import { cancellation } from "./cancellation.ts";
import { CallContext } from "./handler-context.ts";
import { MessageReader, type MessageSink } from "./message-reader.ts";
import { writeMessage } from "./message-writer.ts";
import { metadataFields } from "./metadata.ts";
import type { Route } from "./router.ts";
import { errorTrailers, resetError } from "./status.ts";
import { StreamIntake } from "./stream-intake.ts";
import { startDeadline } from "./timeout.ts";

/** What calls of one connection share. */
export interface ServedConnection {
  readonly session: { completedCalls: number };
  readonly readMaxBytes: number;
  readonly writeMaxBytes: number;
}

const answerFields: readonly string[] = [":status", "200", "content-type", "application/grpc"];

/** Sent again and again as they are. */
const plainHead = encodeHeaders(answerFields);
const plainTrailers = encodeHeaders(["grpc-status", "0"]);

/** One call at the server's end: its request in, its handler, its answer out. */
export class ServerCall implements StreamListener, MessageSink {
  readonly #served: ServedConnection;
  readonly #stream: Stream;
  readonly #route: Route;
  readonly #context: CallContext;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #reader: MessageReader | undefined;
  readonly #intake: StreamIntake<Message> | undefined;
  /** The request of a call that has one. */
  #request: Uint8Array | undefined;
  #requests = 0;
  #headSent = false;
  /** Its answer is on the way, or nobody waits for it. */
  #settled = false;
  /** What is being streamed back. */
  #answers: AsyncIterator<unknown> | undefined;
  #drained: (() => void) | undefined;

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
      read: (bytes) => this.#decode(bytes),
      stream: () => this.#stream,
      // It goes on to be read away: who is sending may wait to have sent all before it looks at the answer.
      abandoned: () => {},
    });
  }

  /** `last`: the request was over with its headers. */
  start(last: boolean): void {
    if (this.#intake !== undefined) this.#invoke(this.#intake.queue);
    if (last) this.#requestEnded();
  }

  headers(_trailers: HeaderList, last: boolean): void {
    if (last) this.#requestEnded();
    else this.#stream.refuse(errorCode.protocolError, "the client sent headers in the middle of its request");
  }

  data(bytes: Buffer, start: number, end: number, last: boolean): void {
    if (this.#settled) return;
    try {
      if (this.#intake !== undefined) this.#intake.push(bytes, start, end);
      else {
        this.#stream.credit(end - start);
        this.#reader!.push(bytes, start, end);
      }
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (last) this.#requestEnded();
  }

  message(bytes: Uint8Array): void {
    this.#requests++;
    this.#request = bytes;
  }

  drained(): void {
    if (this.#stream.localClosed) this.#served.session.completedCalls++;
    this.#drained?.();
  }

  reset(code: number, reason: string | undefined): void {
    const text = reason ?? (code === errorCode.cancel ? "the client cancelled the call" : resetError(code, undefined).rawMessage);
    this.#cut(cancellation(text));
  }

  lost(): void {
    this.#cut(cancellation("the connection to the client is gone"));
  }

  #requestEnded(): void {
    if (this.#settled) return;
    if ((this.#reader ?? this.#intake)!.unfinished) {
      this.#fail(new ConnectError("the request breaks off in the middle of a message", Code.InvalidArgument));
      return;
    }
    if (this.#intake !== undefined) {
      this.#intake.queue.end();
      return;
    }
    const request = this.#request;
    this.#request = undefined;
    if (request === undefined || this.#requests > 1) {
      this.#fail(new ConnectError(`the call takes one message, not ${this.#requests}`, Code.Unimplemented));
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

  #decode(bytes: Uint8Array): Message {
    try {
      return fromBinary(this.#route.method.input, bytes);
    } catch (cause) {
      const name = this.#route.method.input.typeName;
      throw new ConnectError(`the message is no ${name}: ${String(cause)}`, Code.InvalidArgument, undefined, undefined, cause);
    }
  }

  #invoke(request: unknown): void {
    const { handler, method } = this.#route;
    try {
      const answer = handler(request, this.#context);
      if (method.methodKind === "server_streaming" || method.methodKind === "bidi_streaming") {
        void this.#answerAll(answer as AsyncIterable<unknown>);
      } else if (isPromise(answer)) {
        answer.then(
          (message) => this.#answer(message),
          (error: unknown) => this.#failed(error),
        );
      } else this.#answer(answer);
    } catch (error) {
      this.#failed(error);
    }
  }

  #answer(message: unknown): void {
    if (this.#settled) return;
    let answer: Uint8Array;
    try {
      answer = this.#encode(message);
    } catch (error) {
      this.#failed(error);
      return;
    }
    this.#settle();
    this.#stream.send(this.#head(), answer, this.#trailers(), false);
    this.#stream.resetWhenSent(errorCode.noError);
  }

  async #answerAll(answers: AsyncIterable<unknown>): Promise<void> {
    try {
      const iterator = answers[Symbol.asyncIterator]();
      this.#answers = iterator;
      for (;;) {
        const next = await iterator.next();
        if (this.#settled) return;
        if (next.done === true) break;
        const message = this.#encode(next.value);
        this.#stream.send(this.#headSent ? undefined : this.#head(), message, undefined, false);
        if (this.#stream.pending) await new Promise<void>((resolve) => (this.#drained = resolve));
        if (this.#settled) return;
      }
    } catch (error) {
      this.#failed(error);
      return;
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
    const own = this.#context.ownHeader;
    return own === undefined ? plainHead : encodeHeaders([...answerFields, ...metadataFields(own)]);
  }

  #trailers(): Buffer {
    const own = this.#context.ownTrailer;
    return own === undefined ? plainTrailers : encodeHeaders(["grpc-status", "0", ...metadataFields(own)]);
  }

  #failed(reason: unknown): void {
    if (!this.#settled) this.#fail(handlerError(reason, this.#context));
  }

  #fail(reason: unknown): void {
    if (this.#settled) return;
    const error = ConnectError.from(reason, Code.Internal);
    this.#settle(error);
    const own = this.#context.ownTrailer;
    const fields = [...errorTrailers(error), ...(own === undefined ? [] : metadataFields(own))];
    // Nothing but trailers where there is nothing else to say.
    const head = this.#headSent || this.#context.ownHeader === undefined ? undefined : this.#head();
    const trailers = encodeHeaders(this.#headSent ? fields : [...answerFields, ...fields]);
    this.#stream.send(head, undefined, trailers, false);
    this.#stream.resetWhenSent(errorCode.noError);
  }

  #expire(): void {
    this.#fail(new ConnectError("the call's deadline has passed", Code.DeadlineExceeded));
  }

  /** Nobody waits for the answer any more. */
  #cut(reason: ConnectError): void {
    if (!this.#settled) this.#settle(reason);
    // An answer that is on its way does not arrive.
    this.#drained?.();
  }

  /** Ends what has to do with the request and its handler; `error` is why, unless all has gone well. */
  #settle(error?: ConnectError): void {
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#request = undefined;
    const reason = error ?? answered();
    this.#context.abort(reason);
    this.#intake?.queue.abort(reason);
    if (error === undefined || this.#answers === undefined) return;
    // A generator that waits ends; one that runs does when it next yields.
    abandon(this.#answers);
    this.#drained?.();
  }
}

function abandon(iterator: AsyncIterator<unknown>): void {
  iterator.return?.().catch(() => {});
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | undefined)?.then === "function";
}

let answeredReason: DOMException | undefined;

/**
 * Of signals that outlive their call. One for all: making an error takes longer than answering. And none of Connect's: their headers
 * would load Node's whole `fetch` with the first call.
 */
function answered(): DOMException {
  return (answeredReason ??= new DOMException("the call has been answered", "AbortError"));
}

/** Answers a request that leads nowhere, and hears no more of it. */
export function refuse(served: ServedConnection, stream: Stream, fields: readonly string[]): void {
  stream.listener = {
    headers() {},
    data() {},
    drained: () => void served.session.completedCalls++,
    reset() {},
    lost() {},
  };
  stream.send(undefined, undefined, encodeHeaders(fields), true);
  stream.resetWhenSent(errorCode.noError);
}

/** Headers of an answer that says nothing but why there is none. */
export function refusalFields(error: ConnectError, headers: readonly string[]): readonly string[] {
  return [...answerFields, ...headers, ...errorTrailers(error)];
}
