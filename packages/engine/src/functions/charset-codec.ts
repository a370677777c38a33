// SPDX-License-Identifier: Apache-2.0
import { TextDecoder } from "node:util";
import { charsets, type Charset } from "./charset-table.ts";

/** Converts between text and the bytes of a character set. */
export interface CharsetCodec {
  /** The IANA name. */
  readonly name: string;
  /** Encodes a text; undefined if the character set lacks one of its characters. */
  readonly encode: (text: string) => Uint8Array | undefined;
  /** Decodes bytes; undefined if they are invalid. */
  readonly decode: (bytes: Uint8Array) => string | undefined;
}

const byAlias: ReadonlyMap<string, Charset> = new Map(
  charsets.flatMap((charset) => charset.aliases.map((alias) => [alias, charset] as const)),
);
const codecs = new Map<string, CharsetCodec>();

/** Returns the codec of a character set by any of its registered names; undefined for an unsupported name. */
export function charsetCodec(name: string): CharsetCodec | undefined {
  const charset = byAlias.get(name.trim().toLowerCase());
  if (charset === undefined) return undefined;
  let codec = codecs.get(charset.name);
  if (codec === undefined) codecs.set(charset.name, (codec = createCodec(charset)));
  return codec;
}

const replacement = "\ufffd";

function createCodec(charset: Charset): CharsetCodec {
  const { name } = charset;
  const table = charset.table ?? charsets.find((each) => each.name === bidirectionalVariants[name])?.table;
  if (table !== undefined) return singleByteCodec(name, table);
  switch (name) {
    case "US-ASCII":
      return singleByteCodec(name, replacement.repeat(128));
    case "UTF-8":
      return { name, encode: (text) => Buffer.from(text), decode: (bytes) => decodeWith("utf-8", bytes) };
    case "UTF-16LE":
    case "UTF-16BE":
      return utf16Codec(name, name === "UTF-16BE", false);
    case "UTF-16":
      return utf16Codec(name, true, true);
    default:
      return multiByteCodec(name, labels[name]!);
  }
}

/** Names of variants that differ from a set only in the display order of the characters. */
const bidirectionalVariants: Readonly<Record<string, string>> = {
  "ISO_8859-6-E": "ISO_8859-6:1987",
  "ISO_8859-6-I": "ISO_8859-6:1987",
  "ISO_8859-8-E": "ISO_8859-8:1988",
  "ISO_8859-8-I": "ISO_8859-8:1988",
};

function singleByteCodec(name: string, table: string): CharsetCodec {
  const ascii = Array.from({ length: 128 }, (_, byte) => String.fromCharCode(byte));
  const characters = table.length === 128 ? [...ascii, ...table] : [...table];
  const bytes = new Map<string, number>();
  for (const [byte, character] of characters.entries()) if (character !== replacement && !bytes.has(character)) bytes.set(character, byte);
  return {
    name,
    encode(text) {
      const encoded = Array.from(text, (character) => bytes.get(character));
      return encoded.includes(undefined) ? undefined : Uint8Array.from(encoded as number[]);
    },
    decode(encoded) {
      const text = Array.from(encoded, (byte) => characters[byte]).join("");
      return text.includes(replacement) ? undefined : text;
    },
  };
}

/** @see golang.org/x/text/encoding/unicode */
function utf16Codec(name: string, isBigEndian: boolean, hasByteOrderMark: boolean): CharsetCodec {
  const swapBytes = (bytes: Uint8Array): Uint8Array => Buffer.from(bytes).swap16();
  return {
    name,
    encode(text) {
      const littleEndian = Buffer.from(hasByteOrderMark ? `\ufeff${text}` : text, "utf16le");
      return isBigEndian ? swapBytes(littleEndian) : littleEndian;
    },
    decode(bytes) {
      if (bytes.length % 2 !== 0) return undefined;
      const isMarked = hasByteOrderMark && bytes.length >= 2;
      const isLittleEndian = isMarked && bytes[0] === 0xff && bytes[1] === 0xfe;
      const isBigMarked = isMarked && bytes[0] === 0xfe && bytes[1] === 0xff;
      const rest = isLittleEndian || isBigMarked ? bytes.subarray(2) : bytes;
      const text = Buffer.from(isBigEndian && !isLittleEndian ? swapBytes(rest) : rest).toString("utf16le");
      return text.isWellFormed() && !text.includes(replacement) ? text : undefined;
    },
  };
}

