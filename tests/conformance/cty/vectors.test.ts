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

/** The fewest vectors that an operation must have. A signature is asked for without arguments, so there is one question. */
function fewest(op: string): number {
  if (op.endsWith(".signature")) return 1;
  return op.startsWith("fn.") ? 50 : 100;
}

/** The first few differences, for people. */
function told(differing: readonly { vector: Vector; verdict: Verdict }[]): string {
  return differing
    .slice(0, 5)
    .map(({ vector, verdict }) => [vector.asked, vector.answer, verdict].map((part) => JSON.stringify(part).slice(0, 600)).join("\n  "))
    .join("\n");
}

describe("@tenon/cty answers as go-cty does", () => {
  const distribution = new Distribution();

  test.for(areas)("%s", (area, { expect, skip }) => {
    const { vectors } = readVectors(area);
    const askable = vectors.filter(({ asked }) => isBuilt(asked.op));
    if (askable.length === 0) skip(`our package has none of the ${area}`);
    const differing = askable
      .map((vector) => ({ vector, verdict: judge(vector.asked, vector.answer) }))
      .filter(({ verdict }) => verdict.kind !== "agreed" && verdict.kind !== "deviation");
    for (const { asked, answer } of askable) distribution.add(area, asked, answer);
    expect(differing.length, `${differing.length} of ${askable.length} differ:\n${told(differing)}`).toBe(0);
  });

  test("there is enough of everything", ({ expect }) => {
    const all = new Distribution();
    const distinct = new Map<string, Set<string>>();
    for (const area of areas) {
      for (const { asked, answer } of readVectors(area).vectors) {
        all.add(area, asked, answer);
        const questions = distinct.get(asked.op) ?? new Set();
        distinct.set(asked.op, questions.add(JSON.stringify(asked.args)));
      }
    }
    console.log([`${all.cases} vectors, ${(100 * all.okShare).toFixed(1)}% of them results:`, ...all.rows()].join("\n"));
    expect(all.cases).toBeGreaterThanOrEqual(20_000);
    expect(all.okShare).toBeGreaterThanOrEqual(0.6);
    const few = [...distinct].flatMap(([op, { size }]) => (size < fewest(op) ? [`${op}: ${size} of ${fewest(op)}`] : []));
    expect(few).toEqual([]);
  });
});
