// SPDX-License-Identifier: Apache-2.0
import type { Socket } from "node:net";
import { windowSize } from "../../carrier/carrier.ts";
import { headerTableSize } from "../hpack/header-decoder.ts";
import type { HeaderList } from "../hpack/header-list.ts";
import { AbuseGuard } from "./abuse-guard.ts";
import { noListener, type ConnectionListener } from "./connection-listener.ts";
import { defaultWindowSize, errorCode, flag, frameType, largestWindowSize, setting } from "./frame.ts";
import { FrameReader, readStreamId } from "./frame-reader.ts";
import { FrameWriter } from "./frame-writer.ts";
import { readGoaway } from "./goaway.ts";
import { checkDependency, HeaderReceiver } from "./header-receiver.ts";
import { limits } from "./limits.ts";
import { unpadded } from "./padding.ts";
import { PeerSettings } from "./peer-settings.ts";
import type { ReceiveMemory } from "./receive-memory.ts";
import { ReceiveWindow } from "./receive-window.ts";
import { SendScheduler } from "./send-scheduler.ts";
import { StreamTable } from "./stream-table.ts";
import { Stream, type StreamConnection, type StreamListener } from "./stream.ts";
import { Violation } from "./violation.ts";

/** Maximum time that the peer may take to close its half of the socket after this endpoint has closed its own, in milliseconds. */
const closeGraceMs = 500;

/**
 * An HTTP/2 connection over a socket, with prior knowledge.
 *
 * A {@link Violation} ends it: with a GOAWAY that has the error's code, and {@link ConnectionListener.failed}.
 */
export class Connection implements StreamConnection {
  readonly #socket: Socket;
  readonly #role: "client" | "server";
  readonly #listener: ConnectionListener;
  readonly #reader: FrameReader;
  /** Writes the frames of the connection and of its streams. */
  readonly writer: FrameWriter;
  readonly #headers = new HeaderReceiver((streamId, list, last) => this.#handleHeaderList(streamId, list, last));
  readonly #settings = new PeerSettings();
  readonly #streams: StreamTable;
  readonly #scheduler: SendScheduler;
  readonly #guard: AbuseGuard;
  readonly #receiveWindow: ReceiveWindow;
  /** Number of bytes that all streams together may still send. */
  sendWindow: number = defaultWindowSize;
  #ready = false;
  #draining = false;
  #ended = false;
  #firstFrameTimer: NodeJS.Timeout | undefined;

