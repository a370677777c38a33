// SPDX-License-Identifier: Apache-2.0
import type { Mutation, Verdict } from "./mutation.ts";

/** Prints the verdict of each mutation, a line each; returns how many mutations the tests did not detect. */
export function printVerdicts(rows: readonly (readonly [Mutation, Verdict])[]): number {
  const widest = Math.max(...rows.map(([{ rule }]) => rule.length), 4);
  const testOf = ({ test, name }: Mutation): string => `${test.replace("packages/", "")}  ${name}`;
  const testWidth = Math.max(...rows.map(([mutation]) => testOf(mutation).length));
  console.log(`${"rule".padEnd(widest)}  ${"test".padEnd(testWidth)}  killed`);
  for (const [mutation, verdict] of rows) {
    console.log(`${mutation.rule.padEnd(widest)}  ${testOf(mutation).padEnd(testWidth)}  ${shown(mutation, verdict)}`);
  }
  return rows.filter(([, { kind }]) => kind !== "killed").length;
}

function shown({ file, search }: Mutation, verdict: Verdict): string {
  if (verdict.kind === "killed") return "yes";
  const what = verdict.kind === "survived" ? "NO: the test passes" : `NO: ${verdict.why}`;
  return `${what} (${file}: ${search.split("\n")[0]})`;
}
