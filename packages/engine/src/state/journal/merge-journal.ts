// SPDX-License-Identifier: Apache-2.0
import { formatResourceInstanceObject, type ResourceInstanceObject } from "../../address/resource.ts";
import { StateDraft } from "../state-draft.ts";
import { formatJsonTree } from "../json-tree.ts";
import type { StateObject } from "../state-object.ts";
import { objectIn, type State } from "../state.ts";
import { objectTree } from "../write-state-file.ts";
import type { InterruptedChange, JournalRecord } from "./journal-record.ts";

/** An object whose finished change was in the journal but not in the stored state. */
export interface RecoveredObject {
  readonly address: ResourceInstanceObject;
  /** `removed`: the object was destroyed, or has another address now. */
  readonly kind: "created" | "changed" | "removed";
}

/** A state with the finished changes of a journal. */
export interface MergedJournal {
  readonly state: State;
  readonly recovered: readonly RecoveredObject[];
  readonly interrupted: readonly InterruptedChange[];
}

/**
 * Applies the finished changes of a journal to a stored state. The state may have some of the changes already: the result is the same,
 * because each record has the whole object.
 */
export function mergeJournal(records: readonly JournalRecord[], stored: State): MergedJournal {
  const draft = new StateDraft(stored);
  const changed = new Map<string, ResourceInstanceObject>();
  const open = new Map<string, InterruptedChange>();
  const addChanged = (address: ResourceInstanceObject): string => {
    const text = formatResourceInstanceObject(address);
    changed.set(text, address);
    return text;
  };
  for (const record of records) {
    switch (record.kind) {
      case "begin":
        open.set(formatResourceInstanceObject(record.change.address), record.change);
        break;
      case "end":
        open.delete(formatResourceInstanceObject(record.address));
        break;
      case "set":
        open.delete(addChanged(record.address));
        draft.setObject(record.address, record.object, record.provider);
        break;
      case "remove":
        open.delete(addChanged(record.address));
        draft.removeObject(record.address);
        break;
      case "move":
        addChanged(record.from);
        addChanged(record.address);
        draft.removeObject(record.from);
        draft.setObject(record.address, record.object, record.provider);
        break;
      default:
    }
  }
  draft.prune();
  const state = changed.size === 0 ? stored : draft.snapshot();
  const recovered = [...changed.values()].flatMap((address): readonly RecoveredObject[] => {
    const [before, after] = [objectIn(stored, address), objectIn(state, address)];
    if (after === undefined) return before === undefined ? [] : [{ address, kind: "removed" }];
    if (before === undefined) return [{ address, kind: "created" }];
    return isSameObject(before, after) ? [] : [{ address, kind: "changed" }];
  });
  return { state, recovered, interrupted: [...open.values()] };
}

function isSameObject(a: StateObject, b: StateObject): boolean {
  return a === b || formatJsonTree(objectTree(a)) === formatJsonTree(objectTree(b));
}
