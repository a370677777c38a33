// SPDX-License-Identifier: Apache-2.0
import { nullOf, number, of, bool } from "@tenon/cty";
import { hasErrors, type Diagnostic } from "@tenon/schema";
import { configValue } from "./config-value.ts";
import { Operation, type ClientContext, type OperationSettings } from "./operation.ts";
import type { Fields } from "./provider-types.ts";
import { plainData, stateData } from "./state-data.ts";

/** How resources are listed. */
export interface ListSettings extends OperationSettings {
  /** At most so many. Default: all. */
  readonly limit?: number;
  /** Whether each comes with its state. Default: false, which is cheaper. */
  readonly includeState?: boolean;
}

/** A resource that was found. To take it under management, import it by its identity. */
export interface ListedResource<State = Fields, Identity = Fields | undefined> {
  /** For people. */
  readonly displayName: string;
  readonly identity: Identity | undefined;
  /** There with `includeState`. */
  readonly state: State | undefined;
  readonly warnings: readonly Diagnostic[];
}

/**
 * Lists resources. An error about one of them does not keep the others back: it is thrown when all have been given.
 *
 * @throws PluginHostError `DIAGNOSTICS`, `INVALID_CONFIG`
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
  const { limit = 0, includeState = false } = settings;
  const validated = await provider.validateListResourceConfig(
    { typeName, config: value, includeResourceObject: of(bool, includeState), limit: limit > 0 ? of(number, limit) : nullOf(number) },
    callOptions,
  );
  operation.settle(validated.diagnostics);
  const block = schema.resources.get(typeName)?.block;
  const failed: Diagnostic[] = [];
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
  }
  operation.settle(failed);
}
