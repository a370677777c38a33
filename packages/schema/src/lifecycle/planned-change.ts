// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import type { Deferred } from "../messages/common.ts";
import type { ResourceObject } from "./resource-object.ts";

/** Planned change of one resource object. */
export interface PlannedChange {
  readonly action: "noOp" | "create" | "update" | "replace" | "delete";
  /** Prior object; absent where none exists. */
  readonly prior?: ResourceObject;
  /** Value of the prior object; null where none exists. */
  readonly before: Value;
  /** Planned value, which may hold unknown values; null for a delete. */
  readonly after: Value;
  /** Proposed new state that the provider planned; of a replacement, in the second plan. */
  readonly proposedNew: Value;
  /** Paths whose change forces the replacement. */
  readonly requiresReplace: readonly Path[];
  /** Private data that the provider gets back at apply. Opaque. */
  readonly private: Uint8Array;
  readonly identity?: Value;
  /** Reason for a replacement. */
  readonly reason?: "cannotUpdate" | "tainted" | "requested";
  /** Reason for which the plan is provisional. Only where the caller allowed deferral. */
  readonly deferred?: Deferred;
}

/** Returns the step of a replacement that deletes the old object: the first step, or the second one where the new object is created first. */
export function destroyStep(planned: PlannedChange): PlannedChange {
  const { prior } = planned;
  const nothing = valueOf(planned.before.type, null);
  return {
    action: "delete",
    ...(prior ? { prior } : {}),
    before: planned.before,
    after: nothing,
    proposedNew: nothing,
    requiresReplace: [],
    private: planned.private,
    ...(prior?.identity ? { identity: prior.identity } : {}),
  };
}

/** Returns the step of a replacement that creates the new object. */
export function createStep(planned: PlannedChange): PlannedChange {
  return {
    action: "create",
    before: valueOf(planned.before.type, null),
    after: planned.after,
    proposedNew: planned.proposedNew,
    requiresReplace: [],
    private: planned.private,
    ...(planned.identity ? { identity: planned.identity } : {}),
  };
}
