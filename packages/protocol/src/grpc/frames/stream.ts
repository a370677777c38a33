// SPDX-License-Identifier: Apache-2.0
import { windowSize } from "../../carrier/carrier.ts";
import type { HeaderList } from "../hpack/header-list.ts";
import type { Connection } from "./connection.ts";
import { largestWindowSize } from "./frame.ts";

/** What becomes of a stream, told to the call it carries. */
export interface StreamListener {
  /** Headers, or trailers: what has come is a list that is not malformed. `last`: the peer sends no more. */
  headers(list: HeaderList, last: boolean): void;
  /** Data stands in `bytes` between `start` and `end`; whoever has no more use for it gives {@link Stream.credit}. */
  data(bytes: Buffer, start: number, end: number, last: boolean): void;
  /** All that was sent has been written. */
  drained(): void;
  /** The stream was reset: by the peer, or by us because of what the peer sent on it, which is then said. Nothing follows. */
  reset(code: number, reason: string | undefined): void;
  /** The connection is gone, or was never going to take this stream. Nothing follows. */
  lost(): void;
}

/** Something that waits to be sent: a header block, or data. */
interface Outgoing {
  readonly headers: boolean;
  bytes: Uint8Array;
  readonly last: boolean;
}

/** One HTTP/2 stream: what it sends, in order and as its windows allow, and how much it may still receive. */
export class Stream {
  readonly id: number;
  readonly #connection: Connection;
  listener: StreamListener;
  /** The peer sends no more. */
  remoteClosed = false;
  /** We send no more, once {@link pending} is empty. */
  localClosed = false;
  /** Reset, or gone with its connection. */
  over = false;
  /** Of its headers, those that were not the last. */
  headerBlocks = 0;
  sendWindow: number;
  receiveWindow: number = windowSize.stream;
  #uncredited = 0;
  readonly #queue: Outgoing[] = [];
  #next = 0;
  #resetWhenSent: number | undefined;

  constructor(id: number, connection: Connection, sendWindow: number, listener: StreamListener) {
    this.id = id;
    this.#connection = connection;
    this.sendWindow = sendWindow;
    this.listener = listener;
  }

  /** Whether something waits to be sent. */
  get pending(): boolean {
    return this.#next < this.#queue.length;
  }

  /** Sends what is given, in this order; after trailers, or with `last`, nothing more. The bytes must stay as they are. */
  send(head: Buffer | undefined, data: Uint8Array | undefined, trailers: Buffer | undefined, last: boolean): void {
    if (this.over) return;
    const closes = last || trailers !== undefined;
    if (closes) this.localClosed = true;
    if (!this.pending && this.#sendAtOnce(head, data, trailers, last)) {
      if (closes) this.#sent();
      return;
    }
    let rest = head;
    if (rest !== undefined && this.#connection.headersFirst) {
      // Identifiers must appear in their order, so a call's first frame never waits.
      this.#connection.writer.headers(this.id, rest, last && data === undefined);
      rest = undefined;
    }
    if (rest !== undefined) this.#queue.push({ headers: true, bytes: rest, last: last && data === undefined });
    if (data !== undefined) this.#queue.push({ headers: false, bytes: data, last });
    if (trailers !== undefined) this.#queue.push({ headers: true, bytes: trailers, last: true });
    if (this.pending) this.#connection.enqueue(this);
    else if (closes) this.#sent();
  }

  /**
   * Writes a piece of what waits.
   *
   * @returns `wait` when only a larger window of this stream will help, `connection` when one of the connection will.
   */
  pump(): "more" | "wait" | "connection" | "empty" {
    const item = this.#queue[this.#next];
    if (item === undefined) return "empty";
    const connection = this.#connection;
    if (item.headers) {
      connection.writer.headers(this.id, item.bytes as Buffer, item.last);
    } else {
      const { length } = item.bytes;
      const size = Math.min(length, this.sendWindow, connection.sendWindow, connection.writer.maxFrameSize);
      if (size <= 0 && length > 0) return this.sendWindow <= 0 ? "wait" : "connection";
      this.#spend(size, size === length);
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
    if (this.localClosed) this.#sent();
    else this.listener.drained();
    return "empty";
  }

  /** Lets the peer send as much again, in bytes. */
  credit(size: number): void {
    if (this.remoteClosed || this.over) return;
    this.#uncredited += size;
    if (this.#uncredited < windowSize.stream / 2) return;
    this.#connection.writer.windowUpdate(this.id, this.#uncredited);
    this.receiveWindow += this.#uncredited;
    this.#uncredited = 0;
  }

  /** Ends the stream at once, without a word to the listener: it asked for it. */
  reset(code: number): void {
    if (this.over) return;
    this.#connection.writer.reset(this.id, code);
    if (!this.remoteClosed) this.#connection.expectLate(this.receiveWindow);
    this.#drop();
  }

  /** Ends the stream when all is sent, if the peer has not ended its half by then: nobody reads on. */
  resetWhenSent(code: number): void {
    if (this.over || this.remoteClosed) return;
    if (this.pending) this.#resetWhenSent = code;
    else this.reset(code);
  }

  /** @returns false where the window would grow beyond what it may. */
  widen(increment: number): boolean {
    this.sendWindow += increment;
    if (this.sendWindow > largestWindowSize) return false;
    if (this.pending) this.#connection.enqueue(this);
    return true;
  }

  /** The peer has ended its half. */
  endRemote(): void {
    this.remoteClosed = true;
    if (this.localClosed && !this.pending) this.#drop();
  }

  /** The peer has reset the stream. */
  wasReset(code: number): void {
    this.#drop();
    this.listener.reset(code, undefined);
  }

  /** The peer has broken a rule that concerns this stream only. */
  refuse(code: number, reason: string): void {
    this.reset(code);
    this.listener.reset(code, reason);
  }

  lose(): void {
    if (this.over) return;
    this.#drop();
    this.listener.lost();
  }

  /** Writes everything in one piece, if nothing stands in the way of any of it. */
  #sendAtOnce(head: Buffer | undefined, data: Uint8Array | undefined, trailers: Buffer | undefined, last: boolean): boolean {
    const { writer, sendWindow } = this.#connection;
    const size = data === undefined ? 0 : data.length;
    if (size > this.sendWindow || size > sendWindow || !writer.takes(head, size, trailers) || writer.blocked) return false;
    if (data !== undefined) this.#spend(size, true);
    writer.call(this.id, head, data, trailers, last);
    return true;
  }

  #spend(size: number, whole: boolean): void {
    this.sendWindow -= size;
    this.#connection.spend(size, whole);
  }

  #sent(): void {
    if (this.remoteClosed) this.#drop();
    this.listener.drained();
    if (this.#resetWhenSent !== undefined) this.reset(this.#resetWhenSent);
  }

  #drop(): void {
    this.over = true;
    this.#queue.length = 0;
    this.#next = 0;
    this.#connection.forget(this);
  }
}
