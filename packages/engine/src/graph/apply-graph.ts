// SPDX-License-Identifier: Apache-2.0
import { configResourceOf } from "../address/resource.ts";
import type { TargetSubject } from "../address/target.ts";
import type { PlannedChanges, ResourceChange } from "../change/planned-changes.ts";
import { hasConditions, type ResourceConditions } from "../configuration/resource.ts";
import { objectIn } from "../state/state.ts";
import { addBlocks, type BlockNodes } from "./block-nodes.ts";
import { connectDestructions } from "./destruction-order.ts";
import { GraphDraft, type DraftNode } from "./graph-draft.ts";
import type { GraphInput } from "./graph-input.ts";
import type { OperationGraph } from "./graph.ts";
import { ObjectNodes } from "./object-nodes.ts";
import { addRemovedParts } from "./plan-graph.ts";
import { removeUnselected } from "./selected-nodes.ts";
import { pruneUnneeded } from "./unneeded-nodes.ts";
import { removeUnusedProviders } from "./unused-providers.ts";

/** Stands for the key of an object that an apply deposes, because the apply chooses the key. */
const unknownDeposedKey = "00000000";

/** The changes of a plan, and the options that limited it. */
export interface AppliedChanges extends Pick<PlannedChanges, "resources" | "mode"> {
  readonly targets: readonly TargetSubject[];
  readonly excludes: readonly TargetSubject[];
}

/** The graph of an apply: the changes of a plan, and the blocks that they need. The state of the input is the prior state of the plan. */
export function applyGraph(input: GraphInput, { resources, mode, targets, excludes }: AppliedChanges): OperationGraph {
  const draft = new GraphDraft();
  const destroysAll = mode === "destroy";
  const blocks = addBlocks(draft, input, ({ part }) => part !== "check" || !destroysAll);
  const objects = new ObjectNodes(draft, input, blocks);
  const added = resources.flatMap((change) => addChange(change, objects, blocks));
  for (const [block, node] of blocks.all) {
    if (!destroysAll || block.isRootOutput !== true) blocks.connect(node, block, input.references);
  }
  for (const { node } of added) {
    // Objects that are destroyed, and deposed ones, are not evaluated.
    if (node.role === "destroy" || node.object!.deposed !== undefined || node.block === undefined) continue;
    blocks.connect(node, node.block, input.references);
    const whole = blocks.of(node.block);
    // As in OpenTofu, only in module instances without keys.
    const hasKeys = node.object!.instance.module.some(({ key }) => key !== undefined);
    if (node.role === "put" && whole !== undefined && !hasKeys) node.dependencies.add(whole);
  }
  addRemovedParts(draft, input);
  removeUnusedProviders(draft);
  if (!destroysAll) addStartOfChecks(draft);
  connectChanges(draft, input, blocks, added, destroysAll);
  pruneUnneeded(draft, { destroysAll });
  if (targets.length + excludes.length > 0) removeUnselected(draft, targets, excludes);
  return draft.finish();
}

interface ChangeNode {
  readonly change: ResourceChange;
  readonly node: DraftNode;
}

/** Adds the nodes of a planned change: none for an object that stays as it is, and two for a replacement. */
function addChange(change: ResourceChange, objects: ObjectNodes, blocks: BlockNodes): readonly ChangeNode[] {
  const { action, address } = change;
  const { instance, deposed } = address;
  const block = objects.blockOf(instance);
  const added: DraftNode[] = [];
  if (action === "deleteThenCreate" || action === "delete") {
    const suffix = deposed === undefined ? " (destroy)" : ` (destroy deposed ${deposed})`;
    added.push(objects.add(address, "destroy", suffix, { needsProvider: instance.resource.mode === "managed" }));
  } else if (action === "createThenDelete") {
    added.push(objects.add({ instance, deposed: unknownDeposedKey }, "destroy", ` (destroy deposed ${unknownDeposedKey})`));
  }
  if (action === "forget" || action === "forgetThenCreate") {
    const node = objects.add(address, "forget", deposed === undefined ? " (forget)" : ` (forget deposed ${deposed})`);
    if (deposed === undefined && block !== undefined) blocks.addReferable(block, node);
    added.push(node);
  }
  if (isPut(change, block?.block)) {
    const node = objects.add(address, "put", "");
    if (action === "forgetThenCreate") node.dependencies.add(added[0]!);
    if (block !== undefined) blocks.addReferable(block, node);
    added.push(node);
  }
  return added.map((node) => ({ change, node }));
}

/** Whether a change creates, updates or reads an object, or checks the conditions of one that stays as it is. */
function isPut({ action }: ResourceChange, block: ResourceConditions | undefined): boolean {
  if (action === "noOp") return block !== undefined && hasConditions(block);
  return action !== "delete" && action !== "forget";
}

function connectChanges(
  draft: GraphDraft,
  input: GraphInput,
  blocks: BlockNodes,
  added: readonly ChangeNode[],
  destroysAll: boolean,
): void {
  const changes = new Map(added.map(({ node, change }) => [node, change]));
  const current = ({ object }: DraftNode) => objectIn(input.state, { instance: object!.instance });
  connectDestructions(draft, {
    input,
    blocks,
    dependencies: (node) => {
      const recorded = current(node)?.dependencies;
      if (recorded !== undefined) return recorded;
      return node.role === "put" ? input.graph.stateDependencies(configResourceOf(node.object!.instance), () => []) : [];
    },
    createsFirst: (node) =>
      node.object!.deposed !== undefined ||
      (current(node)?.createBeforeDestroy ?? node.block?.block?.managed?.createBeforeDestroy) === true,
    // An object that stays as it is does not take part in the order.
    isChanged: (node) => changes.get(node)?.action !== "noOp",
    destroysAll,
  });
}

/** Data sources of checks are read after all changes of managed resources: they wait for a node that waits for these. */
function addStartOfChecks(draft: GraphDraft): void {
  const puts = draft.nodes.filter(({ role }) => role === "put");
  const nested = puts.filter(({ block }) => block?.block?.check !== undefined);
  if (nested.length === 0) return;
  const managed = puts.filter(({ object }) => object!.instance.resource.mode === "managed");
  const start = draft.add({ name: "(execute checks)", kind: "check", address: "(execute checks)", role: "start" });
  for (const put of managed) if (!managed.some(({ dependencies }) => dependencies.has(put))) start.dependencies.add(put);
  for (const data of nested) data.dependencies.add(start);
}
