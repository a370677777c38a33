// SPDX-License-Identifier: Apache-2.0
import { areModulesLinked } from "../address/module.ts";
import { formatResourceInstance } from "../address/resource.ts";
import { referencesOf } from "../evaluation/references.ts";
import type { BlockNodes } from "./block-nodes.ts";
import { reachableFrom, type DraftNode, type GraphDraft } from "./graph-draft.ts";
import type { GraphInput } from "./graph-input.ts";

/** What the order of destructions is based on. */
export interface DestructionFacts {
  readonly input: GraphInput;
  readonly blocks: BlockNodes;
  /** Addresses of the resources that the object of a node depended on when it was last changed, or depends on if it is new. */
  readonly dependencies: (node: DraftNode) => readonly string[];
  /** Whether what depends on a destroyed object, and its own new object, are changed before the object is destroyed. */
  readonly createsFirst: (node: DraftNode) => boolean;
  /** Whether the object of a node changes. Others only have their conditions checked. */
  readonly isChanged: (node: DraftNode) => boolean;
  readonly destroysAll: boolean;
}

/**
 * Connects destructions with each other and with changes: the dependents of an object are destroyed before it, and changed after that, or
 * before that with `create_before_destroy`.
 *
 * @see OpenTofu transform_destroy_edge.go, transform_destroy_cbd.go
 */
export function connectDestructions(draft: GraphDraft, facts: DestructionFacts): void {
  const { input, blocks, dependencies, createsFirst, isChanged, destroysAll } = facts;
  const objects = draft.nodes.filter(({ object }) => object !== undefined);
  const destroys = objects.filter(({ role }) => role === "destroy");
  if (destroys.length === 0) return;
  const puts = objects.filter(({ role }) => role === "put");
  const destroysByInstance = Map.groupBy(destroys, instanceOf);
  const destroysByResource = Map.groupBy(destroys, ({ address }) => address);
  const changing = puts.filter(isChanged);
  const putsByResource = Map.groupBy(changing, ({ address }) => address);
  for (const put of puts) for (const destroy of destroysByInstance.get(instanceOf(put)) ?? []) put.dependencies.add(destroy);
  const linked = (nodes: readonly DraftNode[] | undefined, other: DraftNode): readonly DraftNode[] =>
    (nodes ?? []).filter(({ object }) => areModulesLinked(object!.instance.module, other.object!.instance.module));
  for (const put of changing) {
    for (const address of dependencies(put))
      for (const destroy of linked(destroysByResource.get(address), put)) put.dependencies.add(destroy);
  }
  const connect = (from: DraftNode, to: DraftNode): void => {
    // Between objects of different providers, a dependency that makes a cycle is left out.
    const isOptional = !destroysAll && providerOf(from) !== providerOf(to);
    if (isOptional && (from === to || reachableFrom([to], (node) => node.dependencies).has(from))) return;
    from.dependencies.add(to);
  };
  for (const destroy of destroys) {
    connectPreventDestroy(destroy, input, blocks);
    for (const address of dependencies(destroy)) {
      for (const other of linked(destroysByResource.get(address), destroy)) connect(other, destroy);
      for (const put of linked(putsByResource.get(address), destroy)) connect(put, destroy);
    }
  }
  for (const destroy of destroys) {
    if (!createsFirst(destroy)) continue;
    for (const put of puts) if (put.dependencies.delete(destroy)) destroy.dependencies.add(put);
  }
}

function instanceOf({ object }: DraftNode): string {
  return formatResourceInstance(object!.instance);
}

function providerOf({ dependencies }: DraftNode): DraftNode | undefined {
  return [...dependencies].find(({ kind }) => kind === "provider");
}

/** A destruction evaluates `prevent_destroy`. */
function connectPreventDestroy(node: DraftNode, { graph }: GraphInput, blocks: BlockNodes): void {
  const expression = node.block?.block?.managed?.preventDestroy;
  if (expression === undefined) return;
  for (const { reference } of referencesOf(expression).references) {
    const target = blocks.of(graph.target(node.block!.module!, reference));
    if (target !== undefined) node.dependencies.add(target);
  }
}
