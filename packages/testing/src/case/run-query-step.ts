// SPDX-License-Identifier: Apache-2.0
import { openProvider, PluginHostError } from "@tenon/plugin-host";
import type { QueryCheck, QueryResult } from "../checks/check.ts";
import type { JsonObject } from "../documents/json.ts";
import type { StepOf } from "./step.ts";
import { providerOfStep } from "./step-provider.ts";
import type { StepRun } from "./step-run.ts";

/** Runs a step that lists resources. */
export async function runQueryStep(run: StepRun, { lists, options }: StepOf<"query">): Promise<void> {
  const { provider, providerConfig = {}, queryChecks = [] } = options;
  const factory = providerOfStep(run, "query", provider);
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
  const addresses = Object.entries(lists).map(([name, { type }]) => `list.${type}.${name}`);
  await run.check<QueryCheck, readonly QueryResult[]>(queryChecks, results, (check) => check.checkQuery(results, addresses), "query");
}
