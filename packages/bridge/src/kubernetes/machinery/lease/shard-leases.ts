// SPDX-License-Identifier: Apache-2.0
import { setTimeout as delay } from "node:timers/promises";
import type { ApiClient } from "../client/api-client.ts";
import { isConflict, isNotFound } from "../client/api-error.ts";
import { leases } from "../client/api-resource.ts";
import { HeldLease } from "./held-lease.ts";
import { LeaseObserver } from "./lease-observer.ts";
import { leaseTimes, type Lease, type LeaseTimes } from "./lease-record.ts";
import { fairShare, shardOf } from "./shard.ts";

/** Options of {@link ShardLeases}. */
export interface ShardLeasesSettings {
  readonly client: ApiClient;
  readonly namespace: string;
  /** Name of the group of replicas that share the work, with which the names of the leases begin. */
  readonly group: string;
  /** Identity of this replica: unique in the group, and valid in the name of an object. The name of its pod is both. */
  readonly member: string;
  /** Number of shards. It must be the same in all replicas of the group, and not less than their number. */
  readonly shards: number;
  readonly times?: LeaseTimes;
  /** Called when this replica has acquired a shard. */
  readonly onAcquired?: (shard: number) => void;
  /** Called when this replica has lost or released a shard. */
  readonly onReleased?: (shard: number) => void;
  /**
   * Waits for the work on the objects of a shard, before the shard is released. During that time, the lease of the shard is renewed, and
   * {@link ShardLeases.accepts} rejects new work on it. Default: does nothing.
   */
  readonly drain?: (shard: number) => Promise<void>;
  /** Called after a failed attempt, which is repeated. */
  readonly onError?: (error: unknown) => void;
}

/** Label of the leases of a group of replicas: the name of the group. */
export const groupLabel = "tenon.dev/shard-group";
const roleLabel = "tenon.dev/shard-role";

/** Number of durations after which the lease of a dead replica is removed. */
const removeAfterDurations = 4;

/**
 * Distributes shards of objects among replicas. Only the replica that holds the lease of a shard works on its objects.
 *
 * Each replica also holds a lease that shows that it is alive. From these leases, all replicas compute how many shards each should hold: a replica
 * with more releases the surplus. A replica that dies loses its shards after the duration of a lease.
 */
export class ShardLeases {
  readonly #settings: ShardLeasesSettings;
  readonly #times: Required<LeaseTimes>;
  readonly #observer: LeaseObserver;
  readonly #member: HeldLease;
  readonly #held = new Map<number, HeldLease>();
  readonly #draining = new Map<number, Promise<void>>();

  constructor(settings: ShardLeasesSettings) {
    this.#settings = settings;
    this.#times = leaseTimes(settings.times);
    this.#observer = new LeaseObserver(this.#times.durationMs);
    this.#member = this.#lease(`${settings.group}-member-${settings.member}`, "member");
  }