  /** @param maxMessageBytes - size of the largest message that a call accepts; the memory for received data depends on it. */
  constructor(socket: Socket, role: "client" | "server", maxMessageBytes: number, listener: ConnectionListener) {
    this.#socket = socket;
    this.#role = role;
    this.#listener = listener;
    this.#streams = new StreamTable(role);
    this.writer = new FrameWriter(socket);
    this.#scheduler = new SendScheduler(this.writer);
    this.#guard = new AbuseGuard(this.writer);
    this.#receiveWindow = new ReceiveWindow(this.writer, maxMessageBytes);
    this.#reader = new FrameReader(this.#handleFrame, { expectPreface: role === "server" });
    socket.on("data", this.#read);
    socket.on("drain", () => this.#scheduler.run());
    socket.on("error", (error) => this.#fail(error));
    // A peer that closes its half reads no more responses, even where the listener allows half-open sockets.
    socket.once("end", () => this.end());
    socket.once("close", () => this.#handleClose());
    this.#sendConnectionPreface();
    // A client has its own timeout for connecting.
    if (role === "client") return;
    this.#firstFrameTimer = setTimeout(() => {
      this.#fail(new Violation(errorCode.settingsTimeout, `the peer sent nothing within ${limits.firstFrameMs} ms`));
    }, limits.firstFrameMs).unref();
  }

  /** Whether no further stream can be opened. */
  get over(): boolean {
    return this.#draining || this.#ended;
  }

  /** Whether another stream can be opened now: the peer limits their number. */
  get canOpenStream(): boolean {
    return this.#streams.size < this.#settings.maxConcurrentStreams;
  }

  /** Role of this endpoint. */
  get role(): "client" | "server" {
    return this.#role;
  }

  /**
   * Opens a stream, as a client does. Its headers must be sent before another stream is opened.
   *
   * @returns undefined when the connection has used all stream identifiers.
   */
  open(listener: StreamListener): Stream | undefined {
    const id = this.#streams.takeLocalId();
    if (id === undefined) return undefined;
    const stream = new Stream(id, this, this.#settings.initialWindowSize, listener);
    this.#streams.add(stream);
    return stream;
  }

  /** Accepts no more streams, and ends the connection after the last open stream. */
  drain(): void {
    if (this.over) return;
    this.#draining = true;
    this.writer.goaway(this.#streams.lastRemoteId, errorCode.noError, "");
    this.#endIfDrained();
  }

  /** Ends the connection after the frames that have been written. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#scheduler.stop();
    this.#reader.stop();
    this.writer.flush();
    this.#socket.end();
    setTimeout(() => this.#socket.destroy(), closeGraceMs).unref();
  }

  /** Ends the connection immediately. */
  destroy(): void {
    this.#socket.destroy();
  }

  /** Subtracts sent bytes from the connection's window. `whole`: whether they were all that the stream had to send. */
  consumeWindow(size: number, whole: boolean): void {
    this.sendWindow -= size;
    // A peer that widens its window by a few bytes at a time must not get an idle frame for each.
    if (whole || size >= 1024) this.#guard.recordUsefulFrame();
  }

  /** Memory that received messages occupy. */
  get memory(): ReceiveMemory {
    return this.#receiveWindow.memory;
  }

  /** Records that this endpoint resets a stream on which frames of the peer may be in flight. */
  expectLateFrames({ id, receiveWindow }: Stream): void {
    this.#streams.expectLateFrames(id, receiveWindow);
  }

  /** Counts a reset that the peer provoked. @throws Violation when there are too many of them. */
  countReset(): void {
    if (this.#role === "server") this.#guard.countReset();
  }

  /** Schedules a stream that has something to send. */
  schedule(stream: Stream): void {
    this.#scheduler.schedule(stream);
  }

  /** Removes a stream that has ended. `working`: whether its handler has not finished. */
  remove(stream: Stream, working: boolean): void {
    this.#streams.remove(stream, working);
    this.#scheduler.remove(stream);
    if (this.#draining) this.#endIfDrained();
    else this.#listener.capacityAvailable?.();
  }

  /** Records that the handler of a removed stream has finished. */
  finishWork(): void {
    this.#streams.finishWork();
  }

  #sendConnectionPreface(): void {
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

  readonly #handleFrame = (type: number, flags: number, streamId: number, bytes: Buffer, start: number, end: number): void => {
    const { incompleteStreamId } = this.#headers;
    if (incompleteStreamId !== undefined && (type !== frameType.continuation || streamId !== incompleteStreamId)) {
      throw new Violation(errorCode.protocolError, "a header block was interrupted by another frame");
    }
    if (!this.#ready) {
      this.#handleFirstFrame(type, flags, streamId, bytes, start, end);
      return;
    }
    switch (type) {
      case frameType.data:
        this.#handleData(flags, streamId, bytes, start, end);
        return;
      case frameType.headers:
        this.#headers.handleHeaders(flags, streamId, bytes, start, end);
        return;
      case frameType.continuation:
        this.#headers.handleContinuation(flags, bytes, start, end);
        return;
      case frameType.rstStream:
        this.#handleReset(streamId, bytes, start, end);
        return;
      case frameType.settings:
        this.#handleSettings(flags, streamId, bytes, start, end);
        return;
      case frameType.windowUpdate:
        this.#handleWindowUpdate(streamId, bytes, start, end);
        return;
      case frameType.ping:
        this.#handlePing(flags, streamId, bytes, start, end);
        return;
      case frameType.goaway:
        this.#handleGoaway(streamId, bytes, start, end);
        return;
      case frameType.pushPromise:
        throw new Violation(errorCode.protocolError, "PUSH_PROMISE, although push is disabled");
      case frameType.priority:
        if (streamId === 0) throw new Violation(errorCode.protocolError, "PRIORITY on stream 0");
        if (end - start !== 5) throw new Violation(errorCode.frameSizeError, `PRIORITY of ${end - start} bytes`);
        checkDependency(streamId, bytes, start);
        this.#guard.countIdleFrame();
        return;
      default:
        // Unknown types are ignored. RFC 9113, section 4.1
        this.#guard.countIdleFrame();
    }
  };

  #handleFirstFrame(type: number, flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    if (type !== frameType.settings || flags & flag.ack) {
      throw new Violation(errorCode.protocolError, "the first frame of the peer is not its SETTINGS");
    }
    this.#ready = true;
    clearTimeout(this.#firstFrameTimer);
    this.#handleSettings(flags, streamId, bytes, start, end);
    this.#listener.ready?.();
  }

  #handleData(flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    const size = end - start;
    this.#receiveWindow.consume(size);
    const last = (flags & flag.endStream) !== 0;
    const stream = this.#streams.get(streamId);
    if (stream === undefined) {
      this.#streams.acceptLateData(streamId, size, last);
      if (size === 0) this.#guard.countIdleFrame();
      return;
    }
    if (stream.remoteClosed) {
      stream.refuse(errorCode.streamClosed, "the peer sent data after the end of its half of the stream");
      return;
    }
    stream.receiveWindow -= size;
    if (stream.receiveWindow < 0) {
      throw new Violation(errorCode.flowControlError, "the peer sent more data than the stream's window allows");
    }
    const [from, to] = flags & flag.padded ? unpadded(bytes, start, end) : [start, end];
    if (to - from < size) stream.credit(size - (to - from));
    if (to > from) this.#guard.recordUsefulFrame();
    else if (!last) this.#guard.countIdleFrame();
    if (!stream.acceptContent(to - from, last)) return;
    if (last) stream.endRemote();
    if (to > from || last) stream.listener.data(bytes, from, to, last);
  }

  #handleHeaderList(streamId: number, list: HeaderList, last: boolean): void {
    const stream = this.#streams.get(streamId);
    if (stream !== undefined) stream.handleHeaders(list, last);
    else if (this.#role === "server" && streamId > this.#streams.lastRemoteId) this.#handleNewStream(streamId, list, last);
    else {
      this.#streams.acceptLateHeaders(streamId, last);
      this.#guard.countIdleFrame();
    }
  }

  #handleNewStream(streamId: number, list: HeaderList, last: boolean): void {
    this.#streams.takeRemoteId(streamId);
    const malformed = list.faultAs("request") !== undefined || (last && (list.contentLength ?? 0) > 0);
    if (malformed || this.over || this.#streams.isFull) {
      this.#guard.countReset();
      this.writer.reset(streamId, malformed ? errorCode.protocolError : errorCode.refusedStream);
      if (!last) this.#streams.expectLateFrames(streamId);
      return;
    }
    this.#guard.recordUsefulFrame();
    const stream = new Stream(streamId, this, this.#settings.initialWindowSize, noListener);
    this.#streams.add(stream);
    stream.remoteClosed = last;
    stream.headersReceived = true;
    if (!last) stream.expectContent(list.contentLength);
    this.#listener.opened?.(stream, list, last);
  }

  #handleReset(streamId: number, bytes: Buffer, start: number, end: number): void {
    if (end - start !== 4) throw new Violation(errorCode.frameSizeError, `RST_STREAM of ${end - start} bytes`);
    const stream = this.#streams.get(streamId);
    if (stream === undefined) {
      this.#streams.acceptLateReset(streamId);
      this.#guard.countIdleFrame();
      return;
    }
    this.countReset();
    stream.handleReset(bytes.readUInt32BE(start));
  }

  #handleSettings(flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    this.#guard.countIdleFrame();
    const settings = this.#settings;
    const windowBefore = settings.initialWindowSize;
    if (!settings.apply(flags, streamId, bytes, start, end)) return;
    this.writer.maxFrameSize = settings.maxFrameSize;
    if (settings.headerTableSize < headerTableSize) this.writer.announceEmptyTable();
    this.#guard.checkUnreadOutput();
    // The acknowledgement must precede data that the new settings allow. RFC 9113, section 6.5.3
    this.writer.settingsAck();
    if (settings.initialWindowSize !== windowBefore) this.#widenStreams(settings.initialWindowSize - windowBefore);
    this.#listener.capacityAvailable?.();
    this.#scheduler.run();
  }

  #widenStreams(increment: number): void {
    this.#guard.countIdleFrame(Math.ceil(this.#streams.size / limits.windowsPerIdleFrame));
    for (const stream of this.#streams.values()) {
      if (!stream.widen(increment))
        throw new Violation(errorCode.flowControlError, "INITIAL_WINDOW_SIZE makes the window of a stream too large");
    }
  }

