// SPDX-License-Identifier: Apache-2.0
import { areModulesLinked } from "../address/module.ts";
import type { InstanceKey } from "../address/instance-key.ts";
import type { DependencyNode, NodePart } from "../evaluation/dependency-node.ts";
import type { InstanceReferences } from "../evaluation/instance-references.ts";
import type { DraftNode, GraphDraft } from "./graph-draft.ts";
import type { GraphInput } from "./graph-input.ts";
import type { GraphNodeKind } from "./graph.ts";

const kinds: Readonly<Record<NodePart, GraphNodeKind>> = {
  variable: "variable",
  variableValidation: "variable",
  local: "local",
  output: "output",
  check: "check",
  moduleStart: "module",
  moduleEnd: "module",
  resource: "resource",
  provider: "provider",
};

/** Adds the nodes of the blocks, without dependencies. */
export function addBlocks(draft: GraphDraft, { graph }: GraphInput, isIncluded: (block: DependencyNode) => boolean): BlockNodes {
  const nodes = new Map<DependencyNode, DraftNode>();
  for (const block of graph.nodes) {
    if (!isIncluded(block)) continue;
    const { part, name } = block;
    const address = name.replace(/ \([a-z, ]*\)$/, "");
    nodes.set(
      block,
      draft.add({ name: part === "resource" ? `${name} (expand)` : name, kind: kinds[part], address, role: "block", block }),
    );
  }
  return new BlockNodes(nodes);
}

/** The nodes of the blocks, and of the objects that blocks refer to. */
export class BlockNodes {
  readonly #blocks: ReadonlyMap<DependencyNode, DraftNode>;
  readonly #objects = new Map<DependencyNode, DraftNode[]>();

  constructor(blocks: ReadonlyMap<DependencyNode, DraftNode>) {
    this.#blocks = blocks;
  }

  get all(): Iterable<readonly [DependencyNode, DraftNode]> {
    return this.#blocks;
  }

  of(block: DependencyNode | undefined): DraftNode | undefined {
    return block && this.#blocks.get(block);
  }

  /** Makes the node of an object a target of references to its resource. */
  addReferable(block: DependencyNode, node: DraftNode): void {
    const objects = this.#objects.get(block);
    if (objects === undefined) this.#objects.set(block, [node]);
    else objects.push(node);
  }

  /** Connects a node with what a block depends on. A reference to an instance leads to its nodes, if it has some, and else to the whole resource. */
  connect(node: DraftNode, block: DependencyNode, references: InstanceReferences): void {
    const targets = node.object !== undefined && references.hasToItself(block) ? [...block.dependencies, block] : block.dependencies;
    for (const target of targets) {
      for (const key of references.keys(block, target)) for (const one of this.#targets(target, key, node)) node.dependencies.add(one);
    }
    node.dependencies.delete(node);
  }

  *#targets(block: DependencyNode, key: InstanceKey, from: DraftNode): Generator<DraftNode> {
    const objects = this.#objects.get(block) ?? [];
    const named = key === undefined ? [] : objects.filter(({ object }) => object!.instance.key === key);
    const whole = this.#blocks.get(block);
    if (named.length === 0 && whole !== undefined) yield whole;
    for (const node of named.length > 0 ? named : objects) {
      if (from.object === undefined || areModulesLinked(from.object.instance.module, node.object!.instance.module)) yield node;
    }
  }
}
