// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { compareInstanceKeys, formatInstanceKey, unknownKeyText, type InstanceKey } from "./instance-key.ts";
import {
  compareModuleInstances,
  formatInModule,
  formatInModulePath,
  isSameModuleInstance,
  modulePathOf,
  type ModuleInstance,
  type ModulePath,
} from "./module.ts";

/** The kind of a resource: `managed` for a `resource` block, or the name of its block type. */
export type ResourceMode = "managed" | "data" | "ephemeral";

/** A resource within its module. */
export interface Resource {
  readonly mode: ResourceMode;
  readonly type: string;
  readonly name: string;
}

/** A resource of the configuration: one block, which all instances of its module have in common. */
export interface ConfigResource {
  readonly module: ModulePath;
  readonly resource: Resource;
}

/** A resource in a module instance. It stands for all instances of the resource. */
export interface AbsoluteResource {
  readonly module: ModuleInstance;
  readonly resource: Resource;
}

/** One instance of a resource. */
export interface ResourceInstance {
  readonly module: ModuleInstance;
  readonly resource: Resource;
  readonly key?: InstanceKey;
  /** Whether the keys of the resource's instances are not known yet. The address stands for all instances, and has no key. */
  readonly isUnknown?: boolean;
}

/** The address of an object of a resource instance: the current object, or a deposed one, which is to be destroyed. */
export interface ResourceInstanceObject {
  readonly instance: ResourceInstance;
  /** The key of a deposed object, eight hexadecimal digits. Absent for the current object. */
  readonly deposed?: string;
}

const prefixes: Readonly<Record<ResourceMode, string>> = { managed: "", data: "data.", ephemeral: "ephemeral." };

/** Formats `type.name`, `data.type.name` or `ephemeral.type.name`. */
export function formatResource({ mode, type, name }: Resource): string {
  return `${prefixes[mode]}${type}.${name}`;
}

/** Formats the resource with the path of its module. */
export function formatConfigResource({ module, resource }: ConfigResource): string {
  return formatInModulePath(module, formatResource(resource));
}

/** Formats the resource with its module instance. */
export function formatAbsoluteResource({ module, resource }: AbsoluteResource): string {
  return formatInModule(module, formatResource(resource));
}

/** Formats the instance with its module and key: `module.a[0].test.b["x"]`, and `test.b[*]` for unknown keys. The text is unique, so that it can be a key of a map. */
export function formatResourceInstance(instance: ResourceInstance): string {
  let text = instanceTexts.get(instance);
  if (text === undefined) {
    const { module, resource, key, isUnknown } = instance;
    text = formatInModule(module, formatResource(resource) + (isUnknown === true ? unknownKeyText : formatInstanceKey(key)));
    instanceTexts.set(instance, text);
  }
  return text;
}

/** The texts of instances. A run needs the text of each instance some twenty times. */
const instanceTexts = new WeakMap<ResourceInstance, string>();

/** Whether the address stands for several instances, because their keys or those of a module that contains them are not known yet. */
export function isUnknownInstance({ module, isUnknown }: ResourceInstance): boolean {
  return isUnknown === true || module.some((step) => step.isUnknown === true);
}

/** Formats the instance, with ` deposed object "key"` for a deposed object. */
export function formatResourceInstanceObject({ instance, deposed }: ResourceInstanceObject): string {
  const text = formatResourceInstance(instance);
  return deposed === undefined ? text : `${text} deposed object "${deposed}"`;
}

/** Returns the resource of the configuration that declares an absolute resource or a resource instance. */
export function configResourceOf({ module, resource }: AbsoluteResource): ConfigResource {
  return { module: modulePathOf(module), resource };
}

/** The local name of a resource type's default provider: the part before the first underscore. */
export function impliedProviderName(resourceType: string): string {
  const end = resourceType.indexOf("_");
  return end === -1 ? resourceType : resourceType.slice(0, end);
}

/** Whether both are the same resource of a module. */
export function isSameResource(a: Resource, b: Resource): boolean {
  return a === b || (a.name === b.name && a.type === b.type && a.mode === b.mode);
}

/** Whether both are the same instance. */
export function isSameResourceInstance(a: ResourceInstance, b: ResourceInstance): boolean {
  return (
    a.key === b.key && a.isUnknown === b.isUnknown && isSameResource(a.resource, b.resource) && isSameModuleInstance(a.module, b.module)
  );
}

const modeOrder: Readonly<Record<ResourceMode, number>> = { ephemeral: 0, data: 1, managed: 2 };

/** Orders resources as OpenTofu does: ephemeral, data, managed; then by type and name. @see OpenTofu addrs.Resource.Less */
export function compareResources(a: Resource, b: Resource): number {
  return modeOrder[a.mode] - modeOrder[b.mode] || compareCodePoints(a.type, b.type) || compareCodePoints(a.name, b.name);
}

/** Orders absolute resources by module instance, then as {@link compareResources}. */
export function compareAbsoluteResources(a: AbsoluteResource, b: AbsoluteResource): number {
  return compareModuleInstances(a.module, b.module) || compareResources(a.resource, b.resource);
}

/** Orders resource instances by module instance, resource and key. @see OpenTofu addrs.AbsResourceInstance.Less */
export function compareResourceInstances(a: ResourceInstance, b: ResourceInstance): number {
  return compareAbsoluteResources(a, b) || compareInstanceKeys(a.key, b.key);
}