/** The labels of the multi-byte character sets in `TextDecoder`. */
const labels: Readonly<Record<string, string>> = {
  Big5: "big5",
  "EUC-KR": "euc-kr",
  Extended_UNIX_Code_Packed_Format_for_Japanese: "euc-jp",
  GB18030: "gb18030",
  GBK: "gbk",
  "HZ-GB-2312": "gbk",
  "ISO-2022-JP": "iso-2022-jp",
  Shift_JIS: "shift_jis",
};

function decodeWith(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function multiByteCodec(name: string, label: string): CharsetCodec {
  const decode = name === "HZ-GB-2312" ? decodeHz : (bytes: Uint8Array): string | undefined => decodeMultiByte(label, bytes);
  let sequences: ReadonlyMap<string, readonly number[]> | undefined;
  return {
    name,
    decode,
    encode(text) {
      sequences ??= byteSequences(label);
      if (name === "HZ-GB-2312") return encodeHz(text, sequences);
      if (name === "ISO-2022-JP") return encodeIso2022Jp(text);
      const bytes: number[] = [];
      for (const character of text) {
        const sequence = sequences.get(character) ?? (label === "gb18030" ? gb18030Supplementary(character) : undefined);
        if (sequence === undefined) return undefined;
        bytes.push(...sequence);
      }
      return Uint8Array.from(bytes);
    },
  };
}

function decodeMultiByte(label: string, bytes: Uint8Array): string | undefined {
  const text = decodeWith(label, bytes);
  // Node decodes some invalid bytes of EUC-JP to control characters.
  return text !== undefined && label === "euc-jp" && /[\u0080-\u009f]/.test(text) ? undefined : text;
}

/** The encoding of every character with one, two or three bytes. Computed by decoding all byte sequences. */
function byteSequences(label: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  const sequences = new Map<string, readonly number[]>();
  const attempt = (sequence: readonly number[]): void => {
    try {
      const text = decoder.decode(Uint8Array.from(sequence));
      if (Array.from(text).length === 1 && !sequences.has(text)) sequences.set(text, sequence);
    } catch {
      // The sequence is invalid.
    }
  };
  // Decoders of GB 18030 also accept a byte that encoders do not write.
  const singleBytes = label === "gb18030" ? 0x80 : 0x100;
  for (let byte = 0; byte < singleBytes; byte++) attempt([byte]);
  for (let first = 0x81; first < 0xff; first++) for (let second = 0x30; second < 0xff; second++) attempt([first, second]);
  if (label === "euc-jp") {
    for (let second = 0xa1; second < 0xff; second++) for (let third = 0xa1; third < 0xff; third++) attempt([0x8f, second, third]);
  }
  if (label === "euc-kr") for (const [character, sequence] of Object.entries(missingInEucKr)) sequences.set(character, sequence);
  if (label === "gb18030") addFourByteSequences(decoder, sequences);
  return sequences;
}

/** Characters of the WHATWG index that Node's decoder lacks. */
const missingInEucKr: Readonly<Record<string, readonly number[]>> = { "€": [0xa2, 0xe6], "®": [0xa2, 0xe7] };

/** Number of four-byte sequences that precede the characters beyond U+FFFF. */
const fourByteCount = 39_420;

/** The four-byte sequence with an index. @see GB 18030, four-byte region */
function gb18030Bytes(pointer: number): readonly number[] {
  return [
    0x81 + Math.floor(pointer / 12_600),
    0x30 + (Math.floor(pointer / 1260) % 10),
    0x81 + (Math.floor(pointer / 10) % 126),
    0x30 + (pointer % 10),
  ];
}

/** Adds the four-byte sequences of the characters up to U+FFFF that have no shorter sequence. */
function addFourByteSequences(decoder: TextDecoder, sequences: Map<string, readonly number[]>): void {
  const fourBytes = Array.from({ length: fourByteCount }, (_, pointer) => gb18030Bytes(pointer));
  const text = Array.from(decoder.decode(Uint8Array.from(fourBytes.flat())));
  for (const [pointer, character] of text.entries()) if (!sequences.has(character)) sequences.set(character, fourBytes[pointer]!);
}

const firstSupplementaryPointer = 189_000;

/** Encodes a character beyond U+FFFF by the formula for them. @see GB 18030, four-byte region */
function gb18030Supplementary(character: string): readonly number[] | undefined {
  const code = character.codePointAt(0)!;
  return code < 0x1_0000 ? undefined : gb18030Bytes(firstSupplementaryPointer + code - 0x1_0000);
}

/** @see RFC 1843 */
function encodeHz(text: string, sequences: ReadonlyMap<string, readonly number[]>): Uint8Array | undefined {
  const bytes: number[] = [];
  let isChinese = false;
  for (const character of text) {
    const sequence = sequences.get(character);
    if (sequence === undefined) return undefined;
    if (sequence.length === 1) {
      if (isChinese) bytes.push(0x7e, 0x7d);
      isChinese = false;
      bytes.push(...(character === "~" ? [0x7e, 0x7e] : sequence));
      continue;
    }
    if (sequence.some((byte) => byte < 0xa1)) return undefined;
    if (!isChinese) bytes.push(0x7e, 0x7b);
    isChinese = true;
    bytes.push(...sequence.map((byte) => byte - 0x80));
  }
  return Uint8Array.from(isChinese ? [...bytes, 0x7e, 0x7d] : bytes);
}

function decodeHz(bytes: Uint8Array): string | undefined {
  let text = "";
  let isChinese = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    if (byte >= 0x80) return undefined;
    if (byte === 0x7e) {
      const next = bytes[++index];
      if (next === 0x7b) isChinese = true;
      else if (next === 0x7d) isChinese = false;
      else if (next === 0x7e) text += "~";
      else if (next !== 0x0a) return undefined;
    } else if (isChinese) {
      const second = bytes[++index];
      const character = second === undefined ? undefined : decodeWith("gbk", Uint8Array.from([byte + 0x80, second + 0x80]));
      if (character === undefined) return undefined;
      text += character;
    } else text += String.fromCharCode(byte);
  }
  return text;
}

/** @see RFC 1468; the rows of JIS X 0208 are those of EUC-JP without the high bits. */
function encodeIso2022Jp(text: string): Uint8Array | undefined {
  const eucJp = charsetCodec("EUC-JP")!;
  const bytes: number[] = [];
  let mode = 0;
  const enter = (wanted: number, escape: readonly number[]): void => {
    if (mode !== wanted) bytes.push(...escape);
    mode = wanted;
  };
  for (const character of text) {
    const sequence = eucJp.encode(character);
    if (sequence === undefined || sequence[0] === 0x8f) return undefined;
    if (sequence.length === 1) {
      enter(0, [0x1b, 0x28, 0x42]);
      bytes.push(sequence[0]!);
    } else if (sequence[0] === 0x8e) {
      enter(1, [0x1b, 0x28, 0x49]);
      bytes.push(sequence[1]! - 0x80);
    } else {
      enter(2, [0x1b, 0x24, 0x42]);
      bytes.push(sequence[0]! - 0x80, sequence[1]! - 0x80);
    }
  }
  enter(0, [0x1b, 0x28, 0x42]);
  return Uint8Array.from(bytes);
}
