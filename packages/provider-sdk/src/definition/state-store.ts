// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, Call, ValidateContext } from "./call-context.ts";
import type { Config, Schema, Sound } from "./schema.ts";
import type { ConfigRule } from "../rules/rule.ts";

export interface OpenStateStoreContext<C, S extends Schema> extends Call<C> {
  readonly config: Config<S>;
}

/** Handlers of an open state store. `St` is what `open` answered. */
export interface StateStoreCall<C, St> extends Call<C> {
  readonly store: St;
}

/** Handlers of one state in it. */
export interface StateCall<C, St> extends StateStoreCall<C, St> {
  /** The workspace's name: `default`, unless the practitioner says otherwise. */
  readonly stateId: string;
}

export interface WriteStateContext<C, St> extends StateCall<C, St> {
  /** The whole state, which has arrived without a gap: it can be stored in one step. */
  readonly state: Uint8Array;
}

export interface LockStateContext<C, St> extends StateCall<C, St> {
  /** What for, such as `plan` or `apply`. */
  readonly operation: string;
}

export interface UnlockStateContext<C, St> extends StateCall<C, St> {
  /** What `lock` answered. */
  readonly lockId: string;
}

/**
 * A state store: where states are kept, instead of a backend. Terraform has it as an experiment, from 1.14 on, over protocol 6
 * only. Its schema has required and optional attributes, and blocks.
 */
export interface StateStoreDefinition<C, S extends Schema, St> {
  /** Where it keeps states. Markdown. */
  readonly description?: string;
  /** Why and what to use instead; whoever uses it is warned with it. */
  readonly deprecated?: string;
  readonly schema?: S & Sound<S>;
  /** Bytes in a chunk at most. Default: what the core proposes, or 8 MiB. */
  readonly chunkSize?: number;
  /** About more than one attribute: `exactlyOneOf("file", "url")`. */
  readonly rules?: readonly ConfigRule<keyof S & string>[];
  /** Asked when everything the schema itself says holds. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
  /** Once, before anything else; answers what the other handlers work with. */
  readonly open: (context: OpenStateStoreContext<C, S>) => Awaitable<St>;
  /** Undefined: there is no such state. */
  readonly read: (context: StateCall<C, St>) => Awaitable<Uint8Array | undefined>;
  readonly write: (context: WriteStateContext<C, St>) => Awaitable<void>;
  /** The ids of all states. */
  readonly list: (context: StateStoreCall<C, St>) => Awaitable<readonly string[]>;
  readonly delete: (context: StateCall<C, St>) => Awaitable<void>;
  /**
   * Answers an id of the lock, which `unlock` is given back; throws where the state is locked already, saying by whom and since
   * when. Without it, states are not locked, and `unlock` is not called.
   */
  readonly lock?: (context: LockStateContext<C, St>) => Awaitable<string>;
  readonly unlock?: (context: UnlockStateContext<C, St>) => Awaitable<void>;
}
