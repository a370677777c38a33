// SPDX-License-Identifier: Apache-2.0
import { isConflict } from "./api-error.ts";
import { Backoff } from "./backoff.ts";

/** Options of {@link retryOnConflict}. */
export interface RetryOnConflictOptions {
  /** Maximum number of attempts. Default: 6. */
  readonly attempts?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Repeats a write after conflicts. Each attempt must read the object, so that it changes the newest version.
 *
 * @throws ApiError the conflict of the last attempt, or another error of an attempt.
 */
export async function retryOnConflict<Result>(
  attempt: () => Promise<Result>,
  { attempts = 6, signal }: RetryOnConflictOptions = {},
): Promise<Result> {
  const backoff = new Backoff({ initialMs: 10, maxMs: 1_000 });
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error) || count >= attempts) throw error;
      await backoff.wait(signal);
    }
  }
}
