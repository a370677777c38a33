// SPDX-License-Identifier: Apache-2.0
import type { Socket } from "node:net";
import { windowSize } from "../../carrier/carrier.ts";
import { headerTableSize, HeaderDecoder } from "../hpack/header-decoder.ts";
import type { HeaderList } from "../hpack/header-list.ts";
import { defaultMaxFrameSize, defaultWindowSize, errorCode, flag, frameType, largestWindowSize, setting } from "./frame.ts";
import { FrameReader, readStreamId } from "./frame-reader.ts";
import { FrameWriter } from "./frame-writer.ts";
import { HeaderBlock } from "./header-block.ts";
import { limits } from "./limits.ts";
import { Patience } from "./patience.ts";
import { ReceiveWindow } from "./receive-window.ts";
import { SendTurns } from "./send-turns.ts";
import { Stream, type StreamListener } from "./stream.ts";
import { Violation } from "./violation.ts";

/** What happens to a connection as a whole. */
export interface ConnectionListener {
  /** The peer's first words have come. */
  ready?(): void;
  /** A server's: the peer opens a stream, to which a listener must be given before anything else. It will not hear of these headers. */
  opened?(stream: Stream, headers: HeaderList, last: boolean): void;
  /** The peer wants no more streams; those it has not taken are lost. */
  goaway?(code: number, text: string): void;
  /** It is going to end because of this: a {@link Violation} of the peer, an error of the socket, or a bug of ours. */
  failed(error: Error): void;
  /** A client's: another stream may be opened again, perhaps. */
  room?(): void;
  /** It is gone. Every stream has been told. */
  closed(): void;
}

/** How long a peer has to hang up when we have, in milliseconds. */
const farewell = 500;

