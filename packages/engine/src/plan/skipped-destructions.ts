// SPDX-License-Identifier: Apache-2.0
import { areModulesLinked, formatModuleInstance } from "../address/module.ts";
import { configResourceOf, formatConfigResource, formatResourceInstanceObject } from "../address/resource.ts";
import { UpstreamError } from "../evaluation/cell.ts";
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
  for (const object of dependenciesOf(objects, [...errors.keys()])) {
    const text = formatResourceInstanceObject(object.address);
    run.changes.delete(text);
    for (const diagnostic of run.destroyDiagnostics.get(text) ?? []) removed.add(diagnostic);
    const error = errors.get(object);
    if (error instanceof UpstreamError) for (const diagnostic of error.diagnostics ?? []) removed.add(diagnostic);
  }
  run.report.splice(0, run.report.length, ...run.report.filter((diagnostic) => !removed.has(diagnostic)));
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
