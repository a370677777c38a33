// SPDX-License-Identifier: Apache-2.0
import { dynamic, unknown, type Value } from "@tenon/cty";
import { descendant } from "../configuration/configuration.ts";
import { modulePathOf, type ModuleInstance } from "../address/module.ts";
import { ModuleScope } from "../evaluation/module-scope.ts";

/**
 * A module instance that the configuration does not declare any more, although its module still has a block of an object. All values of the instance are
 * unknown; functions, `path` and `terraform` are not.
 *
 * @see OpenTofu evaluate.go, evaluationStateData
 */
export class RemovedModuleScope extends ModuleScope {
  /** Undefined if the configuration does not have the module either. */
  static of(root: ModuleScope, instance: ModuleInstance): RemovedModuleScope | undefined {
    const configuration = descendant(root.configuration, modulePathOf(instance));
    if (configuration === undefined) return undefined;
    const resourceValue = async (): Promise<Value> => unknown(dynamic);
    return new RemovedModuleScope({ ...root.context, resourceValue }, configuration, instance);
  }

  override async variable(name: string): Promise<Value> {
    return unknown(this.configuration.module.variables.get(name)!.type ?? dynamic);
  }

  override async local(): Promise<Value> {
    return unknown(dynamic);
  }

  override async callValue(): Promise<Value> {
    return unknown(dynamic);
  }
}
