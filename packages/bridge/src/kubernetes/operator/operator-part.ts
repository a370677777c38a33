// SPDX-License-Identifier: Apache-2.0

/** A part of an operator, which manages the objects of one kind. */
export interface OperatorPart {
  /** Resolves when the part knows all its objects. */
  readonly synced: Promise<void>;
  /** The reasons why the part is not ready; empty if it is. */
  readonly unready: readonly string[];
  /** Reconciles the objects of a shard that was acquired. */
  reconcileShard(shard: number, shards: number): void;
  /** Resolves when no object of a shard is being reconciled. */
  drained(shard: number, shards: number): Promise<void>;
  /** Works until `draining` is aborted, and returns when all work has ended. `ending` aborts work in flight. */
  run(draining: AbortSignal, ending: AbortSignal): Promise<void>;
}
