// SPDX-License-Identifier: Apache-2.0

/** The error of malformed Base64 text. */
export interface InvalidBase64 {
  /** The offset of the invalid byte, as Go reports it. */
  readonly offset: number;
}

/**
 * Decodes padded standard Base64 as strictly as Go's `base64.StdEncoding`. Line breaks are ignored. Other characters outside of the
 * alphabet, missing padding, and text after the padding are errors.
 *
 * @see go encoding/base64, StdEncoding.DecodeString
 */
export function decodeBase64(text: string): Uint8Array | InvalidBase64 {
  const compact = text.replaceAll(/[\r\n]/g, "");
  if (compact.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(compact)) return Buffer.from(compact, "base64");
  return { offset: errorOffset(Buffer.from(text)) };
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const padding = 0x3d;

/** Computes the offset that Go reports: Go reads groups of four characters, and reports the first invalid byte of a group. */
function errorOffset(source: Uint8Array): number {
  let position = 0;
  const next = (): number | undefined => {
    while (source[position] === newline || source[position] === carriageReturn) position++;
    return source[position++];
  };
  for (let length = 0; ; length = (length + 1) % 4) {
    const byte = next();
    // If the text ends within a group, Go reports the first character of the group.
    if (byte === undefined) return position - 1 - length;
    if (isDigit(byte)) continue;
    if (byte !== padding || length < 2) return position - 1;
    if (length === 2) {
      const second = next();
      if (second === undefined) return source.length;
      // Go reports the first of the two padding characters.
      if (second !== padding) return position - 2;
    }
    next();
    return position - 1;
  }
}

function isDigit(byte: number): boolean {
  return /[A-Za-z0-9+/]/.test(String.fromCharCode(byte));
}
