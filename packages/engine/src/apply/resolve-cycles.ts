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
