// SPDX-License-Identifier: Apache-2.0
import { formatInstanceKey } from "../address/instance-key.ts";
import { areModulesLinked, formatModuleInstance, modulePathOf } from "../address/module.ts";
import {
  formatAbsoluteResource,
  formatConfigResource,
  formatResourceInstance,
  formatResourceInstanceObject,
  type ResourceInstance,
} from "../address/resource.ts";
import { isReplacement, type ResourceChange } from "../change/planned-changes.ts";
import { objectIn, type State } from "../state/state.ts";
import type { AwaitedInstances } from "./awaited-instances.ts";
import type { DirectDependencies } from "./direct-dependencies.ts";
import type { RetainedBlocks } from "./retained-blocks.ts";
import { groupOf, type ApplySteps, type Step, type StepGroup } from "./step.ts";

/** What limits the objects of a resource that a dependent object waits for. */
export interface DependencyLimits {
  /** Which dependencies stay inside a module instance. Undefined: no module is repeated. */
  readonly direct?: DirectDependencies | undefined;
  /** Which instances of a resource blocks wait for. Undefined: no change is of an instance with a key. */
  readonly awaited?: AwaitedInstances | undefined;
  /** The blocks that the apply evaluates. Undefined: the configuration calls no module, or no change has dependencies. */
  readonly retained?: Pick<RetainedBlocks, "awaits"> | undefined;
  /** Resources, by their addresses, whose values the provider of a destruction needs. Default: none. */
  readonly neededBy?: ((change: ResourceChange) => readonly string[]) | undefined;
  /** Whether the configuration declares a resource, named by its address. Default: it does. */
  readonly isDeclared?: (resource: string) => boolean;
  /** Whether a change is the reading of the data source of a check. Default: none is. */
  readonly isOfCheck?: (change: ResourceChange) => boolean;
}

/**
 * The steps of a plan, with the part of their order that values do not decide: the dependents of an object are destroyed before the object
 * is destroyed or changed. Dependents that stay are changed after the object is destroyed. With `create_before_destroy`, an object is
 * destroyed after the changes of its dependents, and after those of the objects that it depended on. So is a deposed object, which an earlier,
 * incomplete replacement has left behind.
 *
 * @see OpenTofu docs/destroying.md, transform_destroy_edge.go, transform_destroy_cbd.go
 */
export function applySteps(changes: readonly ResourceChange[], state: State, limits: DependencyLimits = {}): ApplySteps {
  const { isDeclared = () => true, neededBy = () => [], isOfCheck = () => false } = limits;
  const puts = new Map<string, Step>();
  const destroys = new Map<string, Step>();
  for (const change of changes) {
    const { address, action } = change;
    const { instance } = address;
    const text = formatResourceInstanceObject(address);
    const step = (kind: Step["kind"]): Step => ({
      id: kind === "put" ? text : `${text} (destroy)`,
      kind,
      change,
      resource: configAddress(instance),
      after: new Set(),
      preferablyAfter: new Set(),
      recordedDependencies: objectIn(state, address)?.dependencies ?? [],
      needs: kind === "put" ? change.dependencies : neededBy(change),
    });
    if (action === "delete" || action === "deleteThenCreate" || action === "createThenDelete") destroys.set(text, step("destroy"));
    if (action === "create" || action === "update" || action === "read" || isReplacement(action)) puts.set(text, step("put"));
  }
  // Without a destruction, values decide the whole order.
  if (destroys.size === 0) return { puts, destroys, putsOf: putsByResource(puts.values(), limits) };
  const dependentDestroys = new Dependents([...destroys.values()], ({ recordedDependencies }) => recordedDependencies);
  const dependentPuts = new Dependents([...puts.values()], ({ recordedDependencies, change }) => [
    ...new Set([...recordedDependencies, ...change.dependencies]),
  ]);
  const destroyGroups = new Map<string, StepGroup>();
  // For a new object, the state records no dependencies: it waits for the destruction of instances of the resources that it depends on now.
  const recordedPuts = new Dependents([...puts.values()], ({ recordedDependencies, change }) =>
    objectIn(state, change.address) === undefined ? change.dependencies.filter(isDeclared) : recordedDependencies,
  );
  const ownPut = ({ change }: Step): Step | undefined => puts.get(formatResourceInstance(change.address.instance));
  const createsFirst = ({ change }: Step): boolean => change.action === "createThenDelete" || change.address.deposed !== undefined;
  /** Whether the dependents of the object are changed before the object is destroyed. */
  const isLate = (step: Step): boolean => createsFirst(step) || step.change.createBeforeDestroy;
  const earlyDestroys = new Dependents(
    [...destroys.values()].filter((step) => !isLate(step)),
    ({ recordedDependencies }) => recordedDependencies,
  );
  for (const put of puts.values()) {
    // The dependents of an object are destroyed before the object is changed. A dependency can be new, and so can the object.
    for (const group of earlyDestroys.of(put)) addPreferably(put, group);
  }
  const putsOf = putsByResource(puts.values(), limits);
  const recordedPutsOf = putsByResource(puts.values(), {});
  for (const step of destroys.values()) {
    // The dependents of an object are destroyed first.
    for (const group of dependentDestroys.of(step)) step.after.add(group);
    const own = ownPut(step);
    if (own !== undefined && createsFirst(step)) step.after.add(own);
    else if (own?.change === step.change) own.after.add(step);
    if (isLate(step)) {
      for (const group of dependentPuts.of(step)) {
        step.after.add(group);
        if (step.change.action === "delete") step.preferablyAfter.add(group);
      }
      for (const dependency of step.recordedDependencies) {
        if (dependency === step.resource) continue;
        for (const group of recordedPutsOf(dependency, step.change.address.instance)) addPreferably(step, group);
      }
    } else if (!destroyGroups.has(resourceOf(step))) {
      const group = groupOf([...destroys.values()].filter((other) => resourceOf(other) === resourceOf(step) && !isLate(other)));
      destroyGroups.set(resourceOf(step), group);
      // The dependents of an object are changed after the object is destroyed.
      for (const put of recordedPuts.of(step).flatMap(({ steps }) => steps)) addPreferably(put, group);
    }
  }
  // A destruction can wait for the data source of a check, which waits for the changes of all managed resources.
  const ofChecks = [...puts.values()].filter(({ change }) => isOfCheck(change));
  if (ofChecks.length > 0) {
    const managed = groupOf([...puts.values()].filter(({ change }) => change.address.instance.resource.mode === "managed"));
    for (const step of ofChecks) addPreferably(step, managed);
  }
  return { puts, destroys, putsOf };
}

