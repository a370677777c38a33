// SPDX-License-Identifier: Apache-2.0
import { CodePoints } from "./code-points.ts";
import { composites, nonStarter } from "./unicode-15.ts";

/** So many combining characters may follow one another; then "stream-safe" text has a joiner that combines with nothing. */
export const longestRun = 30;
const joiner = "\u034f";

const nonStarters = new CodePoints(nonStarter);

/** May the character combine with the one before it? */
export function isNonStarter(codePoint: number): boolean {
  return nonStarters.has(codePoint);
}

/**
 * Normal form C as Go has it where that is not Unicode's: in runs of more than 30 combining characters, which are broken by
 * U+034F, and where a vowel sign that is a starter itself stands among combining characters.
 *
 * Text is cut into segments, each a starter and what may combine with it. In a segment a character also combines with the
 * first starter if another starter and a character of a lower class stand between them; Unicode's own form forbids that.
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

/** How many combining characters a character begins and ends with; those of its compatibility form count, as in Go's tables. */
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

/** Is the first character's combining class the higher one? Then canonical order puts it second. */
function isAfter(one: string, other: string): boolean {
  return (one + other).normalize("NFD") !== one + other;
}

/** Characters of the lowest and the highest combining class: every other with a class changes places with one of them. */
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
    // From the first Korean letter on, only those combine in a segment.
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

/** The one character that two are; undefined if they are one only after they were put into canonical order. */
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

/** May a character be the second of two that become one? */
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
