// SPDX-License-Identifier: Apache-2.0
import { Distribution } from "./distribution.ts";
import { makeCase } from "./generate/areas.ts";
import { judge, sortOf, type Strictness, type Verdict } from "./judge.ts";
import { minimise, type Failing } from "./minimise.ts";
import type { Case, Answer } from "./notation.ts";
import type { Oracle } from "./oracle.ts";

/** What came of holding our package against go-cty. */
export interface Report {
  passed: number;
  failed: number;
  /** Cases of operations that our package does not have. */
  readonly absent: Map<string, number>;
  readonly deviations: Map<string, number>;
  readonly distribution: Distribution;
  /** The longest that a case took us, in milliseconds. */
  slowest: number;
  readonly strictness: Strictness;
  /** Failures by what distinguishes them, a few of each kept. */
  readonly failures: Map<string, Failure[]>;
}

export interface Failure extends Failing {
  readonly area: string;
  readonly index: number;
  readonly verdict: Verdict;
}

export function createReport(strictness: Strictness): Report {
  return {
    passed: 0,
    failed: 0,
    slowest: 0,
    strictness,
    absent: new Map(),
    deviations: new Map(),
    distribution: new Distribution(),
    failures: new Map(),
  };
}

/** How many cases travel at a time. */
const batch = 500;
/** How many failures of one sort are kept: the smallest. */
const kept = 3;

/** How many sorts of failure are shown. */
const shown = 40;

const count = (counts: Map<string, number>, key: string): unknown => counts.set(key, (counts.get(key) ?? 0) + 1);

/** go-cty asked quickly, and again, hundreds of times, where we differ: its answer may be one of several. */
export interface Oracles {
  readonly quick: Oracle;
  readonly thorough: Oracle;
}

/** Tries the cases of an area from one number up to, but without, another. */
export async function tryCases(oracles: Oracles, report: Report, area: string, seed: number, from: number, to: number): Promise<void> {
  const oracle = oracles.quick;
  const batchFrom = (at: number): Case[] =>
    Array.from({ length: Math.min(batch, to - at) }, (_, index) => makeCase(area, seed, at + index));
  let cases = batchFrom(from);
  let asked = oracle.ask(cases);
  for (let at = from; at < to; at += batch) {
    const answers = await asked;
    const current = cases;
    // While we answer, the oracle works on the next ones.
    if (at + batch < to) asked = oracle.ask((cases = batchFrom(at + batch)));
    const differing: number[] = [];
    for (const [offset, one] of current.entries())
      if (!settle(report, area, at + offset, one, answers[offset]!, false)) differing.push(offset);
    const again = await oracles.thorough.ask(
      differing.map((offset) => current[offset]!),
      true,
    );
    for (const [position, offset] of differing.entries()) settle(report, area, at + offset, current[offset]!, again[position]!, true);
  }
}

/** Enters a case in the report. One that differs counts only when it is final; until then the answer is false. */
function settle(report: Report, area: string, index: number, asked: Case, answer: Answer, final: boolean): boolean {
  const start = performance.now();
  const verdict = judge(asked, answer, report.strictness);
  report.slowest = Math.max(report.slowest, performance.now() - start);
  if (verdict.kind === "absent") {
    count(report.absent, asked.op);
    return true;
  }
  if (verdict.kind === "differed" && !final) return false;
  report.distribution.add(area, asked, answer);
  if (verdict.kind === "agreed" || verdict.kind === "deviation") {
    report.passed++;
    if (verdict.kind === "deviation") count(report.deviations, verdict.name);
    return true;
  }
  report.failed++;
  const sort = sortOf(asked, answer, verdict);
  const known = report.failures.get(sort) ?? [];
  known.push({ area, index, asked, answer, verdict });
  known.sort((a, b) => JSON.stringify(a.asked).length - JSON.stringify(b.asked).length);
  report.failures.set(sort, known.slice(0, kept));
  return true;
}

/** The failures for people: one of each sort, as small as it could be made, with the command that shows it again. */
export async function failureLines({ thorough }: Oracles, report: Report, seed: number, command: string): Promise<string[]> {
  const lines: string[] = [];
  for (const [sort, [first]] of [...report.failures].slice(0, shown)) {
    const small = first!.verdict.kind === "invalid" ? first! : await minimise(thorough, first!, report.strictness);
    const verdict = judge(small.asked, small.answer, report.strictness);
    const clip = (value: unknown): string => JSON.stringify(value).slice(0, 1500);
    lines.push(
      sort,
      `  case   ${clip(small.asked)}`,
      `  go-cty ${clip(small.answer)}`,
      `  ours   ${clip(verdict.kind === "differed" ? verdict.ours : verdict)}`,
      `  again  ${command} --seed ${seed} --only ${first!.area}:${first!.index}`,
    );
  }
  if (report.failures.size > shown) lines.push(`and ${report.failures.size - shown} more sorts of failure`);
  return lines;
}
