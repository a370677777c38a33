// SPDX-License-Identifier: Apache-2.0
import { cachedWords } from "./cached-words.ts";
import { type InflectionRules, pluralRules, singularRules } from "./inflection-rules.ts";

/**
 * Returns the plural of an English noun in snake case or camel case, with the results of Pulumi's own bridge.
 *
 * @see github.com/pulumi/inflector v0.2.1, Pluralize
 */
export function pluralOf(word: string): string {
  return plural(word);
}

/**
 * Returns the singular of an English noun in snake case or camel case, with the results of Pulumi's own bridge.
 *
 * @see github.com/pulumi/inflector v0.2.1, Singularize
 */
export function singularOf(word: string): string {
  return singular(word);
}

interface Inflection extends InflectionRules {
  /** Matches a word whose last part is irregular. Any characters but letters, digits and underscores separate parts. */
  readonly irregularEnd: RegExp;
}

function inflection(rules: InflectionRules): Inflection {
  const words = [...rules.irregular.keys()].join("|");
  return { ...rules, irregularEnd: new RegExp(`^(.*)\\b(${words})$`, "i") };
}

const plurals = inflection(pluralRules);
const singulars = inflection(singularRules);
const plural = cachedWords((word) => inflect(word, plurals));
const singular = cachedWords((word) => inflect(word, singulars));

function inflect(word: string, { irregular, irregularEnd, unchanged, endings }: Inflection): string {
  const [, start, end] = irregularEnd.exec(word) ?? [];
  // As in the library, the first letter is that of the whole text instead of the irregular word.
  if (end !== undefined) return `${start}${word[0]}${irregular.get(end.toLowerCase())!.slice(1)}`;
  if (unchanged.test(word)) return word;
  // Unlike `test`, `search` ignores the last position of a global pattern.
  const rule = endings.find(({ pattern }) => word.search(pattern) >= 0);
  return rule === undefined ? word : word.replace(rule.pattern, rule.replacement);
}
