// SPDX-License-Identifier: Apache-2.0
import type { Traversal } from "@tenon/hcl";
import { traversalRange } from "@tenon/hcl/syntax";
import { addressError, addressOf, parseAddressText, type ParsedAddress } from "./address-diagnostic.ts";
import { locatedSubject, type LocatedSubject } from "./located-subject.ts";
import { formatModuleInstance, isSameModuleInstance, modulePathOf, type ModuleInstance } from "./module.ts";
import { modulePathPrefixOf, modulePrefixOf } from "./module-prefix.ts";
import { configResourceIn, resourceInstanceIn } from "./resource-address.ts";
import {
  formatAbsoluteResource,
  formatResourceInstance,
  isSameResource,
  type AbsoluteResource,
  type ConfigResource,
  type ResourceInstance,
} from "./resource.ts";

/** The subject of a `target` or `exclude` option: a module, a resource with all its instances, or one instance. */
export type TargetSubject =
  | { readonly kind: "module"; readonly module: ModuleInstance }
  | { readonly kind: "resource"; readonly resource: AbsoluteResource }
  | { readonly kind: "instance"; readonly instance: ResourceInstance };

/** A target and where it was written. */
export type Target = LocatedSubject<TargetSubject>;

/** Reads a target. A resource without a key means all its instances. @see OpenTofu addrs.ParseTarget */
export function targetOf(traversal: Traversal): ParsedAddress<Target> {
  const { module, remain, diagnostics } = modulePrefixOf(traversal);
  if (diagnostics.length > 0) return { diagnostics };
  const target = (subject: TargetSubject): ParsedAddress<Target> => locatedSubject(subject, traversal);
  if (remain.length === 0) return target({ kind: "module", module });
  const parsed = resourceInstanceIn(module, remain);
  if (parsed.address === undefined) return { diagnostics: parsed.diagnostics };
  const { resource, key } = parsed.address;
  if (key === undefined) return target({ kind: "resource", resource: { module, resource } });
  return target({ kind: "instance", instance: parsed.address });
}

/** Reads the text of a target: `module.a`, `test.b`, `module.a[0].data.test.b["x"]`. */
export function parseTarget(text: string): ParsedAddress<Target> {
  return parseAddressText(text, targetOf);
}

/** Formats the address of a target. */
export function formatTarget({ subject }: Target): string {
  if (subject.kind === "module") return formatModuleInstance(subject.module);
  return subject.kind === "resource" ? formatAbsoluteResource(subject.resource) : formatResourceInstance(subject.instance);
}

/** Reads a module instance. @see OpenTofu addrs.ParseModuleInstance */
export function moduleInstanceOf(traversal: Traversal): ParsedAddress<ModuleInstance> {
  const { module, remain, diagnostics } = modulePrefixOf(traversal);
  if (remain.length === 0) return diagnostics.length > 0 ? { diagnostics } : addressOf(module);
  const detail =
    remain.length === traversal.length
      ? 'A module instance address must begin with "module.".'
      : "The module instance address is followed by additional invalid content.";
  const fault = addressError("Invalid module instance address", detail, traversalRange(remain));
  return { diagnostics: [...diagnostics, ...fault.diagnostics] };
}

/** Reads the text of a module instance. */
export function parseModuleInstance(text: string): ParsedAddress<ModuleInstance> {
  return parseAddressText(text, moduleInstanceOf);
}

/** Reads a resource with all its instances. @see OpenTofu addrs.ParseAbsResource */
export function absoluteResourceOf(traversal: Traversal): ParsedAddress<AbsoluteResource> {
  const { address, diagnostics } = targetOf(traversal);
  if (address === undefined) return { diagnostics };
  const { subject } = address;
  if (subject.kind === "resource") return addressOf(subject.resource);
  if (subject.kind === "instance") {
    const detail = "A resource address is required. This instance key identifies a specific resource instance, which is not expected here.";
    return addressError("Invalid address", detail, traversal.at(-1)?.range);
  }
  const detail = "A resource address is required here. The module path must be followed by a resource specification.";
  return addressError("Invalid address", detail, traversalRange(traversal));
}

/** Reads the text of a resource with all its instances. */
export function parseAbsoluteResource(text: string): ParsedAddress<AbsoluteResource> {
  return parseAddressText(text, absoluteResourceOf);
}

/** Reads a resource instance. Without a key, it is the only instance of a resource without `count` and `for_each`. @see OpenTofu addrs.ParseAbsResourceInstance */
export function resourceInstanceOf(traversal: Traversal): ParsedAddress<ResourceInstance> {
  const { address, diagnostics } = targetOf(traversal);
  if (address === undefined) return { diagnostics };
  const { subject } = address;
  if (subject.kind === "instance") return addressOf(subject.instance);
  if (subject.kind === "resource") return addressOf(subject.resource);
  const detail = "A resource instance address is required here. The module path must be followed by a resource instance specification.";
  return addressError("Invalid address", detail, traversalRange(traversal));
}

/** Reads the text of a resource instance. */
export function parseResourceInstance(text: string): ParsedAddress<ResourceInstance> {
  return parseAddressText(text, resourceInstanceOf);
}

/** Reads a resource of the configuration. Keys are errors. @see OpenTofu addrs.ParseConfigResource */
export function configResourceOfTraversal(traversal: Traversal): ParsedAddress<ConfigResource> {
  const { module, remain, diagnostics } = modulePathPrefixOf(traversal);
  if (diagnostics.length > 0) return { diagnostics };
  if (remain.length > 0) return configResourceIn(module, remain);
  const detail = "Expected reference to either resource or data block. Provided reference appears to be a module.";
  return addressError("Module address is not allowed", detail, traversalRange(traversal));
}

/** Reads the text of a resource of the configuration. */
export function parseConfigResource(text: string): ParsedAddress<ConfigResource> {
  return parseAddressText(text, configResourceOfTraversal);
}

/** Whether a target includes a resource instance. @see OpenTofu addrs, TargetContains */
export function targetContainsInstance(subject: TargetSubject, instance: ResourceInstance): boolean {
  if (subject.kind === "module") return moduleTargetContains(subject.module, instance.module);
  const { resource, module } = subject.kind === "resource" ? subject.resource : subject.instance;
  if (!isSameResource(resource, instance.resource) || !isSameModuleInstance(module, instance.module)) return false;
  return subject.kind === "resource" || subject.instance.key === instance.key;
}

/** Whether a module target includes a module instance. A last step without a key includes all instances of the call. */
export function moduleTargetContains(target: ModuleInstance, module: ModuleInstance): boolean {
  if (module.length < target.length) return false;
  return target.every((step, index) => {
    const other = module[index]!;
    if (step.name !== other.name) return false;
    return (index === target.length - 1 && step.key === undefined) || step.key === other.key;
  });
}

/** Whether a target may include instances of a resource of the configuration. */
export function targetTouchesConfigResource(subject: TargetSubject, { module, resource }: ConfigResource): boolean {
  const path = modulePathOf(
    subject.kind === "module" ? subject.module : subject.kind === "resource" ? subject.resource.module : subject.instance.module,
  );
  if (subject.kind === "module") return path.length <= module.length && path.every((name, index) => name === module[index]);
  const target = subject.kind === "resource" ? subject.resource.resource : subject.instance.resource;
  return isSameResource(target, resource) && path.length === module.length && path.every((name, index) => name === module[index]);
}
