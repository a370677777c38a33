// SPDX-License-Identifier: Apache-2.0
import { ApiClient, ObjectCache, type ObjectCacheSettings, type ReflectorStep } from "@tenon/bridge/kubernetes/machinery";
import { describePeer } from "@tenon/peers/vitest";
import { describe, test } from "vitest";
import { adminAccess, BreakableNetwork, configMaps, until, type ConfigMap } from "./kubernetes-setup.ts";
import { kubernetesSuite } from "./kubernetes-suite.ts";

describePeer(["kube-apiserver", "etcd"], "a cache of Kubernetes objects", (programs) => {
  const cluster = kubernetesSuite(programs);
  let count = 0;

  /** A cache of the config maps with a label of its own, and the steps of its reflector. */
  class Watched implements AsyncDisposable {
    readonly group = `group-${(count += 1)}`;
    readonly steps: ReflectorStep[] = [];
    readonly cache: ObjectCache<ConfigMap>;
    readonly #stop = new AbortController();
    readonly #running: Promise<void>;

    constructor(
      through: ApiClient,
      settings: ObjectCacheSettings<ConfigMap> = {},
      before: (group: string) => Promise<void> = async () => {},
    ) {
      this.cache = new ObjectCache<ConfigMap>(through, configMaps, {
        namespace: "default",
        labelSelector: `group=${this.group}`,
        backoff: { initialMs: 20, maxMs: 200 },
        onStep: (step) => void this.steps.push(step),
        ...settings,
      });
      this.#running = before(this.group).then(() => this.cache.run(this.#stop.signal));
    }

    /** Creates or changes an object. */
    async put(name: string, value: string): Promise<void> {
      await put(this.group, name, value);
    }

    async delete(name: string): Promise<void> {
      await cluster.client.delete(configMaps, { namespace: "default", name: `${this.group}-${name}` });
    }

    /** Names and values of the cache. */
    get content(): Readonly<Record<string, string | undefined>> {
      const entries = [...this.cache.objects.values()].map(
        ({ metadata, data }) => [metadata.name.slice(this.group.length + 1), data?.["v"]] as const,
      );
      return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
    }

    /** Waits until the cache has this content. */
    async becomes(content: Readonly<Record<string, string>>): Promise<void> {
      await until(() => JSON.stringify(this.content) === JSON.stringify(content));
    }

    kinds(kind: ReflectorStep["kind"]): number {
      return this.steps.filter((step) => step.kind === kind).length;
    }

    async [Symbol.asyncDispose](): Promise<void> {
      this.#stop.abort();
      await this.#running;
    }
  }

  async function put(group: string, name: string, value: string): Promise<void> {
    const metadata = { namespace: "default", name: `${group}-${name}`, labels: { group } };
    await cluster.client.apply<ConfigMap>(configMaps, { metadata, data: { v: value } }, { fieldManager: "test" });
  }

  const three = async (group: string): Promise<void> => {
    for (const name of ["a", "b", "c"]) await put(group, name, "1");
  };

  test("lists objects by a watch, and follows every change", async ({ expect }) => {
    await using watched = new Watched(cluster.client, { indexes: { value: ({ data }) => [data?.["v"] ?? ""] } }, three);
    expect(watched.cache.isSynced).toBe(false);
    await watched.cache.synced;
    expect(watched.content).toEqual({ a: "1", b: "1", c: "1" });
    expect(watched.steps[0]).toEqual({ kind: "list", by: "watch", objects: 3 });
    await watched.put("a", "2");
    await watched.put("d", "2");
    await watched.delete("b");
    await watched.becomes({ a: "2", c: "1", d: "2" });
    const indexed = watched.cache.objects.byIndex("value", "2").map(({ metadata }) => metadata.name);
    expect(indexed.sort()).toEqual([`${watched.group}-a`, `${watched.group}-d`]);
    expect(JSON.stringify([...watched.cache.objects.values()])).not.toContain("managedFields");
    expect(watched.kinds("list")).toBe(1);
  });

  test("lists objects in pages without a watch list", async ({ expect }) => {
    const requests: string[] = [];
    const onRequest = ({ method }: { readonly method: string }): void => void requests.push(method);
    await using own = await ApiClient.open(await adminAccess(cluster.server), { onRequest });
    await using watched = new Watched(own, { watchList: false, pageSize: 2 }, three);
    await watched.cache.synced;
    expect(watched.steps[0]).toEqual({ kind: "list", by: "pages", objects: 3 });
    expect(requests.filter((method) => method === "GET")).toHaveLength(2);
    await watched.put("a", "2");
    await watched.becomes({ a: "2", b: "1", c: "1" });
  });

  describe("after a broken connection", () => {
    test("resumes at the last version, and misses no change", async ({ expect }) => {
      const access = await adminAccess(cluster.server);
      await using network = await BreakableNetwork.open(access.server);
      await using own = await ApiClient.open(network.through(access));
      await using watched = new Watched(own, {}, three);
      await watched.cache.synced;
      network.set("closed");
      await watched.put("a", "2");
      await watched.delete("b");
      await until(() => watched.kinds("failed") > 2);
      expect(watched.content).toEqual({ a: "1", b: "1", c: "1" });
      network.set("open");
      await watched.becomes({ a: "2", c: "1" });
      expect(watched.kinds("list")).toBe(1);
    });

    test("that is silent, opens a new connection", async ({ expect }) => {
      const access = await adminAccess(cluster.server);
      await using network = await BreakableNetwork.open(access.server);
      await using own = await ApiClient.open(network.through(access));
      await using watched = new Watched(own, { idleTimeoutMs: 1_500 }, three);
      await watched.cache.synced;
      network.set("silent");
      await watched.put("a", "2");
      await until(() => watched.kinds("failed") > 0);
      network.set("open");
      await watched.becomes({ a: "2", b: "1", c: "1" });
      expect(watched.kinds("list")).toBe(1);
    });
  });

  test("resumes after the server has ended a watch at its time limit", async ({ expect }) => {
    await using watched = new Watched(cluster.client, { watchSeconds: 1 }, three);
    await watched.cache.synced;
    await until(() => watched.kinds("watch") >= 3);
    await watched.put("a", "2");
    await watched.becomes({ a: "2", b: "1", c: "1" });
    expect([watched.kinds("list"), watched.kinds("failed")]).toEqual([1, 0]);
  });

  test("lists the objects again after the last version has expired", async ({ expect }) => {
    const access = await adminAccess(cluster.server);
    await using network = await BreakableNetwork.open(access.server);
    await using own = await ApiClient.open(network.through(access));
    await using watched = new Watched(own, {}, three);
    await watched.cache.synced;
    network.set("closed");
    await watched.put("a", "2");
    await watched.delete("b");
    // A server that has just started has no older versions in memory, and etcd has none after a compaction.
    await cluster.server.stopApiServer();
    await cluster.server.compact();
    await cluster.server.startApiServer();
    network.set("open");
    await watched.becomes({ a: "2", c: "1" });
    expect([watched.kinds("expired"), watched.kinds("list")]).toEqual([1, 2]);
    await watched.put("c", "3");
    await watched.becomes({ a: "2", c: "3" });
  });
});
