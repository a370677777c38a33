// SPDX-License-Identifier: Apache-2.0
import { setTimeout as delay } from "node:timers/promises";
import { leases } from "../client/api-resource.ts";
import { HeldLease, type HeldLeaseSettings } from "./held-lease.ts";
import { LeaseObserver } from "./lease-observer.ts";
import { leaseTimes, type Lease, type LeaseTimes } from "./lease-record.ts";

/** Options of {@link runAsLeader}. */
export interface LeaderElectionSettings extends Omit<HeldLeaseSettings, "times" | "labels"> {
  readonly times?: LeaseTimes;
  /** Called after a failed attempt, which is repeated. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Runs a function while this replica is the leader, the holder of the lease. Waits until it becomes the leader, and waits again after it has lost
 * the lease. The signal of the function is aborted when the lease is lost.
 *
 * After `signal` is aborted, waits for the end of the function, releases the lease and returns.
 */
export async function runAsLeader(
  settings: LeaderElectionSettings,
  lead: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const times = leaseTimes(settings.times);
  const observer = new LeaseObserver(times.durationMs);
  while (!signal.aborted) {
    const lease = new HeldLease({ ...settings, times });
    try {
      if (await tryAcquire(settings, lease, observer, signal)) await leadWith(lease, lead, settings, times, signal);
    } catch (error) {
      if (!signal.aborted) settings.onError?.(error);
    }
    await delay(times.retryMs * (1 + Math.random() * 0.2), undefined, { signal }).catch(() => {});
  }
}

async function tryAcquire(
  { client, namespace, name }: LeaderElectionSettings,
  lease: HeldLease,
  observer: LeaseObserver,
  signal: AbortSignal,
): Promise<boolean> {
  const current = await client.find<Lease>(leases, { namespace, name }, { signal });
  if (current) observer.observe(current);
  return (current === undefined || observer.isFree(current)) && (await lease.acquire(current, signal));
}

async function leadWith(
  lease: HeldLease,
  lead: (signal: AbortSignal) => Promise<void>,
  { onError }: LeaderElectionSettings,
  { retryMs }: Required<LeaseTimes>,
  signal: AbortSignal,
): Promise<void> {
  const renewals = new AbortController();
  const renewing = (async () => {
    while (!renewals.signal.aborted && lease.isHeld) {
      await delay(retryMs, undefined, { signal: renewals.signal }).catch(() => {});
      if (!renewals.signal.aborted) await lease.renew().catch((error: unknown) => onError?.(error));
    }
  })();
  try {
    await lead(AbortSignal.any([signal, lease.signal]));
  } finally {
    // The lease is renewed until the function has ended, because only then may another replica become the leader.
    renewals.abort();
    await renewing;
    await lease.release().catch((error: unknown) => onError?.(error));
  }
}
