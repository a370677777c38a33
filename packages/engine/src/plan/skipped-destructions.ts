// SPDX-License-Identifier: Apache-2.0
import { areModulesLinked, formatModuleInstance } from "../address/module.ts";
import { configResourceOf, formatConfigResource, formatResourceInstance, formatResourceInstanceObject } from "../address/resource.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import type { OrphanObject } from "./plan-orphan.ts";
import type { PlanRun } from "./plan-run.ts";

/**
 * Removes from a destroy plan the objects that an object with errors depends on, directly or through other objects, and their diagnostics:
 * OpenTofu plans the destruction of an object after those of the objects that depend on it.
 *
 * @param errors The objects that could not be planned, with their errors.
 * @see OpenTofu transform_destroy_edge.go
 */
export function removeSkippedDestructions(
  run: PlanRun,
  objects: readonly OrphanObject[],
  errors: ReadonlyMap<OrphanObject, unknown>,
): void {
  if (errors.size === 0) return;
  const removed = new Set<unknown>();
  const skipped = new Set<string>();
  for (const object of dependenciesOf(objects, [...errors.keys()])) {
    run.changes.delete(formatResourceInstanceObject(object.address));
    skipped.add(formatResourceInstance(object.address.instance));
    const error = errors.get(object);
    if (error instanceof UpstreamError) for (const diagnostic of error.diagnostics ?? []) removed.add(diagnostic);
  }
  const isRemoved = (diagnostic: AddressedDiagnostic): boolean =>
    removed.has(diagnostic) || (diagnostic.address !== undefined && skipped.has(diagnostic.address));
  run.report.splice(0, run.report.length, ...run.report.filter((diagnostic) => !isRemoved(diagnostic)));
}

/** The objects that some of the given objects depend on, directly or through others. A deposed object has no part in that. */
function dependenciesOf(objects: readonly OrphanObject[], dependents: readonly OrphanObject[]): ReadonlySet<OrphanObject> {
  const current = objects.filter(({ address }) => address.deposed === undefined);
  const byResource = Map.groupBy(current, ({ address }) => formatConfigResource(configResourceOf(address.instance)));
  const found = new Set<OrphanObject>();
  const visited = new Set<string>();
  const pending = dependents.filter(({ address }) => address.deposed === undefined);
  for (let object = pending.pop(); object !== undefined; object = pending.pop()) {
    const { module } = object.address.instance;
    for (const dependency of object.stored.dependencies) {
      const key = `${formatModuleInstance(module)} ${dependency}`;
      if (visited.has(key)) continue;
      visited.add(key);
      for (const other of byResource.get(dependency) ?? []) {
        if (found.has(other) || !areModulesLinked(other.address.instance.module, module)) continue;
        found.add(other);
        pending.push(other);
      }
    }
  }
  return found;
}
