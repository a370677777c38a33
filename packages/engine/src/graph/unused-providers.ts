// SPDX-License-Identifier: Apache-2.0
import type { DraftNode, GraphDraft } from "./graph-draft.ts";

/** Removes the nodes of provider configurations that nothing uses. The end of a module waits for its providers, but does not use them. */
export function removeUnusedProviders(draft: GraphDraft): void {
  const dependents = draft.dependents();
  const isUsed = (node: DraftNode): boolean => [...dependents.get(node)!].some(isReferrer);
  draft.remove(new Set(draft.nodes.filter((node) => node.kind === "provider" && !isUsed(node))));
}

/** Whether a node refers to other nodes, and does not only wait for them. */
export function isReferrer({ role, block, kind }: DraftNode): boolean {
  if (role === "report" || role === "start" || (kind === "output" && role === "destroy")) return false;
  return block?.part !== "moduleEnd" && (block !== undefined || kind === "resource");
}
