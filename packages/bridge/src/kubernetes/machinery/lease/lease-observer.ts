// SPDX-License-Identifier: Apache-2.0
import { objectKey } from "../client/kubernetes-object.ts";
import type { Lease } from "./lease-record.ts";

/**
 * Decides whether leases have expired: by the time for which they have been unchanged, measured with the monotonic clock of this process. The times
 * in a lease come from the clock of its holder, and are not compared with the clock of this process.
 */
export class LeaseObserver {
  readonly #durationMs: number;
  readonly #now: () => number;
  readonly #seen = new Map<string, { readonly version: string; readonly at: number }>();

  constructor(durationMs: number, now: () => number = () => performance.now()) {
    this.#durationMs = durationMs;
    this.#now = now;
  }

  /** Records the current version of a lease. */
  observe({ metadata }: Lease): void {
    const key = objectKey(metadata);
    const version = `${metadata.uid}/${metadata.resourceVersion}`;
    if (this.#seen.get(key)?.version !== version) this.#seen.set(key, { version, at: this.#now() });
  }

  /** Whether an observed lease has been unchanged for longer than its duration. */
  isExpired(lease: Lease): boolean {
    return this.unchangedMs(lease) > Math.max(this.#durationMs, (lease.spec?.leaseDurationSeconds ?? 0) * 1000);
  }

  /** Whether a lease can be acquired, because it was released or has expired. */
  isFree(lease: Lease): boolean {
    return !lease.spec?.holderIdentity || this.isExpired(lease);
  }

  /** The time for which a lease has been unchanged, in milliseconds. */
  unchangedMs({ metadata }: Lease): number {
    const seen = this.#seen.get(objectKey(metadata));
    return seen ? this.#now() - seen.at : 0;
  }

  /** Forgets all leases except these. */
  retain(leases: readonly Lease[]): void {
    const keys = new Set(leases.map(({ metadata }) => objectKey(metadata)));
    for (const key of this.#seen.keys()) if (!keys.has(key)) this.#seen.delete(key);
  }
}
