// SPDX-License-Identifier: Apache-2.0
import { windowSize } from "../../carrier/carrier.ts";
import type { HeaderList } from "../hpack/header-list.ts";
import type { FrameWriter } from "./frame-writer.ts";
import { errorCode, largestWindowSize } from "./frame.ts";
import { limits } from "./limits.ts";
import type { ReceiveMemory } from "./receive-memory.ts";

/** Receives the events of a stream; the call that the stream carries implements it. */
export interface StreamListener {
  /** Headers or trailers arrived; the list is not malformed. `last`: whether the peer sends nothing more. */
  headers(list: HeaderList, last: boolean): void;
  /** Data arrived, in `bytes` between `start` and `end`. The listener returns its size with {@link Stream.credit} once it is consumed. */
  data(bytes: Buffer, start: number, end: number, last: boolean): void;
  /** All queued headers and data have been written to the socket. */
  drained(): void;
  /**
   * The stream was reset by the peer, or by this endpoint because of a violation of the peer, which `reason` describes. It is the last
   * event.
   */
  reset(code: number, reason: string | undefined): void;
  /** The connection ended, or the peer never accepted the stream. It is the last event. */
  lost(): void;
}

/** Members of a connection that its streams use. */
export interface StreamConnection {
  readonly writer: FrameWriter;
  /** Number of bytes that all streams together may still send. */
  readonly sendWindow: number;
  /** Role of this endpoint. */
  readonly role: "client" | "server";
  /** Subtracts sent bytes from the connection's window. `whole`: whether they were all that the stream had to send. */
  consumeWindow(size: number, whole: boolean): void;
  /** Memory that received messages occupy. */
  readonly memory: ReceiveMemory;
  /** Records that this endpoint resets a stream on which frames of the peer may be in flight. */
  expectLateFrames(stream: Stream): void;
  /** Counts a reset that the peer provoked. @throws Violation when there are too many of them. */
  countReset(): void;
  /** Schedules a stream that has something to send. */
  schedule(stream: Stream): void;
  /** Removes a stream that has ended. `working`: whether its handler has not finished. */
  remove(stream: Stream, working: boolean): void;
  /** Records that the handler of a removed stream has finished. */
  finishWork(): void;
}

/** A header block or data waiting to be sent. */
interface Outgoing {
  readonly headers: boolean;
  bytes: Uint8Array;
  readonly last: boolean;
}

/** Outcome of {@link Stream.sendNext}: more to send, nothing left, or blocked by the window of the stream or of the connection. */
export type SendState = "more" | "empty" | "stream-blocked" | "connection-blocked";

/** One HTTP/2 stream: queues headers and data until the windows allow them, and accounts for received data. */
export class Stream {
  readonly id: number;
  readonly #connection: StreamConnection;
  /** Receives the events of the stream. */
  listener: StreamListener;
  /** Whether the peer has ended its half. */
  remoteClosed = false;
  /** Whether this endpoint sends nothing more after the queued headers and data. */
  localClosed = false;
  /** Whether the stream has been reset, or has ended with its connection. */
  over = false;
  /** Number of header blocks received, apart from the last one. */
  #headerBlocks = 0;
  /** Whether the headers of the request or of the final response have arrived: further headers are trailers. */
  headersReceived = false;
  /** Number of bytes that may still be sent. */
  sendWindow: number;
  /** Number of bytes that the peer may still send. */
  receiveWindow: number = windowSize.stream;
  #uncredited = 0;
  readonly #queue: Outgoing[] = [];
  #next = 0;
  #resetWhenSent: number | undefined;
  /** Number of bytes of the peer's `content-length` that have not arrived; undefined without that header. */
  #contentLeft: number | undefined;
  #working = false;

  constructor(id: number, connection: StreamConnection, sendWindow: number, listener: StreamListener) {
    this.id = id;
    this.#connection = connection;
    this.sendWindow = sendWindow;
    this.listener = listener;
  }

