// SPDX-License-Identifier: Apache-2.0
import { parseArgs } from "node:util";
import type { OracleResult, Case, Json } from "../cty/notation.ts";
import { openOracle, type Oracle } from "../cty/oracle.ts";
import { areas, makeCase } from "./generate/areas.ts";
import { judge, sortOf, type Verdict } from "./judge.ts";

interface Failure {
  readonly area: string;
  readonly index: number;
  readonly input: Case;
  readonly answer: OracleResult;
  readonly verdict: Verdict;
}

/** Result of comparing @tenon/hcl with the Go library. */
export class Report {
  passed = 0;
  failed = 0;
  /** Number of cases by area, by construct in them, and by summary of their diagnostics. */
  readonly areas: Map<string, number> = new Map();
  readonly constructs: Map<string, number> = new Map();
  readonly summaries: Map<string, number> = new Map();
  /** Number of nodes by kind in the cases of the formatter; gaps between tokens by sort, and those with a comment. */
  readonly nodes: Map<string, number> = new Map();
  readonly gaps: Map<string, number> = new Map();
  readonly commentedGaps: Map<string, number> = new Map();
  readonly kinds: Map<string, number> = new Map();
  readonly deviations: Map<string, number> = new Map();
  /** The failing case with the shortest source, for each sort of failure. */
  readonly failures: Map<string, Failure> = new Map();
}

const count = (counts: Map<string, number>, key: string): unknown => counts.set(key, (counts.get(key) ?? 0) + 1);
const sizeOf = ({ args }: Case): number => JSON.stringify(args).length;

/** Oracles that repeat each case 1, 24 or 400 times. A case that differs is repeated more often, because the Go library's answer may vary between runs. */
export interface Oracles {
  readonly quick: Oracle;
  readonly thorough: Oracle;
  readonly patient: Oracle;
}

export async function openOracles(): Promise<Oracles> {
  return {
    quick: await openOracle({ peer: "hcl-oracle", repeats: 1 }),
    thorough: await openOracle({ peer: "hcl-oracle", repeats: 24 }),
    patient: await openOracle({ peer: "hcl-oracle", repeats: 400 }),
  };
}

/** Number of cases in one request to the oracle. */
const batch = 500;

/** Runs the cases of an area with indices from `from` up to and excluding `to`. */
export async function tryCases(
  { quick, thorough, patient }: Oracles,
  report: Report,
  area: string,
  seed: number,
  from: number,
  to: number,
): Promise<void> {
  for (let at = from; at < to; at += batch) {
    const made = Array.from({ length: Math.min(batch, to - at) }, (_, offset) => makeCase(area, seed, at + offset));
    const answers = await quick.ask(made.map(({ input }) => input));
    const doubtful: number[] = [];
    for (const [offset, { input, constructs, nodes = [], gaps = [] }] of made.entries()) {
      for (const kind of nodes) count(report.nodes, kind);
      for (const { sort, hasComment } of gaps) {
        count(report.gaps, sort);
        if (hasComment) count(report.commentedGaps, sort);
      }
      count(report.areas, area);
      for (const construct of constructs) count(report.constructs, construct);
      noteAnswer(report, answers[offset]!);
      const verdict = judge(input, answers[offset]!);
      if (verdict.kind === "differed") doubtful.push(offset);
      else enter(report, { area, index: at + offset, input, answer: answers[offset]!, verdict });
    }
    // Some cases have so many possible answers that even the thorough oracle does not see all of them.
    for (const oracle of [thorough, patient]) {
      const offsets = doubtful.splice(0);
      const again = await oracle.ask(offsets.map((offset) => made[offset]!.input));
      for (const [position, offset] of offsets.entries()) {
        const one = made[offset]!.input;
        const verdict = judge(one, again[position]!);
        if (verdict.kind === "differed" && oracle === thorough) doubtful.push(offset);
        else enter(report, { area, index: at + offset, input: one, answer: again[position]!, verdict });
      }
    }
  }
}

function enter(report: Report, failure: Failure): void {
  const { verdict, input, answer } = failure;
  if (verdict.kind === "agreed" || verdict.kind === "deviation") {
    report.passed++;
    if (verdict.kind === "deviation") count(report.deviations, verdict.name);
    return;
  }
  report.failed++;
  const sort = verdict.kind === "differed" ? sortOf(input, answer, verdict.ours) : `invalid ${verdict.why.slice(0, 80)}`;
  const known = report.failures.get(sort);
  if (known === undefined || sizeOf(known.input) > sizeOf(input)) report.failures.set(sort, failure);
}

function noteAnswer(report: Report, answer: OracleResult): void {
  const kind = Object.keys(answer)[0]!;
  const text = JSON.stringify(answer);
  const summaries = new Set(
    [...text.matchAll(/"summary":"((?:[^"\\]|\\.)*)"/g)].map(([, summary]) => summary!.replace(/\b(rule|server|meta)s?\b|\\".*?\\"/g, "…")),
  );
  for (const summary of summaries) count(report.summaries, summary);
  const hasDiagnostics = summaries.size > 0 || /^\{"ok":"(?:\\u001b\[31m)?Error(?:\\u001b\[0m)?: /.test(text);
  count(report.kinds, kind === "ok" && hasDiagnostics ? "with diagnostics" : kind === "ok" ? "without diagnostics" : kind);
}

