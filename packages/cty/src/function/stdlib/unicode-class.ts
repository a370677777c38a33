// SPDX-License-Identifier: Apache-2.0
import { isNewer } from "../../ctystrings/normalize.ts";

/** Scripts of Unicode 15.0 that Go finds by their names. It looks them up without underscores, and so finds none that has one. */
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
 * The characters that `\p{name}` stands for in Unicode 15.0, as they can stand in brackets in a pattern; undefined for a name
 * that Go does not know. Engines follow newer versions of the standard.
 *
 * @param foldsCase adds the letters that are the same but for their case.
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

/** Characters that were put into another category since, with neighbours that are now what they were. */
const standIns: ReadonlyMap<number, number> = new Map([
  [0x295, 0x296],
  [0x1171e, 0x1171d],
]);
/** Letters whose other case is newer than Unicode 15.0. */
const withoutOtherCase: ReadonlySet<number> = new Set([0x19b, 0x264]);

function rangesOf(property: string, foldsCase: boolean): string {
  const exact = new RegExp(`^\\p{${property}}$`, "u");
  const folded = foldsCase ? new RegExp(exact.source, "iu") : exact;
  // What is newer was not assigned then.
  const newer = /^(?:gc=(?:C|Cn|Other|Unassigned)|Any)$/.test(property);
  const has = (codePoint: number): boolean => {
    if (isNewer(codePoint)) return newer;
    return (withoutOtherCase.has(codePoint) ? exact : folded).test(String.fromCodePoint(standIns.get(codePoint) ?? codePoint));
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