  /** Memory that received messages of the connection occupy. */
  get memory(): ReceiveMemory {
    return this.#connection.memory;
  }

  /** Whether headers or data are queued to be sent. */
  get pending(): boolean {
    return this.#next < this.#queue.length;
  }

  /** Sends headers, data and trailers, in this order; nothing can follow trailers or `last`. The bytes must not change afterwards. */
  send(head: Buffer | undefined, data: Uint8Array | undefined, trailers: Buffer | undefined, last: boolean): void {
    if (this.over) return;
    const closes = last || trailers !== undefined;
    if (closes) this.localClosed = true;
    if (!this.pending && this.#sendAtOnce(head, data, trailers, last)) {
      if (closes) this.#finishSending();
      return;
    }
    let rest = head;
    if (rest !== undefined && this.#connection.role === "client") {
      // Stream identifiers must increase on the wire, so the first frame of a client's call is never queued.
      this.#connection.writer.headers(this.id, rest, last && data === undefined);
      rest = undefined;
    }
    if (rest !== undefined) this.#queue.push({ headers: true, bytes: rest, last: last && data === undefined });
    if (data !== undefined) this.#queue.push({ headers: false, bytes: data, last });
    if (trailers !== undefined) this.#queue.push({ headers: true, bytes: trailers, last: true });
    if (this.pending) this.#connection.schedule(this);
    else if (closes) this.#finishSending();
  }

  /** Writes the next queued header block, or as much of the next data as one frame and the windows allow. */
  sendNext(): SendState {
    const item = this.#queue[this.#next];
    if (item === undefined) return "empty";
    const connection = this.#connection;
    if (item.headers) {
      connection.writer.headers(this.id, item.bytes as Buffer, item.last);
    } else {
      const { length } = item.bytes;
      const size = Math.min(length, this.sendWindow, connection.sendWindow, connection.writer.maxFrameSize);
      if (size <= 0 && length > 0) return this.sendWindow <= 0 ? "stream-blocked" : "connection-blocked";
      this.#consumeWindow(size, size === length);
      connection.writer.data(this.id, size === length ? item.bytes : item.bytes.subarray(0, size), item.last && size === length);
      if (size < length) {
        item.bytes = item.bytes.subarray(size);
        return "more";
      }
    }
    this.#next++;
    if (this.pending) return "more";
    this.#queue.length = 0;
    this.#next = 0;
    if (this.localClosed) this.#finishSending();
    else this.listener.drained();
    return "empty";
  }

