// SPDX-License-Identifier: Apache-2.0
/**
 * Tools for remote systems: wait for a state, retry, run one change at a time, and log requests. A provider that does not import this
 * entry point does not load it.
 *
 * @module
 */
export { waitForState, waitUntilGone, type GoneOptions, type WaitOptions } from "./wait-for-state.ts";
export { retry, retryAfter, type RetryOptions } from "./retry.ts";
export type { BackOff } from "./back-off.ts";
export { createKeyedMutex, type KeyedMutex } from "./keyed-mutex.ts";
export { loggedFetch, type LoggedFetchOptions } from "./logged-fetch.ts";
