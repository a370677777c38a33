// SPDX-License-Identifier: Apache-2.0
import type { Traversal } from "@tenon/hcl/syntax";
import type { ModuleInstance } from "../address/module.ts";
import { resourceBlock } from "../configuration/module.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import { decoderSpec } from "../evaluation/decoder-spec.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import { referencesOfBody, referencesOfTraversals } from "../evaluation/references.ts";
import { noScopeData } from "../evaluation/scope-data.ts";
import type { ResourceWalk } from "./resource-walk.ts";

/**
 * Waits for the explicit dependencies of a resource: its own `depends_on`, and those of the calls of its module.
 *
 * @throws UpstreamError if one of them has errors.
 */
export async function waitForExplicitDependencies(walk: ResourceWalk, scope: ModuleScope, block: ResourceBlock): Promise<void> {
  await waitFor(walk, scope, block.dependsOn);
  for (let { caller } = scope; caller !== undefined; caller = caller.scope.caller) {
    if (caller.call.dependsOn !== undefined) await waitFor(walk, caller.scope, caller.call.dependsOn);
  }
}

/** Whether all that a block refers to has values, and the calls of its module are evaluated. A module instance need not exist any more. */
export async function hasSoundDependencies(walk: ResourceWalk, module: ModuleInstance, block: ResourceBlock): Promise<boolean> {
  try {
    let scope: ModuleScope | undefined = walk.root;
    for (const { name, key } of module) {
      if (scope?.configuration.children.has(name) !== true) return true;
      scope = (await scope.call(name)).instances.get(key);
    }
    if (scope === undefined) return true;
    await waitForExplicitDependencies(walk, scope, block);
    const schema = await walk.providers.resourceSchema(block);
    await scope.scopeFor(referencesOfBody(block.config, decoderSpec(schema)), noScopeData, []);
    return true;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return false;
  }
}

/** Waits until all that `depends_on` names is evaluated: a module call with everything in its instances. */
async function waitFor(walk: ResourceWalk, scope: ModuleScope, dependsOn: readonly Traversal[]): Promise<void> {
  if (dependsOn.length === 0) return;
  const { references, diagnostics } = referencesOfTraversals(dependsOn);
  scope.settle(undefined, diagnostics);
  for (const { reference } of references) {
    const { subject } = reference;
    switch (subject.kind) {
      case "resource":
      case "resourceInstance": {
        const block = resourceBlock(scope.configuration.module, subject.resource);
        if (block !== undefined) await walk.resourceValue(scope, block);
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