  /** Allows the peer to send `size` more bytes. */
  credit(size: number): void {
    if (this.remoteClosed || this.over) return;
    this.#uncredited += size;
    if (this.#uncredited < windowSize.stream / 2) return;
    this.#connection.writer.windowUpdate(this.id, this.#uncredited);
    this.receiveWindow += this.#uncredited;
    this.#uncredited = 0;
  }

  /** Resets the stream. The listener is not notified, because it requested the reset. */
  reset(code: number): void {
    if (this.over) return;
    this.#connection.writer.reset(this.id, code);
    if (!this.remoteClosed) this.#connection.expectLateFrames(this);
    this.#end();
  }

  /** Resets the stream after all queued data is sent, unless the peer has ended its half: nothing reads the rest of the peer's half. */
  resetWhenSent(code: number): void {
    if (this.over || this.remoteClosed) return;
    if (this.pending) this.#resetWhenSent = code;
    else this.reset(code);
  }

  /** Widens the send window, or narrows it by a negative number. Returns whether the window is still valid. */
  widen(increment: number): boolean {
    this.sendWindow += increment;
    if (this.sendWindow > largestWindowSize) return false;
    if (this.pending) this.#connection.schedule(this);
    return true;
  }

  /** Records that the peer has ended its half. */
  endRemote(): void {
    this.remoteClosed = true;
    if (this.localClosed && !this.pending) this.#end();
  }

  /** Handles headers or trailers that follow the first headers of a request. Refuses the stream if they are malformed or too many. */
  handleHeaders(list: HeaderList, last: boolean): void {
    const fault = list.faultAs(this.headersReceived ? "trailers" : "response");
    if (this.remoteClosed) {
      this.refuse(errorCode.streamClosed, "the peer sent headers after the end of its half of the stream");
    } else if (fault !== undefined) {
      this.refuse(errorCode.protocolError, `the peer sent ${fault}`);
    } else if (!last && this.#connection.role === "server") {
      this.refuse(errorCode.protocolError, "the peer sent headers in the middle of its request");
    } else if (!last && ++this.#headerBlocks > limits.headerBlocks) {
      this.refuse(errorCode.enhanceYourCalm, "the peer sent too many header blocks");
    } else {
      if (last) {
        if (!this.acceptContent(0, true)) return;
        this.endRemote();
      } else if (!isInformational(list)) {
        this.headersReceived = true;
        this.expectContent(list.contentLength);
      }
      this.listener.headers(list, last);
    }
  }

  /** Ends the stream after the peer's RST_STREAM. */
  handleReset(code: number): void {
    this.#end();
    this.listener.reset(code, undefined);
  }

  /**
   * Resets the stream because the peer violated a rule on it, and notifies the listener.
   *
   * @throws Violation when the peer has provoked too many resets.
   */
  refuse(code: number, reason: string): void {
    this.reset(code);
    this.listener.reset(code, reason);
    this.#connection.countReset();
  }

  /** Counts a call that ends because its request is invalid as a reset. @throws Violation when there are too many of them. */
  countReset(): void {
    this.#connection.countReset();
  }

  /** Records that a handler runs for this stream: until {@link finishWork}, the stream counts as open. */
  startWork(): void {
    this.#working = true;
  }

  /** Records that the handler has finished. */
  finishWork(): void {
    if (!this.#working) return;
    this.#working = false;
    if (this.over) this.#connection.finishWork();
  }

  /** Records the peer's `content-length`. */
  expectContent(length: number | undefined): void {
    this.#contentLeft = length;
  }

  /**
   * Accounts for received content. Returns whether it agrees with the peer's `content-length`, and refuses the stream otherwise.
   *
   * @throws Violation when the peer has provoked too many resets.
   */
  acceptContent(size: number, last: boolean): boolean {
    if (this.#contentLeft === undefined) return true;
    this.#contentLeft -= size;
    if (this.#contentLeft >= 0 && (!last || this.#contentLeft === 0)) return true;
    this.refuse(errorCode.protocolError, "the content-length of the peer differs from the length of its data");
    return false;
  }

  /** Ends the stream because its connection ended, or because the peer did not accept it. */
  lose(): void {
    if (this.over) return;
    this.#end();
    this.listener.lost();
  }

  /** Writes the headers, data and trailers immediately if the windows and the socket allow all of them. Returns whether they do. */
  #sendAtOnce(head: Buffer | undefined, data: Uint8Array | undefined, trailers: Buffer | undefined, last: boolean): boolean {
    const { writer, sendWindow } = this.#connection;
    const size = data === undefined ? 0 : data.length;
    if (size > this.sendWindow || size > sendWindow || !writer.fitsFrames(head, size, trailers) || writer.blocked) return false;
    if (data !== undefined) this.#consumeWindow(size, true);
    writer.message(this.id, head, data, trailers, last);
    return true;
  }

  #consumeWindow(size: number, whole: boolean): void {
    this.sendWindow -= size;
    this.#connection.consumeWindow(size, whole);
  }

  #finishSending(): void {
    if (this.remoteClosed) this.#end();
    this.listener.drained();
    if (this.#resetWhenSent !== undefined) this.reset(this.#resetWhenSent);
  }

  #end(): void {
    this.over = true;
    this.#queue.length = 0;
    this.#next = 0;
    this.#connection.remove(this, this.#working);
  }
}

/** Whether the list is a 1xx response, which another response follows. */
function isInformational(list: HeaderList): boolean {
  return /^1\d\d$/.test(list.get(":status") ?? "");
}
