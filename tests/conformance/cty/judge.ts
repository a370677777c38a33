// SPDX-License-Identifier: Apache-2.0
import { deviationOf } from "./deviations.ts";
import { limitOf } from "./limits.ts";
import type { Answer, Case, ErrorNotation } from "./notation.ts";
import { answerOurselves, type OwnAnswer } from "./subject/index.ts";

export type Verdict =
  | { readonly kind: "agreed" }
  /** They differ as a named deviation or limit says. */
  | { readonly kind: "deviation"; readonly name: string }
  | { readonly kind: "differed"; readonly ours: OwnAnswer }
  /** Our package does not have the operation. */
  | { readonly kind: "absent" }
  /** The oracle could not be asked. */
  | { readonly kind: "invalid"; readonly why: string };

/** How much of an error must be the same: its words and path, or only that there is one. */
export type Strictness = "words" | "verdict";

/** Asks our package and holds its answer against go-cty's. */
export function judge(asked: Case, answer: Answer, strictness: Strictness = "words"): Verdict {
  if ("refused" in answer) return { kind: "invalid", why: answer.refused };
  const ours = answerOurselves(asked);
  if (ours === undefined) return { kind: "absent" };
  if (agrees(asked.op, answer, ours)) return { kind: "agreed" };
  if (strictness === "verdict" && "err" in answer && "err" in ours) return { kind: "agreed" };
  const name = deviationOf(asked, answer, ours) ?? limitOf(answer, ours);
  return name === undefined ? { kind: "differed", ours } : { kind: "deviation", name };
}

/**
 * Values must be the same to the last bit, errors in text and path. Where go-cty panics, ours must throw its typed error.
 * Where go-cty's answer varies, ours must be one of them.
 */
function agrees(op: string, answer: Answer, ours: OwnAnswer): boolean {
  if ("varies" in answer) return answer.varies.some((one) => agrees(op, one, ours));
  if ("ok" in answer) return "ok" in ours && JSON.stringify(answer.ok) === JSON.stringify(ours.ok);
  if ("err" in answer) return "err" in ours && (sameError(answer.err, ours.err) || (isDecoder(op) && isSyntax(answer.err, ours)));
  // It announces more elements than it has bytes. Where we see none of that, go-cty has to be asked.
  if ("unasked" in answer) return "err" in ours;
  // What kills go-cty's process, ours refuses too.
  return "err" in ours;
}

/** Where go-cty's error carries no path at all, ours may. */
function sameError(theirs: ErrorNotation, ours: ErrorNotation): boolean {
  if (theirs.msg !== ours.msg || theirs.arg !== ours.arg) return false;
  return theirs.path === undefined || JSON.stringify(theirs.path) === JSON.stringify(ours.path ?? []);
}

function isDecoder(op: string): boolean {
  return /unmarshal|impliedType|parseJson|jsondecode/.test(op);
}

/** How Go's JSON and msgpack libraries word what is wrong with the input itself. */
const goSyntax: RegExp =
  /\bEOF\b|invalid character|expected (?:comma|colon)|^msgpack: |msgpack extension body|invalid length|exceeded max depth|invalid use of|extension code is required/;
const ourSyntax: RegExp = /\bEOF\b|invalid character|unexpected end|^msgpack: |a string expected|levels/;

/**
 * Input that is not JSON or msgpack at all is refused by both, but not in the same words: Go's are those of its libraries,
 * which read ahead of go-cty or behind it. What go-cty says itself is compared to the letter.
 */
function isSyntax(theirs: ErrorNotation, ours: OwnAnswer): boolean {
  if (!("err" in ours) || (ours.code !== "MALFORMED" && ours.code !== "LIMIT" && ours.code !== "INVALID_TYPE")) return false;
  return goSyntax.test(theirs.msg) || ourSyntax.test(ours.err.msg);
}

/** What distinguishes one sort of failure from another: both answers without what their texts quote. */
export function sortOf(asked: Case, answer: Answer, verdict: Verdict): string {
  const ours: OwnAnswer | undefined = verdict.kind === "differed" ? verdict.ours : undefined;
  const shape = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'|0x-?[0-9a-f]+|\d+/g, "…").slice(0, 60);
  const told = "err" in answer ? shape(answer.err.msg) : "panic" in answer ? shape(answer.panic) : "";
  const said = ours === undefined ? "" : "err" in ours ? shape(ours.err.msg) : "crash" in ours ? shape(ours.crash) : "";
  return `${asked.op} ${Object.keys(answer)[0]}/${ours === undefined ? verdict.kind : Object.keys(ours)[0]} ${told} | ${said}`;
}
