// SPDX-License-Identifier: Apache-2.0
import type { ModuleInstance } from "../address/module.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import { decoderSpec } from "../evaluation/decoder-spec.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import { referencesOfBody } from "../evaluation/references.ts";
import { noScopeData } from "../evaluation/scope-data.ts";
import { waitForDependsOn } from "./depends-on.ts";
import type { ResourceWalk } from "./resource-walk.ts";

/**
 * Waits for the explicit dependencies of a resource: its own `depends_on`, and those of the calls of its module. Returns undefined if it has none.
 *
 * @throws UpstreamError if one of them has errors.
 */
export function waitForExplicitDependencies(walk: ResourceWalk, scope: ModuleScope, block: ResourceBlock): Promise<void> | undefined {
  if (block.dependsOn.length > 0) return waitForAll(walk, scope, block);
  for (let { caller } = scope; caller !== undefined; caller = caller.scope.caller) {
    if (caller.call.dependsOn !== undefined) return waitForAll(walk, scope, block);
  }
  return undefined;
}

async function waitForAll(walk: ResourceWalk, scope: ModuleScope, block: ResourceBlock): Promise<void> {
  await waitForDependsOn(walk, scope, block.dependsOn);
  for (let { caller } = scope; caller !== undefined; caller = caller.scope.caller) {
    if (caller.call.dependsOn !== undefined) await waitForDependsOn(walk, caller.scope, caller.call.dependsOn);
  }
}

/** Whether nothing that a block depends on has errors. True if the module instance does not exist any more. */
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
