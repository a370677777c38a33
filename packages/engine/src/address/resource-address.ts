// SPDX-License-Identifier: Apache-2.0
import type { Traversal } from "@tenon/hcl";
import { traversalRange } from "@tenon/hcl/syntax";
import { addressError, addressOf, type ParsedAddress } from "./address-diagnostic.ts";
import { instanceKeyOf, type InstanceKey } from "./instance-key.ts";
import type { ModuleInstance, ModulePath } from "./module.ts";
import type { ConfigResource, Resource, ResourceInstance, ResourceMode } from "./resource.ts";

const nameRequired: Readonly<Record<ResourceMode, string>> = {
  managed: "A resource type name is required.",
  data: "A data source name is required.",
  ephemeral: "An ephemeral resource name is required.",
};

/** Reads `[data.|ephemeral.]type.name`, and returns the remaining steps. @see OpenTofu addrs, parseResourceTypeAndName */
export function resourcePrefixOf(traversal: Traversal): ParsedAddress<{ readonly resource: Resource; readonly remain: Traversal }> {
  const root = traversal[0]?.kind === "root" ? traversal[0].name : undefined;
  const mode: ResourceMode = root === "data" ? "data" : root === "ephemeral" ? "ephemeral" : "managed";
  const steps = mode === "managed" ? traversal : traversal.slice(1);
  const [type, name, ...remain] = steps;
  if (type === undefined || name === undefined) {
    return addressError("Invalid address", "Resource specification must include a resource type and name.", traversalRange(steps));
  }
  if (type.kind !== "root" && type.kind !== "attribute") return addressError("Invalid address", nameRequired[mode], type.range);
  if (name.kind !== "attribute") return addressError("Invalid address", "A resource name is required.", name.range);
  return addressOf({ resource: { mode, type: type.name, name: name.name }, remain });
}

/** Reads a resource with an optional instance key. @see OpenTofu addrs, parseResourceInstanceUnderModule */
export function resourceInstanceIn(module: ModuleInstance, traversal: Traversal): ParsedAddress<ResourceInstance> {
  const { address, diagnostics } = resourcePrefixOf(traversal);
  if (address === undefined) return { diagnostics };
  const { resource, remain } = address;
  const [index, extra] = remain;
  if (extra !== undefined) return addressError("Invalid address", "Unexpected extra operators after address.", extra.range);
  if (index === undefined) return addressOf({ module, resource });
  if (index.kind !== "index") {
    return addressError("Invalid address", "Resource instance key must be given in square brackets.", index.range);
  }
  const { key, reason } = instanceKeyOf(index.key);
  if (key === undefined) return addressError("Invalid address", `Invalid resource instance key: ${reason}.`, index.range);
  return addressOf({ module, resource, key });
}

/** Reads a resource of the configuration. Keys are errors. @see OpenTofu addrs, parseResourceUnderModule */
export function configResourceIn(module: ModulePath, traversal: Traversal): ParsedAddress<ConfigResource> {
  const { address, diagnostics } = resourcePrefixOf(traversal);
  if (address === undefined) return { diagnostics };
  const [index, extra] = address.remain;
  if (extra !== undefined) return addressError("Invalid address", "Unexpected extra operators after address.", extra.range);
  if (index === undefined) return addressOf({ module, resource: address.resource });
  return addressError(
    "Resource instance address with keys is not allowed",
    'Resource address cannot be a resource instance (e.g. "null_resource.a[0]"), it must be a resource instead (e.g. "null_resource.a").',
    index.range,
  );
}

/** Returns the instance of a resource with a key, or the only instance of a resource without `count` and `for_each`. */
export function instanceOf(module: ModuleInstance, resource: Resource, key?: InstanceKey): ResourceInstance {
  return key === undefined ? { module, resource } : { module, resource, key };
}
