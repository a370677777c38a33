// SPDX-License-Identifier: Apache-2.0
import { openProvider, PluginHostError } from "@tenon/plugin-host";
import type { QueryCheck, QueryResult } from "../checks/check.ts";
import { sourceAddress } from "../configuration/required-providers.ts";
import type { JsonObject } from "../documents/json.ts";
import { TestingError } from "../error.ts";
import type { StepOf } from "./step.ts";
import type { StepRun } from "./step-run.ts";

/** Runs a step that lists resources. */
export async function runQueryStep(run: StepRun, { lists, options }: StepOf<"query">): Promise<void> {
  const { provider, providerConfig = {}, queryChecks = [] } = options;
  const { factories } = run.state;
  const names = Object.keys(factories);
  if (provider === undefined && names.length !== 1) {
    throw new TestingError("CASE_INVALID", `a query step must name its provider, because the case has ${names.length}`);
  }
  const source = provider === undefined ? names[0]! : sourceAddress(provider);
  const factory = factories[source];
  if (factory === undefined) throw new TestingError("CASE_INVALID", `the case has no provider ${source}`);
  const results: QueryResult[] = [];
  try {
    await using client = await openProvider(factory, { config: providerConfig });
    for (const [name, block] of Object.entries(lists)) {
      const { type, config = {}, limit, includeResource: includeState = false } = block;
      const found = client.list(type, config, { includeState, ...(limit !== undefined && { limit }) });
      for await (const { displayName, identity, state } of found) {
        results.push({
          address: `list.${type}.${name}`,
          displayName,
          identity: (identity ?? {}) as JsonObject,
          ...(state !== undefined && { resource: state as JsonObject }),
        });
      }
    }
  } catch (error) {
    if (!(error instanceof PluginHostError)) throw error;
    if (!(await run.accept("query", { errors: [error.message] }))) return;
  }
  await run.check<QueryCheck, readonly QueryResult[]>(queryChecks, results, (check) => check.checkQuery(results), "query");
}
