// SPDX-License-Identifier: Apache-2.0
/**
 * Stores of states, and the interface of a store.
 *
 * @module
 */
export {
  defaultWorkspace,
  type StateLock,
  type StateStore,
  type StoreCallOptions,
  type StoredContent,
  type WorkspaceStore,
  type WriteOptions,
} from "./state-store.ts";
export { acquireLock, createLockInfo, type AcquireLockOptions } from "./lock-info.ts";
export { memoryState } from "./memory-store.ts";
export { localState, type LocalStateOptions } from "./local-store.ts";
export { httpState, type HttpStateOptions } from "./http-store.ts";
export { s3State } from "./s3-store.ts";
export type { S3StateOptions } from "./s3-options.ts";
export type { AwsKeys, AwsOptions, AwsRole, AwsWebIdentity } from "../../aws/aws-options.ts";
export { postgresState, type PostgresStateOptions } from "./postgres-store.ts";
export { providerState, type ProviderStateOptions } from "./provider-store.ts";
