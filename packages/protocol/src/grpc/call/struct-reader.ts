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
   * @throws Error for malformed bytes, and for values that are nested too deeply.
   */
  struct(depth = 1): Struct {
    if (depth > maxStructDepth) throw new Error(`maximum recursion depth of ${maxStructDepth} levels reached`);
    const struct = this.#form.create();
    const end = this.#end();
    while (this.pos < end) {
      const tag = this.uint32();
      if (tag === tags.first) this.#entry(struct, depth);
      else this.#skip(tag);
    }
    return struct;
  }

  #entry(struct: Struct, depth: number): void {
    const end = this.#end();
    let key = "";
    let value: StructValue<Struct> = null;
    while (this.pos < end) {
      const tag = this.uint32();
      if (tag === tags.first) key = this.#text();
      else if (tag === tags.second) value = this.#value(depth);
      else this.#skip(tag);
    }
    this.#form.set(struct, key, value);
  }

  #value(depth: number): StructValue<Struct> {
    const end = this.#end();
    let value: StructValue<Struct> = null;
    while (this.pos < end) {
      const tag = this.uint32();
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
      const tag = this.uint32();
      if (tag === tags.first) values.push(this.#value(depth));
      else this.#skip(tag);
    }
    return values;
  }

  /** Position after a field with a length, which is read. */
  #end(): number {
    const length = this.uint32();
    const end = this.pos + length;
    if (end > this.len) throw new RangeError("premature EOF");
    return end;
  }

  #skip(tag: number): void {
    const wireType = wireTypes[tag & 7];
    if (wireType === undefined || tag >>> 3 === 0) throw new Error(`illegal tag: ${tag}`);
    this.skip(wireType, tag >>> 3);
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
