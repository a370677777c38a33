// SPDX-License-Identifier: Apache-2.0
import type { Answer, Json } from "../cty/notation.ts";
import { isSameReport } from "./report-text.ts";
import type { OwnAnswer } from "./subject.ts";

/**
 * All that an answer has must be the same: values to the last bit, diagnostics in every word and place. Where the Go library
 * goes through a map the order of diagnostics is its own each time, and not compared. Where it panics, ours may not crash.
 */
export function sameAnswer(op: string, answer: Answer, ours: OwnAnswer): boolean {
  if ("varies" in answer) return sameAsOneOf(op, answer.varies, ours);
  if ("panic" in answer) return !("crash" in ours);
  if (!("ok" in answer) || !("ok" in ours)) return false;
  if (op === "diagnostics.text") return isSameReport(answer.ok as string, ours.ok as string);
  const prepared = /^(?:decode|content|expandedContent|merged|justAttributes)/.test(op) ? withoutOrder : (json: Json): Json => json;
  return JSON.stringify(prepared(answer.ok)) === JSON.stringify(prepared(ours.ok));
}

/**
 * Each diagnostic that has one of several things to say is a choice of its own: of names that may have been meant, of attributes
 * that have the wrong type. But for these ours must be one of the answers, and each of its diagnostics must be in one.
 */
function sameAsOneOf(op: string, theirs: readonly Answer[], ours: OwnAnswer): boolean {
  const guessed = withoutGuesses(ours);
  const all = theirs.map(withoutGuesses);
  if (all.some((one) => sameAnswer(op, one, guessed))) return true;
  const told = new Set(all.flatMap(diagnosticsIn));
  return (
    diagnosticsIn(guessed).every((one) => told.has(one)) && all.some((one) => sameAnswer(op, withoutWords(one), withoutWords(guessed)))
  );
}

function diagnosticsIn(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  return "summary" in part ? [JSON.stringify(part)] : Object.values(part).flatMap(diagnosticsIn);
}

export function withoutWords<T>(answer: T): T {
  return JSON.parse(JSON.stringify(answer).replace(/"(?:detail|callError)":"(?:[^"\\]|\\.)*"/g, '"detail":""')) as T;
}

/** Without suggestions of names that may have been meant. */
export function withoutGuesses<T>(answer: T): T {
  return JSON.parse(JSON.stringify(answer).replace(/ Did you mean (?:\\"[^"\\]*\\"|[\w:]+)\?/g, "")) as T;
}

/** Diagnostics and references sorted by their text. */
export function withoutOrder(json: Json): Json {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map(withoutOrder);
  return Object.fromEntries(
    Object.entries(json).map(([name, part]) => [
      name,
      /diagnostics|variables/i.test(name) && Array.isArray(part) ? [...part].map((one) => JSON.stringify(one)).sort() : withoutOrder(part),
    ]),
  );
}
