// SPDX-License-Identifier: Apache-2.0

/** Maximum number of cached words of one conversion, which limits the memory of a long-lived process. */
const maxCachedWords = 50_000;

/** Caches the results of a conversion of words, because schemas repeat names. */
export function cachedWords<Result>(convert: (word: string) => Result): (word: string) => Result {
  const cache = new Map<string, Result>();
  return (word) => {
    const cached = cache.get(word);
    if (cached !== undefined) return cached;
    if (cache.size >= maxCachedWords) cache.clear();
    const result = convert(word);
    cache.set(word, result);
    return result;
  };
}
