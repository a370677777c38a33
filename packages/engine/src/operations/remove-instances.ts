// SPDX-License-Identifier: Apache-2.0
import type { ResourceInstance } from "../address/index.ts";
import { StateDraft } from "../state/state-draft.ts";
import { resourceIn, type State } from "../state/state.ts";
import { selectInstances } from "./instances.ts";
import { stateError, type StateChange } from "./state-change.ts";

/** The result of {@link removeInstances}. */
export interface RemovedInstances extends StateChange {
  readonly removed: readonly ResourceInstance[];
}

/**
 * Removes instances from a state, without destroying their objects. Addresses without instances are ignored, unless no address has any.
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
  for (const instance of removed) forgetInstance(draft, state, instance);
  draft.prune();
  return { state: draft.snapshot(), diagnostics, removed };
}

/** Removes the current object of an instance and its deposed objects. */
function forgetInstance(draft: StateDraft, state: State, instance: ResourceInstance): void {
  const found = resourceIn(state, instance)?.instances.get(instance.key);
  for (const deposed of found?.deposed.keys() ?? []) draft.removeObject({ instance, deposed });
  draft.removeObject({ instance });
}