/** Makes a step wait for a group, unless that makes a cycle. */
function addPreferably({ after, preferablyAfter }: Step, group: StepGroup): void {
  after.add(group);
  preferablyAfter.add(group);
}

function putsByResource(puts: Iterable<Step>, { direct, awaited, retained }: DependencyLimits): ApplySteps["putsOf"] {
  const byResource = Map.groupBy(puts, ({ resource }) => resource);
  const groups = new Map<string, readonly StepGroup[]>();
  return (resource, dependent) => {
    const steps = byResource.get(resource);
    if (steps === undefined || retained?.awaits(configAddress(dependent), resource) === false) return [];
    const { module } = dependent;
    const ofAll = direct !== undefined && !direct.has(configAddress(dependent), resource);
    const keys = awaited?.ofResource(configAddress(dependent), resource);
    const keyTexts = keys === undefined ? [] : [...keys].map(formatInstanceKey).sort();
    const id = [ofAll ? "" : formatModuleInstance(module), resource, ...keyTexts].join(" ");
    let group = groups.get(id);
    if (group === undefined) {
      const linked = steps.filter(
        ({ change: { address } }) =>
          (ofAll || areModulesLinked(address.instance.module, module)) && (keys === undefined || keys.has(address.instance.key)),
      );
      groups.set(id, (group = linked.length === 0 ? [] : [groupOf(linked)]));
    }
    return group;
  };
}

/** Finds the steps that depend on a resource of a module instance. */
class Dependents {
  readonly #byDependency = new Map<string, Step[]>();
  readonly #groups = new Map<string, readonly StepGroup[]>();

  constructor(steps: readonly Step[], dependenciesOf: (step: Step) => readonly string[]) {
    for (const step of steps) {
      for (const dependency of dependenciesOf(step)) {
        const list = this.#byDependency.get(dependency);
        if (list === undefined) this.#byDependency.set(dependency, [step]);
        else list.push(step);
      }
    }
  }

  /** The group of the steps that depend on the resource of a step; empty if there are none. */
  of(step: Step): readonly StepGroup[] {
    const resource = resourceOf(step);
    let group = this.#groups.get(resource);
    if (group === undefined) {
      const linked = (this.#byDependency.get(step.resource) ?? []).filter(
        (other) => other.resource !== step.resource && areLinked(other, step),
      );
      this.#groups.set(resource, (group = linked.length === 0 ? [] : [groupOf(linked)]));
    }
    return group;
  }
}

/** The resource of a step in its module instance. All steps of a resource have the same dependents. */
function resourceOf({ change }: Step): string {
  return formatAbsoluteResource(change.address.instance);
}

/** Whether one object can depend on the other. Objects in different instances of one module cannot. */
function areLinked(a: Step, b: Step): boolean {
  return areModulesLinked(a.change.address.instance.module, b.change.address.instance.module);
}

function configAddress({ module, resource }: ResourceInstance): string {
  return formatConfigResource({ module: modulePathOf(module), resource });
}
