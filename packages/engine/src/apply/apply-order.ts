// SPDX-License-Identifier: Apache-2.0
import { formatInstanceKey } from "../address/instance-key.ts";
import { areModulesLinked, formatModuleInstance, modulePathOf } from "../address/module.ts";
import { formatProviderConfig } from "../address/provider-config.ts";
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

/** One operation of a provider in an apply. A replacement has two steps. */
export interface Step {
  /** The object's address, followed by ` (destroy)` for a destruction. */
  readonly id: string;
  /** `put` creates, updates or reads an object. */
  readonly kind: "put" | "destroy";
  readonly change: ResourceChange;
  /** The resource's address in the configuration. */
  readonly resource: string;
  /** Steps that must end before this one starts, beside the steps whose values it needs. */
  readonly after: Set<Step | StepGroup>;
  /**
   * The steps of `after` that are ignored if they make a cycle: before the change of an object, the destruction of objects that it depended
   * on or that depended on it; before a destruction, the changes of objects that the object depended on; before one without replacement,
   * also those of objects that depended on it; before the data source of a check is read, the changes of all managed resources.
   */
  readonly preferablyAfter: Set<Step | StepGroup>;
  /** Resources that the object depended on when it was last changed. */
  readonly recordedDependencies: readonly string[];
  /** Resources whose changed values the step waits for. */
  readonly needs: readonly string[];
}

/** Steps that other steps wait for together. Without groups, n instances that depend on n others would need n² dependencies. */
export interface StepGroup {
  readonly kind: "group";
  readonly steps: readonly Step[];
}

/** The steps of a plan. */
export interface ApplySteps {
  /** Steps that create, update or read an object, by the address of the instance. */
  readonly puts: ReadonlyMap<string, Step>;
  /** Steps that destroy an object, by the address of the object in the plan. */
  readonly destroys: ReadonlyMap<string, Step>;
  /** The steps that create, update or read the objects of a resource that a dependent instance waits for. */
  readonly putsOf: (resource: string, dependent: ResourceInstance) => readonly StepGroup[];
}

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

function groupOf(steps: readonly Step[]): StepGroup {
  return { kind: "group", steps };
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

/**
 * Resolves cycles of steps that wait for each other, also for values: removes dependencies of {@link Step.preferablyAfter} that make a cycle, and
 * those of a destruction on one of another provider. Returns the steps of a cycle that cannot be resolved; undefined if there is none.
 *
 * A cycle arises after `create_before_destroy` is set for a resource: the dependent's old object is destroyed after its new object is
 * created, and the objects that the old one depends on are destroyed after that. It also arises if the configuration of a provider refers to an
 * object that is changed while a dependent object of that provider is destroyed: the dependent is destroyed after the change.
 *
 * @see OpenTofu transform_destroy_edge.go, tryInterProviderDestroyEdge
 */
export function resolveCycles(steps: ApplySteps): readonly Step[] | undefined {
  const removed: { readonly waiting: Step; readonly target: Step }[] = [];
  for (;;) {
    const cycle = findCycle(steps);
    if (cycle === undefined) break;
    const at = (index: number): Step | StepGroup => cycle[index % cycle.length]!;
    const targetOf = (index: number): Step | StepGroup => (at(index + 1).kind === "group" ? at(index + 2) : at(index + 1));
    const isRemovable = (node: Step | StepGroup, index: number): boolean => {
      const [next, target] = [at(index + 1), targetOf(index)];
      if (node.kind === "group" || target.kind === "group") return false;
      return node.preferablyAfter.has(next) || (node.after.has(next) && areDestroyedByTwoProviders(node, target));
    };
    const index = cycle.findIndex(isRemovable);
    const [waiting, target] = [cycle[index], targetOf(index)];
    if (waiting === undefined || waiting.kind === "group" || target.kind === "group") return cycle.filter((node) => node.kind !== "group");
    const next = at(index + 1);
    const isPreferable = waiting.preferablyAfter.has(next);
    waiting.after.delete(next);
    removed.push({ waiting, target });
    // The step still waits for the other steps of a group, which are not in the cycle.
    for (const one of next.kind === "group" ? next.steps : []) {
      if (one === target) continue;
      waiting.after.add(one);
      if (isPreferable) waiting.preferablyAfter.add(one);
    }
  }
  // A dependency that was removed later may have resolved the cycle of one that was removed before it.
  for (const { waiting, target } of removed) {
    waiting.after.add(target);
    if (findCycle(steps) !== undefined) waiting.after.delete(target);
  }
  return undefined;
}

function areDestroyedByTwoProviders(a: Step, b: Step): boolean {
  return (
    a.kind === "destroy" &&
    b.kind === "destroy" &&
    formatProviderConfig(a.change.provider.config) !== formatProviderConfig(b.change.provider.config)
  );
}

function waitsForNothing({ after, needs }: Step): boolean {
  return after.size === 0 && needs.length === 0;
}

/** The nodes of a cycle, each before the node that it waits for. */
function findCycle({ puts, destroys, putsOf }: ApplySteps): readonly (Step | StepGroup)[] | undefined {
  const putGroups = new Map<string, StepGroup>();
  for (const put of puts.values()) {
    const group = putGroups.get(put.resource);
    if (group === undefined) putGroups.set(put.resource, groupOf([put]));
    else (group.steps as Step[]).push(put);
  }
  const next = (node: Step | StepGroup): Iterable<Step | StepGroup> => {
    if (node.kind === "group") return node.steps;
    const { instance } = node.change.address;
    // The configuration of a provider, which a destruction needs, can refer to all instances.
    const needed = node.needs.flatMap((resource) => (node.kind === "put" ? putsOf(resource, instance) : (putGroups.get(resource) ?? [])));
    return [...node.after, ...needed];
  };
  const done = new Set<Step | StepGroup>();
  for (const start of [...puts.values(), ...destroys.values()]) {
    if (done.has(start) || waitsForNothing(start)) continue;
    const path: { readonly node: Step | StepGroup; readonly rest: Iterator<Step | StepGroup> }[] = [];
    const onPath = new Set<Step | StepGroup>();
    const enter = (node: Step | StepGroup): void => {
      onPath.add(node);
      path.push({ node, rest: next(node)[Symbol.iterator]() });
    };
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const following = top.rest.next();
      if (following.done === true) {
        path.pop();
        onPath.delete(top.node);
        done.add(top.node);
      } else if (onPath.has(following.value)) {
        const nodes = path.map(({ node }) => node);
        return nodes.slice(nodes.indexOf(following.value));
      } else if (!done.has(following.value)) enter(following.value);
    }
  }
  return undefined;
}
