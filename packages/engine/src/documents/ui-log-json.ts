// SPDX-License-Identifier: Apache-2.0
// The parts of messages of the UI log.
import { encodeType, toTree } from "@tenon/cty/json";
import { formatModuleInstance } from "../address/module.ts";
import { formatResourceInstance, impliedProviderName, isSameResourceInstance, type ResourceInstance } from "../address/resource.ts";
import type { ActionReason, ChangeAction, Drift, OutputChange, ResourceChange } from "../change/planned-changes.ts";
import type { ObjectIdentifier } from "../events/object-identifier.ts";
import type { JsonTree } from "../state/json-tree.ts";
import type { StateOutput } from "../state/state.ts";
import type { JsonDocument } from "./state-json.ts";

/** Whether the log of a plan shows a change. */
export function isPlanned({ address, previousAddress, action, importing }: ResourceChange): boolean {
  if (action === "delete" && address.instance.resource.mode === "data") return false;
  return action !== "noOp" || importing !== undefined || !isSameResourceInstance(address.instance, previousAddress);
}

/** Whether the log of the apply of a saved plan shows a change. */
export function isApplied({ address, action }: ResourceChange): boolean {
  return action !== "noOp" && !(action === "delete" && address.instance.resource.mode === "data");
}

const changeActions: Readonly<Record<ChangeAction, string>> = {
  noOp: "noop",
  create: "create",
  read: "read",
  update: "update",
  delete: "delete",
  forget: "remove",
  deleteThenCreate: "replace",
  createThenDelete: "replace",
  // OpenTofu's log has no name of its own for this action.
  forgetThenCreate: "noop",
};

const replaceReasons: Partial<Readonly<Record<ActionReason, string>>> = {
  replace_because_tainted: "tainted",
  replace_by_request: "requested",
  replace_by_triggers: "replace_triggered_by",
  replace_because_cannot_update: "cannot_update",
};

/** The `change` of a message about a planned change or drift. */
export function changeJson(change: ResourceChange | Drift): JsonDocument & { readonly action: string } {
  const { address, previousAddress } = change;
  const full: ResourceChange | undefined = "requiresReplace" in change ? change : undefined;
  const isMoved = !isSameResourceInstance(address.instance, previousAddress);
  const withoutChange = isMoved ? "move" : full?.importing === undefined ? "noop" : "import";
  const reason = full?.reason;
  const action = changeActions[change.action];
  return {
    resource: resourceJson(address.instance),
    ...(isMoved && { previous_resource: resourceJson(previousAddress) }),
    action: action === "noop" ? withoutChange : action,
    ...(reason !== undefined && { reason: replaceReasons[reason] ?? reason }),
    ...(full?.importing && { importing: importingJson(full.importing) }),
    ...(full?.generatedConfig !== undefined && { generated_config: full.generatedConfig }),
  };
}

function importingJson(importing: NonNullable<ResourceChange["importing"]>): JsonDocument {
  if ("identity" in importing) return { identity: toTree(importing.identity, importing.identity.type) };
  return importing.id === "" ? {} : { id: importing.id };
}

/** The `resource` of a message: the address of an instance and its parts. */
export function resourceJson(instance: ResourceInstance): JsonDocument {
  const { module, resource, key } = instance;
  return {
    addr: formatResourceInstance(instance),
    module: formatModuleInstance(module),
    resource: formatResourceInstance({ ...instance, module: [] }),
    implied_provider: impliedProviderName(resource.type),
    resource_type: resource.type,
    resource_name: resource.name,
    resource_key: key ?? null,
  };
}

/** The end of a text about an object with an identifier, such as ` [id=a]`; empty without one. */
export function identifierText(identifier: ObjectIdentifier | undefined): string {
  return identifier === undefined || identifier.value === "" ? "" : ` [${identifier.key}=${identifier.value}]`;
}

/** The identifier of an object in a `hook`. */
export function identifierJson(identifier: ObjectIdentifier | undefined): JsonDocument {
  if (identifier === undefined) return {};
  return { id_key: identifier.key, ...(identifier.value !== "" && { id_value: identifier.value }) };
}

/** The `outputs` of a message about a plan. */
export function plannedOutputs(outputs: readonly OutputChange[]): readonly (readonly [string, JsonTree])[] {
  return outputs.map(({ name, sensitive, action }) => [name, { sensitive, action: changeActions[action] }]);
}

/** The `outputs` of a message about an apply, without the values of sensitive ones. */
export function appliedOutputs(outputs: ReadonlyMap<string, StateOutput>): readonly (readonly [string, JsonTree])[] {
  return [...outputs].map(([name, { value, sensitive, deprecated }]) => [
    name,
    {
      sensitive,
      ...(deprecated !== undefined && { deprecated }),
      type: JSON.parse(encodeType(value.type)) as JsonTree,
      ...(!sensitive && { value: toTree(value, value.type) }),
    },
  ]);
}
