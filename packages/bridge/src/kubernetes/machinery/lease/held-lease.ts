// SPDX-License-Identifier: Apache-2.0
import type { ApiClient } from "../client/api-client.ts";
import { isAlreadyExists, isConflict, isNotFound } from "../client/api-error.ts";
import { leases } from "../client/api-resource.ts";
import { heldSpec, type Lease, type LeaseTimes } from "./lease-record.ts";

/** Options of a {@link HeldLease}. */
export interface HeldLeaseSettings {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly name: string;
  /** Identity of this replica. */
  readonly holder: string;
  readonly times: Required<LeaseTimes>;
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * A lease that this replica holds or tries to acquire. All writes are conditional on the version of the lease, so that two replicas cannot both
 * succeed.
 */
export class HeldLease {
  readonly #settings: HeldLeaseSettings;
  #lease: Lease | undefined;
  #heldUntil = 0;
  #lost: AbortController | undefined;
  #expiry: NodeJS.Timeout | undefined;
  /** The last write. Writes are made one after the other, because concurrent ones would conflict. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: HeldLeaseSettings) {
    this.#settings = settings;
  }

  /** Whether this replica holds the lease now. Compares the time, so that the result is also right after the process was suspended. */
  get isHeld(): boolean {
    return this.#lost !== undefined && !this.#lost.signal.aborted && performance.now() < this.#heldUntil;
  }

  /** Aborted when the lease is lost or released. @throws TypeError if it was never acquired. */
  get signal(): AbortSignal {
    if (this.#lost === undefined) throw new TypeError(`the lease ${this.#settings.name} is not held`);
    return this.#lost.signal;
  }

  /**
   * Tries once to acquire the lease.
   *
   * @param current - The lease, of which the caller knows that it is free; undefined if it does not exist.
   * @returns false if another replica was faster.
   */
  async acquire(current: Lease | undefined, signal?: AbortSignal): Promise<boolean> {
    const { client, namespace, name, holder, times, labels } = this.#settings;
    const sentAt = performance.now();
    const spec = heldSpec(current?.spec, holder, times.durationMs);
    try {
      this.#lease = current
        ? await client.replace<Lease>(leases, { ...current, spec }, { signal, timeoutMs: times.renewDeadlineMs })
        : await client.create<Lease>(
            leases,
            { metadata: { namespace, name, ...(labels ? { labels } : {}) }, spec },
            { signal, timeoutMs: times.renewDeadlineMs },
          );
    } catch (error) {
      if (isConflict(error) || isAlreadyExists(error) || isNotFound(error)) return false;
      throw error;
    }
    this.#lost = new AbortController();
    this.#extend(sentAt);
    return this.isHeld;
  }

  /**
   * Tries once to renew the lease. If another replica holds it, the lease is lost. After another failure, the caller may try again until the renew
   * deadline.
   *
   * @returns Whether it was renewed.
   */
  async renew(signal?: AbortSignal): Promise<boolean> {
    return await this.#afterLast(() => this.#renew(signal));
  }

  /** Releases the lease, so that another replica can acquire it immediately. */
  async release(signal?: AbortSignal): Promise<void> {
    await this.#afterLast(() => this.#release(signal));
  }

  #afterLast<Result>(write: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(write);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #renew(signal: AbortSignal | undefined): Promise<boolean> {
    const { client, holder, times, namespace, name } = this.#settings;
    if (this.#lease === undefined || !this.isHeld) return false;
    const sentAt = performance.now();
    const options = { signal, timeoutMs: times.renewDeadlineMs };
    try {
      const spec = heldSpec(this.#lease.spec, holder, times.durationMs);
      this.#lease = await client.replace<Lease>(leases, { ...this.#lease, spec }, options);
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
      // An earlier renewal may have succeeded although its response was lost.
      const current = await client.find<Lease>(leases, { namespace, name }, options);
      if (current?.spec?.holderIdentity !== holder) {
        this.#lose("another replica took the lease");
        return false;
      }
      this.#lease = current;
      return false;
    }
    this.#extend(sentAt);
    return true;
  }

  async #release(signal: AbortSignal | undefined): Promise<void> {
    const lease = this.#lease;
    const wasHeld = this.isHeld;
    this.#lose("the lease was released");
    if (!wasHeld || lease === undefined) return;
    const { client, times } = this.#settings;
    try {
      const spec = { ...lease.spec, holderIdentity: "", leaseDurationSeconds: 1 };
      await client.replace<Lease>(leases, { ...lease, spec }, { signal, timeoutMs: times.renewDeadlineMs });
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }

  #extend(sentAt: number): void {
    this.#heldUntil = sentAt + this.#settings.times.renewDeadlineMs;
    clearTimeout(this.#expiry);
    // The response may have come after the deadline. Node.js warns of a negative delay.
    const remainingMs = Math.max(this.#heldUntil - performance.now(), 0);
    this.#expiry = setTimeout(() => this.#lose("the lease could not be renewed in time"), remainingMs);
  }

  #lose(reason: string): void {
    clearTimeout(this.#expiry);
    this.#heldUntil = 0;
    this.#lease = undefined;
    if (this.#lost?.signal.aborted === false) this.#lost.abort(new Error(`${this.#settings.name}: ${reason}`));
  }
}
