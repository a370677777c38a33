// SPDX-License-Identifier: Apache-2.0
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { compareInstanceKeys, formatInstanceKey, unknownKeyText, type InstanceKey } from "./instance-key.ts";

/** A module of the configuration: the names of the module calls from the root module to it. Empty for the root module. */
export type ModulePath = readonly string[];

/** One module call in the address of a module instance, with the key of the instance. */
export interface ModuleStep {
  readonly name: string;
  readonly key?: InstanceKey;
  /** Whether the keys of the call's instances are not known yet. The step stands for all instances, and has no key. */
  readonly isUnknown?: boolean;
}

/** An instance of a module. Empty for the only instance of the root module. */
export type ModuleInstance = readonly ModuleStep[];

/** The root module, as a path and as an instance. */
export const rootModule: readonly never[] = Object.freeze([]);

/** Formats `module.a.module.b`; empty for the root module. */
export function formatModulePath(path: ModulePath): string {
  return path.length === 0 ? "" : `module.${path.join(".module.")}`;
}

/** Formats `module.a[0].module.b["x"]`, and `module.a[*]` for unknown keys; empty for the root module. */
export function formatModuleInstance(instance: ModuleInstance): string {
  let text = "";
  for (const { name, key, isUnknown } of instance) {
    text += `${text === "" ? "" : "."}module.${name}${isUnknown === true ? unknownKeyText : formatInstanceKey(key)}`;
  }
  return text;
}

/** Puts the address of the module instance and a dot before an address; no prefix for the root module. */
export function formatInModule(module: ModuleInstance, address: string): string {
  return module.length === 0 ? address : `${formatModuleInstance(module)}.${address}`;
}

/** As {@link formatInModule}, for a module of the configuration. */
export function formatInModulePath(path: ModulePath, address: string): string {
  return path.length === 0 ? address : `${formatModulePath(path)}.${address}`;
}

/** Returns the module of the configuration that declares an instance. */
export function modulePathOf(instance: ModuleInstance): ModulePath {
  return instance.length === 0 ? rootModule : instance.map(({ name }) => name);
}

/** Returns the instance of a module whose calls have no `count` and no `for_each`. */
export function unkeyedInstance(path: ModulePath): ModuleInstance {
  return path.map((name) => ({ name }));
}

/** Returns an instance of a module that `parent` calls; all instances of the call if their keys are unknown. */
export function childModule(parent: ModuleInstance, name: string, key?: InstanceKey, isUnknown = false): ModuleInstance {
  if (isUnknown) return [...parent, { name, isUnknown }];
  return [...parent, key === undefined ? { name } : { name, key }];
}

/** Whether both are the same instance. */
export function isSameModuleInstance(a: ModuleInstance, b: ModuleInstance): boolean {
  return a === b || (a.length === b.length && a.every((step, index) => isSameStep(step, b[index]!)));
}

function isSameStep(a: ModuleStep, b: ModuleStep): boolean {
  return a.name === b.name && a.key === b.key && a.isUnknown === b.isUnknown;
}

/** Whether both are the same module of the configuration. */
export function isSameModulePath(a: ModulePath, b: ModulePath): boolean {
  return a === b || (a.length === b.length && a.every((name, index) => name === b[index]));
}

/** Whether objects of one module instance can depend on objects of the other. Different instances of one module cannot. */
export function areModulesLinked(first: ModuleInstance, second: ModuleInstance): boolean {
  if (first.length === 0 || !isSameModulePath(modulePathOf(first), modulePathOf(second))) return true;
  return isSameModuleInstance(first, second);
}

/** Orders module instances as OpenTofu does: fewer steps first, then step by step by name and key. @see OpenTofu addrs.ModuleInstance.Less */
export function compareModuleInstances(a: ModuleInstance, b: ModuleInstance): number {
  if (a.length !== b.length) return a.length - b.length;
  for (const [index, step] of a.entries()) {
    const other = b[index]!;
    const order = compareCodePoints(step.name, other.name) || compareInstanceKeys(step.key, other.key);
    if (order !== 0) return order;
  }
  return 0;
}
