// SPDX-License-Identifier: Apache-2.0
import { formatConfigResource, formatResource, formatResourceInstance } from "../address/resource.ts";
import { descendant } from "../configuration/configuration.ts";
import type { ImportBlock } from "../configuration/import-block.ts";
import { resourceBlock } from "../configuration/module.ts";
import { reportError, type Report } from "../configuration/report.ts";
import { isUndecidedModule, scopeOf } from "../walk/module-lookup.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import type { ImportTargets } from "./import-targets.ts";
import type { PlanInput } from "./plan-input.ts";
import type { SkippedBlocks } from "./skipped-blocks.ts";

/** Reports imports of instances that the configuration does not declare, once the instances of all resources that were not skipped are known. */
export async function reportMissingImports(
  walk: ResourceWalk,
  skipped: SkippedBlocks,
  imports: ImportTargets,
  report: Report,
): Promise<void> {
  for (const [text, { address, block }] of imports) {
    if (skipped.hasObject({ instance: address })) continue;
    if (await isUndecidedModule(walk.root, address.module)) continue;
    const scope = await scopeOf(walk.root, address.module);
    const resource = scope && resourceBlock(scope.configuration.module, address.resource);
    const expanded = resource && (await walk.resource(scope, resource));
    if (expanded?.expansion.kind === "unknown" || expanded?.instances.has(address.key)) continue;
    reportMissingImport(text, block, report);
  }
}

/**
 * Reports imports of resources that the configuration does not declare. If the caller asked for generated configuration, it reports only
 * those whose configuration cannot be generated.
 *
 * @see OpenTofu context_plan.go, validateImportTargets
 */
export function reportUndeclaredImports({ configuration, generateConfiguration }: PlanInput, report: Report): void {
  for (const block of configuration.module.imports) {
    if (block.resource === undefined) continue;
    const { resource, instance, range } = block;
    const owner = descendant(configuration, resource.module);
    if (owner?.module.managedResources.has(formatResource(resource.resource)) === true) continue;
    const address = instance === undefined ? formatConfigResource(resource) : formatResourceInstance(instance);
    if (!generateConfiguration) reportMissingImport(address, block, report);
    else if (resource.module.length > 0 && (owner === undefined || instance !== undefined)) {
      const detail = `The configuration for the given import ${address} does not exist. Configuration generation is only possible for resources in the root module, and not possible for resources in sub-modules.`;
      reportError(report, "Cannot generate configuration for resource inside sub-module", detail, range);
    } else if (instance === undefined || instance.key !== undefined) {
      const detail = `The configuration for the given import ${address} does not exist. Configuration generation is only possible for resources that do not use count or for_each`;
      reportError(report, "Configuration generation for count and for_each resources not supported", detail, range);
    }
  }
}

function reportMissingImport(address: string, { range }: ImportBlock, report: Report): void {
  const detail = `The configuration for the given import ${address} does not exist. All target instances must have an associated configuration to be imported.`;
  reportError(report, "Configuration for import target does not exist", detail, range);
}
