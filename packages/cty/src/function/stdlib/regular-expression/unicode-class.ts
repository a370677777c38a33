// SPDX-License-Identifier: Apache-2.0
import { isNewer } from "../../../text/normalize.ts";

/** Scripts of Unicode 15.0 that Go finds by name. Go removes underscores before the lookup, and so finds no script whose name has one. */
const scripts =
  "Adlam Ahom Arabic Armenian Avestan Balinese Bamum Batak Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Carian " +
  "Chakma Cham Cherokee Chorasmian Common Coptic Cuneiform Cypriot Cyrillic Deseret Devanagari Dogra Duployan Elbasan Elymaic " +
  "Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gurmukhi Han Hangul Hanunoo Hatran Hebrew Hiragana Inherited " +
  "Javanese Kaithi Kannada Katakana Kawi Kharoshthi Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Lisu Lycian Lydian Mahajani " +
  "Makasar Malayalam Mandaic Manichaean Marchen Medefaidrin Miao Modi Mongolian Mro Multani Myanmar Nabataean Nandinagari Newa " +
  "Nko Nushu Ogham Oriya Osage Osmanya Palmyrene Phoenician Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham Sinhala " +
  "Sogdian Soyombo Sundanese Syriac Tagalog Tagbanwa Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Toto " +
  "Ugaritic Vai Vithkuqi Wancho Yezidi Yi";

const categories =
  "C Cc Cf Cn Co Cs L LC Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs " +
  "Cased_Letter Close_Punctuation Combining_Mark Connector_Punctuation Control Currency_Symbol Dash_Punctuation Decimal_Number " +
  "Enclosing_Mark Final_Punctuation Format Initial_Punctuation Letter Letter_Number Line_Separator Lowercase_Letter Mark " +
  "Math_Symbol Modifier_Letter Modifier_Symbol Nonspacing_Mark Number Open_Punctuation Other Other_Letter Other_Number " +
  "Other_Punctuation Other_Symbol Paragraph_Separator Private_Use Punctuation Separator Space_Separator Spacing_Mark Surrogate " +
  "Symbol Titlecase_Letter Unassigned Uppercase_Letter cntrl digit punct";

const properties = new Map<string, string>([
  ...categories.split(" ").map((name) => [canonical(name), `gc=${name}`] as const),
  ...scripts.split(" ").map((name) => [name, `sc=${name}`] as const),
  ["Any", "Any"],
  ["Ascii", "ASCII"],
  ["Assigned", "Assigned"],
]);

/** @see go regexp/syntax canonicalName */
function canonical(name: string): string {
  const letters = name.replaceAll(/[_\- ]/g, "");
  return (
    letters.slice(0, 1).replace(/[a-z]/, (first) => first.toUpperCase()) +
    letters.slice(1).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  );
}

const classes = new Map<string, string>();

/**
 * The characters of `\p{name}` in Unicode 15.0, as ranges for a bracket of a pattern; undefined for a name that Go does not know.
 * JavaScript engines use newer versions of Unicode.
 *
 * @param foldsCase adds the letters that differ from a member only by case.
 * @see go regexp/syntax unicodeTable
 */
export function unicodeClass(name: string, foldsCase = false): string | undefined {
  const property = properties.get(canonical(name));
  if (property === undefined) return undefined;
  const key = foldsCase ? `${property} folded` : property;
  let text = classes.get(key);
  if (text === undefined) classes.set(key, (text = rangesOf(property, foldsCase)));
  return text;
}

const lastCodePoint = 0x10ffff;

/** Characters whose category changed after Unicode 15.0, each with a neighbour that has the old category now. */
const standIns: ReadonlyMap<number, number> = new Map([
  [0x295, 0x296],
  [0x1171e, 0x1171d],
]);
/** The code points of a class as {@link unicodeClass} writes it. */
function* rangesIn(text: string): Generator<readonly [first: number, last: number], void> {
  for (const [, first, last] of text.matchAll(/\\x\{(\w+)\}(?:-\\x\{(\w+)\})?/g))
    yield [Number.parseInt(first!, 16), Number.parseInt(last ?? first!, 16)];
}

/** All characters that are not in a class. */
export function complementOf(ranges: string): string {
  let next = 0;
  let text = "";
  for (const [first, last] of rangesIn(ranges)) {
    if (first > next) text += `\\x{${next.toString(16)}}-\\x{${(first - 1).toString(16)}}`;
    next = last + 1;
  }
  return next > lastCodePoint ? text : `${text}\\x{${next.toString(16)}}-\\x{${lastCodePoint.toString(16)}}`;
}

/** Whether the character's case mapping is newer than Unicode 15.0: the character, or its other case, is not in Unicode 15.0. */
export function hasNewCase(codePoint: number): boolean {
  if (codePoint < 0x180) return false;
  const character = String.fromCodePoint(codePoint);
  const others = [character.toUpperCase(), character.toLowerCase()].filter((other) => other !== character);
  return others.some((other) => isNewer(codePoint) || isNewer(other.codePointAt(0)!));
}

/** The end of the characters that have an upper and a lower case. */
const lastCased = 0x1efff;
let casedCharacters: readonly number[] | undefined;
let newlyCased: readonly number[] | undefined;

function cased(): readonly number[] {
  return (casedCharacters ??= Array.from({ length: lastCased }, (_, index) => index).filter((codePoint) => {
    const character = String.fromCodePoint(codePoint);
    return character.toUpperCase() !== character || character.toLowerCase() !== character;
  }));
}

/** Whether a class has a character whose case mapping is newer than Unicode 15.0. */
export function newCaseIn(ranges: string): boolean {
  const all = [...rangesIn(ranges)];
  if (all.every(([, last]) => last < 0x180)) return false;
  newlyCased ??= cased().filter(hasNewCase);
  return newlyCased.some((codePoint) => all.some(([first, last]) => first <= codePoint && codePoint <= last));
}

/** The characters that differ only by case from a character of the class. */
export function foldedIn(ranges: string): string {
  const old = cased().filter((codePoint) => !hasNewCase(codePoint));
  const all = [...rangesIn(ranges)];
  const members = old.filter((codePoint) => all.some(([first, last]) => first <= codePoint && codePoint <= last));
  const text = members.map((codePoint) => `\\u{${codePoint.toString(16)}}`).join("");
  const same = new RegExp(`[${text}]`, "iu");
  return old
    .filter((codePoint) => same.test(String.fromCodePoint(codePoint)))
    .map((codePoint) => `\\x{${codePoint.toString(16)}}`)
    .join("");
}

function rangesOf(property: string, foldsCase: boolean): string {
  const exact = new RegExp(`^\\p{${property}}$`, "u");
  const folded = foldsCase ? new RegExp(exact.source, "iu") : exact;
  // Characters newer than Unicode 15.0 were unassigned.
  const newer = /^(?:gc=(?:C|Cn|Other|Unassigned)|Any)$/.test(property);
  const has = (codePoint: number): boolean => {
    if (isNewer(codePoint)) return newer;
    return (foldsCase && hasNewCase(codePoint) ? exact : folded).test(String.fromCodePoint(standIns.get(codePoint) ?? codePoint));
  };
  let text = "";
  let start = -1;
  for (let codePoint = 0; codePoint <= lastCodePoint + 1; codePoint++) {
    const inside = codePoint <= lastCodePoint && has(codePoint);
    if (inside && start < 0) start = codePoint;
    if (!inside && start >= 0) {
      text += `\\x{${start.toString(16)}}-\\x{${(codePoint - 1).toString(16)}}`;
      start = -1;
    }
  }
  return text;
}
