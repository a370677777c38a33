// SPDX-License-Identifier: Apache-2.0
import { bool, number, of } from "@tenon/cty";
import { hasErrors, type Diagnostic } from "@tenon/schema";
import { PluginHostError } from "../error.ts";
import { configValue } from "./config-value.ts";
import { Operation, type ClientContext, type OperationSettings } from "./operation.ts";
import type { Fields } from "../resource-handle.ts";
import { plainData, stateData } from "./state-data.ts";

/** Settings for listing resources. */
export interface ListSettings extends OperationSettings {
  /**
   * Maximum number of results. `Infinity` lists all resources. Default: 100, which Terraform sends for a `list` block without `limit`.
   *
   * @see https://developer.hashicorp.com/terraform/language/block/tfquery/list and Terraform internal/terraform, defaultQueryLimit
   */
  readonly limit?: number;
  /** Whether each result has its state. Default: false, which is cheaper. */
  readonly includeState?: boolean;
}

/** A listed resource. To manage it, import it by its identity. */
export interface ListedResource<State = Fields, Identity = Fields | undefined> {
  /** Name of the resource in user interfaces. */
  readonly displayName: string;
  readonly identity: Identity | undefined;
  /** Present with `includeState`. */
  readonly state: State | undefined;
  readonly warnings: readonly Diagnostic[];
}

/**
 * Lists resources. An error about one resource is thrown after all others have been listed.
 *
 * @throws PluginHostError `DIAGNOSTICS`, `INVALID_CONFIG`; `INVALID_OPTIONS` for an invalid limit
 */
export async function* listResources<State, Identity>(
  context: ClientContext,
  typeName: string,
  config: unknown,
  settings: ListSettings,
): AsyncGenerator<ListedResource<State, Identity>, void> {
  const { provider, schema } = context;
  const operation = new Operation(context, "list", typeName, settings);
  const callOptions = settings.signal ? { signal: settings.signal } : {};
  const value = configValue(schema.listResources.get(typeName)!.block, config, operation.address);
  const { includeState = false } = settings;
  const limit = resolveLimit(settings.limit);
  const validated = await provider.validateListResourceConfig(
    { typeName, config: value, includeResourceObject: of(bool, includeState), limit: of(number, limit) },
    callOptions,
  );
  operation.settle(validated.diagnostics);
  const block = schema.resources.get(typeName)?.block;
  const failed: Diagnostic[] = [];
  let listed = 0;
  for await (const event of provider.listResource({ typeName, config: value, includeResourceObject: includeState, limit }, callOptions)) {
    if (hasErrors(event.diagnostics)) {
      failed.push(...event.diagnostics);
      continue;
    }
    const warnings = operation.settle(event.diagnostics);
    const { displayName, identity, resourceObject } = event;
    if (displayName === "" && identity === undefined && resourceObject === undefined) continue;
    yield {
      displayName,
      identity: identity && (plainData(identity) as Identity),
      state: resourceObject && ((block ? stateData(resourceObject, block) : plainData(resourceObject)) as State),
      warnings,
    };
    // Providers on the Go framework do not stop at the limit themselves.
    if (++listed === limit) break;
  }
  operation.settle(failed);
}

/** Returns the limit to send. A limit is always sent, because some providers list nothing without one. */
function resolveLimit(limit = 100): number {
  if (limit === Infinity) return Number.MAX_SAFE_INTEGER;
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new PluginHostError("INVALID_OPTIONS", `option limit is ${limit}; it must be a positive integer, or Infinity`);
}
