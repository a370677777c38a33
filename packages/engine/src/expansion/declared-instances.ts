// SPDX-License-Identifier: Apache-2.0
import type { InstanceKey } from "../address/instance-key.ts";
import {
  childModule,
  compareModuleInstances,
  formatInModule,
  formatModuleInstance,
  rootModule,
  type ModuleInstance,
  type ModulePath,
} from "../address/module.ts";
import { formatAbsoluteResource, type AbsoluteResource, type ResourceInstance } from "../address/resource.ts";
import { instancesOf, type Expansion } from "./repetition.ts";

/** The instances of modules and resources that a configuration declares. @see OpenTofu instances, Expander and Set */
export class DeclaredInstances {
  readonly #calls = new Map<string, Expansion>();
  readonly #resources = new Map<string, Expansion>();

  /** Records how a module call in a module instance is repeated. */
  addModuleCall(module: ModuleInstance, name: string, expansion: Expansion): void {
    this.#calls.set(callText(module, name), expansion);
  }

  /** Records how a resource in a module instance is repeated. */
  addResource(resource: AbsoluteResource, expansion: Expansion): void {
    this.#resources.set(formatAbsoluteResource(resource), expansion);
  }

  /** Whether the module call is declared, with or without instances. */
  hasModuleCall(module: ModuleInstance, name: string): boolean {
    return this.#calls.has(callText(module, name)) && this.hasModuleInstance(module);
  }

  /** Whether the module instance is declared. The root module always is. */
  hasModuleInstance(module: ModuleInstance): boolean {
    return module.every(({ name, key }, index) => hasKey(this.#calls.get(callText(module.slice(0, index), name)), key));
  }

  /** Whether the resource is declared, with or without instances. */
  hasResource(resource: AbsoluteResource): boolean {
    return this.#resources.has(formatAbsoluteResource(resource)) && this.hasModuleInstance(resource.module);
  }

  /** Whether the resource instance is declared. */
  hasResourceInstance(instance: ResourceInstance): boolean {
    return hasKey(this.#resources.get(formatAbsoluteResource(instance)), instance.key) && this.hasModuleInstance(instance.module);
  }

  /** All instances of a module of the configuration, sorted. None if no call of it was recorded. */
  moduleInstances(path: ModulePath): readonly ModuleInstance[] {
    let instances: readonly ModuleInstance[] = [rootModule];
    for (const name of path) {
      instances = instances.flatMap((parent) => {
        const expansion = this.#calls.get(callText(parent, name));
        return expansion === undefined ? [] : instancesOf(expansion).map(({ key, isUnknown }) => childModule(parent, name, key, isUnknown));
      });
    }
    return [...instances].sort(compareModuleInstances);
  }
}

function callText(module: ModuleInstance, name: string): string {
  return formatInModule(module, formatModuleInstance([{ name }]));
}

/** Whether one of the instances has the key. */
function hasKey(expansion: Expansion | undefined, key: InstanceKey): boolean {
  switch (expansion?.kind) {
    case "single":
      return key === undefined;
    case "enabled":
      return expansion.enabled && key === undefined;
    case "count":
      return typeof key === "number" && key >= 0 && key < expansion.count;
    case "forEach":
      return typeof key === "string" && expansion.values.has(key);
    case "unknown":
      return true;
    default:
      return false;
  }
}