  /** The shards that this replica holds. */
  get held(): readonly number[] {
    return [...this.#held].filter(([, lease]) => lease.isHeld).map(([shard]) => shard);
  }

  /** Whether this replica may start to work on an object. */
  accepts(uid: string): boolean {
    const shard = shardOf(uid, this.#settings.shards);
    return this.#held.get(shard)?.isHeld === true && !this.#draining.has(shard);
  }

  /** A signal that is aborted when the shard of an object is lost. Undefined if this replica does not hold the shard. */
  signalFor(uid: string): AbortSignal | undefined {
    const lease = this.#held.get(shardOf(uid, this.#settings.shards));
    return lease?.isHeld ? lease.signal : undefined;
  }

  /** Holds shards until the signal is aborted. Then drains and releases them. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#tick(signal);
      } catch (error) {
        if (!signal.aborted) this.#settings.onError?.(error);
      }
      await delay(this.#times.retryMs * (0.9 + Math.random() * 0.2), undefined, { signal }).catch(() => {});
    }
    await this.#leave();
  }

  async #tick(signal: AbortSignal | undefined): Promise<void> {
    const { client, namespace, group, shards, member } = this.#settings;
    const options = { namespace, labelSelector: `${groupLabel}=${group}`, signal, timeoutMs: this.#times.renewDeadlineMs };
    // A failed renewal is repeated in the next round, and does not affect the others.
    await Promise.all([...this.#held.values()].map((lease) => lease.renew(signal).catch((error: unknown) => this.#reportError(error))));
    const { items } = await client.list<Lease>(leases, options);
    const byName = new Map(items.map((lease) => [lease.metadata.name, lease]));
    for (const lease of items) this.#observer.observe(lease);
    this.#observer.retain(items);
    if (!(await this.#member.renew(signal))) await this.#joinGroup(byName, signal);

    const members = this.#liveMembers(items).add(member);
    const share = fairShare(member, members, shards);
    const surplus = this.held.filter((shard) => !this.#draining.has(shard)).slice(share);
    for (const shard of surplus) this.#drainAndRelease(shard);
    await this.#acquireUpTo(share, byName, signal);
    await this.#removeDeadMembers(items);
  }

  async #joinGroup(byName: ReadonlyMap<string, Lease>, signal: AbortSignal | undefined): Promise<void> {
    const { group, member } = this.#settings;
    if (!this.#member.isHeld) await this.#member.acquire(byName.get(`${group}-member-${member}`), signal);
  }

  #liveMembers(items: readonly Lease[]): Set<string> {
    const members = items
      .filter(({ metadata }) => metadata.labels?.[roleLabel] === "member")
      .filter((lease) => !this.#observer.isFree(lease));
    return new Set(members.map(({ spec }) => spec!.holderIdentity!));
  }

  async #acquireUpTo(share: number, byName: ReadonlyMap<string, Lease>, signal: AbortSignal | undefined): Promise<void> {
    const { group, shards } = this.#settings;
    // Each replica starts at a random shard, so that replicas rarely try the same one at the same time.
    const first = Math.floor(Math.random() * shards);
    for (let step = 0; step < shards && this.held.length < share; step++) {
      const shard = (first + step) % shards;
      if (this.#held.get(shard)?.isHeld) continue;
      const name = `${group}-shard-${shard}`;
      const current = byName.get(name);
      if (current && !this.#observer.isFree(current)) continue;
      const lease = this.#lease(name, "shard");
      if (await lease.acquire(current, signal)) this.#hold(shard, lease);
    }
  }

  #hold(shard: number, lease: HeldLease): void {
    this.#held.set(shard, lease);
    lease.signal.addEventListener(
      "abort",
      () => {
        if (this.#held.get(shard) === lease) this.#held.delete(shard);
        this.#settings.onReleased?.(shard);
      },
      { once: true },
    );
    this.#settings.onAcquired?.(shard);
  }

  #drainAndRelease(shard: number): void {
    if (this.#draining.has(shard)) return;
    const lease = this.#held.get(shard);
    const released = (async () => {
      try {
        await this.#settings.drain?.(shard);
        await lease?.release();
      } catch (error) {
        this.#reportError(error);
      } finally {
        this.#draining.delete(shard);
      }
    })();
    this.#draining.set(shard, released);
  }

  async #leave(): Promise<void> {
    for (const shard of this.held) this.#drainAndRelease(shard);
    // The leases are renewed until the work on the shards has ended.
    while (this.#draining.size > 0) {
      const round = Promise.all([...this.#held.values()].map((lease) => lease.renew().catch((error: unknown) => this.#reportError(error))));
      const pause = new AbortController();
      const wait = delay(this.#times.retryMs, undefined, { signal: pause.signal }).catch(() => {});
      await Promise.race([Promise.all(this.#draining.values()), wait]);
      pause.abort();
      await round;
    }
    const { client, namespace, group, member } = this.#settings;
    try {
      await this.#member.release();
      await client.delete(leases, { namespace, name: `${group}-member-${member}` });
    } catch (error) {
      if (!isNotFound(error)) this.#reportError(error);
    }
  }

  /** Removes the leases of dead members, on the condition that they are unchanged. */
  async #removeDeadMembers(items: readonly Lease[]): Promise<void> {
    const { client, namespace } = this.#settings;
    for (const lease of items) {
      const { labels, name, uid, resourceVersion } = lease.metadata;
      if (labels?.[roleLabel] !== "member" || this.#observer.unchangedMs(lease) < removeAfterDurations * this.#times.durationMs) continue;
      try {
        await client.delete(leases, { namespace, name }, { preconditions: { uid: uid!, resourceVersion: resourceVersion! } });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    }
  }

  #lease(name: string, role: "member" | "shard"): HeldLease {
    const { client, namespace, group, member } = this.#settings;
    const labels = { [groupLabel]: group, [roleLabel]: role };
    return new HeldLease({ client, namespace, name, holder: member, times: this.#times, labels });
  }

  #reportError(error: unknown): void {
    this.#settings.onError?.(error);
  }
}
