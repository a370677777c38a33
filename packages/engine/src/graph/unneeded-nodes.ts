// SPDX-License-Identifier: Apache-2.0
import { reachableFrom, type DraftNode, type GraphDraft } from "./graph-draft.ts";
import { isReferrer } from "./unused-providers.ts";

/**
 * Removes, until nothing more can be removed: values that nothing refers to, blocks whose instances nothing needs, and provider configurations
 * that nothing uses. They may not be evaluable while objects are destroyed.
 *
 * @see OpenTofu transform_destroy_edge.go, pruneUnusedNodesTransformer
 */
export function pruneUnneeded(draft: GraphDraft, { destroysAll }: { readonly destroysAll: boolean }): void {
  for (;;) {
    const dependents = draft.dependents();
    const isNeeded = (node: DraftNode): boolean => {
      const direct = [...dependents.get(node)!];
      if (isValue(node)) return isKeptValue(node, destroysAll) || direct.some(isReferrer);
      if (isExpander(node)) return direct.some((dependent) => needsInstances(dependent, destroysAll));
      if (node.kind === "provider") return [...reachableFrom([node], (one) => dependents.get(one)!)].some(isReferrer);
      return true;
    };
    const removed = new Set(draft.nodes.filter((node) => !isNeeded(node)));
    if (removed.size === 0) return;
    draft.remove(removed);
  }
}

/** Whether a node has a value, and is removed if nothing refers to it. The variables of the root module always have a value. */
function isValue({ kind, block }: DraftNode): boolean {
  if (kind === "variable") return block?.part === "variableValidation" || block?.module?.parent !== undefined;
  return kind === "local" || kind === "output";
}

/** Whether a value is kept without a reference: an output of the root module, and the validation of a variable. */
export function isKeptValue({ kind, block }: DraftNode, destroysAll: boolean): boolean {
  if (kind === "output") return block === undefined || block.isRootOutput === true;
  return block?.isValidated === true && !destroysAll;
}

function isExpander({ role, block }: DraftNode): boolean {
  return role === "block" && (block?.part === "moduleStart" || block?.part === "resource");
}

/** Whether a node needs the instances of a block on which it depends. */
function needsInstances(node: DraftNode, destroysAll: boolean): boolean {
  if (node.object !== undefined || node.kind === "provider") return true;
  if (isValue(node)) return !isKeptValue(node, destroysAll);
  return isExpander(node) || (node.kind === "check" && node.role === "block");
}
