// SPDX-License-Identifier: Apache-2.0

/** Part of an operator: what works on the objects of one kind. */
export interface OperatorPart {
  /** Settles when the part knows all its objects. */
  readonly synced: Promise<void>;
  /** Reasons for which it is not ready; empty when it is. */
  readonly unready: readonly string[];
  /** Reconciles the objects of a shard that was acquired. */
  reconcileShard(shard: number, shards: number): void;
  /** Settles when no object of a shard is being reconciled. */
  drained(shard: number, shards: number): Promise<void>;
  /** Works until `draining` aborts, and returns when all work has ended. `ending` aborts work in flight. */
  run(draining: AbortSignal, ending: AbortSignal): Promise<void>;
}
