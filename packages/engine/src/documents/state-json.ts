// SPDX-License-Identifier: Apache-2.0
import { encodeType, toTree } from "@tenon/cty/json";
import type { Block } from "@tenon/schema";
import { impliedType } from "@tenon/schema";
import { formatProvider, type ProviderAddress } from "../address/provider.ts";
import { formatResourceInstance, type Resource } from "../address/resource.ts";
import type { ModuleInstance } from "../address/module.ts";
import { schemaMarks, sensitiveMarks } from "../marks/object-marks.ts";
import type { JsonTree } from "../state/json-tree.ts";
import { attributesOf, type StateObject } from "../state/state-object.ts";
import { isEmptyState, sortedInstances, sortedResources, type State, type StateOutput } from "../state/state.ts";
import { checksJson } from "./checks-json.ts";
import { moduleTree } from "./module-tree.ts";
import { sensitiveParts } from "./value-json.ts";

/** Finds the schema of a resource's type; undefined if its provider has none. */
export type SchemaLookup = (
  provider: ProviderAddress,
  resource: Resource,
) => { readonly block: Block; readonly version: number } | undefined;

/** A JSON document. */
export type JsonDocument = Readonly<Record<string, JsonTree>>;

/** A state as `tofu show -json` prints it, format version 1.0. @see OpenTofu jsonstate */
export function stateJson(state: State, schemas: SchemaLookup, terraformVersion: string): JsonDocument {
  if (isEmptyState(state)) return { format_version: "1.0" };
  return {
    format_version: "1.0",
    terraform_version: terraformVersion,
    values: {
      ...(state.outputs.size > 0 && { outputs: outputsJson(state.outputs) }),
      root_module: moduleTree(resourcesJson(state, schemas)),
    },
    ...(state.checkResults !== undefined && state.checkResults.length > 0 && { checks: checksJson(state.checkResults) }),
  };
}

/** Outputs in JSON as in a state; `tofu output -json` has the same. Sensitive values are in clear text. */
export function outputsJson(outputs: ReadonlyMap<string, StateOutput>): JsonDocument {
  return Object.fromEntries(
    [...outputs].map(([name, { value, sensitive, deprecated }]) => [
      name,
      {
        sensitive,
        ...(deprecated !== undefined && { deprecated }),
        value: toTree(value, value.type),
        type: JSON.parse(encodeType(value.type)) as JsonTree,
      },
    ]),
  );
}

function* resourcesJson(state: State, schemas: SchemaLookup): Generator<readonly [ModuleInstance, JsonTree]> {
  for (const resource of sortedResources(state)) {
    const { address, provider } = resource;
    const schema = schemas(provider.provider, address.resource);
    if (schema === undefined) continue;
    for (const { key, current, deposed } of sortedInstances(resource)) {
      const common = {
        address: formatResourceInstance({ ...address, ...(key !== undefined && { key }) }),
        mode: address.resource.mode,
        type: address.resource.type,
        name: address.resource.name,
        ...(key !== undefined && { index: key }),
        provider_name: formatProvider(provider.provider),
      };
      if (current !== undefined) {
        yield [address.module, { ...common, schema_version: current.schemaVersion, ...objectJson(current, schema.block) }];
      }
      for (const [id, object] of [...deposed].sort(([a], [b]) => (a < b ? -1 : 1))) {
        yield [address.module, { ...common, schema_version: 0, ...objectJson(object, schema.block), deposed_key: id }];
      }
    }
  }
}

function objectJson(object: StateObject, block: Block): JsonDocument {
  const value = attributesOf(object, impliedType(block));
  const { identity, identitySchemaVersion, dependencies, status } = object;
  return {
    values: toTree(value, value.type),
    sensitive_values: sensitiveParts(value, sensitiveMarks(object.sensitivePaths), schemaMarks(block, value)),
    ...(dependencies.length > 0 && { depends_on: [...dependencies] }),
    ...(status === "tainted" && { tainted: true }),
    ...(identity !== undefined && {
      identity,
      ...(identitySchemaVersion !== undefined && { identity_schema_version: identitySchemaVersion }),
    }),
  };
}
