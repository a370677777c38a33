// SPDX-License-Identifier: Apache-2.0
import type { OracleResult, Json } from "../cty/notation.ts";
import { isSameReport } from "./report-text.ts";
import type { OwnResult } from "./subject.ts";

/**
 * Whether our answer equals the Go library's: values exactly, diagnostics with text and ranges. The order of diagnostics is not
 * compared if the Go library iterates over a map, because it varies. If the Go library panics, ours may be anything but a crash.
 */
export function sameResult(op: string, answer: OracleResult, ours: OwnResult): boolean {
  if ("varies" in answer) return sameAsOneOf(op, answer.varies, ours);
  if ("panic" in answer) return !("crash" in ours);
  if (!("ok" in answer) || !("ok" in ours)) return false;
  if (op === "diagnostics.text") return isSameReport(answer.ok as string, ours.ok as string);
  const prepared = /^(?:decode|content|expandedContent|merged|justAttributes)/.test(op) ? withoutOrder : (json: Json): Json => json;
  return JSON.stringify(prepared(answer.ok)) === JSON.stringify(prepared(ours.ok));
}

/**
 * Whether our answer equals one of several possible answers. Each diagnostic may independently vary in the name that it suggests
 * or the attribute that it reports. Without these texts, our answer must equal one answer, and each of its diagnostics must occur in one.
 */
function sameAsOneOf(op: string, theirs: readonly OracleResult[], ours: OwnResult): boolean {
  const guessed = withoutGuesses(ours);
  const all = theirs.map(withoutGuesses);
  if (all.some((one) => sameResult(op, one, guessed))) return true;
  const reported = new Set(all.flatMap(diagnosticsIn));
  return (
    diagnosticsIn(guessed).every((one) => reported.has(one)) && all.some((one) => sameResult(op, withoutWords(one), withoutWords(guessed)))
  );
}

function diagnosticsIn(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  return "summary" in part ? [JSON.stringify(part)] : Object.values(part).flatMap(diagnosticsIn);
}

export function withoutWords<T>(answer: T): T {
  return JSON.parse(JSON.stringify(answer).replace(/"(?:detail|callError)":"(?:[^"\\]|\\.)*"/g, '"detail":""')) as T;
}

/** Removes suggestions (`Did you mean …`). */
export function withoutGuesses<T>(answer: T): T {
  return JSON.parse(JSON.stringify(answer).replace(/ Did you mean (?:\\"[^"\\]*\\"|[\w:]+)\?/g, "")) as T;
}

/** Sorts diagnostics and references by their text. */
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
