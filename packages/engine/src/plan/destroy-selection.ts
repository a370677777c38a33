// SPDX-License-Identifier: Apache-2.0
import { areModulesLinked, modulePathOf } from "../address/module.ts";
import { formatAbsoluteResource, formatConfigResource, formatResourceInstance, type ResourceInstance } from "../address/resource.ts";
import { targetContainsInstance, type TargetSubject } from "../address/target.ts";
import type { State } from "../state/state.ts";

/** An instance in a state. */
interface RecordedInstance {
  readonly instance: ResourceInstance;
  /** The address of its resource in the configuration. */
  readonly resource: string;
  /** The addresses of the resources that its current object depends on. */
  readonly dependencies: readonly string[];
}

/**
 * Selects the instances of a state that a destroy plan includes. A target includes what depends on it, an exclusion excludes what it depends on.
 * Objects in different instances of a module do not depend on each other.
 *
 * @see OpenTofu transform_destroy_edge.go, transform_targets.go
 */
export function selectForDestroy(
  state: State,
  targets: readonly TargetSubject[],
  excludes: readonly TargetSubject[],
): (instance: ResourceInstance) => boolean {
  const recorded = recordedInstances(state);
  const limits = targets.length > 0 ? targets : excludes;
  const isNamed = (instance: ResourceInstance): boolean => limits.some((target) => targetContainsInstance(target, instance));
  const named = recorded.filter(({ instance }) => isNamed(instance));
  const reached = reachable(named, targets.length > 0 ? dependentsAmong(recorded) : dependenciesAmong(recorded));
  const addresses = new Set([...reached].map(({ instance }) => formatResourceInstance(instance)));
  const isReached = (instance: ResourceInstance): boolean => isNamed(instance) || addresses.has(formatResourceInstance(instance));
  return targets.length > 0 ? isReached : (instance) => !isReached(instance);
}

function recordedInstances(state: State): readonly RecordedInstance[] {
  return [...state.resources.values()].flatMap(({ address, instances }) => {
    const resource = formatConfigResource({ module: modulePathOf(address.module), resource: address.resource });
    return [...instances].map(([key, { current }]) => ({
      instance: { ...address, ...(key !== undefined && { key }) },
      resource,
      dependencies: current?.dependencies ?? [],
    }));
  });
}

type Neighbors = (one: RecordedInstance) => Iterable<RecordedInstance>;

/** Finds the instances that depend on an instance. All instances of a resource in a module instance have the same ones, which are returned once. */
function dependentsAmong(recorded: readonly RecordedInstance[]): Neighbors {
  const byDependency = new Map<string, RecordedInstance[]>();
  for (const one of recorded) {
    for (const dependency of one.dependencies) {
      const list = byDependency.get(dependency);
      if (list === undefined) byDependency.set(dependency, [one]);
      else list.push(one);
    }
  }
  const returned = new Set<string>();
  return ({ instance, resource }) => {
    const address = formatAbsoluteResource(instance);
    if (returned.has(address)) return [];
    returned.add(address);
    return (byDependency.get(resource) ?? []).filter((other) => areModulesLinked(other.instance.module, instance.module));
  };
}

/** Finds the instances that an instance depends on. Those of a resource are returned once for each module instance of the dependents. */
function dependenciesAmong(recorded: readonly RecordedInstance[]): Neighbors {
  const byResource = Map.groupBy(recorded, ({ resource }) => resource);
  const returned = new Set<string>();
  return ({ instance, dependencies }) =>
    dependencies.flatMap((dependency) => {
      const id = `${formatAbsoluteResource(instance)} ${dependency}`;
      if (returned.has(id)) return [];
      returned.add(id);
      return (byResource.get(dependency) ?? []).filter((other) => areModulesLinked(other.instance.module, instance.module));
    });
}

/** The instances that can be reached from the given ones in one or more steps. */
function reachable(from: readonly RecordedInstance[], next: Neighbors): ReadonlySet<RecordedInstance> {
  const reached = new Set<RecordedInstance>();
  const waiting = from.flatMap((one) => [...next(one)]);
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (reached.has(one)) continue;
    reached.add(one);
    for (const other of next(one)) waiting.push(other);
  }
  return reached;
}
