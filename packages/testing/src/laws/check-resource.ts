// SPDX-License-Identifier: Apache-2.0
import { Arbitrary, sample } from "fast-check";
import { CtyError, isValue, of, toJs, type Type, type Value } from "@tenon/cty";
import type { Block, Provider } from "@tenon/schema";
import { resourceType, type ResourceObject } from "@tenon/schema/lifecycle";
import { formatDiagnostic, openProvider } from "@tenon/plugin-host";
import { callSite, withSite } from "../call-site.ts";
import type { DefinedResource } from "../checks/resource-address.ts";
import { TestingError } from "../error.ts";
import { attributeOf, bodyInside, partsOfBody, type Body } from "../generate/body.ts";
import type { Random } from "../generate/random.ts";
import type { ValueSettings } from "../generate/value-settings.ts";
import { factoryOf, type TestedProvider } from "../runner/runner.ts";
import { findAcceptedValues } from "./accepted-values.ts";
import type { LawName } from "./law.ts";
import { RecordedCalls } from "./recorded-calls.ts";
import { findingsText, lowYieldText } from "./report-text.ts";
import { findingOfSchema, runLaws, type LawsRun } from "./run-laws.ts";
import { checkSchema } from "./schema-laws.ts";
import type { EarlierIdentity, EarlierState, MovedObject, Subject } from "./subject.ts";

/** Where the values of an attribute come from: some values, an arbitrary of fast-check, or a generator. Values are data or values of cty. */
export type ValueSource = readonly unknown[] | Arbitrary<unknown> | ((random: Random) => unknown);

/** Options of {@link checkResource}. */
export interface ResourceCheckOptions {
  /** The configuration of the provider, as data. Default: none. */
  readonly config?: Readonly<Record<string, unknown>>;
  /**
   * Values of single attributes and blocks, by the names that lead to them: `title`, `layout.paper`. Default: generated ones. Of attributes that
   * validation refuses, the values that its messages and descriptions quote, and texts in common formats, are tried.
   */
  readonly values?: Readonly<Record<string, ValueSource>>;
  /** Number of cases. Default: 50. */
  readonly cases?: number;
  /** The same seed gives the same cases. Default: 1. */
  readonly seed?: number;
  /** Number of simpler cases that are tried for a violated law. Default: 300. */
  readonly shrinks?: number;
  /** Whether changes are applied. Default: true. If false, the provider only validates and plans. */
  readonly apply?: boolean;
  /** Laws that are not checked, with a reason in a comment of the test. */
  readonly except?: readonly LawName[];
  /** Matches the errors of the provider that are no violation, because the remote system may refuse a valid configuration. */
  readonly allowErrors?: RegExp;
  /** The ID by which an object is imported. Default: its attribute `id`. */
  readonly importId?: (state: Readonly<Record<string, unknown>>) => string | undefined;
  /** Attributes that an import does not find out. */
  readonly ignoreOnImport?: readonly string[];
  /** Computed attributes that an update keeps, and that a new object gets from its configuration. Default: `id`, and those of the identity. */
  readonly ignoreOnUpdate?: readonly string[];
  /** Stored states of earlier versions of the schema. */
  readonly earlierStates?: readonly EarlierState[];
  /** Stored identities of earlier versions of the identity schema. */
  readonly earlierIdentities?: readonly EarlierIdentity[];
  /** Stored objects of other types that the resource takes over with `moved` blocks. */
  readonly movedFrom?: readonly MovedObject[];
  /** Returns what exists in the remote system: nothing, `0` or an empty array after everything is deleted. */
  readonly remaining?: () => unknown;
}

/** What a check did that found no violation. */
export type ResourceCheckResult = Omit<LawsRun, "findings">;

/**
 * Holds a resource against the laws that the resources of every provider follow, with generated configurations: plans are empty after an apply, an
 * import equals the state, and others. {@link laws} lists them. Objects are created one at a time, and deleted again.
 *
 * @throws TestingError `LAW_VIOLATED` with the simplest case for each violated law; `CASE_INVALID` if hardly any generated configuration is valid;
 * `OPTIONS_INVALID` for values that the schema does not allow.
 * PluginHostError `DIAGNOSTICS` if the provider refuses its own configuration.
 *
 * @example
 * test("a note follows the laws", () => checkResource(provider, note));
 */
