// SPDX-License-Identifier: Apache-2.0
import { functionDeviationOf } from "../engine/function-deviations.ts";
import { deviationOf } from "./deviations.ts";
import { limitOf } from "./limits.ts";
import type { OracleResult, Case, ErrorNotation } from "./notation.ts";
import { ownResult, type OwnResult } from "./subject/index.ts";

export type Verdict =
  | { readonly kind: "agreed" }
  /** The answers differ, and a known deviation or limit explains the difference. */
  | { readonly kind: "deviation"; readonly name: string }
  | { readonly kind: "differed"; readonly ours: OwnResult }
  /** @tenon/cty does not have the operation. */
  | { readonly kind: "absent" }
  /** The oracle rejected the case or crashed. */
  | { readonly kind: "invalid"; readonly why: string };

/** How strictly errors are compared: their text and path, or only whether there is an error. */
export type Strictness = "words" | "verdict";

/** Runs a case with @tenon/cty and compares the answer with go-cty's. */
export function judge(input: Case, answer: OracleResult, strictness: Strictness = "words"): Verdict {
  if ("refused" in answer) return { kind: "invalid", why: answer.refused };
  const ours = ownResult(input);
  if (ours === undefined) return { kind: "absent" };
  if (agrees(input.op, answer, ours)) return { kind: "agreed" };
  if (strictness === "verdict" && "err" in answer && "err" in ours) return { kind: "agreed" };
  const name = deviationOf(input, answer, ours) ?? functionDeviationOf(input, answer, ours) ?? limitOf(answer, ours);
  return name === undefined ? { kind: "differed", ours } : { kind: "deviation", name };
}

/**
 * Whether our answer equals go-cty's: values exactly, errors in text and path. If go-cty panics, ours must throw its typed error.
 * If go-cty's answer varies, ours must be one of its answers.
 */
function agrees(op: string, answer: OracleResult, ours: OwnResult): boolean {
  if ("varies" in answer) return answer.varies.some((one) => agrees(op, one, ours));
  if ("ok" in answer) return "ok" in ours && JSON.stringify(answer.ok) === JSON.stringify(ours.ok);
  if ("err" in answer) return "err" in ours && (sameError(answer.err, ours.err) || (isDecoder(op) && isSyntax(answer.err, ours)));
  // The oracle skipped a case that declares more elements than it has bytes. If ours accepts the input, the oracle must run it.
  if ("unasked" in answer) return "err" in ours;
  // Ours must reject input that kills go-cty's process.
  return "err" in ours;
}

/** Whether two errors are equal. If go-cty's error has no path, ours may have one. */
function sameError(theirs: ErrorNotation, ours: ErrorNotation): boolean {
  if (theirs.msg !== ours.msg || theirs.arg !== ours.arg) return false;
  return theirs.path === undefined || JSON.stringify(theirs.path) === JSON.stringify(ours.path ?? []);
}

function isDecoder(op: string): boolean {
  return /unmarshal|impliedType|parseJson|jsondecode/.test(op);
}

/** Syntax errors of Go's JSON and msgpack libraries. */
const goSyntax: RegExp =
  /\bEOF\b|invalid character|expected (?:comma|colon)|^msgpack: |msgpack extension body|invalid length|exceeded max depth|invalid use of|extension code is required/;
const ourSyntax: RegExp = /\bEOF\b|invalid character|unexpected end|^msgpack: |a string expected|levels/;

/**
 * Whether both errors are syntax errors. Their texts differ, because Go's come from its JSON and msgpack libraries; the errors of
 * go-cty itself are compared exactly.
 */
function isSyntax(theirs: ErrorNotation, ours: OwnResult): boolean {
  if (!("err" in ours) || (ours.code !== "MALFORMED" && ours.code !== "LIMIT" && ours.code !== "INVALID_TYPE")) return false;
  return goSyntax.test(theirs.msg) || ourSyntax.test(ours.err.msg);
}

/** Key that groups similar failures: both answers without quoted text. */
export function sortOf(input: Case, answer: OracleResult, verdict: Verdict): string {
  const ours: OwnResult | undefined = verdict.kind === "differed" ? verdict.ours : undefined;
  const shape = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'|0x-?[0-9a-f]+|\d+/g, "…").slice(0, 60);
  const theirText = "err" in answer ? shape(answer.err.msg) : "panic" in answer ? shape(answer.panic) : "";
  const ourText = ours === undefined ? "" : "err" in ours ? shape(ours.err.msg) : "crash" in ours ? shape(ours.crash) : "";
  return `${input.op} ${Object.keys(answer)[0]}/${ours === undefined ? verdict.kind : Object.keys(ours)[0]} ${theirText} | ${ourText}`;
}
