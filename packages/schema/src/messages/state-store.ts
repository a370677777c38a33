// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";

export interface ValidateStateStoreConfigRequest {
  readonly typeName: string;
  readonly config: Value;
}

export interface ConfigureStateStoreRequest {
  readonly typeName: string;
  readonly config: Value;
  /** Bytes in a chunk that the core proposes. */
  readonly chunkSize: number;
}

export interface ConfigureStateStoreResponse {
  readonly diagnostics: readonly Diagnostic[];
  /** Bytes in a chunk that the provider settles on. */
  readonly chunkSize: number;
}

export interface ReadStateBytesRequest {
  readonly typeName: string;
  readonly stateId: string;
}

/** Part of a state. `start` and `end` are byte positions in the whole, `end` being that of the last byte. */
export interface StateChunk {
  readonly bytes: Uint8Array;
  readonly totalLength: number;
  readonly start: number;
  readonly end: number;
}

export interface ReadStateBytesChunk extends StateChunk {
  readonly diagnostics: readonly Diagnostic[];
}

/** The target, then the bytes as they come. */
export interface WriteStateBytesRequest {
  readonly typeName: string;
  readonly stateId: string;
  readonly chunks: AsyncIterable<StateChunk>;
}

export interface LockStateRequest {
  readonly typeName: string;
  readonly stateId: string;
  /** What the lock is for, such as `plan`. */
  readonly operation: string;
}

export interface LockStateResponse {
  readonly lockId: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface UnlockStateRequest {
  readonly typeName: string;
  readonly stateId: string;
  readonly lockId: string;
}

export interface GetStatesRequest {
  readonly typeName: string;
}

export interface GetStatesResponse {
  readonly stateIds: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface DeleteStateRequest {
  readonly typeName: string;
  readonly stateId: string;
}