  #handleWindowUpdate(streamId: number, bytes: Buffer, start: number, end: number): void {
    if (end - start !== 4) throw new Violation(errorCode.frameSizeError, `WINDOW_UPDATE of ${end - start} bytes`);
    this.#guard.countIdleFrame();
    const increment = readStreamId(bytes, start);
    if (streamId === 0) {
      if (increment === 0) throw new Violation(errorCode.protocolError, "WINDOW_UPDATE by 0");
      this.sendWindow += increment;
      if (this.sendWindow > largestWindowSize) {
        throw new Violation(errorCode.flowControlError, "WINDOW_UPDATE makes the window of the connection too large");
      }
      this.#scheduler.run();
      return;
    }
    const stream = this.#streams.get(streamId);
    if (stream === undefined) this.#streams.requireKnown(streamId, "WINDOW_UPDATE");
    else if (increment === 0) stream.refuse(errorCode.protocolError, "the peer sent WINDOW_UPDATE by 0");
    else if (!stream.widen(increment)) stream.refuse(errorCode.flowControlError, "the peer made the window of the stream too large");
  }

  #handlePing(flags: number, streamId: number, bytes: Buffer, start: number, end: number): void {
    if (streamId !== 0) throw new Violation(errorCode.protocolError, "PING on a stream");
    if (end - start !== 8) throw new Violation(errorCode.frameSizeError, `PING of ${end - start} bytes`);
    this.#guard.countIdleFrame();
    if (flags & flag.ack) return;
    this.#guard.checkUnreadOutput();
    this.writer.pingAck(bytes.subarray(start, end));
  }

  #handleGoaway(streamId: number, bytes: Buffer, start: number, end: number): void {
    const { lastAcceptedId, code, text } = readGoaway(streamId, bytes, start, end);
    this.#guard.countIdleFrame();
    this.#draining = true;
    this.#listener.goaway?.(code, text);
    if (this.#role === "client") {
      for (const stream of this.#streams.values()) if (stream.id > lastAcceptedId) stream.lose();
    }
    this.#endIfDrained();
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
      const code = error instanceof Violation ? error.errorCode : errorCode.internalError;
      this.writer.goaway(this.#streams.lastRemoteId, code, error.message.slice(0, 200));
      this.end();
    } else {
      this.#ended = true;
      this.#scheduler.stop();
      this.#socket.destroy();
    }
  }

  #handleClose(): void {
    clearTimeout(this.#firstFrameTimer);
    this.#ended = true;
    this.#scheduler.stop();
    for (const stream of this.#streams.values()) stream.lose();
    this.#listener.closed();
  }
}
