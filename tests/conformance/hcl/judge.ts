// SPDX-License-Identifier: Apache-2.0
import type { Answer, Case, Json } from "../cty/notation.ts";
import { deviationOf } from "./deviations.ts";
import { sameAnswer, withoutOrder } from "./same-answer.ts";
import { answerOurselves, type OwnAnswer } from "./subject.ts";

export type Verdict =
  | { readonly kind: "agreed" }
  /** They differ as a named deviation says. */
  | { readonly kind: "deviation"; readonly name: string }
  | { readonly kind: "differed"; readonly ours: OwnAnswer }
  /** The oracle could not be asked. */
  | { readonly kind: "invalid"; readonly why: string };

/** Asks our package and holds its answer against the Go library's. */
export function judge(asked: Case, answer: Answer): Verdict {
  if ("refused" in answer) return { kind: "invalid", why: answer.refused };
  if ("died" in answer) return { kind: "invalid", why: answer.died };
  const ours = answerOurselves(asked);
  if (sameAnswer(asked.op, answer, ours)) return { kind: "agreed" };
  const name = deviationOf(asked, answer, ours);
  return name === undefined ? { kind: "differed", ours } : { kind: "deviation", name };
}

/** What distinguishes one sort of failure from another. */
export function sortOf({ op }: Case, answer: Answer, ours: OwnAnswer): string {
  if ("crash" in ours) return `${op} crash ${ours.crash.split("\n").slice(0, 2).join(" ").slice(0, 160)}`;
  if ("refused" in ours) return `${op} refused ${ours.refused.slice(0, 100)}`;
  const one: Answer = "varies" in answer ? answer.varies[0]! : answer;
  if (!("ok" in one)) return `${op} ${Object.keys(answer)[0]}`;
  const [theirs, own] = [one.ok as Readonly<Record<string, Json>>, ours.ok as Readonly<Record<string, Json>>];
  if (typeof theirs !== "object" || typeof own !== "object" || theirs === null || own === null) return `${op} answer`;
  const part = Object.keys(theirs).find(
    (name) => JSON.stringify(withoutOrder(theirs[name]!)) !== JSON.stringify(withoutOrder(own[name] ?? null)),
  );
  return `${op} ${part} ${part === "diagnostics" || part === "parsed" ? `${summaries(theirs[part])} | ${summaries(own[part])}` : ""}`;
}

function summaries(diagnostics: Json | undefined): string {
  return ((diagnostics ?? []) as readonly { readonly summary: string }[])
    .map(({ summary }) => summary.replace(/".*?"/g, "…"))
    .join(", ")
    .slice(0, 120);
}
