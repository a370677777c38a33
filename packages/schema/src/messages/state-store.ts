// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";

/** Request of ValidateStateStoreConfig. The configuration may hold unknown values. */
export interface ValidateStateStoreConfigRequest {
  readonly typeName: string;
  readonly config: Value;
}

/** Request of ConfigureStateStore. */
export interface ConfigureStateStoreRequest {
  readonly typeName: string;
  readonly config: Value;
  /** Size of a chunk in bytes that the core proposes. */
  readonly chunkSize: number;
}

/** Response of ConfigureStateStore. */
export interface ConfigureStateStoreResponse {
  readonly diagnostics: readonly Diagnostic[];
  /** Size of a chunk in bytes that the provider chose. */
  readonly chunkSize: number;
}

/** Request of ReadStateBytes. */
export interface ReadStateBytesRequest {
  readonly typeName: string;
  readonly stateId: string;
}

/** Chunk of a state. `start` and `end` are positions of its first and last byte in the state. */
export interface StateChunk {
  readonly bytes: Uint8Array;
  readonly totalLength: number;
  readonly start: number;
  readonly end: number;
}

/** Event of ReadStateBytes. */
export interface ReadStateBytesChunk extends StateChunk {
  readonly diagnostics: readonly Diagnostic[];
}

/** Request of WriteStateBytes: the target, and the chunks of the state as a stream. */
export interface WriteStateBytesRequest {
  readonly typeName: string;
  readonly stateId: string;
  readonly chunks: AsyncIterable<StateChunk>;
}

/** Request of LockState. */
export interface LockStateRequest {
  readonly typeName: string;
  readonly stateId: string;
  /** Purpose of the lock, such as `plan`. */
  readonly operation: string;
}

/** Response of LockState. */
export interface LockStateResponse {
  readonly lockId: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Request of UnlockState. */
export interface UnlockStateRequest {
  readonly typeName: string;
  readonly stateId: string;
  readonly lockId: string;
}

/** Request of GetStates. */
export interface GetStatesRequest {
  readonly typeName: string;
}

/** Response of GetStates. */
export interface GetStatesResponse {
  readonly stateIds: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Request of DeleteState. */
export interface DeleteStateRequest {
  readonly typeName: string;
  readonly stateId: string;
}
