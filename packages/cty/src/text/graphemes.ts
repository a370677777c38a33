// SPDX-License-Identifier: Apache-2.0
import { CodePoints } from "./code-points.ts";
import { control, extend, leadingJamo, pictograph, prepend, trailingJamo, vowelJamo } from "./unicode-15.ts";

type Break =
  | "cr"
  | "lf"
  | "control"
  | "extend"
  | "joiner"
  | "prepend"
  | "regional"
  | "L"
  | "V"
  | "T"
  | "LV"
  | "LVT"
  | "pictograph"
  | "other";

const tables: readonly (readonly [Break, CodePoints])[] = Object.entries({
  extend,
  pictograph,
  control,
  prepend,
  L: leadingJamo,
  V: vowelJamo,
  T: trailingJamo,
}).map(([kind, table]) => [kind as Break, new CodePoints(table)]);

const firstSyllable = 0xac00;
const lastSyllable = 0xd7a3;
const trailingJamos = 28;

function breakOf(codePoint: number): Break {
  if (codePoint === 0x0d) return "cr";
  if (codePoint === 0x0a) return "lf";
  if (codePoint >= 0x20 && codePoint < 0x7f) return "other";
  if (codePoint === 0x200d) return "joiner";
  if (codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff) return "regional";
  if (codePoint >= firstSyllable && codePoint <= lastSyllable) return (codePoint - firstSyllable) % trailingJamos === 0 ? "LV" : "LVT";
  return tables.find(([, table]) => table.has(codePoint))?.[0] ?? "other";
}

/** The Hangul syllable types that may follow each type within a syllable. */
const syllable: Partial<Record<Break, readonly Break[]>> = {
  L: ["L", "V", "LV", "LVT"],
  LV: ["V", "T"],
  V: ["V", "T"],
  LVT: ["T"],
  T: ["T"],
};

/** Characters that a zero-width joiner joins to a pictograph. The standard has pictographs; go-textseg also has Hangul and regional indicators. */
function takesPictograph(kind: Break): boolean {
  return kind === "pictograph" || kind === "regional" || kind in syllable;
}

function standsAlone(kind: Break): boolean {
  return kind === "cr" || kind === "lf" || kind === "control";
}

/**
 * Returns the end of each grapheme cluster, by the rules of Unicode 15.0 (UAX #29, extended grapheme clusters). Newer versions of the
 * standard, and of Node.js, join more characters. go-cty uses the version of the Go toolchain it is built with.
 *
 * @see go-textseg v15 ScanGraphemeClusters
 */
export function graphemeEnds(text: string): number[] {
  const ends: number[] = [];
  let before: Break | undefined;
  let regionals = 0;
  let mayJoinPictograph = false;
  let at = 0;
  for (const character of text) {
    const kind = breakOf(character.codePointAt(0)!);
    if (before !== undefined && !joins(before, kind, regionals, mayJoinPictograph)) {
      ends.push(at);
      regionals = 0;
      mayJoinPictograph = false;
    }
    regionals = kind === "regional" ? regionals + 1 : 0;
    mayJoinPictograph = takesPictograph(kind) || (mayJoinPictograph && (kind === "extend" || kind === "joiner"));
    before = kind;
    at += character.length;
  }
  if (at > 0) ends.push(at);
  return ends;
}

function joins(before: Break, kind: Break, regionals: number, mayJoinPictograph: boolean): boolean {
  if (before === "cr") return kind === "lf";
  if (standsAlone(before) || standsAlone(kind)) return false;
  if (kind === "extend" || kind === "joiner" || before === "prepend") return true;
  if (kind === "pictograph") return before === "joiner" && mayJoinPictograph;
  if (kind === "regional") return before === "regional" && regionals % 2 === 1;
  return syllable[before]?.includes(kind) ?? false;
}

/** Returns the grapheme clusters of a text, which `strlen` counts and `substr` selects. */
export function graphemes(text: string): string[] {
  let start = 0;
  return graphemeEnds(text).map((end) => text.slice(start, (start = end)));
}