/**
 * HTTP/2 over a socket, with prior knowledge.
 *
 * What breaks a rule ends the connection: a GOAWAY with the code that the rule names, and {@link ConnectionListener.failed}.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #role: "client" | "server";
  readonly #listener: ConnectionListener;
  readonly #reader: FrameReader;
  readonly writer: FrameWriter;
  readonly #decoder = new HeaderDecoder(limits.headerListSize);
  readonly #streams = new Map<number, Stream>();
  readonly #sending: SendTurns;
  readonly #patience: Patience;
  readonly #window: ReceiveWindow;
  /** What may be sent on all streams together, in bytes. */
  sendWindow: number = defaultWindowSize;
  #initialSendWindow = defaultWindowSize;
  #maxStreams = Infinity;
  /** The last stream that the peer has opened, and that we have. */
  #lastRemote = 0;
  #lastLocal = -1;
  #ready = false;
  #draining = false;
  #ended = false;
  /** A header block that is not complete. */
  #block: HeaderBlock | undefined;
  #firstFrameTimer: NodeJS.Timeout | undefined;

  constructor(socket: Socket, role: "client" | "server", listener: ConnectionListener) {
    this.#socket = socket;
    this.#role = role;
    this.#listener = listener;
    this.writer = new FrameWriter(socket);
    this.#sending = new SendTurns(this.writer);
    this.#patience = new Patience(this.writer);
    this.#window = new ReceiveWindow(this.writer);
    this.#reader = new FrameReader(this.#take, { expectPreface: role === "server" });
    socket.on("data", this.#read);
    socket.on("drain", () => this.#sending.take());
    socket.on("error", (error) => this.#fail(error));
    // Nobody who has hung up waits for an answer, whatever the listener thinks of half-open sockets.
    socket.once("end", () => this.end());
    socket.once("close", () => this.#closed());
    this.#greet();
    // How long a server may take is for its client to say.
    if (role === "client") return;
    this.#firstFrameTimer = setTimeout(() => {
      this.#fail(new Violation(errorCode.settingsTimeout, `the peer said nothing in ${limits.firstFrame} ms`));
    }, limits.firstFrame).unref();
  }

  /** Whether no stream can be opened any more. */
  get over(): boolean {
    return this.#draining || this.#ended;
  }

  /** Whether another stream may be opened now: the peer limits how many. */
  get hasRoom(): boolean {
    return this.#streams.size < this.#maxStreams;
  }

  /** Whether a stream's first headers must not wait behind others'. */
  get headersFirst(): boolean {
    return this.#role === "client";
  }

  /** Opens a stream, as a client does; undefined when identifiers have run out. Its headers must be sent before another is opened. */
  open(listener: StreamListener): Stream | undefined {
    const id = this.#lastLocal + 2;
    if (id > largestWindowSize) return undefined;
    this.#lastLocal = id;
    const stream = new Stream(id, this, this.#initialSendWindow, listener);
    this.#streams.set(id, stream);
    return stream;
  }

  /** Takes no more streams, and ends when those there are have ended. */
  drain(): void {
    if (this.over) return;
    this.#draining = true;
    this.writer.goaway(this.#lastRemote, errorCode.noError, "");
    this.#endIfDrained();
  }

  /** Ends it after what has been written. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#sending.stop();
    this.#reader.stop();
    this.writer.flush();
    this.#socket.end();
    // A peer that does not hang up in its turn does not keep us.
    setTimeout(() => this.#socket.destroy(), farewell).unref();
  }

  /** Ends it at once. */
  destroy(): void {
    this.#socket.destroy();
  }

  /** The stream has sent so much, in bytes; `whole`: all it had to send in one go. */
  spend(size: number, whole: boolean): void {
    this.sendWindow -= size;
    // A peer that opens its window byte by byte gets nothing for it.
    if (whole || size >= 1024) this.#patience.useful();
  }

  /** So much may still come on a stream that we have reset, in bytes. */
  expectLate(size: number): void {
    this.#window.expectLate(size);
  }

  /** The stream has something to send. */
  enqueue(stream: Stream): void {
    this.#sending.enqueue(stream);
  }

  /** The stream is over. */
  forget(stream: Stream): void {
    this.#streams.delete(stream.id);
    this.#sending.forget(stream);
    if (this.#draining) this.#endIfDrained();
    else this.#listener.room?.();
  }

  #greet(): void {
    const client = this.#role === "client";
    if (client) this.writer.preface();
    this.writer.settings([
      [setting.initialWindowSize, windowSize.stream],
      [setting.maxHeaderListSize, limits.headerListSize],
      client ? [setting.enablePush, 0] : [setting.maxConcurrentStreams, limits.openStreams],
    ]);
    this.writer.windowUpdate(0, windowSize.connection - defaultWindowSize);
  }

  readonly #read = (chunk: Buffer): void => {
    try {
      this.#reader.push(chunk);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  };

  readonly #take = (type: number, flags: number, streamId: number, bytes: Buffer, start: number, end: number): void => {
    if (this.#block !== undefined && (type !== frameType.continuation || streamId !== this.#block.streamId)) {
      throw new Violation(errorCode.protocolError, "a header block was interrupted");
    }
    if (!this.#ready) {
      if (type !== frameType.settings || flags & flag.ack)
        throw new Violation(errorCode.protocolError, "the peer did not begin with its settings");
      this.#ready = true;
      clearTimeout(this.#firstFrameTimer);
      this.#takeSettings(flags, streamId, bytes, start, end);
      this.#listener.ready?.();
      return;
    }
    switch (type) {
      case frameType.data:
        this.#takeData(flags, streamId, bytes, start, end);
        return;
      case frameType.headers:
        this.#takeHeaders(flags, streamId, bytes, start, end);
        return;
      case frameType.continuation:
        this.#takeContinuation(flags, bytes, start, end);
        return;
      case frameType.rstStream:
        this.#takeReset(streamId, bytes, start, end);
        return;
      case frameType.settings:
        this.#takeSettings(flags, streamId, bytes, start, end);
        return;
      case frameType.windowUpdate:
        this.#takeWindowUpdate(streamId, bytes, start, end);
        return;
      case frameType.ping:
        this.#takePing(flags, streamId, bytes, start, end);
        return;
      case frameType.goaway:
        this.#takeGoaway(streamId, bytes, start, end);
        return;
      case frameType.pushPromise:
        throw new Violation(errorCode.protocolError, "a pushed stream, which nobody asked for");
      case frameType.priority:
        if (streamId === 0) throw new Violation(errorCode.protocolError, "PRIORITY of no stream");
        if (end - start !== 5) throw new Violation(errorCode.frameSizeError, `PRIORITY of ${end - start} bytes`);
        this.#patience.idle();
        return;
      default:
        // What we do not know shall be ignored.
        this.#patience.idle();
    }
  };

  #takeData(flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    const size = end - start;
    this.#window.take(size);
    const stream = this.#streams.get(streamId);
    if (stream === undefined) {
      this.#mustHaveBeen(streamId, "DATA");
      this.#window.takeLate(size, streamId);
      if (size === 0) this.#patience.idle();
      return;
    }
    if (stream.remoteClosed) {
      stream.refuse(errorCode.streamClosed, "the peer sent data after its last");
      return;
    }
    stream.receiveWindow -= size;
    if (stream.receiveWindow < 0) throw new Violation(errorCode.flowControlError, "more data than a stream's window allows");
    const last = (flags & flag.endStream) !== 0;
    const [from, to] = flags & flag.padded ? unpadded(bytes, start, end) : [start, end];
    if (to - from < size) stream.credit(size - (to - from));
    if (to > from) this.#patience.useful();
    else if (!last) this.#patience.idle();
    if (last) stream.endRemote();
    if (to > from || last) stream.listener.data(bytes, from, to, last);
  }

  #takeHeaders(flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    if (streamId === 0) throw new Violation(errorCode.protocolError, "HEADERS of no stream");
    let [from, to] = flags & flag.padded ? unpadded(bytes, start, end) : [start, end];
    if (flags & flag.priority) {
      from += 5;
      if (from > to) throw new Violation(errorCode.frameSizeError, "HEADERS cut off in their priority");
    }
    const last = (flags & flag.endStream) !== 0;
    if (flags & flag.endHeaders) {
      this.#takeBlock(streamId, bytes, from, to, last);
      return;
    }
    this.#block = new HeaderBlock(streamId, last);
    this.#block.add(bytes, from, to);
  }

  #takeContinuation(flags: number, bytes: Buffer, start: number, end: number): void {
    const block = this.#block;
    if (block === undefined) throw new Violation(errorCode.protocolError, "CONTINUATION of nothing");
    block.add(bytes, start, end);
    if (!(flags & flag.endHeaders)) return;
    this.#block = undefined;
    const whole = block.whole();
    this.#takeBlock(block.streamId, whole, 0, whole.length, block.last);
  }

  #takeBlock(streamId: number, bytes: Buffer, start: number, end: number, last: boolean): void {
    // In any case: the next block may build on it.
    const list = this.#decoder.decode(bytes, start, end);
    const stream = this.#streams.get(streamId);
    if (stream !== undefined) {
      if (stream.remoteClosed) stream.refuse(errorCode.streamClosed, "the peer sent headers after its last data");
      else if (list.malformed !== undefined) stream.refuse(errorCode.protocolError, `the peer sent ${list.malformed}`);
      else {
        if (last) stream.endRemote();
        else if (++stream.headerBlocks > limits.headerBlocks) {
          stream.refuse(errorCode.enhanceYourCalm, "the peer sent headers again and again");
          return;
        }
        stream.listener.headers(list, last);
      }
      return;
    }
    if (this.#role === "client" || streamId <= this.#lastRemote) {
      this.#mustHaveBeen(streamId, "HEADERS");
      this.#patience.idle();
      return;
    }
    if (streamId % 2 === 0) throw new Violation(errorCode.protocolError, `a client's stream ${streamId}, which is a server's number`);
    this.#lastRemote = streamId;
    if (this.over || this.#streams.size >= limits.openStreams || list.malformed !== undefined) {
      this.#patience.reset();
      this.writer.reset(streamId, list.malformed === undefined ? errorCode.refusedStream : errorCode.protocolError);
      if (!last) this.expectLate(windowSize.stream);
      return;
    }
    this.#patience.useful();
    const opened = new Stream(streamId, this, this.#initialSendWindow, unheard);
    this.#streams.set(streamId, opened);
    opened.remoteClosed = last;
    this.#listener.opened?.(opened, list, last);
  }

  #takeReset(streamId: number, bytes: Buffer, start: number, end: number): void {
    if (end - start !== 4) throw new Violation(errorCode.frameSizeError, `RST_STREAM of ${end - start} bytes`);
    const stream = this.#streams.get(streamId);
    if (stream === undefined) {
      this.#mustHaveBeen(streamId, "RST_STREAM");
      this.#patience.idle();
      return;
    }
    if (this.#role === "server") this.#patience.reset();
    stream.wasReset(bytes.readUInt32BE(start));
  }

  #takeSettings(flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    const size = end - start;
    if (streamId !== 0) throw new Violation(errorCode.protocolError, "SETTINGS of a stream");
    if (size % 6 !== 0 || (flags & flag.ack && size > 0)) throw new Violation(errorCode.frameSizeError, `SETTINGS of ${size} bytes`);
    this.#patience.idle();
    if (flags & flag.ack) return;
    if (size > limits.settingsEntries * 6) throw new Violation(errorCode.enhanceYourCalm, `${size / 6} settings at once`);
    for (let at = start; at < end; at += 6) this.#applySetting(bytes.readUInt16BE(at), bytes.readUInt32BE(at + 2));
    this.#patience.asks();
    this.writer.settingsAck();
    this.#sending.take();
  }

  #applySetting(key: number, value: number): void {
    switch (key) {
      case setting.headerTableSize:
        if (value < headerTableSize) this.writer.owesTableSize = true;
        return;
      case setting.enablePush:
        if (value > 1) throw new Violation(errorCode.protocolError, `ENABLE_PUSH of ${value}`);
        return;
      case setting.maxConcurrentStreams:
        this.#maxStreams = value;
        this.#listener.room?.();
        return;
      case setting.initialWindowSize: {
        if (value > largestWindowSize) throw new Violation(errorCode.flowControlError, `an initial window of ${value} bytes`);
        const difference = value - this.#initialSendWindow;
        this.#initialSendWindow = value;
        for (const stream of this.#streams.values()) {
          if (!stream.widen(difference)) throw new Violation(errorCode.flowControlError, "settings make a window too large");
        }
        return;
      }
      case setting.maxFrameSize:
        if (value < defaultMaxFrameSize || value > 0xff_ffff) throw new Violation(errorCode.protocolError, `frames of ${value} bytes`);
        this.writer.maxFrameSize = value;
        return;
      default:
    }
  }

  #takeWindowUpdate(streamId: number, bytes: Buffer, start: number, end: number): void {
    if (end - start !== 4) throw new Violation(errorCode.frameSizeError, `WINDOW_UPDATE of ${end - start} bytes`);
    this.#patience.idle();
    const increment = readStreamId(bytes, start);
    if (streamId === 0) {
      if (increment === 0) throw new Violation(errorCode.protocolError, "WINDOW_UPDATE by nothing");
      this.sendWindow += increment;
      if (this.sendWindow > largestWindowSize) throw new Violation(errorCode.flowControlError, "the connection's window is too large");
      this.#sending.take();
      return;
    }
    const stream = this.#streams.get(streamId);
    if (stream === undefined) this.#mustHaveBeen(streamId, "WINDOW_UPDATE");
    else if (increment === 0) stream.refuse(errorCode.protocolError, "the peer made its window larger by nothing");
    else if (!stream.widen(increment)) stream.refuse(errorCode.flowControlError, "the peer made its window too large");
  }

  #takePing(flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    if (streamId !== 0) throw new Violation(errorCode.protocolError, "PING of a stream");
    if (end - start !== 8) throw new Violation(errorCode.frameSizeError, `PING of ${end - start} bytes`);
    this.#patience.idle();
    if (flags & flag.ack) return;
    this.#patience.asks();
    this.writer.pingAck(bytes.subarray(start, end));
  }

  #takeGoaway(streamId: number, bytes: Buffer, start: number, end: number): void {
    if (streamId !== 0) throw new Violation(errorCode.protocolError, "GOAWAY of a stream");
    if (end - start < 8) throw new Violation(errorCode.frameSizeError, `GOAWAY of ${end - start} bytes`);
    this.#patience.idle();
    this.#draining = true;
    const lastTaken = readStreamId(bytes, start);
    this.#listener.goaway?.(bytes.readUInt32BE(start + 4), bytes.toString("latin1", start + 8, Math.min(end, start + 8 + 200)));
    if (this.#role === "client") {
      for (const stream of this.#streams.values()) if (stream.id > lastTaken) stream.lose();
    }
    this.#endIfDrained();
  }

  /** A frame for a stream that is no more is late; for one that never was, wrong. */
  #mustHaveBeen(streamId: number, what: string): void {
    const ours = streamId % 2 === (this.#role === "client" ? 1 : 0);
    if (streamId === 0 || streamId > (ours ? this.#lastLocal : this.#lastRemote)) {
      throw new Violation(errorCode.protocolError, `${what} of stream ${streamId}, which was never opened`);
    }
  }

  #endIfDrained(): void {
    if (this.#streams.size === 0) this.end();
  }

  #fail(error: Error): void {
    clearTimeout(this.#firstFrameTimer);
    this.#reader.stop();
    if (this.#ended) return;
    this.#listener.failed(error);
    if (this.#socket.writable) {
      this.writer.goaway(
        this.#lastRemote,
        error instanceof Violation ? error.errorCode : errorCode.internalError,
        error.message.slice(0, 200),
      );
      this.end();
    } else {
      this.#ended = true;
      this.#sending.stop();
      this.#socket.destroy();
    }
  }

  #closed(): void {
    clearTimeout(this.#firstFrameTimer);
    this.#ended = true;
    this.#sending.stop();
    for (const stream of this.#streams.values()) stream.lose();
    this.#listener.closed();
  }
}

function unpadded(bytes: Buffer, start: number, end: number): [from: number, to: number] {
  const from = start + 1;
  const to = end - (bytes[start] ?? 0);
  if (from > end || to < from) throw new Violation(errorCode.protocolError, "more padding than frame");
  return [from, to];
}

/** Of a stream that nobody listens to yet; nothing can happen to it before somebody does. */
const unheard: StreamListener = { headers() {}, data() {}, drained() {}, reset() {}, lost() {} };
