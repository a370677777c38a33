// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, Call, ValidateContext } from "./call-context.ts";
import type { Config, Schema, ValidSchema } from "./schema.ts";
import type { ConfigRule } from "./config-rule.ts";

/** Context of a state store's `open` handler. */
export interface OpenStateStoreContext<C, S extends Schema> extends Call<C> {
  readonly config: Config<S>;
}

/** Context of the handlers of an open state store. `St` is the result of `open`. */
export interface StateStoreCall<C, St> extends Call<C> {
  readonly store: St;
}

/** Context of the handlers of one state in a state store. */
export interface StateCall<C, St> extends StateStoreCall<C, St> {
  /** The workspace's name: `default`, unless the practitioner selects another. */
  readonly stateId: string;
}

/** Context of a state store's `write` handler. `St` is the result of `open`. */
export interface WriteStateContext<C, St> extends StateCall<C, St> {
  /** The whole state: all chunks were received, so it can be stored in one step. */
  readonly state: Uint8Array;
}

/** Context of a state store's `lock` handler. `St` is the result of `open`. */
export interface LockStateContext<C, St> extends StateCall<C, St> {
  /** The operation that needs the lock, such as `plan` or `apply`. */
  readonly operation: string;
}

/** Context of a state store's `unlock` handler. `St` is the result of `open`. */
export interface UnlockStateContext<C, St> extends StateCall<C, St> {
  /** The result of `lock`. */
  readonly lockId: string;
}

/**
 * A state store: stores states in place of a backend. Terraform 1.14 and later supports it experimentally, over protocol 6 only. Its
 * schema may contain required and optional attributes, and blocks.
 */
export interface StateStoreDefinition<C, S extends Schema, St> {
  /** Documentation of the state store. Markdown. */
  readonly description?: string;
  /** Warning for practitioners that use it: the reason for the deprecation, and what to use instead. */
  readonly deprecated?: string;
  readonly schema?: S & ValidSchema<S>;
  /** Maximum size of a chunk in bytes. Default: the size that the core proposes, or 8 MiB. */
  readonly chunkSize?: number;
  /** Rules about several attributes: `exactlyOneOf("file", "url")`. */
  readonly rules?: readonly ConfigRule<keyof S & string>[];
  /** Validates the configuration after the schema's own checks have passed. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
  /** Called once, before the other handlers. Its result is the `store` of the other handlers. */
  readonly open: (context: OpenStateStoreContext<C, S>) => Awaitable<St>;
  /** Returns the state, or undefined if it does not exist. */
  readonly read: (context: StateCall<C, St>) => Awaitable<Uint8Array | undefined>;
  readonly write: (context: WriteStateContext<C, St>) => Awaitable<void>;
  /** Returns the ids of all states. */
  readonly list: (context: StateStoreCall<C, St>) => Awaitable<readonly string[]>;
  readonly delete: (context: StateCall<C, St>) => Awaitable<void>;
  /**
   * Locks the state and returns an id of the lock, which `unlock` receives. If the state is locked already, it must throw an error that
   * names the owner of the lock and when it was taken. Without this handler states are not locked, and `unlock` is not called.
   */
  readonly lock?: (context: LockStateContext<C, St>) => Awaitable<string>;
  readonly unlock?: (context: UnlockStateContext<C, St>) => Awaitable<void>;
}
