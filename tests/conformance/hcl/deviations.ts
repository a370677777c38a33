// SPDX-License-Identifier: Apache-2.0
import { deviations as ctyDeviations } from "../cty/deviations.ts";
import type { OracleResult, Case, Json } from "../cty/notation.ts";
import { isNearlySameReport } from "./report-text.ts";
import { sameResult, withoutGuesses, withoutWords } from "./same-result.ts";
import type { OwnResult } from "./subject.ts";
import { syntaxDeviations } from "./syntax-deviations.ts";

/** An intended difference from the Go library. */
interface Deviation {
  readonly name: string;
  /** What the Go library does, and why @tenon/hcl differs. */
  readonly why: string;
  readonly covers: (input: Case, theirs: OracleResult, ours: OwnResult) => boolean;
}

export const deviations: readonly Deviation[] = [
  {
    name: "no-place",
    why: "Some ranges of the Go library are at line 0: the end of an unclosed call, the content of a dynamic block with an unknown number of iterations, and a file that could not be read. Ours have the real position.",
    covers: ({ op }, theirs, ours) => alternatives(theirs).some((one) => sameButForPlaces(op, one, ours)),
  },
  {
    name: "panic-text",
    why: "If a function of go-cty panics, as modulo does for infinity, the error text contains a stack trace.",
    covers: ({ op }, theirs, ours) =>
      alternatives(theirs).some(
        (one) =>
          /panic(?: |\\n)in(?: |\\n)function/.test(JSON.stringify(one)) && sameResult(op, withoutTrace(op, one), withoutTrace(op, ours)),
      ),
  },
  {
    name: "cut-character",
    why: "A position in a JSON string after an escape sequence can fall inside a character. The Go library's text is invalid UTF-8 then; ours marks the whole character.",
    covers: ({ op }, theirs, ours) => {
      if (op !== "diagnostics.text" || !("ok" in theirs) || !("ok" in ours)) return false;
      return (theirs.ok as string).includes("\ufffd") && isNearlySameReport(theirs.ok as string, ours.ok as string);
    },
  },
  {
    name: "nfc-low-bits",
    why: "Go's NFC normalization confuses some characters above U+FFFF with others: see the deviation of this name in ../cty/deviations.ts.",
    covers: (input, theirs, ours) =>
      "ok" in ours && farPairs.covers(input, theirs, { ok: null }) && sameButForTexts(alternatives(theirs), ours),
  },
  ...syntaxDeviations,
];

const farPairs = ctyDeviations.find(({ name }) => name === "nfc-low-bits")!;

/** Whether the answers are equal after non-ASCII characters and positions are removed. */
function sameButForTexts(theirs: readonly OracleResult[], ours: OwnResult): boolean {
  const plain = (answer: OracleResult | OwnResult): string =>
    JSON.stringify(answer)
      .replace(/[^ -~]/g, "")
      .replace(/\[\d+,\d+,\d+\]/g, "");
  return theirs.some((one) => plain(one) === plain(ours));
}

/** Removes the stack trace. Of a report, removes everything from the trace on, because the trace changes the line breaks that follow. */
function withoutTrace<A extends OracleResult | OwnResult>(op: string, answer: A): A {
  if (op !== "diagnostics.text") return withoutWords(answer);
  return "ok" in answer
    ? { ...answer, ok: (answer.ok as string).replace(/^(?:Call to function|Error during operation|Invalid\svalue)[^]*/m, "") }
    : answer;
}

function alternatives(answer: OracleResult): readonly OracleResult[] {
  return "varies" in answer ? answer.varies : [answer];
}

/** Whether the answers are equal without the ranges that the Go library has at line 0. */
function sameButForPlaces(op: string, theirs: OracleResult, ours: OwnResult): boolean {
  if (!("ok" in theirs) || !("ok" in ours) || !JSON.stringify(theirs).includes("[0,0,0]")) return false;
  const prepared = (json: Json): Json => withoutGuesses(JSON.parse(JSON.stringify(json).replace(/ \(at [^ ()]*\)/g, "")) as Json);
  const [their, own] = paired(prepared(theirs.ok), prepared(ours.ok));
  return sameResult(op, { ok: their }, { ok: own });
}

const places: ReadonlySet<string> = new Set(["subject", "context", "expression", "missing"]);

function paired(theirs: Json, ours: Json): readonly [Json, Json] {
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    // Sort diagnostics first: their order depends on their ranges, and the ranges may differ.
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

/** The diagnostics of a list that the other list does not have. A list of anything else is returned unchanged. */
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

/** Name of the deviation that explains a difference, if there is one. */
export function deviationOf(input: Case, theirs: OracleResult, ours: OwnResult): string | undefined {
  return deviations.find(({ covers }) => covers(input, theirs, ours))?.name;
}
