// SPDX-License-Identifier: Apache-2.0
import type { CallName } from "../provider/call-names.ts";

/** RPC and subject of a call, for logs and spans. */
export interface CallSubject {
  /** Name of the RPC in protocol 6: `ApplyResourceChange`. */
  readonly rpc: string;
  /** Log field with the name of the component, such as `tf_resource_type`; empty for a call about the provider itself. */
  readonly about: Readonly<Record<string, string>>;
}

/** Kinds of components, by the log field with the component's name. @see terraform-plugin-go internal/logging/keys.go */
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

/** Returns the component that a call is about, from its log fields; undefined for a call about the provider itself. */
export function componentOf(
  about: Readonly<Record<string, unknown>>,
): { readonly kind: (typeof componentFields)[ComponentField]; readonly typeName: string } | undefined {
  for (const field in about) {
    if (Object.hasOwn(componentFields, field)) return { kind: componentFields[field as ComponentField], typeName: String(about[field]) };
  }
  return undefined;
}

/** Log field with the component's name, and the field of the request that contains this name; null for a call about the provider itself. */
const subjects: Readonly<Record<CallName, readonly [field: ComponentField, part: string] | null>> = {
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

/** Returns the RPC and the subject of a call. */
export function callSubject(method: CallName, request: object): CallSubject {
  const rpc = method === "stop" ? "StopProvider" : `${method[0]!.toUpperCase()}${method.slice(1)}`;
  const subject = subjects[method];
  if (subject === null) return { rpc, about: {} };
  const [field, part] = subject;
  return { rpc, about: { [field]: String((request as Readonly<Record<string, unknown>>)[part]) } };
}
