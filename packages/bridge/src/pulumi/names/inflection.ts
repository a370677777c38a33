// SPDX-License-Identifier: Apache-2.0

/** Rules for the plural of an English noun, most specific first. */
const plurals: readonly (readonly [RegExp, string])[] = [
  [/(equipment|information|rice|money|species|series|fish|sheep|police|metadata)$/i, "$1"],
  [/(quiz)$/i, "$1zes"],
  [/^(ox)$/i, "$1en"],
  [/([m|l])ouse$/i, "$1ice"],
  [/(matr|vert|ind)(?:ix|ex)$/i, "$1ices"],
  [/(x|ch|ss|sh)$/i, "$1es"],
  [/([^aeiouy]|qu)y$/i, "$1ies"],
  [/(hive)$/i, "$1s"],
  [/(?:([^f])fe|([lr])f)$/i, "$1$2ves"],
  [/sis$/i, "ses"],
  [/([ti])um$/i, "$1a"],
  [/(buffal|tomat)o$/i, "$1oes"],
  [/(bu)s$/i, "$1ses"],
  [/(alias|status)$/i, "$1es"],
  [/(octop|vir)us$/i, "$1i"],
  [/(ax|test)is$/i, "$1es"],
  [/s$/i, "s"],
  [/$/, "s"],
];

/** Rules for the singular of an English noun, most specific first. */
const singulars: readonly (readonly [RegExp, string])[] = [
  [/(equipment|information|rice|money|species|series|fish|sheep|police|metadata)$/i, "$1"],
  [/(ss)$/i, "$1"],
  [/(n)ews$/i, "$1ews"],
  [/([ti])a$/i, "$1um"],
  [/(^analy|(b|d)ia|(b|p)arenthe|progno|synop|the|ba|diagno|empha)(?:sis|ses)$/i, "$1sis"],
  [/([^f])ves$/i, "$1fe"],
  [/(hive)s$/i, "$1"],
  [/(tive)s$/i, "$1"],
  [/([lr])ves$/i, "$1f"],
  [/([^aeiouy]|qu)ies$/i, "$1y"],
  [/(x|ch|ss|sh)es$/i, "$1"],
  [/(bus|alias|status)(?:es)?$/i, "$1"],
  [/(o)es$/i, "$1"],
  [/(vert|ind)ices$/i, "$1ex"],
  [/(matr)ices$/i, "$1ix"],
  [/s$/i, ""],
];

/** Returns the plural of an English noun. */
export function pluralOf(word: string): string {
  return inflected(word, plurals);
}

/** Returns the singular of an English noun. */
export function singularOf(word: string): string {
  return inflected(word, singulars);
}

function inflected(word: string, rules: readonly (readonly [RegExp, string])[]): string {
  const rule = rules.find(([pattern]) => pattern.test(word));
  return rule === undefined ? word : word.replace(rule[0], rule[1]);
}
