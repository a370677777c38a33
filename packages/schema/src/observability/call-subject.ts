// SPDX-License-Identifier: Apache-2.0
import type { Provider } from "../provider.ts";

/** The calls of a provider. */
export type ProviderMethod = Exclude<keyof Provider, "close" | symbol>;

/** What a call is, in the words of logs and spans. */
export interface CallSubject {
  /** As protocol 6 names it: `ApplyResourceChange`. */
  readonly rpc: string;
  /** `tf_resource_type` and its neighbours; empty where the call is about the provider. */
  readonly about: Readonly<Record<string, string>>;
}

/** By the field of log lines that names the component. @see terraform-plugin-go internal/logging/keys.go */
const componentFields = {
  tf_resource_type: "resource",
  tf_data_source_type: "dataSource",
  tf_ephemeral_resource_type: "ephemeralResource",
  tf_list_resource_type: "listResource",
  tf_action_type: "action",
  tf_state_store_type: "stateStore",
  tf_function: "function",
} as const;

type ComponentField = keyof typeof componentFields;

/** The component that a call is about, by its log fields; undefined where it is about the provider. */
export function componentOf(
  about: Readonly<Record<string, unknown>>,
): { readonly kind: (typeof componentFields)[ComponentField]; readonly typeName: string } | undefined {
  for (const field in about) {
    if (Object.hasOwn(componentFields, field)) return { kind: componentFields[field as ComponentField], typeName: String(about[field]) };
  }
  return undefined;
}

/** Which field names the component of a call, and which part of the request has its name. */
const subjects: Readonly<Record<ProviderMethod, readonly [field: ComponentField, part: string] | null>> = {
  getMetadata: null,
  getProviderSchema: null,
  getResourceIdentitySchemas: null,
  validateProviderConfig: null,
  configureProvider: null,
  validateResourceConfig: ["tf_resource_type", "typeName"],
  upgradeResourceState: ["tf_resource_type", "typeName"],
  upgradeResourceIdentity: ["tf_resource_type", "typeName"],
  readResource: ["tf_resource_type", "typeName"],
  planResourceChange: ["tf_resource_type", "typeName"],
  applyResourceChange: ["tf_resource_type", "typeName"],
  importResourceState: ["tf_resource_type", "typeName"],
  moveResourceState: ["tf_resource_type", "targetTypeName"],
  generateResourceConfig: ["tf_resource_type", "typeName"],
  validateDataResourceConfig: ["tf_data_source_type", "typeName"],
  readDataSource: ["tf_data_source_type", "typeName"],
  validateEphemeralResourceConfig: ["tf_ephemeral_resource_type", "typeName"],
  openEphemeralResource: ["tf_ephemeral_resource_type", "typeName"],
  renewEphemeralResource: ["tf_ephemeral_resource_type", "typeName"],
  closeEphemeralResource: ["tf_ephemeral_resource_type", "typeName"],
  getFunctions: null,
  callFunction: ["tf_function", "name"],
  validateListResourceConfig: ["tf_list_resource_type", "typeName"],
  listResource: ["tf_list_resource_type", "typeName"],
  validateActionConfig: ["tf_action_type", "actionType"],
  planAction: ["tf_action_type", "actionType"],
  invokeAction: ["tf_action_type", "actionType"],
  validateStateStoreConfig: ["tf_state_store_type", "typeName"],
  configureStateStore: ["tf_state_store_type", "typeName"],
  readStateBytes: ["tf_state_store_type", "typeName"],
  writeStateBytes: ["tf_state_store_type", "typeName"],
  lockState: ["tf_state_store_type", "typeName"],
  unlockState: ["tf_state_store_type", "typeName"],
  getStates: ["tf_state_store_type", "typeName"],
  deleteState: ["tf_state_store_type", "typeName"],
  stop: null,
};

/** What a call is, by its method and its request. */
export function callSubject(method: ProviderMethod, request: object): CallSubject {
  const rpc = method === "stop" ? "StopProvider" : `${method[0]!.toUpperCase()}${method.slice(1)}`;
  const subject = subjects[method];
  if (subject === null) return { rpc, about: {} };
  const [field, part] = subject;
  return { rpc, about: { [field]: String((request as Readonly<Record<string, unknown>>)[part]) } };
}
