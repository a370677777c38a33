// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import {
  ApiClient,
  leases,
  runAsLeader,
  ShardLeases,
  shardOf,
  type KubernetesObject,
  type LeaseTimes,
  type ShardLeasesSettings,
} from "@tenon/bridge/kubernetes/machinery";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { adminAccess, BreakableNetwork, until } from "./kubernetes-setup.ts";
import { kubernetesSuite } from "./kubernetes-suite.ts";

const namespace = "default";
const times: LeaseTimes = { durationMs: 3_000, renewDeadlineMs: 2_000, retryMs: 100 };
/** Times with which no lease expires during a test. */
const long: LeaseTimes = { durationMs: 3_600_000, renewDeadlineMs: 1_800_000, retryMs: 50 };

describePeer(["kube-apiserver", "etcd"], "Leases", (programs) => {
  const cluster = kubernetesSuite(programs);

  describe("of a leader", () => {
    /** A replica that tries to become the leader, and logs when it starts and ends to lead. */
    function candidate(name: string, holder: string, log: string[], own: ApiClient = cluster.client, leaseTimes: LeaseTimes = long) {
      const stop = new AbortController();
      const lead = async (signal: AbortSignal): Promise<void> => {
        log.push(`${holder} leads`);
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        log.push(`${holder} ends`);
      };
      const running = runAsLeader({ client: own, namespace, name, holder, times: leaseTimes }, lead, stop.signal);
      const end = async (): Promise<void> => {
        stop.abort();
        await running;
      };
      return { end };
    }

    test("are held by one replica, and acquired by another one after their release", async ({ expect }) => {
      const log: string[] = [];
      const first = candidate("released", "first", log);
      await until(() => log.length === 1);
      const second = candidate("released", "second", log);
      await until(async () => (await cluster.client.get(leases, { namespace, name: "released" })).metadata.resourceVersion !== undefined);
      await first.end();
      await until(() => log.length === 3);
      expect(log).toEqual(["first leads", "first ends", "second leads"]);
      const lease = await cluster.client.get<KubernetesObject & { readonly spec: object }>(leases, { namespace, name: "released" });
      expect(lease.spec).toMatchObject({ holderIdentity: "second", leaseTransitions: 1 });
      await second.end();
    });

    test("have one holder if many replicas try at the same time", async ({ expect }) => {
      const log: string[] = [];
      const candidates = Array.from({ length: 6 }, (_, index) => candidate("contested", `c${index}`, log));
      await until(() => log.length > 0);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(log).toHaveLength(1);
      await Promise.all(candidates.map(({ end }) => end()));
      // Each that led has ended before the next one began.
      for (const [index, line] of log.entries()) expect(line.endsWith(index % 2 === 0 ? "leads" : "ends")).toBe(true);
    });

    test("abort the work of a holder that cannot renew, before another replica acquires them", async ({ expect }) => {
      const access = await adminAccess(cluster.server);
      await using network = await BreakableNetwork.open(access.server);
      await using own = await ApiClient.open(network.through(access));
      const log: string[] = [];
      const first = candidate("cut", "first", log, own, times);
      await until(() => log.length === 1);
      const second = candidate("cut", "second", log, cluster.client, times);
      network.set("closed");
      await until(() => log.length === 3);
      expect(log).toEqual(["first leads", "first ends", "second leads"]);
      await Promise.all([first.end(), second.end()]);
    });

    test("abort the work of a holder whose lease was taken", async ({ expect }) => {
      const log: string[] = [];
      const first = candidate("stolen", "first", log);
      await until(() => log.length === 1);
      await cluster.client.mergePatch(leases, { namespace, name: "stolen" }, { spec: { holderIdentity: "thief" } });
      await until(() => log.length === 2);
      expect(log).toEqual(["first leads", "first ends"]);
      await first.end();
    });
  });

  describe("of shards", () => {
    const shards = 6;

    /** Replicas of one group, and a check that no shard has two holders. */
    class Group {
      readonly #name = `group-${randomUUID().slice(0, 8)}`;
      readonly holders = new Map<number, string>();
      readonly violations: string[] = [];
      readonly events: string[] = [];

      join(member: string, settings: Partial<ShardLeasesSettings> = {}) {
        const stop = new AbortController();
        const errors: unknown[] = [];
        const replica = new ShardLeases({
          client: cluster.client,
          namespace,
          group: this.#name,
          member,
          shards,
          times: long,
          onAcquired: (shard) => {
            const holder = this.holders.get(shard);
            if (holder !== undefined) this.violations.push(`${member} acquired shard ${shard} of ${holder}`);
            this.holders.set(shard, member);
          },
          onReleased: (shard) => {
            if (this.holders.get(shard) === member) this.holders.delete(shard);
          },
          onError: (error) => void errors.push(error),
          ...settings,
        });
        const running = replica.run(stop.signal);
        const end = async (): Promise<void> => {
          stop.abort();
          await running;
        };
        return { replica, errors, end };
      }

      /** Waits until each member holds this many shards. */
      async settles(shares: Readonly<Record<string, number>>): Promise<void> {
        const count = (member: string): number => [...this.holders.values()].filter((holder) => holder === member).length;
        await until(() => Object.entries(shares).every(([member, share]) => count(member) === share));
      }

      async memberLeases(): Promise<readonly string[]> {
        const { items } = await cluster.client.list(leases, {
          namespace,
          labelSelector: `tenon.dev/shard-group=${this.#name},tenon.dev/shard-role=member`,
        });
        return items.map(({ metadata }) => metadata.name.slice(this.#name.length + "-member-".length));
      }
    }

    test("are distributed equally, and again after a replica joins or leaves", async ({ expect }) => {
      const group = new Group();
      const drained: number[] = [];
      const one = group.join("one", { drain: async (shard) => void drained.push(shard) });
      await group.settles({ one: 6 });
      const uid = randomUUID();
      expect(one.replica.accepts(uid)).toBe(true);
      expect(one.replica.signalFor(uid)?.aborted).toBe(false);
      const two = group.join("two");
      await group.settles({ one: 3, two: 3 });
      expect(drained).toHaveLength(3);
      const three = group.join("three");
      await group.settles({ one: 2, two: 2, three: 2 });
      const owners = [one, two, three].filter(({ replica }) => replica.accepts(uid));
      expect(owners).toHaveLength(1);
      expect(owners[0]!.replica.held).toContain(shardOf(uid, shards));
      await two.end();
      await group.settles({ one: 3, two: 0, three: 3 });
      expect(await group.memberLeases()).toEqual(["one", "three"]);
      await Promise.all([one.end(), three.end()]);
      expect([group.holders.size, group.violations]).toEqual([0, []]);
      expect(await group.memberLeases()).toEqual([]);
    });

    test("are released only after their work has ended, and accept no new work during that time", async ({ expect }) => {
      const group = new Group();
      const work = Promise.withResolvers<void>();
      const draining: number[] = [];
      const one = group.join("one", {
        drain: async (shard) => {
          draining.push(shard);
          await work.promise;
        },
      });
      await group.settles({ one: 6 });
      const two = group.join("two");
      await until(() => draining.length === 3);
      expect(group.holders.size).toBe(6);
      const uids = Array.from({ length: 50 }, () => randomUUID());
      for (const uid of uids) expect(one.replica.accepts(uid)).toBe(!draining.includes(shardOf(uid, shards)));
      // The work on a shard that is drained may continue.
      for (const uid of uids) expect(one.replica.signalFor(uid)?.aborted).toBe(false);
      work.resolve();
      await group.settles({ one: 3, two: 3 });
      await Promise.all([one.end(), two.end()]);
      expect(group.violations).toEqual([]);
    });

    test("of a disconnected replica are lost in time, and acquired by another one", async ({ expect }) => {
      const access = await adminAccess(cluster.server);
      await using network = await BreakableNetwork.open(access.server);
      await using own = await ApiClient.open(network.through(access));
      const group = new Group();
      const one = group.join("one", { client: own, times });
      const two = group.join("two", { times });
      await group.settles({ one: 3, two: 3 });
      const uid = Array.from({ length: 100 }, () => randomUUID()).find((candidate) => one.replica.accepts(candidate))!;
      const signal = one.replica.signalFor(uid)!;
      network.set("closed");
      await group.settles({ one: 0, two: 6 });
      expect(signal.aborted).toBe(true);
      expect(one.replica.accepts(uid)).toBe(false);
      expect(one.replica.signalFor(uid)).toBeUndefined();
      expect(one.errors.length).toBeGreaterThan(0);
      network.set("open");
      await group.settles({ one: 3, two: 3 });
      expect(group.violations).toEqual([]);
      await Promise.all([one.end(), two.end()]);
    });
  });
});