/** Readable summary of a run: the constructs in its cases, and its failures. */
export async function reportLines({ thorough }: Oracles, report: Report, seed: number): Promise<string[]> {
  const total = report.passed + report.failed;
  const shares = (counts: Map<string, number>): string =>
    [...counts]
      .sort(([, a], [, b]) => b - a)
      .map(([name, number]) => `${name} ${((100 * number) / total).toFixed(1)}%`)
      .join(", ");
  const lines = [
    `areas       ${[...report.areas].map(([name, number]) => `${name} ${number}`).join(", ")}`,
    `answers     ${shares(report.kinds)}`,
    `constructs  ${shares(report.constructs)}`,
    `errors      ${report.summaries.size} sorts: ${shares(report.summaries)}`,
  ];
  if (report.nodes.size > 0) lines.push(...layoutLines(report));
  for (const [name, number] of report.deviations) lines.push(`deviation   ${number} cases  ${name}`);
  const deadline = performance.now() + 30_000;
  for (const [sort, failure] of [...report.failures].slice(0, 40)) {
    const small = performance.now() < deadline ? await smaller(thorough, failure, sort) : failure;
    const clip = (value: unknown): string => JSON.stringify(value).slice(0, 1800);
    lines.push(
      sort,
      `  case   ${clip(small.input)}`,
      `  Go     ${clip(small.answer)}`,
      `  ours   ${clip(small.verdict.kind === "differed" ? small.verdict.ours : small.verdict)}`,
      `  again  npm run fuzz -- hcl --seed ${seed} --only ${failure.area}:${failure.index}`,
    );
  }
  return lines;
}

/** Coverage of the formatter's cases: kinds of nodes, and gaps that had a comment. */
export function layoutLines({ nodes, gaps, commentedGaps }: Report): string[] {
  const without = [...gaps].filter(([sort]) => !commentedGaps.has(sort)).map(([sort, number]) => `${sort} (${number})`);
  return [
    `nodes       ${nodes.size} kinds: ${[...nodes].map(([kind, number]) => `${kind} ${number}`).join(", ")}`,
    `comments    in ${commentedGaps.size} of ${gaps.size} sorts of gaps between tokens; in none: ${without.join(", ") || "–"}`,
  ];
}

/** Minimises a case: removes pieces of its source and variables of its scope while it still fails in the same way. */
async function smaller(oracle: Oracle, failure: Failure, sort: string): Promise<Failure> {
  let best = failure;
  for (let round = 0; round < 8; round++) {
    const candidates = [...shrunk(best.input)].slice(0, 60);
    const answers = await oracle.ask(candidates);
    const failing = candidates
      .map((input, index): Failure => ({ ...best, input, answer: answers[index]!, verdict: judge(input, answers[index]!) }))
      .filter(({ input, answer, verdict }) => verdict.kind === "differed" && sortOf(input, answer, verdict.ours) === sort);
    const next = failing.sort((a, b) => sizeOf(a.input) - sizeOf(b.input))[0];
    if (next === undefined || sizeOf(next.input) >= sizeOf(best.input)) return best;
    best = next;
  }
  return best;
}

function* shrunk({ op, args }: Case): Generator<Case> {
  for (const [position, arg] of args.entries()) for (const part of shrunkJson(arg)) yield { op, args: args.with(position, part) };
}

function* shrunkJson(arg: Json): Generator<Json> {
  if (typeof arg === "string") {
    for (let span = Math.ceil(arg.length / 2); span > 0; span = span === 1 ? 0 : Math.ceil(span / 2)) {
      for (let at = 0; at < arg.length; at += span) yield (arg.slice(0, at) + arg.slice(at + span)).toWellFormed();
    }
  } else if (Array.isArray(arg)) {
    for (const index of arg.keys()) yield arg.toSpliced(index, 1);
    for (const [index, element] of arg.entries())
      if (typeof element === "object") for (const part of shrunkJson(element)) yield arg.with(index, part);
  } else if (typeof arg === "object" && arg !== null) {
    for (const name of Object.keys(arg)) {
      yield Object.fromEntries(Object.entries(arg).filter(([other]) => other !== name));
      for (const part of shrunkJson((arg as Readonly<Record<string, Json>>)[name]!)) yield { ...arg, [name]: part };
    }
  }
}

/** Runs the same number of cases in each area; prints the seed first and `N passed, N failed` last. */
export async function fuzz(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      cases: { type: "string", default: "20000" },
      seed: { type: "string" },
      area: { type: "string", multiple: true },
      only: { type: "string" },
    },
  });
  const seed = options.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(options.seed);
  const wanted = options.only === undefined ? (options.area ?? Object.keys(areas)) : [options.only.split(":")[0]!];
  for (const area of wanted)
    if (!Object.hasOwn(areas, area)) throw new RangeError(`unknown area ${area}; the areas are ${Object.keys(areas).join(", ")}`);
  const oracles = await openOracles();
  const { header } = oracles.quick;
  console.log(`seed ${seed}, HCL ${header["hcl"]} and go-cty ${header["go-cty"]} built with Go ${header["go"]}`);
  const report = new Report();
  const start = performance.now();
  if (options.only === undefined) {
    const each = Math.ceil(Number(options.cases) / wanted.length);
    for (const area of wanted) await tryCases(oracles, report, area, seed, 0, each);
  } else {
    const index = Number(options.only.split(":")[1]);
    await tryCases(oracles, report, wanted[0]!, seed, index, index + 1);
  }
  const seconds = (performance.now() - start) / 1000;
  for (const line of await reportLines(oracles, report, seed)) console.log(line);
  console.log(`${seconds.toFixed(1)} s, ${Math.round((report.passed + report.failed) / seconds)} cases a second`);
  oracles.quick.close();
  oracles.thorough.close();
  oracles.patient.close();
  console.log(`${report.passed} passed, ${report.failed} failed`);
  if (report.failed > 0) process.exitCode = 1;
}
