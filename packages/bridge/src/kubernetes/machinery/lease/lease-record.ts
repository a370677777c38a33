// SPDX-License-Identifier: Apache-2.0
import type { KubernetesObject } from "../client/kubernetes-object.ts";

/** A Lease object. */
export interface Lease extends KubernetesObject {
  readonly spec?: LeaseSpec;
}

/** The content of a Lease. */
export interface LeaseSpec {
  /** Identity of the holder; empty after it has released the lease. */
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  /** Number of changes of the holder. */
  readonly leaseTransitions?: number;
}

/** The times of a lease, in milliseconds. */
export interface LeaseTimes {
  /** Time without a renewal after which another replica may acquire the lease. Default: 15,000. */
  readonly durationMs?: number;
  /** Time without a renewal after which the holder considers the lease lost. Must be less than the duration. Default: 10,000. */
  readonly renewDeadlineMs?: number;
  /** Time between two attempts to renew or acquire the lease. Default: 2,000. */
  readonly retryMs?: number;
}

/** Adds the defaults to times. @throws TypeError if the times contradict each other. */
export function leaseTimes({ durationMs = 15_000, renewDeadlineMs = 10_000, retryMs = 2_000 }: LeaseTimes = {}): Required<LeaseTimes> {
  if (renewDeadlineMs >= durationMs) throw new TypeError("the renew deadline of a lease must be shorter than its duration");
  if (retryMs >= renewDeadlineMs) throw new TypeError("the time between two renewals of a lease must be shorter than its renew deadline");
  return { durationMs, renewDeadlineMs, retryMs };
}

/** Returns the content of a lease that `holder` acquires or renews now. */
export function heldSpec(before: LeaseSpec | undefined, holder: string, durationMs: number): LeaseSpec {
  const now = microTime();
  const isRenewal = before?.holderIdentity === holder;
  const transitions = before?.leaseTransitions ?? 0;
  return {
    holderIdentity: holder,
    leaseDurationSeconds: Math.max(1, Math.ceil(durationMs / 1000)),
    acquireTime: isRenewal && before.acquireTime ? before.acquireTime : now,
    renewTime: now,
    leaseTransitions: isRenewal || before === undefined ? transitions : transitions + 1,
  };
}

/** Returns the current time in the format of Kubernetes' type MicroTime. */
export function microTime(): string {
  return new Date().toISOString().replace("Z", "000Z");
}
