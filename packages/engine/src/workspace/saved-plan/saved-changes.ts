// SPDX-License-Identifier: Apache-2.0
import { resourceType } from "@tenon/schema/lifecycle";
import { formatProviderConfig } from "../../address/provider-config.ts";
import type { Drift, PlannedChanges, ResourceChange } from "../../change/planned-changes.ts";
import { resourceSchemas } from "../../provider/provider-schemas.ts";
import type { ProviderPool } from "../../provider/provider-pool.ts";
import type { SavedChange, SavedChanges, SavedPlan } from "./saved-plan.ts";

/** The planned changes in the form in which a saved plan has them. */
export function savedChangesOf(planned: PlannedChanges): SavedChanges {
  const { mode, outputs, checks, timestamp, resources, drift, deferred = [] } = planned;
  return {
    mode,
    outputs,
    checks,
    timestamp,
    resources: resources.map(withoutSchemas),
    drift: drift.map(withoutSchemas),
    deferred: deferred.map(({ change, ...rest }) => ({ ...rest, change: withoutSchemas(change) })),
    relevantAttributes: planned.relevantAttributes(),
  };
}

function withoutSchemas<Change extends Drift & Pick<ResourceChange, "dataSchema" | "validatedConfig">>(
  change: Change,
): SavedChange<Change> {
  const { type, dataSchema, validatedConfig: _, ...rest } = change;
  return { ...rest, schemas: { type: type !== undefined, data: dataSchema !== undefined } };
}

/**
 * The planned changes of a saved plan, with the schemas of their providers.
 *
 * @throws EngineError `PROVIDER_NOT_FOUND`.
 */
export async function plannedChangesOf({ changes, priorState, previousState }: SavedPlan, pool: ProviderPool): Promise<PlannedChanges> {
  const { resources, drift, deferred, relevantAttributes, ...rest } = changes;
  const withAll = async <Change extends Drift | ResourceChange>(saved: readonly SavedChange<Change>[]): Promise<readonly Change[]> =>
    Promise.all(saved.map((one) => withSchemas(one, pool)));
  const deferredChanges = await withAll(deferred.map(({ change }) => change));
  return {
    ...rest,
    resources: await withAll(resources),
    drift: await withAll(drift),
    ...(deferred.length > 0 && { deferred: deferred.map(({ reason }, index) => ({ reason, change: deferredChanges[index]! })) }),
    relevantAttributes: () => relevantAttributes,
    priorState,
    previousState,
    diagnostics: [],
    errored: false,
  };
}

async function withSchemas<Change extends Drift | ResourceChange>(saved: SavedChange<Change>, pool: ProviderPool): Promise<Change> {
  const { schemas, ...change } = saved;
  const { config } = saved.provider;
  const { mode, type: typeName } = saved.address.instance.resource;
  const providerAddress = formatProviderConfig(config);
  const type = schemas.type ? await resourceType(await pool.unconfigured(config.provider), typeName, { providerAddress }) : undefined;
  const schema = schemas.data ? resourceSchemas(await pool.schemas(config.provider), mode).get(typeName) : undefined;
  return { ...change, ...(type && { type }), ...(schema && { dataSchema: schema.block }) } as unknown as Change;
}
