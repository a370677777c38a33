// SPDX-License-Identifier: Apache-2.0
import type { InstanceKey } from "../address/instance-key.ts";
import { formatModuleInstance, type ModuleInstance } from "../address/module.ts";
import { formatAbsoluteResource, formatResourceInstance, type Resource } from "../address/resource.ts";

/** An object that can be moved: a module or a resource with all its instances, or one instance. */
export type Movable =
  | {
      readonly kind: "moduleCall";
      /** The module instance that has the call, and the call as an unkeyed last step. */
      readonly module: ModuleInstance;
    }
  | { readonly kind: "moduleInstance"; readonly module: ModuleInstance }
  | { readonly kind: "resource"; readonly module: ModuleInstance; readonly resource: Resource }
  | { readonly kind: "resourceInstance"; readonly module: ModuleInstance; readonly resource: Resource; readonly key?: InstanceKey };

/** The address of the object. A module call or a resource has the same text as its single instance. */
export function formatMovable(movable: Movable): string {
  switch (movable.kind) {
    case "resource":
      return formatAbsoluteResource(movable);
    case "resourceInstance":
      return formatResourceInstance(movable);
    default:
      return formatModuleInstance(movable.module);
  }
}

/** A unique text of the object, for maps. */
export function movableKey(movable: Movable): string {
  return `${movable.kind} ${formatMovable(movable)}`;
}

/** Whether the object is a module or a module instance. */
export function isModuleMovable(movable: Movable): boolean {
  return movable.kind === "moduleCall" || movable.kind === "moduleInstance";
}
