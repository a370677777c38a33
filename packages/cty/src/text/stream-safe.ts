// SPDX-License-Identifier: Apache-2.0
import { CodePoints } from "./code-points.ts";
import { composites, nonStarter } from "./unicode-15.ts";

/** Maximum length of a run of combining characters in "stream-safe" text. A joiner is inserted into longer runs. */
export const longestRun = 30;
const joiner = "\u034f";

const nonStarters = new CodePoints(nonStarter);

/** Whether the character may combine with the one before it. */
export function isNonStarter(codePoint: number): boolean {
  return nonStarters.has(codePoint);
}

/**
 * Returns normal form C as in Go, where that differs from Unicode's: U+034F is inserted into runs of more than 30 combining characters,
 * and a vowel sign that is a starter may stand among combining characters.
 *
 * Text is split into segments of a starter and the characters that may combine with it. In a segment, a character combines with the
 * first starter even if another starter and a character of a lower class are between them, which Unicode's form forbids.
 *
 * @see golang.org/x/text/unicode/norm reorderBuffer.compose, streamSafe
 */
export function composeSegments(text: string): string {
  let composed = "";
  let segment: string[] = [];
  let run = 0;
  const end = (): void => {
    composed += compose(segment);
    segment = [];
  };
  for (const character of text) {
    const [leading, trailing] = nonStartersOf(character);
    run += leading;
    if (run > longestRun) {
      segment.push(joiner);
      end();
      run = leading;
    } else if (leading === 0) {
      end();
      run = trailing;
    }
    const parts = character.normalize("NFD");
    for (const part of parts) {
      if (part !== parts && segment.length > 0 && !isNonStarter(part.codePointAt(0)!)) end();
      insertOrdered(segment, part);
    }
  }
  end();
  return composed;
}

/** Returns the number of combining characters at the start and the end of a character's compatibility form, as in Go's tables. */
export function nonStartersOf(character: string): readonly [leading: number, trailing: number] {
  const parts = [...character.normalize("NFKD")].map((part) => isNonStarter(part.codePointAt(0)!));
  const first = parts.indexOf(false);
  const last = parts.lastIndexOf(false);
  return [first < 0 ? parts.length : first, parts.length - 1 - last];
}

function insertOrdered(segment: string[], part: string): void {
  let at = segment.length;
  if (hasClass(part)) while (at > 0 && isAfter(segment[at - 1]!, part)) at--;
  segment.splice(at, 0, part);
}

/** Whether the combining class of the first character is higher, so that canonical order puts it second. */
function isAfter(one: string, other: string): boolean {
  return (one + other).normalize("NFD") !== one + other;
}

/** Characters of the lowest and the highest combining class. Every other combining character changes places with one of them. */
const lowest = "\u0334";
const highest = "\u0345";

function hasClass(character: string): boolean {
  return isAfter(highest, character) || isAfter(character, lowest);
}

function compose(segment: string[]): string {
  let starter = 0;
  let length = 1;
  let isKorean = false;
  for (let index = 1; index < segment.length; index++) {
    const character = segment[index]!;
    // After the first Korean letter, only Korean letters combine in a segment.
    isKorean ||= isJamo(character);
    let combined: string | undefined;
    if (isKorean || combinesBackward(character)) {
      const before = segment[length - 1]!;
      if (!hasClass(before)) starter = length - 1;
      const isBlocked = starter !== length - 1 && !isAfter(character, before);
      const fits = !isKorean || (isJamo(character) && isHangul(segment[starter]!));
      if (fits && !isBlocked) combined = combine(segment[starter]!, character);
    }
    if (combined === undefined) segment[length++] = character;
    else segment[starter] = combined;
  }
  return segment.slice(0, length).join("");
}

/** Returns the composition of two characters; undefined if there is none without reordering. */
function combine(starter: string, character: string): string | undefined {
  const combined = (starter + character).normalize("NFC");
  if (combined.length > String.fromCodePoint(combined.codePointAt(0)!).length) return undefined;
  const [last, ...rest] = [...combined.normalize("NFD")].reverse();
  return last === character && rest.reverse().join("").normalize("NFC") === starter ? combined : undefined;
}

function isJamo(character: string): boolean {
  return character >= "\u1100" && character <= "\u11ff";
}

function isHangul(character: string): boolean {
  return isJamo(character) || (character >= "\uac00" && character <= "\ud7a3");
}

let seconds: ReadonlySet<string> | undefined;

/** Whether a character may be the second of two that compose to one. */
function combinesBackward(character: string): boolean {
  seconds ??= secondCharacters();
  return seconds.has(character);
}

function secondCharacters(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [from, to] of composites) {
    for (let codePoint = from; codePoint <= to; codePoint++) {
      const composite = String.fromCodePoint(codePoint);
      const parts = composite.normalize("NFD");
      if (parts !== composite && composite.normalize("NFC") === composite) found.add([...parts].at(-1)!);
    }
  }
  return found;
}
