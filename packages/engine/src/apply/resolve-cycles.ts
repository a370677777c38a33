// SPDX-License-Identifier: Apache-2.0
import { formatProviderConfig } from "../address/provider-config.ts";
import { groupOf, type ApplySteps, type Step, type StepGroup } from "./step.ts";

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
    removed.push(...withoutCycles(steps, waiting, at(index + 1)).map((one) => ({ waiting, target: one })));
  }
  // A dependency that was removed later may have resolved the cycle of one that was removed before it.
  for (const [target, edges] of Map.groupBy(removed, (edge) => edge.target)) {
    const before = reached(target, waitsOf(steps));
    for (const { waiting } of edges) if (!before.has(waiting)) waiting.after.add(target);
  }
  return undefined;
}

/**
 * Removes the dependency of a step on the steps that wait for it. It still waits for the other steps of a group. Returns the steps for which it
 * does not wait any more.
 */
function withoutCycles(steps: ApplySteps, waiting: Step, next: Step | StepGroup): readonly Step[] {
  const all = next.kind === "group" ? next.steps : [next];
  const isPreferable = waiting.preferablyAfter.has(next);
  const after = nodesAfter(steps, waiting);
  const isRemoved = (one: Step): boolean => (isPreferable || areDestroyedByTwoProviders(waiting, one)) && after.has(one);
  const rest = all.filter((one) => !isRemoved(one));
  waiting.after.delete(next);
  if (rest.length > 0) {
    const group = groupOf(rest);
    waiting.after.add(group);
    if (isPreferable) waiting.preferablyAfter.add(group);
  }
  return all.filter(isRemoved);
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

type Waits = (node: Step | StepGroup) => Iterable<Step | StepGroup>;

/** What a node waits for. */
function waitsOf({ puts, putsOf }: ApplySteps): Waits {
  const putGroups = new Map([...Map.groupBy(puts.values(), ({ resource }) => resource)].map(([resource, of]) => [resource, groupOf(of)]));
  return (node) => {
    if (node.kind === "group") return node.steps;
    const { instance } = node.change.address;
    // The configuration of a provider, which a destruction needs, can refer to all instances.
    const needed = node.needs.flatMap((resource) => (node.kind === "put" ? putsOf(resource, instance) : (putGroups.get(resource) ?? [])));
    return [...node.after, ...needed];
  };
}

/** The nodes that wait for a step, directly or through others. */
function nodesAfter(steps: ApplySteps, step: Step): ReadonlySet<Step | StepGroup> {
  const waits = waitsOf(steps);
  const dependents = new Map<Step | StepGroup, (Step | StepGroup)[]>();
  const all = new Set<Step | StepGroup>([...steps.puts.values(), ...steps.destroys.values()]);
  for (const node of all) {
    for (const dependency of waits(node)) {
      all.add(dependency);
      const list = dependents.get(dependency);
      if (list === undefined) dependents.set(dependency, [node]);
      else list.push(node);
    }
  }
  return reached(step, (node) => dependents.get(node) ?? []);
}

/** The nodes that are reached from a node, which is among them only if it reaches itself. */
function reached(start: Step | StepGroup, next: Waits): ReadonlySet<Step | StepGroup> {
  const found = new Set(next(start));
  for (const node of found) for (const one of next(node)) found.add(one);
  return found;
}

/** The nodes of a cycle, each before the node that it waits for. */
function findCycle(steps: ApplySteps): readonly (Step | StepGroup)[] | undefined {
  const next = waitsOf(steps);
  const done = new Set<Step | StepGroup>();
  for (const start of [...steps.puts.values(), ...steps.destroys.values()]) {
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
