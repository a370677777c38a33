// SPDX-License-Identifier: Apache-2.0
import type { OracleResult, Case, Json } from "../cty/notation.ts";
import { deviationOf } from "./deviations.ts";
import { sameResult, withoutOrder } from "./same-result.ts";
import { ownResult, type OwnResult } from "./subject.ts";

export type Verdict =
  | { readonly kind: "agreed" }
  /** The answers differ, and a known deviation explains the difference. */
  | { readonly kind: "deviation"; readonly name: string }
  | { readonly kind: "differed"; readonly ours: OwnResult }
  /** The oracle rejected the case or crashed. */
  | { readonly kind: "invalid"; readonly why: string };

/** Runs a case with @tenon/hcl and compares the answer with the Go library's. */
export function judge(input: Case, answer: OracleResult): Verdict {
  if ("refused" in answer) return { kind: "invalid", why: answer.refused };
  if ("died" in answer) return { kind: "invalid", why: answer.died };
  const ours = ownResult(input);
  if (sameResult(input.op, answer, ours)) return { kind: "agreed" };
  const name = deviationOf(input, answer, ours);
  return name === undefined ? { kind: "differed", ours } : { kind: "deviation", name };
}

/** Key that groups similar failures. */
export function sortOf({ op }: Case, answer: OracleResult, ours: OwnResult): string {
  if ("crash" in ours) return `${op} crash ${ours.crash.split("\n").slice(0, 2).join(" ").slice(0, 160)}`;
  if ("refused" in ours) return `${op} refused ${ours.refused.slice(0, 100)}`;
  const one: OracleResult = "varies" in answer ? answer.varies[0]! : answer;
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
