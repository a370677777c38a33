// SPDX-License-Identifier: Apache-2.0
// The rules of github.com/pulumi/inflector v0.2.1: the words and endings that it changes.

/** Pattern of an ending, and the text that replaces it. */
export interface EndingRule {
  readonly pattern: RegExp;
  readonly replacement: string;
}

/** Rules for one direction: to the plural or to the singular. */
export interface InflectionRules {
  /** Irregular words, and their forms. */
  readonly irregular: ReadonlyMap<string, string>;
  /** Words that do not change. */
  readonly unchanged: RegExp;
  /** Endings, most specific first. */
  readonly endings: readonly EndingRule[];
}

const unchangedWords =
  "Amoyese bison Borghese bream breeches britches buffalo cantus carp chassis clippers cod coitus Congoese contretemps corps debris " +
  "diabetes djinn eland elk equipment Faroese flounder Foochowese gallows Genevese Genoese Gilbertese graffiti headquarters herpes " +
  "hijinks Hottentotese information innings jackanapes Kiplingese Kongoese Lucchese mackerel Maltese .*?media mews moose mumps " +
  "Nankingese news nexus Niasese Pekingese Piedmontese pincers Pistoiese pliers Portuguese proceedings rabies rice rhinoceros salmon " +
  "Sarawakese scissors sea[-\\x20]bass series Shavese shears siemens species swine testes trousers trout tuna Vermontese Wenchowese " +
  "whiting wildebeest Yengeese .*[nrlm]ese .*deer .*fish .*measles .*ois .*pox .*sheep";

function unchangedWith(more: string): RegExp {
  return new RegExp(`^(?:${[...unchangedWords.split(" "), more].join("|")})$`, "i");
}

/** Singular and plural of words that are irregular in both directions. */
const irregularPairs =
  "atlas atlases, beef beefs, brother brothers, cafe cafes, child children, cookie cookies, corpus corpuses, cow cows, " +
  "ganglion ganglions, genie genies, genus genera, graffito graffiti, hoof hoofs, loaf loaves, man men, money monies, " +
  "mongoose mongooses, move moves, mythos mythoi, niche niches, numen numina, occiput occiputs, octopus octopuses, opus opuses, " +
  "ox oxen, penis penises, person people, sex sexes, soliloquy soliloquies, testis testes, trilby trilbys, turf turfs, " +
  "potato potatoes, hero heroes, tooth teeth, goose geese, foot feet";

/** Singular and plural of words whose plural is regular, but whose singular does not follow the endings. */
const singularPairs = "foe foes, wave waves, curve curves, cache caches";

function pairs(text: string): (readonly [singular: string, plural: string])[] {
  return text.split(", ").map((pair) => pair.split(" ") as [string, string]);
}

function endings(...rules: (readonly [pattern: RegExp, replacement: string])[]): readonly EndingRule[] {
  return rules.map(([pattern, replacement]) => ({ pattern, replacement }));
}

/** Rules for plurals. */
export const pluralRules: InflectionRules = {
  irregular: new Map(pairs(irregularPairs)),
  unchanged: unchangedWith("people"),
  endings: endings(
    [/(s)tatus$/i, "$1tatuses"],
    [/(quiz)$/i, "$1zes"],
    [/^(ox)$/i, "$1en"],
    [/([m|l])ouse$/i, "$1ice"],
    [/(matr|vert|ind)(ix|ex)$/i, "$1ices"],
    [/(x|ch|ss|sh)$/i, "$1es"],
    [/([^aeiouy]|qu)y$/i, "$1ies"],
    // The library removes this ending, because its replacement refers to a group that does not exist.
    [/(hive)$/i, ""],
    [/(?:([^f])fe|([lre])f)$/i, "$1$2ves"],
    [/sis$/i, "ses"],
    [/([ti])um$/i, "$1a"],
    [/(p)erson$/i, "$1eople"],
    [/(m)an$/i, "$1en"],
    [/(c)hild$/i, "$1hildren"],
    [/(buffal|tomat)o$/i, "$1oes"],
    [/(alumn|bacill|cact|foc|fung|nucle|radi|stimul|syllab|termin|vir)us$/i, "$1i"],
    [/us$/i, "uses"],
    [/(alias)$/i, "$1es"],
    [/(ax|cris|test)is$/i, "$1es"],
    [/s$/, "s"],
    [/^$/, ""],
    [/$/, "s"],
  ),
};

/** Rules for singulars. */
export const singularRules: InflectionRules = {
  irregular: new Map([...pairs(singularPairs), ...pairs(irregularPairs)].map(([singular, plural]) => [plural, singular])),
  unchanged: unchangedWith(".*ss"),
  endings: endings(
    [/(s)tatuses$/i, "$1tatus"],
    [/^(.*)(menu)s$/i, "$1$2"],
    [/(quiz)zes$/i, "$1"],
    [/(matr)ices$/i, "$1ix"],
    [/(vert|ind)ices$/i, "$1ex"],
    [/^(ox)en/i, "$1"],
    [/(alias)(es)*$/i, "$1"],
    [/(alumn|bacill|cact|foc|fung|nucle|radi|stimul|syllab|termin|viri?)i$/i, "$1us"],
    [/([ftw]ax)es/gi, "$1"],
    [/(cris|ax|test)es$/i, "$1is"],
    [/(shoe|slave)s$/i, "$1"],
    [/(o)es$/i, "$1"],
    [/ouses$/, "ouse"],
    [/([^a])uses$/, "$1us"],
    [/([m|l])ice$/i, "$1ouse"],
    [/(cache)s$/i, "$1"],
    [/(x|ch|ss|sh)es$/i, "$1"],
    [/(m)ovies$/i, "$1ovie"],
    [/(s)eries$/i, "$1eries"],
    [/([^aeiouy]|qu)ies$/i, "$1y"],
    [/(tive)s$/i, "$1"],
    [/([lre])ves$/i, "$1f"],
    [/([^fo])ves$/i, "$1fe"],
    [/(hive)s$/i, "$1"],
    [/(drive)s$/i, "$1"],
    [/(^analy)ses$/i, "$1sis"],
    [/(analy|diagno|^ba|parenthe|progno|synop|the)ses$/i, "$1sis"],
    [/([ti])a$/i, "$1um"],
    [/(p)eople$/i, "$1erson"],
    [/(m)en$/i, "$1an"],
    [/(c)hildren$/i, "$1hild"],
    [/(n)ews$/i, "$1ews"],
    [/eaus$/, "eau"],
    [/^(.*us)$/, "$1"],
    [/s$/i, ""],
  ),
};
