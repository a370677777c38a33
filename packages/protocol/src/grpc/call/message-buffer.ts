// SPDX-License-Identifier: Apache-2.0

/** Length, in bytes, up to which messages share a slab. */
const slabMessageLength = 1024;

/** Sizes of slabs, in bytes: each is twice as large as the one before it, up to the largest. */
const slabSize = { first: 512, largest: 16_384 };

/** Length of the number before each message in a slab, in bytes. */
const lengthSize = 2;

/** Memory of the objects that describe a segment, in bytes; an estimate. */
const segmentOverhead = 128;

/** Memory that holds one large message, or several small ones, each after its length. */
interface Segment {
  readonly bytes: Uint8Array;
  /** Whether the segment is a slab of small messages. */
  readonly slab: boolean;
  /** Range of the slab that holds messages. */
  from: number;
  to: number;
}

/**
 * A queue of messages that takes little more memory than their bytes.
 *
 * A message arrives as a view of the chunk that it was received in. Small messages are copied into slabs: an array of views would take
 * many times their size, and keep the whole chunks alive.
 */
export class MessageBuffer {
  readonly #segments: Segment[] = [];
  #first = 0;
  #memory = 0;

  /** Memory that the queue occupies, in bytes. */
  get memory(): number {
    return this.#memory;
  }

  /** Whether the queue holds no message. */
  get empty(): boolean {
    return this.#first === this.#segments.length;
  }

  /** Adds a message. */
  push(message: Uint8Array): void {
    if (message.length <= slabMessageLength) this.#pushSmall(message);
    else {
      // A view of a much larger chunk would keep the chunk alive.
      const bytes = message.length * 2 < message.buffer.byteLength ? message.slice() : message;
      this.#append({ bytes, slab: false, from: 0, to: bytes.length });
    }
  }

  /** Removes the oldest message; undefined when there is none. */
  shift(): Uint8Array | undefined {
    const segment = this.#segments[this.#first];
    if (segment === undefined) return undefined;
    const { bytes } = segment;
    if (!segment.slab) {
      this.#removeFirst(segment);
      return bytes;
    }
    const start = segment.from + lengthSize;
    const end = start + (bytes[segment.from]! << 8) + bytes[segment.from + 1]!;
    segment.from = end;
    if (end === segment.to) this.#removeFirst(segment);
    return bytes.subarray(start, end);
  }

  /** Removes all messages. Returns their total length in bytes, and their number. */
  clear(): { readonly bytes: number; readonly count: number } {
    let bytes = 0;
    let count = 0;
    for (let message = this.shift(); message !== undefined; message = this.shift()) {
      bytes += message.length;
      count++;
    }
    return { bytes, count };
  }

  #pushSmall(message: Uint8Array): void {
    const size = lengthSize + message.length;
    let segment = this.empty ? undefined : this.#segments.at(-1);
    if (segment === undefined || !segment.slab || segment.to + size > segment.bytes.length) {
      const length = Math.min(slabSize.largest, Math.max(slabSize.first, size, segment?.slab ? segment.bytes.length * 2 : 0));
      segment = { bytes: new Uint8Array(Buffer.allocUnsafeSlow(length).buffer), slab: true, from: 0, to: 0 };
      this.#append(segment);
    }
    segment.bytes[segment.to] = message.length >>> 8;
    segment.bytes[segment.to + 1] = message.length;
    segment.bytes.set(message, segment.to + lengthSize);
    segment.to += size;
  }

  #append(segment: Segment): void {
    this.#segments.push(segment);
    this.#memory += segment.bytes.buffer.byteLength + segmentOverhead;
  }

  #removeFirst(segment: Segment): void {
    this.#memory -= segment.bytes.buffer.byteLength + segmentOverhead;
    this.#first++;
    // Removing them one by one would move the rest each time.
    if (this.#first === this.#segments.length || this.#first > 1024) {
      this.#segments.splice(0, this.#first);
      this.#first = 0;
    }
  }
}
