// SPDX-License-Identifier: Apache-2.0
import { isValue } from "@tenon/cty";
import { hasErrors, ProviderError } from "@tenon/schema";
import { randomFor } from "../cty/random.ts";
import { answerOf, brokenRule, type Answer, type Difference } from "./answer.ts";
import { compare, plainOf } from "./compare.ts";
import { checkConfiguration } from "./configuration-checks.ts";
import type { SchemaDeclaration } from "./declaration.ts";
import { deviationOf } from "./deviations.ts";
import type { Occasion } from "./deviations/occasion.ts";
import { Distribution } from "./distribution.ts";
import { makeProvider, type Extent } from "./generate/schema.ts";
import type { Asked, Call } from "./call.ts";
import { Life } from "./life.ts";
import { openSides, type Sides } from "./sides.ts";

/** What came of holding our SDK against the framework. */
export interface Report {
  passed: number;
  failed: number;
  schemas: number;
  readonly distribution: Distribution;
  /** How many calls each deviation explains something of. */
  readonly deviations: Map<string, number>;
  /** By what distinguishes them; the first of each sort. */
  readonly failures: Map<string, Failure>;
}

export interface Failure extends Occasion {
  readonly provider: number;
  readonly index: number;
  readonly unexplained: readonly Difference[];
  count: number;
}

export function createReport(): Report {
  return { passed: 0, failed: 0, schemas: 0, distribution: new Distribution(), deviations: new Map(), failures: new Map() };
}

/** How a run went, for people: the shares of what was asked, and what each deviation explains. */
export function reportLines(report: Report): readonly string[] {
  const explained = [...report.deviations].toSorted(([, a], [, b]) => b - a).map(([name, count]) => `deviation ${name}: ${count} calls`);
  return [...report.distribution.rows(), ...explained, `${report.schemas} schemas, ${report.distribution.calls} calls`];
}

/** How large a run is: so many providers of so many schemas, each asked so often. */
export interface Run extends Extent {
  readonly seed: number;
  readonly calls: number;
}

/** Makes one provider, of a number of its own, asks both sides about everything in it, and enters what differs in the report. */
export async function tryProvider(report: Report, provider: number, run: Run, only?: number): Promise<void> {
  const random = randomFor(run.seed, "provider", provider);
  const declared = makeProvider(random, run);
  await using sides = await openSides(declared, random);
  report.schemas += declared.resources.length + declared.dataSources.length + 1;
  let index = 0;
  const asking =
    (schema: (call: Call) => SchemaDeclaration) =>
    async (call: Call): Promise<Asked> => {
      const [theirs, ours] = await Promise.all([answerFrom(sides, "theirs", call), answerFrom(sides, "ours", call)]);
      const at = index++;
      if (only === undefined || only === at) settle(report, { call, schema: schema(call), theirs, ours, provider, index: at });
      return { theirs, ours };
    };
  const lives = declared.resources.map(
    (resource) =>
      new Life(
        randomFor(run.seed, `${provider}/${resource.name}`, 0),
        sides,
        resource,
        asking(() => resource),
      ),
  );
  const schemaOf = ({ request }: Call): SchemaDeclaration =>
    declared.dataSources.find(({ name }) => request["typeName"] === `${declared.name}_${name}`) ?? declared.config;
  while (index < run.calls && sides.alive()) {
    if (random.chance(0.08)) await checkConfiguration(random, sides, asking(schemaOf));
    else await random.pick(lives).step();
  }
}

/** A call that a side cannot answer at all is an answer, too. */
async function answerFrom(sides: Sides, side: "theirs" | "ours", call: Call): Promise<Answer> {
  try {
    return await call.ask(sides[side], side);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return answerOf([{ severity: "error", summary: `Call failed: ${error.code}`, detail: error.message }]);
  }
}

function settle(report: Report, asked: Omit<Occasion, "differences"> & { readonly provider: number; readonly index: number }): void {
  const { call, theirs, ours } = asked;
  report.distribution.add(call.rpc, call.sort(theirs));
  const occasion = { ...asked, differences: [...compare(theirs, ours), ...brokenRules(call, ours)] };
  const explained = occasion.differences.map((difference) => deviationOf(difference, occasion));
  for (const name of new Set(explained)) {
    if (name !== undefined) report.deviations.set(name, (report.deviations.get(name) ?? 0) + 1);
  }
  const unexplained = occasion.differences.filter((_, at) => explained[at] === undefined);
  if (unexplained.length === 0) return void report.passed++;
  report.failed++;
  const sort = sortOf(call, unexplained);
  const known = report.failures.get(sort);
  if (known === undefined) report.failures.set(sort, { ...occasion, unexplained, count: 1 });
  else known.count++;
}

/** The cores' own rules hold for our answers whatever the framework answers: no deviation may break one. */
function brokenRules({ broken }: Call, ours: Answer): readonly Difference[] {
  if (broken === undefined || hasErrors(ours.diagnostics)) return [];
  return broken(ours).map((detail) => ({ kind: "error", side: "ours", path: "", steps: [], summary: brokenRule, detail }));
}

/** What distinguishes one sort of failure from another. */
function sortOf({ rpc }: Call, differences: readonly Difference[]): string {
  const kinds = differences.map((one) => {
    if (one.kind === "replace") return `${one.side} replace`;
    if (one.kind !== "value") return `${one.side} ${one.kind} ${one.summary.replace(/made_\w+/, "…")}`;
    return `${one.field} ${kindOf(one.theirs)}/${kindOf(one.ours)}`;
  });
  return `${rpc}: ${[...new Set(kinds)].toSorted().join("; ")}`;
}

function kindOf(plain: unknown): string {
  if (plain === null || plain === undefined || plain === "(unknown)") return String(plain);
  return "something";
}

/** The failures for people: one of each sort, with the command that shows it again. */
export function failureLines(report: Report, { seed, calls, resources, dataSources }: Run, most = 30): readonly string[] {
  const sizes = `--size ${resources},${dataSources},${calls}`;
  return [...report.failures]
    .toSorted(([, a], [, b]) => b.count - a.count)
    .slice(0, most)
    .flatMap(([sort, failure]) => {
      const { call, schema, unexplained, theirs, ours, provider, index, count } = failure;
      const clip = (value: unknown): string => (JSON.stringify(value) ?? "").slice(0, 3000);
      const request = Object.fromEntries(
        Object.entries(call.request).map(([name, part]) => [name, isValue(part) ? plainOf(part, false) : part]),
      );
      return [
        `${sort} (${count})`,
        ...unexplained.slice(0, 5).map((one) => `  differs  ${clip(one)}`),
        `  request  ${clip(request)}`,
        `  theirs   ${clip(plainAnswer(theirs))}`,
        `  ours     ${clip(plainAnswer(ours))}`,
        `  schema   ${clip(schema)}`,
        `  again    npm run fuzz -- provider --seed ${seed} ${sizes} --only ${provider}:${index}`,
      ];
    });
}

function plainAnswer({ values, diagnostics }: Answer): unknown {
  const said = hasErrors(diagnostics) || diagnostics.length > 0 ? { diagnostics } : {};
  return { ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plainOf(value, false)])), ...said };
}
