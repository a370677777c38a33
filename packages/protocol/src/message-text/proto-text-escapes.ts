// SPDX-License-Identifier: Apache-2.0

const controls: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };

/**
 * Bytes of a string in protobuf's text format, without its quotes.
 *
 * @throws SyntaxError for a malformed escape.
 */
export function unescapedBytes(text: string): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let at = text.indexOf("\\"); at >= 0; at = text.indexOf("\\", from)) {
    if (at > from) parts.push(Buffer.from(text.slice(from, at)));
    const [bytes, length] = escapeAt(text, at + 1);
    parts.push(bytes);
    from = at + 1 + length;
  }
  parts.push(Buffer.from(text.slice(from)));
  return Buffer.concat(parts);
}

/** Bytes of the escape after a backslash, and its number of characters. */
function escapeAt(text: string, at: number): readonly [bytes: Uint8Array, length: number] {
  const letter = text[at] ?? "";
  const control = controls[letter];
  if (control !== undefined) return [Uint8Array.of(control), 1];
  const octal = /^[0-7]{1,3}/.exec(text.slice(at, at + 3));
  if (octal) return [Uint8Array.of(Number.parseInt(octal[0], 8) & 0xff), octal[0].length];
  const hexadecimal = /^(?:[xX]([\dA-Fa-f]{1,2})|u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8}))/.exec(text.slice(at, at + 9));
  if (hexadecimal) {
    const [all, byte, ...characters] = hexadecimal;
    const code = Number.parseInt(byte ?? characters.find((digits) => digits !== undefined) ?? "", 16);
    if (code <= 0x10ffff) return [byte === undefined ? Buffer.from(String.fromCodePoint(code)) : Uint8Array.of(code), all.length];
  }
  if (/^[?'"\\]/.test(letter)) return [Buffer.from(letter), 1];
  throw new SyntaxError(`the string has the malformed escape \\${letter}`);
}
