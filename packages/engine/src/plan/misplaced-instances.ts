// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic } from "@tenon/hcl";
import { formatInModulePath, type ModulePath } from "../address/module.ts";
import { formatResource } from "../address/resource.ts";
import type { Report } from "../configuration/report.ts";
import { DeclaredInstances } from "../expansion/declared-instances.ts";
import { validateMoves } from "../moves/validate-moves.ts";
import { scopesFrom } from "../walk/module-lookup.ts";
import { resourcesOf, type ResourceWalk } from "../walk/resource-walk.ts";
import type { ImportTargets } from "./import-targets.ts";
import { reportMissingImports } from "./missing-imports.ts";
import type { PlanContext } from "./plan-input.ts";
import type { SkippedBlocks } from "./skipped-blocks.ts";

/**
 * The errors of imports and moves that do not match the declared instances, which are known only after a walk. They replace all other
 * diagnostics of the walk, because they are often the cause: the plan began with the wrong objects.
 *
 * @see OpenTofu context_plan.go, planWalk
 */
export async function misplacedInstances(
  walk: ResourceWalk,
  skipped: SkippedBlocks,
  imports: ImportTargets,
  { mode, statements, configuration }: PlanContext,
): Promise<readonly Diagnostic[]> {
  const report: Report = [];
  if (mode === "normal") await reportMissingImports(walk, skipped, imports, report);
  if (report.length > 0 || statements.length === 0) return report;
  return validateMoves(statements, configuration, await declaredInstances(walk, skipped));
}

/** The instances of all module calls and resources that take part in a walk and are not skipped. */
async function declaredInstances(walk: ResourceWalk, skipped: SkippedBlocks): Promise<DeclaredInstances> {
  const declared = new DeclaredInstances();
  const isKnown = (path: ModulePath, local: string): boolean =>
    walk.includes(path, local) && !skipped.hasBlock(formatInModulePath(path, local));
  for await (const scope of scopesFrom(walk.root, isKnown)) {
    const { module, path } = scope.configuration;
    for (const name of module.calls.keys()) {
      if (isKnown(path, `module.${name} (expand)`)) declared.addModuleCall(scope.instance, name, (await scope.call(name)).expansion);
    }
    for (const block of resourcesOf(scope)) {
      if (!isKnown(path, formatResource(block.address))) continue;
      const { expansion } = await walk.resource(scope, block);
      declared.addResource({ module: scope.instance, resource: block.address }, expansion);
    }
  }
  return declared;
}
