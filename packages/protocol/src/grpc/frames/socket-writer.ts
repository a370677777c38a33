// SPDX-License-Identifier: Apache-2.0
import type { Socket } from "node:net";

const slabSize = 64 * 1024;

/** Beyond this much that the socket has not taken, in bytes, nothing is added that can wait. */
const highWater = 256 * 1024;

/**
 * Gathers what is written in one turn of the loop, and gives it to the socket at once, when all that had come has been read: with calls
 * under way, the answers of one turn and the calls that follow from them leave together.
 */
export class SocketWriter {
  readonly #socket: Socket;
  /** Where {@link reserve} has made room. */
  slab: Buffer = Buffer.allocUnsafeSlow(slabSize);
  /** What stands in the slab between these waits for the socket. */
  #from = 0;
  #to = 0;
  #sealed: Uint8Array[] = [];
  #sealedLength = 0;
  #scheduled = false;
  readonly #flush = (): void => this.flush();

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** What has been written and not been taken, in bytes. */
  get backlog(): number {
    return this.#sealedLength + this.#to - this.#from + this.#socket.writableLength;
  }

  /** Whether what can wait should: the socket will say `drain`. */
  get blocked(): boolean {
    return this.backlog >= highWater;
  }

  /** Makes room in {@link slab}, to be filled before anything else happens. Answers where. */
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
      // Not the next tick: that comes after each piece that is read.
      setImmediate(this.#flush);
    }
    return at;
  }

  /** Adds bytes after what was reserved, without a copy: they must stay as they are. */
  append(bytes: Uint8Array): void {
    this.#seal();
    this.#sealed.push(bytes);
    this.#sealedLength += bytes.length;
  }

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
