// SPDX-License-Identifier: Apache-2.0
/**
 * Working with a remote system: waiting until something has come to a state, trying again, one change at a time, requests in the
 * log. Nothing of it is loaded by a provider that does not import it.
 *
 * @module
 */
export { waitForState, waitUntilGone, type GoneOptions, type WaitOptions } from "./wait-for-state.ts";
export { retry, retryAfter, type RetryOptions } from "./retry.ts";
export type { BackOff } from "./back-off.ts";
export { createKeyedMutex, type KeyedMutex } from "./keyed-mutex.ts";
export { loggedFetch, type LoggedFetchOptions } from "./logged-fetch.ts";
