// SPDX-License-Identifier: Apache-2.0
import { isValue } from "@tenon/cty";
import { hasErrors, ProviderError } from "@tenon/schema";
import { randomFor } from "@tenon/testing/generate";
import { responseOf, brokenRule, type ProviderResponse, type Difference } from "./response.ts";
import { compare, plainOf } from "./compare.ts";
import { checkConfiguration } from "./configuration-checks.ts";
import type { SchemaDeclaration } from "./declaration.ts";
import { deviationOf } from "./deviations.ts";
import type { Occasion } from "./deviations/occasion.ts";
import { Distribution } from "./distribution.ts";
import { makeProvider, type Extent } from "./generate/schema.ts";
import type { Responses, Call } from "./call.ts";
import { Life } from "./life.ts";
import { openSides, type Sides } from "./sides.ts";

/** Result of comparing provider-sdk with the framework. */
export interface Report {
  passed: number;
  failed: number;
  schemas: number;
  readonly distribution: Distribution;
  /** Numbers of calls by the deviation that explains a difference. */
  readonly deviations: Map<string, number>;
  /** The first failure of each sort, by its key. */
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

/** Formats the result of a run: shares of the calls, and the differences that each deviation explains. */
export function reportLines(report: Report): readonly string[] {
  const explained = [...report.deviations].toSorted(([, a], [, b]) => b - a).map(([name, count]) => `deviation ${name}: ${count} calls`);
  return [...report.distribution.rows(), ...explained, `${report.schemas} schemas, ${report.distribution.calls} calls`];
}

/** Size of a run: numbers of providers, of schemas in each, and of calls to each. */
export interface Run extends Extent {
  readonly seed: number;
  readonly calls: number;
}

/** Generates the provider with the given number, calls both sides about all of it, and reports the differences. */
export async function tryProvider(report: Report, provider: number, run: Run, only?: number): Promise<void> {
  const random = randomFor(run.seed, "provider", provider);
  const declared = makeProvider(random, run);
  await using sides = await openSides(declared, random);
  report.schemas += declared.resources.length + declared.dataSources.length + 1;
  let index = 0;
  const asking =
    (schema: (call: Call) => SchemaDeclaration) =>
    async (call: Call): Promise<Responses> => {
      const [theirs, ours] = await Promise.all([responseFrom(sides, "theirs", call), responseFrom(sides, "ours", call)]);
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

/** Turns a failed call into a response, so that it is compared, too. */
async function responseFrom(sides: Sides, side: "theirs" | "ours", call: Call): Promise<ProviderResponse> {
  try {
    return await call.ask(sides[side], side);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return responseOf([{ severity: "error", summary: `Call failed: ${error.code}`, detail: error.message }]);
  }
}

function settle(report: Report, responses: Omit<Occasion, "differences"> & { readonly provider: number; readonly index: number }): void {
  const { call, theirs, ours } = responses;
  report.distribution.add(call.rpc, call.sort(theirs));
  const occasion = { ...responses, differences: [...compare(theirs, ours), ...brokenRules(call, ours)] };
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

/** Checks the cores' rules on our responses: no deviation may break one. */
function brokenRules({ broken }: Call, ours: ProviderResponse): readonly Difference[] {
  if (broken === undefined || hasErrors(ours.diagnostics)) return [];
  return broken(ours).map((detail) => ({ kind: "error", side: "ours", path: "", steps: [], summary: brokenRule, detail }));
}

/** Key of a sort of failures. */
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

/** Formats one failure of each sort, with the command that reproduces it. */
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
        `  theirs   ${clip(plainResponse(theirs))}`,
        `  ours     ${clip(plainResponse(ours))}`,
        `  schema   ${clip(schema)}`,
        `  again    npm run fuzz -- provider --seed ${seed} ${sizes} --only ${provider}:${index}`,
      ];
    });
}

function plainResponse({ values, diagnostics }: ProviderResponse): unknown {
  const reported = hasErrors(diagnostics) || diagnostics.length > 0 ? { diagnostics } : {};
  return { ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plainOf(value, false)])), ...reported };
}
