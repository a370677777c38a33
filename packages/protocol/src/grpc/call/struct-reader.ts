// SPDX-License-Identifier: Apache-2.0
import type { JsonObject } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import type { StructMap } from "../../carrier/struct-map.ts";
import { structTags as tags } from "./struct-tags.ts";

/** Maximum nesting of objects and arrays in a Struct that is read. It is that of protobuf-es, whose limit counts messages. */
export const maxStructDepth = 48;

/** The form of the objects in a Struct that is read. */
export interface StructForm<Struct extends object> {
  create(): Struct;
  set(struct: Struct, key: string, value: StructValue<Struct>): void;
}

/** A value in a Struct. */
type StructValue<Struct> = null | boolean | number | string | StructValue<Struct>[] | Struct;

/** Objects are JSON. */
export const jsonForm: StructForm<JsonObject> = {
  create: () => ({}),
  set(struct, key, value) {
    if (key === "__proto__") Object.defineProperty(struct, key, { value, enumerable: true, configurable: true, writable: true });
    else struct[key] = value;
  },
};

/** Objects are maps. */
export const mapForm: StructForm<StructMap> = {
  create: () => new Map(),
  set: (struct, key, value) => void struct.set(key, value),
};

/**
 * Number of bytes that are converted to text at once. Short strings are slices of that text, which saves calls into the engine. A slice keeps the
 * whole text in memory, hence the limit.
 */
const windowSize = 0x10000;
/** Strings longer than this are converted one by one. */
const longString = 0x400;

/** Keys longer than this are not kept. */
const maxKnownKeyLength = 48;
/** Number of keys that are kept: a power of two. */
const knownKeyCount = 4096;
/** Keys that were read before, by hash. A known key is not created again, and maps need not hash it again. */
const knownKeys: string[] = Array.from({ length: knownKeyCount }, () => "");

/** The methods of `Buffer` that convert bytes to text. */
interface TextBuffer {
  latin1Slice(start: number, end: number): string;
}

/** Reads a message that contains Structs. */
export class StructReader<Struct extends object> extends BinaryReader {
  readonly #bytes: Uint8Array;
  readonly #form: StructForm<Struct>;
  readonly #view: DataView;
  readonly #buffer: TextBuffer;
  #window = "";
  #windowStart = 0;

  constructor(bytes: Uint8Array, form: StructForm<Struct>) {
    super(bytes);
    this.#bytes = bytes;
    this.#form = form;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) as unknown as TextBuffer;
  }

  /**
   * Reads a Struct with its length. As everywhere in protobuf, the last one of several values counts, and unknown fields are skipped.
   *
   * @param names - the members to read. The values of others are skipped. Default: all members.
   * @throws Error for malformed bytes, and for values that are nested too deeply.
   */
  struct(depth = 1, names?: ReadonlySet<string>): Struct {
    if (depth > maxStructDepth) throw new Error(`maximum recursion depth of ${maxStructDepth} levels reached`);
    const struct = this.#form.create();
    const end = this.#end();
    while (this.pos < end) {
      const tag = this.#varint();
      if (tag !== tags.first) this.#skip(tag);
      else if (names === undefined) this.#entry(struct, depth);
      else this.#pickEntry(struct, depth, names);
    }
    return struct;
  }

