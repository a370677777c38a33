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
export { memoryStore } from "./memory-store.ts";
export { localStore, type LocalStoreOptions } from "./local-store.ts";
export { httpStore, type HttpStoreOptions } from "./http-store.ts";
export { s3Store } from "./s3-store.ts";
export type { S3StoreOptions } from "./s3-options.ts";
export type { AwsKeys, AwsOptions, AwsRole, AwsWebIdentity } from "../../aws/aws-options.ts";
export { postgresStore, type PostgresStoreOptions } from "./postgres-store.ts";
export { providerStore, type ProviderStoreOptions } from "./provider-store.ts";