export async function checkResource<T>(
  provider: TestedProvider,
  resource: DefinedResource<T> | string,
  options: ResourceCheckOptions = {},
): Promise<ResourceCheckResult> {
  const site = callSite(checkResource);
  const typeName = typeof resource === "string" ? resource : resource.typeName;
  const open = async (): Promise<Provider> => (await openProvider(factoryOf(provider), { config: options.config ?? {} })).provider;
  await using calls = await RecordedCalls.open(open);
  const run = await checkType(calls, typeName, options).catch((error: unknown) => {
    throw error instanceof TestingError ? withSite(error, site) : error;
  });
  if (run.findings.length > 0) throw withSite(new TestingError("LAW_VIOLATED", findingsText(typeName, run, options.seed ?? 1)), site);
  if (run.validCases === 0 || run.validCases * 10 < run.cases)
    throw withSite(new TestingError("CASE_INVALID", lowYieldText(typeName, run)), site);
  const { findings: _, ...result } = run;
  return result;
}

/** Holds a resource type of a configured provider against the laws. @throws TestingError `OPTIONS_INVALID` for values that the schema does not allow. */
export async function checkType(calls: RecordedCalls, typeName: string, options: ResourceCheckOptions): Promise<LawsRun> {
  const schema = await calls.provider.getProviderSchema({});
  const type = await resourceType(calls.provider, typeName);
  const except = new Set(options.except);
  const identity = Object.keys(type.identitySchema?.attributes ?? {});
  const subject: Subject = {
    type,
    calls,
    except,
    applies: options.apply ?? true,
    isExpected: (diagnostic) => options.allowErrors !== undefined && formatDiagnostic(diagnostic).search(options.allowErrors) >= 0,
    importId: (object) =>
      options.importId === undefined ? idOf(object) : options.importId(toJs(object.value) as Readonly<Record<string, unknown>>),
    isImportIdGiven: options.importId !== undefined,
    ignored: { onImport: new Set(options.ignoreOnImport), onUpdate: new Set(options.ignoreOnUpdate ?? ["id", ...identity]) },
    independentOfClock: new Set(),
    earlierStates: options.earlierStates ?? [],
    earlierIdentities: options.earlierIdentities ?? [],
    movedFrom: options.movedFrom ?? [],
    remaining: options.remaining,
  };
  const broken = except.has("schema-valid") ? [] : checkSchema(schema, typeName);
  const findings = broken.map(findingOfSchema);
  const values: ValueSettings = { parts: valueParts(type.schema.block, options.values ?? {}) };
  const parts = await findAcceptedValues(type, values);
  const run = await runLaws(
    subject,
    { ...values, parts },
    { cases: options.cases ?? 50, seed: options.seed ?? 1, shrinks: options.shrinks ?? 300 },
  );
  return { ...run, findings: [...findings, ...run.findings] };
}

function idOf({ value }: ResourceObject): string | undefined {
  if (value.type.kind !== "object" || value.type.attributes["id"]?.kind !== "string") return undefined;
  const id = attributeOf(value, "id").payload;
  return typeof id === "string" ? id : undefined;
}

/** The generators of the given values. @throws TestingError `OPTIONS_INVALID` for a name that the schema does not have, and for no values. */
function valueParts(block: Block, sources: Readonly<Record<string, ValueSource>>): ReadonlyMap<string, (random: Random) => Value> {
  const types = partTypes(block);
  return new Map(
    Object.entries(sources).map(([at, source]) => {
      const type = types.get(at);
      if (type === undefined)
        throw invalidValues(`the schema has no attribute ${JSON.stringify(at)}; it has ${[...types.keys()].join(", ")}`);
      if (Array.isArray(source) && source.length === 0) throw invalidValues(`the list of values of ${at} is empty`);
      return [at, (random: Random) => valueFrom(random, at, type, source)];
    }),
  );
}

/** A value of a source. @throws TestingError `OPTIONS_INVALID` for data that the attribute cannot have. */
function valueFrom(random: Random, at: string, type: Type, source: ValueSource): Value {
  const data = dataFrom(random, source);
  if (isValue(data)) return data;
  try {
    return of(type, data as never);
  } catch (error) {
    throw error instanceof CtyError ? invalidValues(`${at} cannot have this value: ${error.message}`) : error;
  }
}

function invalidValues(reason: string): TestingError {
  return new TestingError("OPTIONS_INVALID", `values: ${reason}`);
}

function dataFrom(random: Random, source: ValueSource): unknown {
  if (typeof source === "function") return source(random);
  if (source instanceof Arbitrary) return sample(source, { seed: random.int(1 << 30), numRuns: 1 })[0];
  return random.pick(source);
}

/** The types of all attributes and blocks, by the names that lead to them. */
function partTypes(block: Block): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>();
  const collect = (body: Body, within: string): void => {
    for (const [, part] of partsOfBody(body, within)) {
      types.set(part.at, part.type);
      const inside = bodyInside(part);
      if (inside !== undefined) collect(inside.body, part.at);
    }
  };
  collect(block, "");
  return types;
}
