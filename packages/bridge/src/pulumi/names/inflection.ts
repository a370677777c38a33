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
  /** Matches a word whose last part is irregular; parts are separated by anything but letters, digits and underscores. */
  readonly irregularEnd: RegExp;
  /** Words that were inflected before: schemas repeat names. */
  readonly known: Map<string, string>;
}

function inflection(rules: InflectionRules): Inflection {
  const words = [...rules.irregular.keys()].join("|");
  return { ...rules, irregularEnd: new RegExp(`^(.*)\\b(${words})$`, "i"), known: new Map() };
}

const plurals = inflection(pluralRules);
const singulars = inflection(singularRules);

/** Maximum number of remembered words, so that a long-lived process stays small. */
const knownLimit = 50_000;

function inflected(word: string, rules: Inflection): string {
  const known = rules.known.get(word);
  if (known !== undefined) return known;
  if (rules.known.size >= knownLimit) rules.known.clear();
  const result = inflectedAnew(word, rules);
  rules.known.set(word, result);
  return result;
}

function inflectedAnew(word: string, { irregular, irregularEnd, unchanged, endings }: Inflection): string {
  const [, start, end] = irregularEnd.exec(word) ?? [];
  // The first letter is that of the whole text, and not of the irregular word: so does the library.
  if (end !== undefined) return `${start}${word[0]}${irregular.get(end.toLowerCase())!.slice(1)}`;
  if (unchanged.test(word)) return word;
  // A search ignores the position that a global pattern remembers.
  const rule = endings.find(({ pattern }) => word.search(pattern) >= 0);
  return rule === undefined ? word : word.replace(rule.pattern, rule.replacement);
}
