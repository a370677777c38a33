// SPDX-License-Identifier: Apache-2.0
import type { ResourceInstance } from "../address/index.ts";
import { StateDraft } from "../state/state-draft.ts";
import { resourceIn, type State } from "../state/state.ts";
import { selectInstances } from "./instances.ts";
import { stateError } from "../state/state-diagnostic.ts";
import type { StateChange } from "./state-change.ts";

/** The result of {@link removeInstances}. */
export interface RemovedInstances extends StateChange {
  readonly removed: readonly ResourceInstance[];
}

/**
 * Removes instances from a state, without destroying their objects. It is an error if no address selects an instance; a single address
 * without instances is ignored.
 *
 * @see OpenTofu state_rm.go
 */
export function removeInstances(state: State, addresses: readonly string[]): RemovedInstances {
  const selected = addresses.map((text) => selectInstances(state, text, true));
  const diagnostics = selected.flatMap((one) => one.diagnostics);
  const removed = selected.flatMap(({ instances }) => instances);
  if (diagnostics.length === 0 && removed.length === 0) {
    const detail =
      'No matching objects found. To view the available instances, use "tofu state list". Please modify the address to reference a specific instance.';
    diagnostics.push(stateError("Invalid target address", detail));
  }
  if (diagnostics.length > 0) return { state, diagnostics, removed: [] };
  const draft = new StateDraft(state);
  for (const instance of removed) removeInstance(draft, state, instance);
  draft.prune();
  return { state: draft.snapshot(), diagnostics, removed };
}

/** Removes the current object and the deposed objects of an instance. */
function removeInstance(draft: StateDraft, state: State, instance: ResourceInstance): void {
  const stateInstance = resourceIn(state, instance)?.instances.get(instance.key);
  for (const deposed of stateInstance?.deposed.keys() ?? []) draft.removeObject({ instance, deposed });
  draft.removeObject({ instance });
}
