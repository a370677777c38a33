// SPDX-License-Identifier: Apache-2.0
import { openProvider, type ProviderSource } from "@tenon/plugin-host";
import type { Provider } from "@tenon/schema";
import { TestingError } from "../error.ts";
import { checkType, type ResourceCheckOptions } from "../laws/check-resource.ts";
import type { LawName } from "../laws/law.ts";
import { RecordedCalls } from "../laws/recorded-calls.ts";
import { findingOfSchema, type Finding, type LawsRun } from "../laws/run-laws.ts";
import { checkIdentitySchemas, checkNames } from "../laws/schema-laws.ts";

/** Options of {@link checkProvider}. */
export interface ProviderCheckOptions {
  /** Version constraint of a source address. */
  readonly version?: string | undefined;
  /** Type names. A `*` at the end matches any characters. Default: all. */
  readonly resources?: readonly string[];
  /** The configuration of the provider, as data. Default: none. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Values of attributes, by type name and by the names that lead to the attribute. */
  readonly values?: Readonly<Record<string, ResourceCheckOptions["values"]>>;
  /** Whether objects are created, changed and deleted. Default: false, which validates and plans only. */
  readonly apply?: boolean;
  /** Number of cases for each resource type. Default: 50. */
  readonly cases?: number;
  /** Seed of the cases. Default: 1. */
  readonly seed?: number;
  /** Time limit of a call, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
  /** Laws that are not checked. */
  readonly except?: readonly LawName[];
  /** Called before each resource type. */
  readonly onResource?: (typeName: string) => void;
}

/** The report of one resource type. */
export interface ResourceReport extends LawsRun {
  readonly typeName: string;
}

/** The report of a provider. */
export interface ProviderReport {
  /** Violations that concern no single resource type. */
  readonly findings: readonly Finding[];
  readonly resources: readonly ResourceReport[];
}

/**
 * Checks that the resources of a provider follow the laws. The provider may be written in any language.
 *
 * @throws PluginHostError as `openProvider`: if it cannot be launched, or refuses its configuration. TestingError
 * `OPTIONS_INVALID` for a resource type or an attribute that it does not have.
 */
export async function checkProvider(
  source: Exclude<ProviderSource, Provider>,
  options: ProviderCheckOptions = {},
): Promise<ProviderReport> {
  const { config = {}, version, except = [], apply = false, timeoutMs = 60_000, cases, seed } = options;
  const open = async (): Promise<Provider> => {
    const client = await openProvider(source, { config, callTimeoutMs: timeoutMs, ...(version === undefined ? {} : { version }) });
    return client.provider;
  };
  await using calls = await RecordedCalls.open(open);
  const schema = await calls.provider.getProviderSchema({});
  const violations = [...(await checkNames(calls, schema)), ...(await checkIdentitySchemas(calls))];
  const findings = violations.filter(({ law }) => !except.includes(law)).map(findingOfSchema);
  const resources: ResourceReport[] = [];
  for (const typeName of matchingNames([...schema.resources.keys()].toSorted(), options.resources ?? [])) {
    options.onResource?.(typeName);
    const values = options.values?.[typeName];
    const run = await checkType(calls, typeName, {
      apply,
      except,
      ...(values && { values }),
      ...(cases === undefined ? {} : { cases }),
      ...(seed === undefined ? {} : { seed }),
    });
    resources.push({ typeName, ...run });
  }
  return { findings, resources };
}

/** The type names that match one of the patterns. Without patterns, all. */
function matchingNames(names: readonly string[], patterns: readonly string[]): readonly string[] {
  if (patterns.length === 0) return names;
  for (const pattern of patterns) {
    if (names.some((name) => matches(name, pattern))) continue;
    throw new TestingError("OPTIONS_INVALID", `the provider has no resource type ${pattern}; it has ${names.join(", ")}`);
  }
  return names.filter((name) => patterns.some((pattern) => matches(name, pattern)));
}

function matches(name: string, pattern: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
