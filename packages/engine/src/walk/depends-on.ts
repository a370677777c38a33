// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Traversal } from "@tenon/hcl/syntax";
import type { InstanceKey } from "../address/instance-key.ts";
import { resourceBlock } from "../configuration/module.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import { referencesOfTraversals } from "../evaluation/references.ts";

/** A walk that evaluates the objects that `depends_on` can name. */
interface BlockWalk {
  readonly resourceValue: (scope: ModuleScope, block: ResourceBlock, key?: InstanceKey) => Promise<Value>;
  /** Evaluates all blocks of a module instance. Returns whether there was no error. */
  evaluateModule(scope: ModuleScope): Promise<boolean>;
}

/**
 * Waits until all objects that `depends_on` names are evaluated. A module call stands for everything in its instances.
 *
 * @throws UpstreamError if one of them has errors.
 */
export async function waitForDependsOn(walk: BlockWalk, scope: ModuleScope, dependsOn: readonly Traversal[]): Promise<void> {
  if (dependsOn.length === 0) return;
  const { references, diagnostics } = referencesOfTraversals(dependsOn);
  scope.settle(undefined, diagnostics);
  for (const { reference } of references) {
    const { subject } = reference;
    switch (subject.kind) {
      case "resource":
      case "resourceInstance": {
        const block = resourceBlock(scope.configuration.module, subject.resource);
        if (block !== undefined) await walk.resourceValue(scope, block, subject.kind === "resource" ? undefined : subject.key);
        break;
      }
      case "moduleCall":
      case "moduleCallInstance":
      case "moduleOutput": {
        const name = subject.kind === "moduleOutput" ? subject.call : subject.name;
        if (!scope.configuration.module.calls.has(name)) break;
        for (const child of (await scope.call(name)).instances.values()) {
          if (!(await walk.evaluateModule(child))) throw new UpstreamError();
        }
        break;
      }
      case "variable":
        if (scope.configuration.module.variables.has(subject.name)) await scope.variable(subject.name);
        break;
      case "local":
        if (scope.configuration.module.locals.has(subject.name)) await scope.local(subject.name);
        break;
      default:
    }
  }
}