  #entry(struct: Struct, depth: number): void {
    const end = this.#end();
    let key = "";
    let value: StructValue<Struct> = null;
    while (this.pos < end) {
      const tag = this.#varint();
      if (tag === tags.first) key = this.#key();
      else if (tag === tags.second) value = this.#value(depth);
      else this.#skip(tag);
    }
    this.#form.set(struct, key, value);
  }

  /** Reads an entry if it has one of the names. The key may follow the value. */
  #pickEntry(struct: Struct, depth: number, names: ReadonlySet<string>): void {
    const end = this.#end();
    let key = "";
    let valueStart: number | undefined;
    while (this.pos < end) {
      const tag = this.#varint();
      if (tag === tags.first) key = this.#key();
      else if (tag === tags.second) {
        valueStart = this.pos;
        this.pos = this.#end();
      } else this.#skip(tag);
    }
    if (!names.has(key)) return;
    if (valueStart !== undefined) this.pos = valueStart;
    this.#form.set(struct, key, valueStart === undefined ? null : this.#value(depth));
    this.pos = end;
  }

  #value(depth: number): StructValue<Struct> {
    const end = this.#end();
    let value: StructValue<Struct> = null;
    while (this.pos < end) {
      const tag = this.#varint();
      switch (tag) {
        case tags.string:
          value = this.#text();
          break;
        case tags.number:
          value = this.double();
          break;
        case tags.bool:
          value = this.bool();
          break;
        case tags.null:
          this.uint32();
          value = null;
          break;
        case tags.struct:
          value = this.struct(depth + 1);
          break;
        case tags.list:
          value = this.#list(depth + 1);
          break;
        default:
          this.#skip(tag);
      }
    }
    return value;
  }

  #list(depth: number): StructValue<Struct>[] {
    if (depth > maxStructDepth) throw new Error(`maximum recursion depth of ${maxStructDepth} levels reached`);
    const values: StructValue<Struct>[] = [];
    const end = this.#end();
    while (this.pos < end) {
      const tag = this.#varint();
      if (tag === tags.first) values.push(this.#value(depth));
      else this.#skip(tag);
    }
    return values;
  }

  /** Reads a number, which has one byte in most cases. */
  #varint(): number {
    const byte = this.#bytes[this.pos]!;
    if (!(byte < 0x80)) return this.uint32();
    this.pos += 1;
    return byte;
  }

  /** Position after a field with a length, which is read. */
  #end(): number {
    const length = this.#varint();
    const end = this.pos + length;
    if (end > this.len) throw new RangeError("premature EOF");
    return end;
  }

  #skip(tag: number): void {
    const wireType = wireTypes[tag & 7];
    if (wireType === undefined || tag >>> 3 === 0) throw new Error(`illegal tag: ${tag}`);
    this.skip(wireType, tag >>> 3);
  }

  /** Reads the key of an entry with its length. Requests repeat keys, so that most are known. */
  #key(): string {
    const start = this.pos;
    const end = this.#end();
    const from = this.pos;
    const length = end - from;
    const slot = this.#keySlot(from, length);
    const known = knownKeys[slot]!;
    if (known.length === length && this.#isTextAt(known, from)) {
      this.pos = end;
      return known;
    }
    this.pos = start;
    const text = this.#text();
    // Only a text of ASCII has as many characters as bytes.
    if (length > maxKnownKeyLength || text.length !== length) return text;
    // Not a slice of the window, which it would keep in memory.
    return (knownKeys[slot] = this.#buffer.latin1Slice(from, end));
  }

  /** Position of a key among the known ones: a hash of its length and its first, middle and last bytes. */
  #keySlot(from: number, length: number): number {
    const bytes = this.#bytes;
    let hash = length;
    if (length < 4) {
      for (let at = from; at < from + length; at++) hash = (hash << 8) | bytes[at]!;
    } else {
      const view = this.#view;
      hash = Math.imul(hash ^ view.getUint32(from), 0x9e3779b1);
      hash = Math.imul(hash ^ (hash >>> 15) ^ view.getUint32(from + ((length - 4) >> 1)), 0x85ebca6b);
      hash = Math.imul(hash ^ (hash >>> 13) ^ view.getUint32(from + length - 4), 0xc2b2ae35);
    }
    return (hash ^ (hash >>> 16)) & (knownKeyCount - 1);
  }

  /** Whether the bytes from a position are those of an ASCII text. */
  #isTextAt(text: string, from: number): boolean {
    for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) !== this.#bytes[from + index]) return false;
    return true;
  }

  /** Reads a string with its length. @throws Error for bytes that are not UTF-8. */
  #text(): string {
    const start = this.pos;
    const end = this.#end();
    if (!this.#isAscii(this.pos, end)) {
      this.pos = start;
      return this.string(true);
    }
    const from = this.pos;
    this.pos = end;
    return this.#ascii(from, end);
  }

  #isAscii(start: number, end: number): boolean {
    const bytes = this.#bytes;
    const view = this.#view;
    let at = start;
    for (; end - at >= 8; at += 8) if (((view.getUint32(at) | view.getUint32(at + 4)) & 0x80808080) !== 0) return false;
    for (; at < end; at++) if (bytes[at]! >= 0x80) return false;
    return true;
  }

  #ascii(start: number, end: number): string {
    const from = start - this.#windowStart;
    if (from >= 0 && from + end - start <= this.#window.length) return this.#window.slice(from, from + end - start);
    if (end - start > longString) return this.#buffer.latin1Slice(start, end);
    this.#windowStart = start;
    this.#window = this.#buffer.latin1Slice(start, Math.min(start + windowSize, this.len));
    return this.#window.slice(0, end - start);
  }
}

/** Wire types by number. */
const wireTypes: readonly WireType[] = [
  WireType.Varint,
  WireType.Bit64,
  WireType.LengthDelimited,
  WireType.StartGroup,
  WireType.EndGroup,
  WireType.Bit32,
];
