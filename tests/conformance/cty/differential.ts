// SPDX-License-Identifier: Apache-2.0
import { Distribution } from "./distribution.ts";
import { makeCase } from "./generate/areas.ts";
import { judge, sortOf, type Strictness, type Verdict } from "./judge.ts";
import { minimise, type Failing } from "./minimise.ts";
import type { Case, OracleResult } from "./notation.ts";
import type { Oracle } from "./oracle.ts";

/** Result of comparing @tenon/cty with go-cty. */
export interface Report {
  passed: number;
  failed: number;
  /** Number of cases by operation that @tenon/cty does not have. */
  readonly absent: Map<string, number>;
  readonly deviations: Map<string, number>;
  readonly distribution: Distribution;
  /** Longest time that @tenon/cty took for a case, in milliseconds. */
  slowest: number;
  readonly strictness: Strictness;
  /** The smallest failures of each sort. */
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

/** Number of cases in one request to the oracle. */
const batch = 500;
/** Number of failures kept for each sort: the smallest ones. */
const kept = 3;

/** Number of sorts of failure that are printed. */
const shown = 40;

const count = (counts: Map<string, number>, key: string): unknown => counts.set(key, (counts.get(key) ?? 0) + 1);

/** Two oracles: `thorough` repeats a case that differs hundreds of times, because go-cty's answer may vary between runs. */
export interface Oracles {
  readonly quick: Oracle;
  readonly thorough: Oracle;
}

/** Runs the cases of an area with indices from `from` up to and excluding `to`. */
export async function tryCases(oracles: Oracles, report: Report, area: string, seed: number, from: number, to: number): Promise<void> {
  const oracle = oracles.quick;
  const batchFrom = (at: number): Case[] =>
    Array.from({ length: Math.min(batch, to - at) }, (_, index) => makeCase(area, seed, at + index));
  let cases = batchFrom(from);
  let pending = oracle.ask(cases);
  for (let at = from; at < to; at += batch) {
    const answers = await pending;
    const current = cases;
    // Request the next cases now, so that the oracle runs them while we run these.
    if (at + batch < to) pending = oracle.ask((cases = batchFrom(at + batch)));
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

/** Enters a case in the report and returns true. Returns false for a difference that is not final yet. */
function settle(report: Report, area: string, index: number, input: Case, answer: OracleResult, final: boolean): boolean {
  const start = performance.now();
  const verdict = judge(input, answer, report.strictness);
  report.slowest = Math.max(report.slowest, performance.now() - start);
  if (verdict.kind === "absent") {
    count(report.absent, input.op);
    return true;
  }
  if (verdict.kind === "differed" && !final) return false;
  report.distribution.add(area, input, answer);
  if (verdict.kind === "agreed" || verdict.kind === "deviation") {
    report.passed++;
    if (verdict.kind === "deviation") count(report.deviations, verdict.name);
    return true;
  }
  report.failed++;
  const sort = sortOf(input, answer, verdict);
  const known = report.failures.get(sort) ?? [];
  known.push({ area, index, input, answer, verdict });
  known.sort((a, b) => JSON.stringify(a.input).length - JSON.stringify(b.input).length);
  report.failures.set(sort, known.slice(0, kept));
  return true;
}

/** Readable failures: a minimised one of each sort, with the command that reproduces it. */
export async function failureLines({ thorough }: Oracles, report: Report, seed: number, command: string): Promise<string[]> {
  const lines: string[] = [];
  for (const [sort, [first]] of [...report.failures].slice(0, shown)) {
    const small = first!.verdict.kind === "invalid" ? first! : await minimise(thorough, first!, report.strictness);
    const verdict = judge(small.input, small.answer, report.strictness);
    const clip = (value: unknown): string => JSON.stringify(value).slice(0, 1500);
    lines.push(
      sort,
      `  case   ${clip(small.input)}`,
      `  go-cty ${clip(small.answer)}`,
      `  ours   ${clip(verdict.kind === "differed" ? verdict.ours : verdict)}`,
      `  again  ${command} --seed ${seed} --only ${first!.area}:${first!.index}`,
    );
  }
  if (report.failures.size > shown) lines.push(`and ${report.failures.size - shown} more sorts of failure`);
  return lines;
}
