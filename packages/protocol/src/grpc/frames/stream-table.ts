// SPDX-License-Identifier: Apache-2.0
import { windowSize } from "../../carrier/carrier.ts";
import { TurnoverMap } from "../../turnover.ts";
import { errorCode, largestWindowSize } from "./frame.ts";
import { limits } from "./limits.ts";
import { ResetStreams } from "./reset-streams.ts";
import type { Stream } from "./stream.ts";
import { Violation } from "./violation.ts";

/** Streams of a connection: those that are open, and the identifiers of those that have ended. */
export class StreamTable {
  readonly #role: "client" | "server";
  readonly #open = new TurnoverMap<number, Stream>();
  readonly #reset = new ResetStreams();
  /** Number of streams that have ended, and whose handlers have not finished. */
  #working = 0;
  #lastRemoteId = 0;
  #lastLocalId = -1;

  /** @param role - Role of this endpoint. */
  constructor(role: "client" | "server") {
    this.#role = role;
  }

  /** Number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  /** Whether the peer may not open another stream: too many are open, or their handlers have not finished. */
  get isFull(): boolean {
    return this.#open.size + this.#working >= limits.openStreams;
  }

  /** Identifier of the last stream that the peer opened. */
  get lastRemoteId(): number {
    return this.#lastRemoteId;
  }

  /** Returns the identifier of the next stream that this endpoint opens; undefined when the connection has used all of them. */
  takeLocalId(): number | undefined {
    const id = this.#lastLocalId + 2;
    if (id > largestWindowSize) return undefined;
    this.#lastLocalId = id;
    return id;
  }

  /** Records that the peer opens a stream. @throws Violation when the identifier is not one of a client. */
  takeRemoteId(streamId: number): void {
    if (streamId % 2 === 0) throw new Violation(errorCode.protocolError, `a client opened stream ${streamId}, which is not odd`);
    this.#lastRemoteId = streamId;
  }

  /** Adds an open stream. */
  add(stream: Stream): void {
    this.#open.set(stream.id, stream);
  }

  /** Returns an open stream; undefined if none has the identifier. */
  get(streamId: number): Stream | undefined {
    return this.#open.get(streamId);
  }

  /** Iterates the open streams in the order in which they were opened. */
  values(): IterableIterator<Stream> {
    return this.#open.values();
  }

  /** Removes a stream that has ended. `working`: whether its handler has not finished. */
  remove(stream: Stream, working: boolean): void {
    this.#open.delete(stream.id);
    if (working) this.#working++;
  }

  /** Records that the handler of a removed stream has finished. */
  finishWork(): void {
    this.#working--;
  }

  /** Records that this endpoint resets a stream on which frames of the peer may be in flight: as many bytes as `window`. */
  expectLateFrames(streamId: number, window: number = windowSize.stream): void {
    this.#reset.add(streamId, window);
  }

  /** Accepts data on a stream that has ended. @throws Violation when it cannot have been in flight when the stream ended. */
  acceptLateData(streamId: number, size: number, last: boolean): void {
    this.requireKnown(streamId, "DATA");
    if (!this.#reset.acceptData(streamId, size, last)) throw closedStreamViolation("DATA", streamId);
  }

  /** Accepts headers on a stream that has ended. @throws Violation when they cannot have been in flight when the stream ended. */
  acceptLateHeaders(streamId: number, last: boolean): void {
    this.requireKnown(streamId, "HEADERS");
    if (!this.#reset.acceptHeaders(streamId, last)) throw closedStreamViolation("HEADERS", streamId);
  }

  /** Accepts a reset of a stream that has ended. @throws Violation when the stream was never opened. */
  acceptLateReset(streamId: number): void {
    this.requireKnown(streamId, "RST_STREAM");
    this.#reset.delete(streamId);
  }

  /** Requires that a stream is open or was open: a frame for a stream that has ended may be late. @throws Violation otherwise. */
  requireKnown(streamId: number, frame: string): void {
    const isLocal = streamId % 2 === (this.#role === "client" ? 1 : 0);
    if (streamId === 0 || streamId > (isLocal ? this.#lastLocalId : this.#lastRemoteId)) {
      throw new Violation(errorCode.protocolError, `${frame} on stream ${streamId}, which was never opened`);
    }
  }
}

function closedStreamViolation(frame: string, streamId: number): Violation {
  return new Violation(errorCode.streamClosed, `${frame} on stream ${streamId}, which has ended`);
}
