// SPDX-License-Identifier: Apache-2.0
import {
  ApiClient,
  Controller,
  controllerMetrics,
  EventRecorder,
  events,
  Metrics,
  ObjectCache,
  StructuredLog,
  WorkQueue,
  type ControllerSettings,
  type KubernetesObject,
} from "@tenon/bridge/kubernetes/machinery";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { adminAccess, configMaps, until, type ConfigMap } from "./kubernetes-setup.ts";
import { kubernetesSuite } from "./kubernetes-suite.ts";

const namespace = "default";

interface EventObject extends KubernetesObject {
  readonly type: string;
  readonly reason: string;
  readonly note: string;
  readonly regarding: { readonly uid: string; readonly name: string };
  readonly series?: { readonly count: number };
}

describePeer(["kube-apiserver", "etcd"], "a Kubernetes controller", (programs) => {
  const cluster = kubernetesSuite(programs);

  interface Run {
    readonly queue: WorkQueue;
    readonly lines: Record<string, unknown>[];
    readonly metrics: Metrics;
    readonly ending: AbortController;
    /** Drains. */
    end(): Promise<void>;
  }

  function start(reconcile: ControllerSettings["reconcile"], settings: Partial<ControllerSettings> = {}): Run {
    const queue = new WorkQueue({ initialDelayMs: 10, repeatsPerSecond: 1_000 });
    const lines: Record<string, unknown>[] = [];
    const log = new StructuredLog({ level: "debug", write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
    const metrics = new Metrics();
    const controller = new Controller({ name: "test", queue, reconcile, log, metrics: controllerMetrics(metrics), ...settings });
    const draining = new AbortController();
    const ending = new AbortController();
    const running = controller.run(draining.signal, ending.signal);
    const end = async (): Promise<void> => {
      draining.abort();
      await running;
    };
    return { queue, lines, metrics, ending, end };
  }

  test("reconciles objects until they have the desired state, with one worker for an object at a time", async ({ expect }) => {
    const cache = new ObjectCache<ConfigMap>(cluster.client, configMaps, { namespace, labelSelector: "copied=yes" });
    const active = new Set<string>();
    let most = 0;
    const run = start(async (key, { signal }) => {
      expect(active.has(key)).toBe(false);
      active.add(key);
      most = Math.max(most, active.size);
      try {
        const object = cache.objects.get(key);
        if (object?.data && object.data["copy"] !== object.data["value"]) {
          // A stale cache leads to a conflict, which is repeated.
          await cluster.client.replace<ConfigMap>(
            configMaps,
            { ...object, data: { ...object.data, copy: object.data["value"]! } },
            { signal },
          );
        }
        return {};
      } finally {
        active.delete(key);
      }
    });
    cache.objects.onChange(({ key }) => run.queue.add(key));
    const stop = new AbortController();
    const watching = cache.run(stop.signal);
    const names = Array.from({ length: 10 }, (_, index) => `copied-${index}`);
    const metadata = (name: string) => ({ namespace, name, labels: { copied: "yes" } });
    await Promise.all(
      names.map((name) => cluster.client.create<ConfigMap>(configMaps, { metadata: metadata(name), data: { value: "1" } })),
    );
    for (const value of ["2", "3"]) {
      await Promise.all(names.map((name) => cluster.client.mergePatch(configMaps, { namespace, name }, { data: { value } })));
    }
    await until(() => names.every((name) => cache.objects.get(`${namespace}/${name}`)?.data?.["copy"] === "3"));
    expect(most).toBeGreaterThan(1);
    await run.end();
    stop.abort();
    await watching;
    expect(run.lines.filter(({ level }) => level === "error")).toEqual([]);
    expect(run.metrics.text()).toMatch(/tenon_reconciles_total\{controller="test",result="success"\} \d+/);
  });

  test("repeats a reconcile after an error, and logs the error with its trace id", async ({ expect }) => {
    let attempts = 0;
    const traces: string[] = [];
    const done = Promise.withResolvers<void>();
    const run = start(async (_key, { traceId, log }) => {
      traces.push(traceId);
      log.info("at work");
      if ((attempts += 1) < 3) throw new Error(`attempt ${attempts}`);
      done.resolve();
      return {};
    });
    run.queue.add("a");
    await done.promise;
    await run.end();
    expect(new Set(traces).size).toBe(3);
    const failures = run.lines.filter(({ level }) => level === "error");
    expect(failures.map(({ key, traceId, error }) => [key, traceId, error])).toEqual([
      ["a", traces[0], { message: "attempt 1" }],
      ["a", traces[1], { message: "attempt 2" }],
    ]);
    expect(run.lines.filter(({ message }) => message === "at work").map(({ traceId }) => traceId)).toEqual(traces);
    expect(run.metrics.text()).toContain('tenon_reconciles_total{controller="test",result="error"} 2');
  });

  test("reconciles again after the delay that a reconcile returns", async ({ expect }) => {
    let count = 0;
    const done = Promise.withResolvers<void>();
    const run = start(async () => {
      if ((count += 1) === 3) done.resolve();
      return { requeueAfterMs: 5 };
    });
    run.queue.add("a");
    await done.promise;
    await run.end();
    expect(count).toBeGreaterThanOrEqual(3);
  });

  test("drains: waits for work in flight, and aborts it when the grace period has passed", async ({ expect }) => {
    const started = Promise.withResolvers<void>();
    let aborted = false;
    const run = start(async (_key, { signal }) => {
      started.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      aborted = true;
      throw signal.reason;
    });
    run.queue.add("a");
    await started.promise;
    const ended = run.end();
    run.queue.add("b");
    expect(aborted).toBe(false);
    run.ending.abort(new Error("the grace period has passed"));
    await ended;
    expect(aborted).toBe(true);
    expect(run.metrics.text()).toContain('result="aborted"} 1');
    expect(run.metrics.text()).not.toContain('result="error"');
  });

  test("works only on keys whose lease it holds, and aborts work whose lease is lost", async ({ expect }) => {
    const lost = new AbortController();
    const started = Promise.withResolvers<void>();
    const keys: string[] = [];
    const run = start(
      async (key, { signal }) => {
        keys.push(key);
        started.resolve();
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        throw signal.reason;
      },
      { leaseFor: (key) => (key === "own" && !lost.signal.aborted ? lost.signal : undefined) },
    );
    run.queue.add("foreign");
    run.queue.add("own");
    await started.promise;
    lost.abort(new Error("lost"));
    await until(() => run.metrics.text().includes('result="lost"} 1'));
    await run.end();
    expect(keys).toEqual(["own"]);
  });

  test("reconciles a key again whose lease was lost and held again before its reconcile had ended", async ({ expect }) => {
    const leases = [new AbortController(), new AbortController()];
    let held: AbortController | undefined = leases[0];
    const cutOff = Promise.withResolvers<void>();
    let count = 0;
    const run = start(
      async (_key, { signal }) => {
        if ((count += 1) > 1) return {};
        leases[0]!.abort(new Error("lost"));
        held = undefined;
        await cutOff.promise;
        throw signal.reason;
      },
      { leaseFor: () => held?.signal },
    );
    run.queue.add("own");
    await until(() => held === undefined);
    held = leases[1];
    run.queue.add("own");
    cutOff.resolve();
    await expect.poll(() => count).toBe(2);
    await run.end();
    expect(run.metrics.text()).toContain('result="lost"} 1');
    expect(run.metrics.text()).toContain('result="success"} 1');
  });

  describe("records events", () => {
    async function target(name: string): Promise<ConfigMap> {
      const created = await cluster.client.create<ConfigMap>(configMaps, { metadata: { namespace, name } });
      return { ...created, apiVersion: "v1", kind: "ConfigMap" };
    }
    async function eventsAbout({ metadata: { uid } }: KubernetesObject): Promise<readonly EventObject[]> {
      const { items } = await cluster.client.list<EventObject>(events, { namespace });
      return items.filter(({ regarding }) => regarding.uid === uid);
    }
    const recorder = (settings: object = {}): EventRecorder =>
      new EventRecorder(cluster.client, {
        controller: "tenon.dev/test",
        instance: "pod-1",
        onError: (error) => {
          throw error;
        },
        ...settings,
      });

    test("once with a count if they are equal", async ({ expect }) => {
      const about = await target("series");
      const own = recorder();
      for (let index = 0; index < 5; index++) own.record(about, { type: "Warning", reason: "CannotCreate", note: "the quota is used up" });
      own.record(about, { type: "Normal", reason: "Created", note: "created" });
      await own.close();
      const found = await eventsAbout(about);
      const lines = found.map(({ type, reason, note, series }) => `${type} ${reason}: ${note}, ${series?.count}`);
      expect(lines.sort()).toEqual(["Normal Created: created, undefined", "Warning CannotCreate: the quota is used up, 5"]);
    });

    test("and writes the count of repeated ones at intervals", async ({ expect }) => {
      const about = await target("repeated");
      let writes = 0;
      await using counting = await ApiClient.open(await adminAccess(cluster.server), { onRequest: () => void (writes += 1) });
      const own = new EventRecorder(counting, { controller: "tenon.dev/test", instance: "pod-1" });
      const event = { type: "Warning", reason: "Failed", note: "again" } as const;
      own.record(about, event);
      await until(() => writes === 1);
      for (let index = 0; index < 50; index++) {
        own.record(about, event);
        await new Promise(setImmediate);
      }
      await own.close();
      expect(writes).toBeLessThanOrEqual(3);
      expect((await eventsAbout(about))[0]?.series?.count).toBe(51);
    });

    test("with notes of any length, truncated between characters", async ({ expect }) => {
      const about = await target("long");
      const own = recorder();
      own.record(about, { type: "Normal", reason: "Planned", note: "ä".repeat(2_000) });
      await own.close();
      const [event] = await eventsAbout(about);
      expect(event!.note).toMatch(/^ä+\.\.\.$/);
      expect(Buffer.byteLength(event!.note)).toBeGreaterThan(1_000);
    });

    test("and drops events over the limit of an object", async ({ expect }) => {
      const about = await target("noisy");
      const own = recorder({ burst: 3 });
      for (let index = 0; index < 10; index++) own.record(about, { type: "Normal", reason: "Noise", note: `number ${index}` });
      await own.close();
      expect([(await eventsAbout(about)).length, own.dropped]).toEqual([3, 7]);
    });
  });
});
