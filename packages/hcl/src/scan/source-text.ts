// SPDX-License-Identifier: Apache-2.0
import { isAscii } from "node:buffer";

/**
 * A source as a string in which each invalid UTF-8 byte is a lone surrogate from U+DC80 to U+DCFF. It has no other lone
 * surrogates.
 */
export class SourceText {
  readonly text: string;
  /** Whether every character is below U+0080, so that byte offsets equal string offsets. */
  readonly isAscii: boolean;
  /** Whether the source may have bytes that are not valid UTF-8. */
  readonly isBroken: boolean;

  /** @param source Text or UTF-8 bytes. Lone surrogates of a string become U+FFFD, as in any encoded text. */
  constructor(source: string | Uint8Array) {
    const decoded = typeof source === "string" ? undefined : decodeStrictly(source);
    this.isBroken = typeof source !== "string" && decoded === undefined;
    this.text = typeof source === "string" ? source.toWellFormed() : (decoded ?? decodeWithEscapes(source));
    this.isAscii = !nonAscii.test(this.text);
  }

  /** Text between two string offsets, with invalid bytes as U+FFFD. */
  slice(start: number, end: number): string {
    const text = this.text.slice(start, end);
    return this.isBroken ? text.toWellFormed() : text;
  }

  /** Number of bytes between two string offsets. */
  byteLength(start: number, end: number): number {
    let length = 0;
    for (let index = start; index < end; index++) {
      const unit = this.text.charCodeAt(index);
      if (unit < 0x80) length += 1;
      else if (unit < 0x800) length += 2;
      else if (unit < 0xd800 || unit > 0xdfff) length += 3;
      else if (unit < 0xdc00) {
        length += 4;
        index += 1;
      } else length += 1;
    }
    return length;
  }
}

// oxlint-disable-next-line no-control-regex -- the range is ASCII
const nonAscii = /[^\x00-\x7f]/;

/** The byte that a lone surrogate stands for; undefined for any other unit. The unit must not be part of a surrogate pair. */
export function escapedByte(unit: number): number | undefined {
  return unit >= 0xdc80 && unit <= 0xdcff ? unit & 0xff : undefined;
}

/** Encodes a text of {@link SourceText}, invalid bytes included. */
export function encodeText(text: string): Uint8Array {
  if (text.isWellFormed()) return new TextEncoder().encode(text);
  const parts = text.split(/(\p{Surrogate}+)/u).map((part, index) => {
    return index % 2 === 0 ? Buffer.from(part) : Uint8Array.from(part, (unit) => escapedByte(unit.charCodeAt(0))!);
  });
  return new Uint8Array(Buffer.concat(parts));
}

function decodeStrictly(bytes: Uint8Array): string | undefined {
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeWithEscapes(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  let good = 0;
  for (let index = 0; index < bytes.length;) {
    const length = sequenceLength(bytes, index);
    if (length > 0) {
      index += length;
      continue;
    }
    if (good < index) text += decoder.decode(bytes.subarray(good, index));
    text += String.fromCharCode(0xdc00 | bytes[index]!);
    index += 1;
    good = index;
  }
  return good < bytes.length ? text + decoder.decode(bytes.subarray(good)) : text;
}

/** Length of the UTF-8 sequence at an offset; 0 if it is invalid. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const second = bytes[at + 1] ?? 0;
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let offset = 2; offset < length; offset++) if (((bytes[at + offset] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}
