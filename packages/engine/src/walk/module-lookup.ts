// SPDX-License-Identifier: Apache-2.0
import type { ModuleInstance, ModulePath } from "../address/module.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";

/** The scope of a module whose calls are not repeated, such as one that configures a provider; undefined if there is no such module. */
export async function scopeAt(root: ModuleScope, path: ModulePath): Promise<ModuleScope | undefined> {
  let scope: ModuleScope | undefined = root;
  for (const name of path) {
    if (!scope.configuration.children.has(name)) return undefined;
    scope = (await scope.call(name)).instances.get(undefined);
    if (scope === undefined) return undefined;
  }
  return scope;
}

/** The scope of a module instance; undefined if the configuration does not declare it. */
export async function scopeOf(root: ModuleScope, module: ModuleInstance): Promise<ModuleScope | undefined> {
  let scope: ModuleScope | undefined = root;
  for (const { name, key } of module) {
    if (!scope.configuration.children.has(name)) return undefined;
    scope = (await scope.call(name).catch(() => undefined))?.instances.get(key);
    if (scope === undefined) return undefined;
  }
  return scope;
}

/** A module instance and all module instances below it, except those of calls that have errors. */
export async function* scopesFrom(root: ModuleScope): AsyncGenerator<ModuleScope> {
  yield root;
  for (const name of root.configuration.module.calls.keys()) {
    const call = await root.call(name).catch(() => undefined);
    for (const scope of call?.instances.values() ?? []) yield* scopesFrom(scope);
  }
}
