// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import type { Deferred } from "../messages/common.ts";
import type { ResourceObject } from "./resource-object.ts";

/** What is to happen to one resource object. */
export interface PlannedChange {
  readonly action: "noOp" | "create" | "update" | "replace" | "delete";
  /** The object as it is; absent where none exists. */
  readonly prior?: ResourceObject;
  /** The prior object's value; null where none exists. */
  readonly before: Value;
  /** What the provider promises; may hold unknown values. Null for a delete. */
  readonly after: Value;
  /** What the provider was asked for; of a replacement, in the second plan. */
  readonly proposedNew: Value;
  /** Where a change forces the replacement. */
  readonly requiresReplace: readonly Path[];
  /** What the provider wants to be told at apply. */
  readonly private: Uint8Array;
  readonly identity?: Value;
  /** Why it is a replacement. */
  readonly reason?: "cannotUpdate" | "tainted" | "requested";
  /** Provisional, as the provider cannot tell yet. Only where the caller allowed it. */
  readonly deferred?: Deferred;
}

/** The first step of a replacement where the old object goes first, the second where it goes last. */
export function destroyStep(planned: PlannedChange): PlannedChange {
  const { prior } = planned;
  const gone = valueOf(planned.before.type, null);
  return {
    action: "delete",
    ...(prior ? { prior } : {}),
    before: planned.before,
    after: gone,
    proposedNew: gone,
    requiresReplace: [],
    private: planned.private,
    ...(prior?.identity ? { identity: prior.identity } : {}),
  };
}

/** The other step of a replacement. */
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
