// SPDX-License-Identifier: Apache-2.0
import type { Traversal } from "@tenon/hcl";
import { traversalRange } from "@tenon/hcl/syntax";
import { addressError, type ParsedAddress } from "./address-diagnostic.ts";
import { locatedSubject, type LocatedSubject } from "./located-subject.ts";
import { formatModuleInstance, formatModulePath, isSameModulePath, modulePathOf, type ModuleInstance, type ModulePath } from "./module.ts";
import { modulePathPrefixOf, modulePrefixOf } from "./module-prefix.ts";
import { configResourceIn, resourceInstanceIn } from "./resource-address.ts";
import { formatConfigResource, formatResourceInstance, isSameResource, type ConfigResource, type ResourceInstance } from "./resource.ts";

/** The module or resource instance that a `moved` block names, relative to its module. Without a key, it means all instances. */
export type MoveSubject =
  | { readonly kind: "module"; readonly module: ModuleInstance }
  | { readonly kind: "resource"; readonly instance: ResourceInstance };

/** The `from` or the `to` of a `moved` block. */
export type MoveEndpoint = LocatedSubject<MoveSubject>;

/** Reads an endpoint of a `moved` block. @see OpenTofu addrs.ParseMoveEndpoint */
export function moveEndpointOf(traversal: Traversal): ParsedAddress<MoveEndpoint> {
  const { module, remain, diagnostics } = modulePrefixOf(traversal);
  if (diagnostics.length > 0) return { diagnostics };
  if (remain.length === 0) return locatedSubject({ kind: "module", module }, traversal);
  const { address, ...failure } = resourceInstanceIn(module, remain);
  return address === undefined ? failure : locatedSubject({ kind: "resource", instance: address }, traversal);
}

/** Formats the address of an endpoint, relative to the module of its block. */
export function formatMoveEndpoint({ subject }: MoveEndpoint): string {
  return subject.kind === "module" ? formatModuleInstance(subject.module) : formatResourceInstance(subject.instance);
}

/**
 * Whether `from` and `to` are endpoints of the same kind, so that one can move to the other.
 *
 * @see OpenTofu addrs.UnifyMoveEndpoints
 */
export function moveEndpointsUnify(from: MoveEndpoint, to: MoveEndpoint): boolean {
  return from.subject.kind === to.subject.kind;
}

/** The module or resource that a `removed` block names, relative to its module. */
export type RemoveSubject =
  | { readonly kind: "module"; readonly module: ModulePath }
  | { readonly kind: "resource"; readonly resource: ConfigResource };

/** The `from` of a `removed` block. */
export type RemoveEndpoint = LocatedSubject<RemoveSubject>;

/** Reads the endpoint of a `removed` block. @see OpenTofu addrs.ParseRemoveEndpoint */
export function removeEndpointOf(traversal: Traversal): ParsedAddress<RemoveEndpoint> {
  const { module, remain, diagnostics } = modulePathPrefixOf(traversal);
  if (diagnostics.length > 0) return { diagnostics };
  if (remain.length === 0) return locatedSubject({ kind: "module", module }, traversal);
  const { address, ...failure } = configResourceIn(module, remain);
  if (address === undefined) return failure;
  const { mode } = address.resource;
  if (mode === "managed") return locatedSubject({ kind: "resource", resource: address }, traversal);
  const [noun, nouns, block] =
    mode === "data" ? ["Data source", "data sources", "data source"] : ["Ephemeral resource", "ephemeral resources", "ephemeral resource"];
  return addressError(
    `${noun} address is not allowed`,
    `${noun}s cannot be destroyed, and therefore, 'removed' blocks are not allowed to target them. To remove ${nouns} from the state, you should remove the ${block} block from the configuration.`,
    traversalRange(traversal),
  );
}

/** Formats the address of an endpoint, relative to the module of its block. */
export function formatRemoveEndpoint({ subject }: RemoveEndpoint): string {
  return subject.kind === "module" ? formatModulePath(subject.module) : formatConfigResource(subject.resource);
}

/** Whether the endpoint of a `removed` block in a module covers a resource instance. */
export function removeEndpointContains(module: ModulePath, { subject }: RemoveEndpoint, instance: ResourceInstance): boolean {
  const path = modulePathOf(instance.module);
  const covered = [...module, ...(subject.kind === "module" ? subject.module : subject.resource.module)];
  if (subject.kind === "module") return isSameModulePath(path.slice(0, covered.length), covered);
  return isSameModulePath(path, covered) && isSameResource(subject.resource.resource, instance.resource);
}
