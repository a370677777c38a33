// SPDX-License-Identifier: Apache-2.0
import type { ModuleInstance, ModulePath } from "../address/module.ts";
import { unlessUpstreamError } from "../evaluation/cell.ts";
import type { ExpandedCall, ModuleScope } from "../evaluation/module-scope.ts";

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
    scope = (await unlessUpstreamError(scope.call(name)))?.instances.get(key);
    if (scope === undefined) return undefined;
  }
  return scope;
}

/** Whether the state can have a module instance of a call whose instances are not known yet: the one with the address, or one that contains it. */
export async function isUndecidedModule(root: ModuleScope, module: ModuleInstance): Promise<boolean> {
  let scope: ModuleScope | undefined = root;
  for (const { name, key } of module) {
    if (!scope.configuration.children.has(name)) return false;
    const call: ExpandedCall | undefined = await unlessUpstreamError(scope.call(name));
    if (call?.expansion.kind === "unknown") return true;
    scope = call?.instances.get(key);
    if (scope === undefined) return false;
  }
  return false;
}

/**
 * A module instance and all module instances below it, except those of calls that have errors.
 *
 * @param includes Whether a module call takes part, by the address of its start in its module: `module.a (expand)`. Default: all do.
 */
export async function* scopesFrom(
  root: ModuleScope,
  includes: (path: ModulePath, local: string) => boolean = () => true,
): AsyncGenerator<ModuleScope> {
  yield root;
  const { module, path } = root.configuration;
  for (const name of module.calls.keys()) {
    if (!includes(path, `module.${name} (expand)`)) continue;
    const call = await unlessUpstreamError(root.call(name));
    for (const scope of call?.instances.values() ?? []) yield* scopesFrom(scope, includes);
  }
}

/**
 * Evaluates variables of a module instance and of all module instances below it, which also validates them. Errors are reported.
 *
 * @param includes Whether a variable or a module call takes part, by its address in its module: `var.a`, `module.a (expand)`.
 */
export async function evaluateVariables(root: ModuleScope, includes: (path: ModulePath, local: string) => boolean): Promise<void> {
  for await (const scope of scopesFrom(root, includes)) {
    const { path, module } = scope.configuration;
    const names = [...module.variables.keys()].filter((name) => includes(path, `var.${name}`));
    await Promise.all(names.map((name) => unlessUpstreamError(scope.variable(name))));
  }
}
