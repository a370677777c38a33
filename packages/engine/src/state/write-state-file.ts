// SPDX-License-Identifier: Apache-2.0
// Writes state files of format 4, with the properties in OpenTofu's order.
import { encode, encodeType } from "@tenon/cty/json";
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { formatModuleInstance, formatProviderConfig, formatProviderConfigInstance, type InstanceKey } from "../address/index.ts";
import { opentofuVersion } from "../opentofu-version.ts";
import type { CheckResult } from "./check-result.ts";
import { formatJsonTree, parseJsonTree, type JsonObject, type JsonTree } from "./json-tree.ts";
import { encodeSensitivePaths } from "./sensitive-path.ts";
import type { StateFile } from "./state-file.ts";
import type { StateObject } from "./state-object.ts";
import type { StateObjectEntry } from "./state-draft.ts";
import { providerTextOf, type State, type StateInstance, type StateOutput, type StateResource } from "./state.ts";

/** The layout of a state file's JSON: `file` is indented, as in local files; `compact` is one line, as in remote stores. */
export type StateLayout = "file" | "compact";

/**
 * Writes a state file of format 4, with the same bytes as OpenTofu 1.12. Its `terraform_version` is always {@link opentofuVersion}.
 *
 * @see OpenTofu internal/states/statefile, writeStateV4
 */
export function writeStateFile(file: StateFile, layout: StateLayout = "file"): string {
  // OpenTofu's local store adds a second line break.
  return layout === "file" ? `${formatJsonTree(stateTree(file), 2)}\n\n` : `${formatJsonTree(stateTree(file))}\n`;
}

function stateTree({ serial, lineage, state }: StateFile): JsonObject {
  return {
    version: 4,
    terraform_version: opentofuVersion,
    serial,
    lineage,
    outputs: outputTrees(state),
    resources: resourceTrees(state),
    check_results: checkTrees(state.checkResults),
  };
}

function outputTrees({ outputs }: State): JsonObject {
  const sorted = [...outputs].sort(([a], [b]) => compareCodePoints(a, b));
  return Object.fromEntries(sorted.map(([name, output]) => [name, outputTree(output)]));
}

function outputTree({ value, sensitive, deprecated }: StateOutput): JsonObject {
  return {
    value: parseJsonTree(encode(value, value.type)),
    type: parseJsonTree(encodeType(value.type)),
    ...(sensitive ? { sensitive } : {}),
    ...(deprecated === undefined || deprecated === "" ? {} : { deprecated }),
  };
}

/** The resources in OpenTofu's order of files: by the texts of module, mode, type and name. */
function resourceTrees({ resources }: State): readonly JsonTree[] {
  const rows = [...resources.values()]
    .filter(({ address }) => address.resource.mode !== "ephemeral")
    .map((resource) => ({ resource, module: formatModuleInstance(resource.address.module), ...resource.address.resource }));
  rows.sort(
    (a, b) =>
      compareCodePoints(a.module, b.module) ||
      compareCodePoints(a.mode, b.mode) ||
      compareCodePoints(a.type, b.type) ||
      compareCodePoints(a.name, b.name),
  );
  return rows.map(({ resource, module }) => resourceTree(resource, module));
}

function resourceTree(resource: StateResource, module: string): JsonObject {
  const { mode, type, name } = resource.address.resource;
  const instances = [...resource.instances.values()];
  const hasProviderKeys = instances.some(({ providerKey }) => providerKey !== undefined);
  return {
    ...(module === "" ? {} : { module }),
    mode,
    type,
    name,
    ...(hasProviderKeys ? {} : { provider: formatProviderConfig(resource.provider) }),
    instances: instances
      .sort((a, b) => compareKeys(a.key, b.key))
      .flatMap((instance) => instanceTrees(resource, instance, hasProviderKeys)),
  };
}

/** One object as an element of a state file's `resources`, with this instance only. */
export function resourceTreeOf({ address: { instance, deposed }, object, provider }: StateObjectEntry): JsonObject {
  const { module, resource, key } = instance;
  const { mode, type, name } = resource;
  const row: Mutable<JsonObject> = {};
  const moduleText = formatModuleInstance(module);
  if (moduleText !== "") row["module"] = moduleText;
  row["mode"] = mode;
  row["type"] = type;
  row["name"] = name;
  // Only the instances of a resource with several provider instances name them, each its own.
  const providerText = provider.key === undefined ? undefined : formatProviderConfigInstance(provider);
  if (providerText === undefined) row["provider"] = formatProviderConfig(provider.config);
  row["instances"] = [objectTree(object, key, deposed, providerText)];
  return row;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Orders keys: no key, then numbers, then texts. */
function compareKeys(a: InstanceKey | undefined, b: InstanceKey | undefined): number {
  const rank = (key: InstanceKey | undefined): number => (key === undefined ? 0 : typeof key === "number" ? 1 : 2);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  return typeof a === "number" ? a - (b as number) : a === undefined ? 0 : compareCodePoints(a, b as string);
}

function instanceTrees(resource: StateResource, instance: StateInstance, hasProviderKeys: boolean): readonly JsonObject[] {
  const provider = hasProviderKeys ? providerTextOf(resource, instance) : undefined;
  const deposed = [...instance.deposed].sort(([a], [b]) => compareCodePoints(a, b));
  return [
    ...(instance.current === undefined ? [] : [objectTree(instance.current, instance.key, undefined, provider)]),
    ...deposed.map(([deposedKey, object]) => objectTree(object, instance.key, deposedKey, provider)),
  ];
}

/** An object as an element of a state file's `instances`. */
export function objectTree(object: StateObject, key?: InstanceKey, deposed?: string, provider?: string): JsonObject {
  const { attributes, attributesFlat, sensitivePaths, private: privateData, dependencies, identity, identitySchemaVersion } = object;
  // Assignments, because an apply writes two trees of each object, and spreads of optional properties take several times as long.
  const tree: Mutable<JsonObject> = {};
  if (key !== undefined) tree["index_key"] = key;
  if (object.status === "tainted") tree["status"] = "tainted";
  if (deposed !== undefined) tree["deposed"] = deposed;
  if (provider !== undefined) tree["provider"] = provider;
  tree["schema_version"] = object.schemaVersion;
  if (attributes !== undefined) tree["attributes"] = attributes;
  if (attributesFlat !== undefined && Object.keys(attributesFlat).length > 0) tree["attributes_flat"] = attributesFlat;
  tree["sensitive_attributes"] = encodeSensitivePaths(sensitivePaths);
  if (privateData !== undefined && privateData.length > 0) tree["private"] = Buffer.from(privateData).toString("base64");
  if (dependencies.length > 0) tree["dependencies"] = dependencies;
  if (object.createBeforeDestroy) tree["create_before_destroy"] = true;
  if (object.skipDestroy) tree["skip_destroy"] = true;
  if (identity !== undefined) tree["identity"] = identity;
  if (identitySchemaVersion !== undefined) tree["identity_schema_version"] = identitySchemaVersion;
  return tree;
}

function checkTrees(results: readonly CheckResult[] | undefined): JsonTree {
  if (results === undefined || results.length === 0) return null;
  return results.map(({ kind, address, status, objects }) => ({
    object_kind: kind,
    config_addr: address,
    status,
    objects:
      objects === undefined || objects.length === 0
        ? null
        : objects.map((object) => ({
            object_addr: object.address,
            status: object.status,
            ...(object.failureMessages.length === 0 ? {} : { failure_messages: object.failureMessages }),
          })),
  }));
}
