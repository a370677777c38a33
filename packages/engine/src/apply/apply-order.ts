// SPDX-License-Identifier: Apache-2.0
import { formatModuleInstance, isSameModuleInstance, isSameModulePath, modulePathOf, type ModuleInstance } from "../address/module.ts";
import {
  formatAbsoluteResource,
  formatConfigResource,
  formatResourceInstance,
  formatResourceInstanceObject,
  type ResourceInstance,
} from "../address/resource.ts";
import { isReplacement, type ResourceChange } from "../change/planned-changes.ts";
import { objectIn, type State } from "../state/state.ts";

/** One provider operation of an apply: a replacement has two. */
export interface Step {
  /** Names the step: the object's address, with ` (destroy)` for the destruction. */
  readonly id: string;
  readonly kind: "put" | "destroy";
  readonly change: ResourceChange;
  /** The resource's address in the configuration. */
  readonly resource: string;
  /** Steps that must end before this one starts, beside those whose values it needs. */
  readonly after: Set<Step | StepGroup>;
  /**
   * Those of `after` that no value needs: the destruction of what an object depended on, before the object is changed; the changes of what
   * depended on an object, before the object is destroyed for good. They are left out where they would make a circle.
   */
  readonly preferablyAfter: Set<Step | StepGroup>;
  /** Resources that the object depended on when it was last changed. */
  readonly recordedDependencies: readonly string[];
}

/** Steps of one kind and one resource, which other steps wait for together: many instances may depend on many. */
export interface StepGroup {
  readonly kind: "group";
  readonly steps: readonly Step[];
}

/** The steps of a plan. */
export interface ApplySteps {
  /** Steps that create, update or read, by the address of the instance. */
  readonly puts: ReadonlyMap<string, Step>;
  /** Steps that destroy, by the address of the object in the plan. */
  readonly destroys: ReadonlyMap<string, Step>;
  /** The steps that create, update or read objects of a resource that an instance depends on. */
  readonly putsOf: (resource: string, dependent: ResourceInstance) => readonly StepGroup[];
}

/**
 * The steps of a plan, and the order in which they must be made where no value decides it: what depends on an object is destroyed before
 * it, and changed after it is destroyed; with `create_before_destroy`, before.
 *
 * @see OpenTofu docs/destroying.md
 */
export function applySteps(changes: readonly ResourceChange[], state: State): ApplySteps {
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
    });
    if (action === "delete" || action === "deleteThenCreate" || action === "createThenDelete") destroys.set(text, step("destroy"));
    if (action === "create" || action === "update" || action === "read" || isReplacement(action)) puts.set(text, step("put"));
  }
  const dependentDestroys = new Dependents([...destroys.values()], ({ recordedDependencies }) => recordedDependencies);
  const dependentPuts = new Dependents([...puts.values()], ({ recordedDependencies, change }) => [
    ...new Set([...recordedDependencies, ...change.dependencies]),
  ]);
  const destroyGroups = new Map<string, StepGroup>();
  const recordedPuts = new Dependents([...puts.values()], ({ recordedDependencies }) => recordedDependencies);
  const ownPut = ({ change }: Step): Step | undefined => puts.get(formatResourceInstance(change.address.instance));
  const createsFirst = (step: Step): boolean => step.change.action === "createThenDelete" || isLeftOver(step, ownPut(step));
  /** Whether what depends on the object is changed before the object is destroyed. */
  const isLate = (step: Step): boolean => createsFirst(step) || step.change.createBeforeDestroy;
  for (const step of destroys.values()) {
    // What depends on an object is destroyed first.
    for (const group of dependentDestroys.of(step)) step.after.add(group);
    const own = ownPut(step);
    if (own !== undefined && createsFirst(step)) step.after.add(own);
    else if (own?.change === step.change) own.after.add(step);
    if (isLate(step)) {
      for (const group of dependentPuts.of(step)) {
        step.after.add(group);
        if (step.change.action === "delete") step.preferablyAfter.add(group);
      }
    } else if (!destroyGroups.has(placeOf(step))) {
      const all = groupOf([...destroys.values()].filter((other) => placeOf(other) === placeOf(step) && !isLate(other)));
      destroyGroups.set(placeOf(step), all);
      // What depends on an object is changed after the object is destroyed.
      for (const put of recordedPuts.of(step).flatMap(({ steps }) => steps)) {
        put.after.add(all);
        put.preferablyAfter.add(all);
      }
    }
  }
  return { puts, destroys, putsOf: putsByResource(puts.values()) };
}

