// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "./normalize.ts";

/** What follows one of these never joins it to a single character. */
const endsCluster = new Set("-_:;/\\,.(){}[]|?!~ \t@#$%^&*+\"'");

const segmenter: Intl.Segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * The part of a prefix that stays the same whatever text follows: what could still combine with the next character is cut off.
 *
 * @see go-cty ctystrings.SafeKnownPrefix
 */
export function safeKnownPrefix(prefix: string): string {
  const normal = normalizeString(prefix);
  if (normal === "" || endsCluster.has(normal.at(-1)!)) return normal;
  return normal.slice(0, [...segmenter.segment(normal)].at(-1)!.index);
}
