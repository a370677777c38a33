// SPDX-License-Identifier: Apache-2.0
import { type InflectionRules, pluralRules, singularRules } from "./inflection-rules.ts";

/**
 * Returns the plural of an English noun in snake case or camel case, with the results of Pulumi's own bridge.
 *
 * @see github.com/pulumi/inflector v0.2.1, Pluralize
 */
export function pluralOf(word: string): string {
  return inflected(word, plurals);
}

/**
 * Returns the singular of an English noun in snake case or camel case, with the results of Pulumi's own bridge.
 *
 * @see github.com/pulumi/inflector v0.2.1, Singularize
 */
export function singularOf(word: string): string {
  return inflected(word, singulars);
}

interface Inflection extends InflectionRules {
  /** Matches a word whose last part is irregular. Any characters but letters, digits and underscores separate parts. */
  readonly irregularEnd: RegExp;
  /** Cached results, because schemas repeat names. */
  readonly cache: Map<string, string>;
}

function inflection(rules: InflectionRules): Inflection {
  const words = [...rules.irregular.keys()].join("|");
  return { ...rules, irregularEnd: new RegExp(`^(.*)\\b(${words})$`, "i"), cache: new Map() };
}

const plurals = inflection(pluralRules);
const singulars = inflection(singularRules);

/** Maximum number of cached words, which limits the memory of a long-lived process. */
const maxCachedWords = 50_000;

function inflected(word: string, rules: Inflection): string {
  const cached = rules.cache.get(word);
  if (cached !== undefined) return cached;
  if (rules.cache.size >= maxCachedWords) rules.cache.clear();
  const result = inflect(word, rules);
  rules.cache.set(word, result);
  return result;
}

function inflect(word: string, { irregular, irregularEnd, unchanged, endings }: Inflection): string {
  const [, start, end] = irregularEnd.exec(word) ?? [];
  // As in the library, the first letter is that of the whole text instead of the irregular word.
  if (end !== undefined) return `${start}${word[0]}${irregular.get(end.toLowerCase())!.slice(1)}`;
  if (unchanged.test(word)) return word;
  // Unlike `test`, `search` ignores the last position of a global pattern.
  const rule = endings.find(({ pattern }) => word.search(pattern) >= 0);
  return rule === undefined ? word : word.replace(rule.pattern, rule.replacement);
}