function putsByResource(puts: Iterable<Step>): ApplySteps["putsOf"] {
  const byResource = Map.groupBy(puts, ({ resource }) => resource);
  const groups = new Map<string, readonly StepGroup[]>();
  return (resource, { module }) => {
    const steps = byResource.get(resource);
    if (steps === undefined) return [];
    const place = `${formatModuleInstance(module)} ${resource}`;
    let found = groups.get(place);
    if (found === undefined) {
      const linked = steps.filter(({ change }) => areModulesLinked(change.address.instance.module, module));
      groups.set(place, (found = linked.length === 0 ? [] : [groupOf(linked)]));
    }
    return found;
  };
}

/** The steps that depend on a resource, in groups by the place of what they depend on. */
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

  /** The groups of steps that depend on the resource of a step. */
  of(step: Step): readonly StepGroup[] {
    const place = placeOf(step);
    let found = this.#groups.get(place);
    if (found === undefined) {
      const linked = (this.#byDependency.get(step.resource) ?? []).filter(
        (other) => other.resource !== step.resource && areLinked(other, step),
      );
      this.#groups.set(place, (found = linked.length === 0 ? [] : [groupOf(linked)]));
    }
    return found;
  }
}

function groupOf(steps: readonly Step[]): StepGroup {
  return { kind: "group", steps };
}

/** The resource of a step in its module instance: steps with one place have the same dependents. */
function placeOf({ change }: Step): string {
  return formatAbsoluteResource(change.address.instance);
}

/** Whether the step destroys an object that an earlier, incomplete replacement left. */
function isLeftOver({ change }: Step, own: Step | undefined): boolean {
  return change.address.deposed !== undefined && own?.change.action === "createThenDelete";
}

/** Objects in different instances of one module do not depend on each other. */
function areLinked(a: Step, b: Step): boolean {
  return areModulesLinked(a.change.address.instance.module, b.change.address.instance.module);
}

function areModulesLinked(first: ModuleInstance, second: ModuleInstance): boolean {
  if (first.length === 0 || !isSameModulePath(modulePathOf(first), modulePathOf(second))) return true;
  return isSameModuleInstance(first, second);
}

function configAddress({ module, resource }: ResourceInstance): string {
  return formatConfigResource({ module: modulePathOf(module), resource });
}

/**
 * Resolves circles among the steps, with the order that values impose. What {@link Step.preferablyAfter} has is left out where it
 * makes one. Returns the steps of a circle that is left; undefined if there is none.
 *
 * A circle arises where `create_before_destroy` is new: the old object of the dependent is destroyed after the new one is created, and what
 * the old object depends on after that.
 */
export function resolveCircles(steps: ApplySteps): readonly Step[] | undefined {
  const dropped: { readonly waiting: Step; readonly target: Step }[] = [];
  for (;;) {
    const circle = findCircle(steps);
    if (circle === undefined) break;
    const at = (index: number): Step | StepGroup => circle[index % circle.length]!;
    const index = circle.findIndex((node, place) => node.kind !== "group" && node.preferablyAfter.has(at(place + 1)));
    const waiting = circle[index];
    if (waiting === undefined || waiting.kind === "group") return circle.filter((node) => node.kind !== "group");
    const target = at(index + 1);
    waiting.after.delete(target);
    const left = target.kind === "group" ? at(index + 2) : target;
    if (left.kind !== "group") dropped.push({ waiting, target: left });
    // Of a group, the steps that are not in the circle are still waited for.
    for (const one of target.kind === "group" ? target.steps : []) {
      if (one === left) continue;
      waiting.after.add(one);
      waiting.preferablyAfter.add(one);
    }
  }
  // What was left out later may have resolved the circles of what was left out before.
  for (const { waiting, target } of dropped) {
    waiting.after.add(target);
    if (findCircle(steps) !== undefined) waiting.after.delete(target);
  }
  return undefined;
}

/** The nodes of a circle, each before one that it waits for. */
function findCircle({ puts, destroys }: ApplySteps): readonly (Step | StepGroup)[] | undefined {
  const putGroups = new Map<string, StepGroup>();
  for (const put of puts.values()) {
    const group = putGroups.get(put.resource);
    if (group === undefined) putGroups.set(put.resource, groupOf([put]));
    else (group.steps as Step[]).push(put);
  }
  const next = (node: Step | StepGroup): Iterable<Step | StepGroup> => {
    if (node.kind === "group") return node.steps;
    if (node.kind === "destroy") return node.after;
    return [...node.after, ...node.change.dependencies.flatMap((dependency) => putGroups.get(dependency) ?? [])];
  };
  const done = new Set<Step | StepGroup>();
  for (const start of [...puts.values(), ...destroys.values()]) {
    if (done.has(start)) continue;
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
