// SPDX-License-Identifier: Apache-2.0
import type { Socket } from "node:net";

const slabSize = 64 * 1024;

/** Backlog, in bytes, from which streams must wait. */
const highWater = 256 * 1024;

/**
 * Collects the frames that are written in one turn of the event loop, and passes them to the socket together.
 *
 * It does so after all input of the turn has been read, so that the responses of one turn, and the calls that follow from them, share
 * one system call.
 */
export class SocketWriter {
  readonly #socket: Socket;
  /** Buffer that {@link reserve} allocates from. */
  slab: Buffer = Buffer.allocUnsafeSlow(slabSize);
  /** Range of the slab that is not in `#sealed` yet. */
  #from = 0;
  #to = 0;
  /** Buffers for the socket at the next flush, in order. */
  #sealed: Uint8Array[] = [];
  #sealedLength = 0;
  #scheduled = false;
  readonly #flush = (): void => this.flush();

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Number of bytes written and not yet sent by the system. */
  get backlog(): number {
    return this.#sealedLength + this.#to - this.#from + this.#socket.writableLength;
  }

  /** Whether streams must wait for the socket's `drain` before they send more. */
  get blocked(): boolean {
    return this.backlog >= highWater;
  }

  /** Allocates bytes in {@link slab}, which the caller fills immediately. Returns their offset. */
  reserve(length: number): number {
    if (this.#to + length > this.slab.length) {
      this.#seal();
      this.slab = Buffer.allocUnsafeSlow(Math.max(slabSize, length));
      this.#from = this.#to = 0;
    }
    const at = this.#to;
    this.#to += length;
    if (!this.#scheduled) {
      this.#scheduled = true;
      // Not `nextTick`, which would flush after each chunk of input.
      setImmediate(this.#flush);
    }
    return at;
  }

  /** Appends bytes without copying them: they must not change afterwards. */
  append(bytes: Uint8Array): void {
    this.#seal();
    this.#sealed.push(bytes);
    this.#sealedLength += bytes.length;
  }

  /** Hands everything written so far to the socket. */
  flush(): void {
    this.#scheduled = false;
    this.#seal();
    const chunks = this.#sealed;
    if (chunks.length === 0) return;
    this.#sealed = [];
    this.#sealedLength = 0;
    if (!this.#socket.writable) return;
    if (chunks.length === 1) {
      this.#socket.write(chunks[0]!);
      return;
    }
    this.#socket.cork();
    for (const chunk of chunks) this.#socket.write(chunk);
    this.#socket.uncork();
  }

  #seal(): void {
    if (this.#to === this.#from) return;
    this.#sealed.push(this.slab.subarray(this.#from, this.#to));
    this.#sealedLength += this.#to - this.#from;
    this.#from = this.#to;
  }
}
