// SPDX-License-Identifier: Apache-2.0

/** Sequences that move a terminal's cursor, colour its text or name its window (ECMA-48): CSI, OSC, and those of two characters. */
const escapeSequence = new RegExp(String.raw`\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[0-~])`, "g");

/** All control characters except tab and line feed. */
const controlCharacter = new RegExp(String.raw`[\x00-\x08\x0b-\x1f\x7f-\x9f]`, "g");

/** Makes a peer's text safe for a terminal: escape sequences are removed, other control characters become U+FFFD. */
export function withoutControlCharacters(text: string): string {
  return text.replaceAll(escapeSequence, "").replaceAll("\r\n", "\n").replaceAll(controlCharacter, "\u{FFFD}");
}
