// SPDX-License-Identifier: Apache-2.0
import { formatInModulePath } from "../address/module.ts";
import { allModules } from "../configuration/configuration.ts";
import type { PlannedChanges } from "../change/planned-changes.ts";
import { settleAll } from "../evaluation/cell.ts";
import type { DependencyNode } from "../evaluation/dependency-node.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import { hasDeprecation } from "../evaluation/resource-deprecation.ts";
import { scopesFrom } from "../walk/module-lookup.ts";
import type { ApplyInput, ApplyRun } from "./apply-run.ts";
import type { RetainedBlocks } from "./retained-blocks.ts";

/**
 * Whether a configuration or the schemas of its objects can declare anything deprecated, so that values can have warnings. The changes of a
 * refresh-only plan have no schemas.
 */
function hasDeprecations({ configuration, planned }: Pick<ApplyInput, "configuration" | "planned">): boolean {
  if (planned.mode === "refreshOnly") return true;
  for (const { module } of allModules(configuration)) {
    for (const { deprecated } of module.outputs.values()) if (deprecated !== undefined) return true;
    for (const { deprecated } of module.variables.values()) if (deprecated !== undefined) return true;
  }
  return schemasOf(planned).values().some(hasDeprecation);
}

function schemasOf({ resources }: PlannedChanges): Set<Parameters<typeof hasDeprecation>[0]> {
  return new Set(resources.flatMap(({ type, dataSchema }) => type?.schema.block ?? dataSchema ?? []));
}

/** Whether an apply evaluates more than its changes need: values that unchanged objects refer to, or that can have warnings. */
export function needsRetained(input: Pick<ApplyInput, "configuration" | "planned">): boolean {
  return input.planned.resources.some(({ action }) => action === "noOp") || hasDeprecations(input);
}

/**
 * Evaluates the variables, local values, outputs of modules and provider configurations that an apply retains although only unchanged
 * objects need them. Reports their warnings and errors. Returns whether there was no error.
 *
 * @param isSound Whether a block, named by its address in the configuration, depends on nothing with errors. Default: all do.
 */
export async function evaluateRetained(
  { walk }: ApplyRun,
  { graph, included }: RetainedBlocks,
  isSound: (address: string) => boolean = () => true,
): Promise<boolean> {
  const evaluated: Promise<unknown>[] = [];
  const scopes = scopesFrom(walk.root, (path, local) => isIncluded(graph.block(path, local)));
  for await (const scope of scopes) evaluated.push(...valuesOf(scope, (local) => isEvaluated(scope, local)));
  for (const { name, provider } of included) {
    if (provider !== undefined) evaluated.push(walk.guarded(name, () => walk.providers.evaluateAgain(provider)));
  }
  return settleAll(evaluated);

  function isIncluded(node: DependencyNode | undefined): boolean {
    return node !== undefined && included.has(node);
  }
  function isEvaluated({ configuration: { path } }: ModuleScope, local: string): boolean {
    return isIncluded(graph.block(path, local)) && isSound(formatInModulePath(path, local));
  }
}

/** Starts the evaluation of some values of a module instance, named by their addresses in the module. */
function valuesOf(scope: ModuleScope, includes: (local: string) => boolean): readonly Promise<unknown>[] {
  const { module, path } = scope.configuration;
  const named = (blocks: ReadonlyMap<string, unknown>, prefix: string): string[] =>
    [...blocks.keys()].filter((name) => includes(`${prefix}.${name}`));
  const locals = named(module.locals, "local").map((name) => scope.local(name));
  if (path.length === 0) return locals;
  return [
    ...locals,
    ...named(module.variables, "var").map((name) => scope.variable(name)),
    ...named(module.outputs, "output").map((name) => scope.output(name)),
  ];
}
