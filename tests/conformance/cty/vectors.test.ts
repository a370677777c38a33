// SPDX-License-Identifier: Apache-2.0
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { Distribution } from "./distribution.ts";
import { judge, type Verdict } from "./judge.ts";
import { isBuilt } from "./subject/index.ts";
import { readVectors, type Vector } from "./vector-file.ts";

const areas = readdirSync(join(import.meta.dirname, "vectors"))
  .filter((file) => file.endsWith(".jsonl.gz"))
  .map((file) => file.replace(".jsonl.gz", ""));

/** Minimum number of vectors for an operation. A signature has no arguments, so it has one case. */
function fewest(op: string): number {
  if (op.endsWith(".signature")) return 1;
  return op.startsWith("fn.") ? 50 : 100;
}

/** Readable text of the first few differences. */
function describeDifferences(differing: readonly { vector: Vector; verdict: Verdict }[]): string {
  return differing
    .slice(0, 5)
    .map(({ vector, verdict }) => [vector.input, vector.answer, verdict].map((part) => JSON.stringify(part).slice(0, 600)).join("\n  "))
    .join("\n");
}

describe("@tenon/cty gives go-cty's answers", () => {
  const distribution = new Distribution();

  test.for(areas)("%s", (area, { expect, skip }) => {
    const { vectors } = readVectors(area);
    const askable = vectors.filter(({ input }) => isBuilt(input.op));
    if (askable.length === 0) skip(`our package has none of the ${area}`);
    const differing = askable
      .map((vector) => ({ vector, verdict: judge(vector.input, vector.answer) }))
      .filter(({ verdict }) => verdict.kind !== "agreed" && verdict.kind !== "deviation");
    for (const { input, answer } of askable) distribution.add(area, input, answer);
    expect(differing.length, `${differing.length} of ${askable.length} differ:\n${describeDifferences(differing)}`).toBe(0);
  });

  test("every operation has enough vectors", ({ expect }) => {
    const all = new Distribution();
    const distinct = new Map<string, Set<string>>();
    for (const area of areas) {
      for (const { input, answer } of readVectors(area).vectors) {
        all.add(area, input, answer);
        const questions = distinct.get(input.op) ?? new Set();
        distinct.set(input.op, questions.add(JSON.stringify(input.args)));
      }
    }
    console.log([`${all.cases} vectors, ${(100 * all.okShare).toFixed(1)}% of them results:`, ...all.rows()].join("\n"));
    expect(all.cases).toBeGreaterThanOrEqual(20_000);
    expect(all.okShare).toBeGreaterThanOrEqual(0.6);
    const few = [...distinct].flatMap(([op, { size }]) => (size < fewest(op) ? [`${op}: ${size} of ${fewest(op)}`] : []));
    expect(few).toEqual([]);
  });
});
