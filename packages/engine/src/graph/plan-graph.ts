// SPDX-License-Identifier: Apache-2.0
import { formatModulePath, modulePathOf } from "../address/module.ts";
import type { ResourceInstance } from "../address/resource.ts";
import { descendant } from "../configuration/configuration.ts";
import type { StateObject } from "../state/state-object.ts";
import { addBlocks, type BlockNodes } from "./block-nodes.ts";
import { connectDestructions } from "./destruction-order.ts";
import { GraphDraft, type DraftNode } from "./graph-draft.ts";
import type { GraphInput } from "./graph-input.ts";
import type { OperationGraph } from "./graph.ts";
import { ObjectNodes } from "./object-nodes.ts";
import { pruneUnneeded } from "./unneeded-nodes.ts";
import { removeUnusedProviders } from "./unused-providers.ts";

/** The graph of a plan that evaluates all blocks. A plan that only refreshes has the same. */
export function planGraph(input: GraphInput): OperationGraph {
  const draft = new GraphDraft();
  const blocks = addBlocks(draft, input, () => true);
  const objects = new ObjectNodes(draft, input, blocks);
  for (const { instance, current, deposed } of recordedObjects(input)) {
    if (current !== undefined && objects.blockOf(instance) === undefined) objects.add({ instance }, "orphan", " (orphan)");
    for (const key of deposed.keys()) objects.add({ instance, deposed: key }, "deposed", ` (deposed ${key})`);
  }
  for (const [block, node] of blocks.all) blocks.connect(node, block, input.references);
  addReports(draft, blocks, input);
  addRemovedParts(draft, input);
  removeUnusedProviders(draft);
  return draft.finish();
}

/** The graph of a plan that destroys all objects. Of the resource blocks, it evaluates only those of ephemeral resources. */
export function planDestroyGraph(input: GraphInput): OperationGraph {
  const draft = new GraphDraft();
  const blocks = addBlocks(
    draft,
    input,
    ({ part, resource }) => part !== "check" && (resource?.resource.mode ?? "ephemeral") === "ephemeral",
  );
  const objects = new ObjectNodes(draft, input, blocks);
  const destroyed = new Map<DraftNode, StateObject>();
  for (const { instance, current, deposed } of recordedObjects(input)) {
    if (current !== undefined) destroyed.set(objects.add({ instance }, "destroy", " (destroy)"), current);
    for (const key of deposed.keys()) objects.add({ instance, deposed: key }, "deposed", ` (deposed ${key})`);
  }
  for (const [block, node] of blocks.all) if (block.isRootOutput !== true) blocks.connect(node, block, input.references);
  addRemovedParts(draft, input);
  removeUnusedProviders(draft);
  connectDestructions(draft, {
    input,
    blocks,
    dependencies: (node) => destroyed.get(node)?.dependencies ?? [],
    createsFirst: () => false,
    isChanged: () => true,
    destroysAll: true,
  });
  pruneUnneeded(draft, { destroysAll: true });
  return draft.finish();
}

/** Adds the steps before the checks of a plan, in which their results become unknown. */
function addReports(draft: GraphDraft, blocks: BlockNodes, { graph }: GraphInput): void {
  for (const [{ part, local, module }, node] of blocks.all) {
    if (part !== "check") continue;
    const report = draft.add({ name: `${node.address} (report)`, kind: "check", address: node.address, role: "report" });
    node.dependencies.add(report);
    const call = blocks.of(graph.node(`${formatModulePath(module!.path)} (expand)`));
    if (call !== undefined) report.dependencies.add(call);
    const data = module!.module.checks.get(local!)?.data;
    if (data !== undefined) blocks.of(graph.resource({ module: module!.path, resource: data.address }))?.dependencies.add(report);
  }
}

/** Adds what only the state has beside objects: outputs of the root module, and the ends of modules. */
export function addRemovedParts(draft: GraphDraft, { configuration, state }: Pick<GraphInput, "configuration" | "state">): void {
  for (const name of state.outputs.keys()) {
    if (configuration.module.outputs.has(name)) continue;
    draft.add({ name: `output.${name} (destroy)`, kind: "output", address: `output.${name}`, role: "destroy" });
  }
  for (const { address } of state.resources.values()) {
    const path = modulePathOf(address.module);
    if (descendant(configuration, path) !== undefined) continue;
    const text = formatModulePath(path);
    draft.add({ name: `${text} (close)`, kind: "module", address: text, role: "block" });
  }
}

interface RecordedInstance {
  readonly instance: ResourceInstance;
  readonly current?: StateObject;
  readonly deposed: ReadonlyMap<string, StateObject>;
}

function* recordedObjects({ state }: GraphInput): Generator<RecordedInstance> {
  for (const { address, instances } of state.resources.values()) {
    for (const [key, { current, deposed }] of instances) {
      yield { instance: { ...address, ...(key !== undefined && { key }) }, ...(current && { current }), deposed };
    }
  }
}
