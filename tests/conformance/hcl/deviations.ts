// SPDX-License-Identifier: Apache-2.0
import { deviations as ctyDeviations } from "../cty/deviations.ts";
import type { Answer, Case, Json } from "../cty/notation.ts";
import { isNearlySameReport } from "./report-text.ts";
import { sameAnswer, withoutGuesses, withoutWords } from "./same-answer.ts";
import type { OwnAnswer } from "./subject.ts";
import { syntaxDeviations } from "./syntax-deviations.ts";

/** A place where we do otherwise than the Go library, on purpose. */
interface Deviation {
  readonly name: string;
  /** What the Go library does, and why we do not. */
  readonly why: string;
  readonly covers: (asked: Case, theirs: Answer, ours: OwnAnswer) => boolean;
}

export const deviations: readonly Deviation[] = [
  {
    name: "no-place",
    why: "Some ranges of the Go library are at line 0: ends of calls that are never closed, places in what a dynamic block of unknown number makes, and in files that could not be read. Ours are where these are.",
    covers: ({ op }, theirs, ours) => alternatives(theirs).some((one) => sameButForPlaces(op, one, ours)),
  },
  {
    name: "panic-text",
    why: "Where one of go-cty's functions panics, which the modulo operator does for infinity, the text has a stack trace in it.",
    covers: ({ op }, theirs, ours) =>
      alternatives(theirs).some(
        (one) =>
          /panic(?: |\\n)in(?: |\\n)function/.test(JSON.stringify(one)) && sameAnswer(op, withoutTrace(op, one), withoutTrace(op, ours)),
      ),
  },
  {
    name: "cut-character",
    why: "Places in JSON strings with escapes before them can be within a character. The Go library's text is no UTF-8 then; ours marks the whole character.",
    covers: ({ op }, theirs, ours) => {
      if (op !== "diagnostics.text" || !("ok" in theirs) || !("ok" in ours)) return false;
      return (theirs.ok as string).includes("\ufffd") && isNearlySameReport(theirs.ok as string, ours.ok as string);
    },
  },
  {
    name: "nfc-low-bits",
    why: "Go's normal form takes some characters beyond U+FFFF for others: see the deviation of this name in ../cty/deviations.ts.",
    covers: (asked, theirs, ours) =>
      "ok" in ours && farPairs.covers(asked, theirs, { ok: null }) && sameButForTexts(alternatives(theirs), ours),
  },
  ...syntaxDeviations,
];

const farPairs = ctyDeviations.find(({ name }) => name === "nfc-low-bits")!;

/** Are the answers alike where no character is beyond ASCII? */
function sameButForTexts(theirs: readonly Answer[], ours: OwnAnswer): boolean {
  const plain = (answer: Answer | OwnAnswer): string =>
    JSON.stringify(answer)
      .replace(/[^ -~]/g, "")
      .replace(/\[\d+,\d+,\d+\]/g, "");
  return theirs.some((one) => plain(one) === plain(ours));
}

/** Of a report, only what comes before it: where the line is broken, and all that follows, is another matter then. */
function withoutTrace<A extends Answer | OwnAnswer>(op: string, answer: A): A {
  if (op !== "diagnostics.text") return withoutWords(answer);
  return "ok" in answer
    ? { ...answer, ok: (answer.ok as string).replace(/^(?:Call to function|Error during operation|Invalid\svalue)[^]*/m, "") }
    : answer;
}

function alternatives(answer: Answer): readonly Answer[] {
  return "varies" in answer ? answer.varies : [answer];
}

/** Leaves the places that the Go library has at line 0 out of both answers. */
function sameButForPlaces(op: string, theirs: Answer, ours: OwnAnswer): boolean {
  if (!("ok" in theirs) || !("ok" in ours) || !JSON.stringify(theirs).includes("[0,0,0]")) return false;
  const prepared = (json: Json): Json => withoutGuesses(JSON.parse(JSON.stringify(json).replace(/ \(at [^ ()]*\)/g, "")) as Json);
  const [their, own] = paired(prepared(theirs.ok), prepared(ours.ok));
  return sameAnswer(op, { ok: their }, { ok: own });
}

const places: ReadonlySet<string> = new Set(["subject", "context", "expression", "missing"]);

function paired(theirs: Json, ours: Json): readonly [Json, Json] {
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    // Diagnostics are put in the same order first: their places are what may differ.
    const [their, own] = [inOrder(without(theirs, ours)), inOrder(without(ours, theirs))];
    const pairs = their.map((one, index) => paired(one, own[index] ?? null));
    return [pairs.map(([one]) => one), [...pairs.map(([, one]) => one), ...own.slice(their.length)]];
  }
  if (typeof theirs !== "object" || typeof ours !== "object" || theirs === null || ours === null) return [theirs, ours];
  const [their, own] = [{ ...theirs } as Record<string, Json>, { ...ours } as Record<string, Json>];
  for (const name of Object.keys(their)) {
    if (places.has(name) && JSON.stringify(their[name]).endsWith("[0,0,0]]")) {
      delete their[name];
      delete own[name];
    } else if (name in own) {
      [their[name], own[name]] = paired(their[name]!, own[name]!);
    }
  }
  return [their, own];
}

/** Diagnostics but for those that the other side has too; of other lists, all. */
function without(list: readonly Json[], others: readonly Json[]): readonly Json[] {
  if (!list.every(isDiagnostic)) return list;
  const left = others.map((one) => JSON.stringify(one));
  return list.filter((one) => {
    const at = left.indexOf(JSON.stringify(one));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function isDiagnostic(one: Json): boolean {
  return typeof one === "object" && one !== null && "summary" in one;
}

function inOrder(list: readonly Json[]): readonly Json[] {
  const key = (one: Json): string => {
    const { summary, detail } = one as Readonly<Record<string, string>>;
    return `${summary} ${detail} ${JSON.stringify((one as Readonly<Record<string, Json>>)["subject"])?.slice(0, 12)}`;
  };
  return list.every(isDiagnostic) ? [...list].sort((a, b) => (key(a) < key(b) ? -1 : 1)) : list;
}

/** The deviation that explains a difference, if one does. */
export function deviationOf(asked: Case, theirs: Answer, ours: OwnAnswer): string | undefined {
  return deviations.find(({ covers }) => covers(asked, theirs, ours))?.name;
}
