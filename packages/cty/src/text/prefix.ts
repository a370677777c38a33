// SPDX-License-Identifier: Apache-2.0
import { CodePoints } from "./code-points.ts";
import { graphemes } from "./graphemes.ts";
import { normalizeString } from "./normalize.ts";
import { longestRun, nonStartersOf } from "./stream-safe.ts";
import { combinesForward } from "./unicode-15.ts";

/** Characters that never form a grapheme cluster with the next character. */
const delimiters = new Set("-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'");

const forward = new CodePoints(combinesForward);

/**
 * Returns the part of a prefix that no following text can change. Characters that could combine with the next one are removed.
 *
 * @see go-cty ctystrings.SafeKnownPrefix
 */
export function safeKnownPrefix(prefix: string): string {
  const normal = normalizeString(prefix);
  const boundary = lastBoundary(normal);
  if (boundary !== undefined && boundary !== normal.length) return normal.slice(0, boundary);
  const clusters = graphemes(normal);
  // Go's scanner waits for more text at a line break, so it ignores everything after one.
  const lineBreak = clusters.findIndex((cluster) => cluster === "\r" || cluster === "\n");
  if (lineBreak >= 0) return clusters.slice(0, lineBreak).join("");
  return delimiters.has(clusters.at(-1) ?? "") ? normal : clusters.slice(0, -1).join("");
}

/** Like {@link safeKnownPrefix}, for text in normal form C that was cut inside a character. */
export function safePartOfCut(text: string): string {
  return text.slice(0, lastBoundary(text) ?? 0);
}

/**
 * Returns the last position in text in normal form C across which no characters can combine; undefined if there is none.
 *
 * @see golang.org/x/text/unicode/norm Form.LastBoundary
 */
function lastBoundary(text: string): number | undefined {
  const characters = [...text];
  let at = text.length;
  let run = 0;
  while (characters.length > 0) {
    const character = characters.pop()!;
    const [leading, trailing] = nonStartersOf(character);
    const isLast = at === text.length;
    if (isLast && leading === 0 && trailing === 0 && !mayCombineForward(character.codePointAt(0)!)) return at;
    run += trailing;
    if (run > longestRun) return at;
    at -= character.length;
    if (leading === 0) return at;
  }
  return undefined;
}

function mayCombineForward(codePoint: number): boolean {
  return (codePoint >= 0xac00 && codePoint <= 0xd7a3) || forward.has(codePoint);
}
