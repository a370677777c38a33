// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { get, toJs } from "@tenon/cty";
import { join } from "node:path";
import {
  apiResourceOf,
  customResourceDefinition,
  KindController,
  mapProviderKinds,
  ownerLabel,
  StateStore,
} from "@tenon/bridge/kubernetes";
import type { KindMapping, ManagedResource, Secret } from "@tenon/bridge/kubernetes";
import {
  ApiClient,
  EventRecorder,
  installCustomResourceDefinitions,
  ObjectCache,
  secrets,
  ShardLeases,
  StructuredLog,
} from "@tenon/bridge/kubernetes/machinery";
import { provider as notebookDefinition } from "@tenon/example-notebook";
import { Notebook } from "@tenon/example-notebook/store";
import { KubernetesServer } from "@tenon/peers/kubernetes";
import { describePeer } from "@tenon/peers/vitest";
import { createProvider } from "@tenon/provider-sdk";
import type { Provider } from "@tenon/schema";
import { resourceType } from "@tenon/schema/lifecycle";
import { afterAll, beforeAll, test } from "vitest";
import { configuration } from "./go-provider.ts";
import { adminAccess, adminClient, BreakableNetwork, until } from "./kubernetes-setup.ts";

const namespace = "default";
const version = "v1alpha1";
const shards = 12;
const times = { durationMs: 3_000, renewDeadlineMs: 2_000, retryMs: 100 };
const count = 60;

describePeer(["kube-apiserver", "etcd"], "replicas that share custom resources", (programs) => {
  let server: KubernetesServer;
  let client: ApiClient;
  let folder: string;
  let store: Notebook;
  let provider: Provider;
  let kind: KindMapping;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tenon-shards-"));
    server = await KubernetesServer.start(programs);
    client = await adminClient(server);
    const path = join(folder, "notes.db");
    store = new Notebook(path);
    provider = createProvider(notebookDefinition);
    const { provider: schema } = await provider.getProviderSchema({});
    await provider.configureProvider({ terraformVersion: "1.12.6", config: configuration(schema!, { path, latency_ms: 5 }) });
    [kind] = (await mapProviderKinds(provider, { group: "shared.tenon.test", resources: ["notebook_note"] })) as [KindMapping];
    const definition = customResourceDefinition(kind, { version });
    await installCustomResourceDefinitions(client, [definition], { fieldManager: "tenon" });
  });
  afterAll(async () => {
    store?.close();
    await client?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Notes that are being changed at the moment, and by which replica. */
  const active = new Map<string, string>();
  const violations: string[] = [];

  /** Starts a replica, which records the titles of what it changes. */
  function replica(name: string, own: ApiClient) {
    const draining = new AbortController();
    const ending = new AbortController();
    const changed: string[] = [];
    const recorded = new Proxy(provider, {
      get(target, member) {
        const value: unknown = Reflect.get(target, member);
        if (typeof value !== "function") return value;
        if (member !== "applyResourceChange") return value.bind(target) as unknown;
        return async (request: Parameters<Provider["applyResourceChange"]>[0]) => {
          // The number of the note, which its title ends with.
          const number = String(toJs(get(request.plannedState, "title"))).replace(/^\D+/, "");
          const other = active.get(number);
          if (other !== undefined) violations.push(`${name} changes note ${number} while ${other} does`);
          active.set(number, name);
          changed.push(number);
          try {
            return await target.applyResourceChange(request);
          } finally {
            active.delete(number);
          }
        };
      },
    });
    const states = new ObjectCache<Secret>(own, secrets, { labelSelector: ownerLabel });
    const events = new EventRecorder(own, { controller: "tenon.dev/test", instance: name });
    const type = resourceType(recorded, kind.typeName, { providerAddress: "example.com/tenon/notebook" });
    let controller: KindController | undefined;
    const replicaShards = new ShardLeases({
      client: own,
      namespace,
      group: "replicas",
      member: name,
      shards,
      times,
      onAcquired: () => controller?.reconcileAll(),
      drain: async (shard) => await controller?.drained(shard, shards),
    });
    controller = new KindController({
      client: own,
      kind,
      version,
      states: new StateStore({ client: own, clusterNamespace: namespace, cache: states.objects }),
      events,
      connect: async () => await type,
      relatedKind: () => undefined,
      pollMs: 3_600_000,
      log: new StructuredLog({ write: () => {} }),
      shards: replicaShards,
      queue: { initialDelayMs: 50, maxDelayMs: 500, repeatsPerSecond: 1_000 },
    });
    const stopStates = new AbortController();
    const leaving = new AbortController();
    const watching = states.run(stopStates.signal);
    const holding = replicaShards.run(leaving.signal);
    const working = controller.run(draining.signal, ending.signal);
    const end = async (): Promise<void> => {
      draining.abort();
      await working;
      leaving.abort();
      await holding;
      stopStates.abort();
      await watching;
      await events.close();
    };
    return { shards: replicaShards, changed, end };
  }

  const name = (index: number): string => `note-${index}`;
  const put = async (title: (index: number) => string): Promise<void> => {
    const resource = apiResourceOf(kind, version);
    const indexes = Array.from({ length: count }, (_, index) => index);
    await Promise.all(
      indexes.map((index) => {
        const object = { metadata: { namespace, name: name(index) }, spec: { forProvider: { title: title(index), folder: "shared" } } };
        return client.apply(resource, object as never, { fieldManager: "user" });
      }),
    );
  };
  const titles = (): string[] => store.searchNotes("", "shared").map(({ title }) => title);

  test("reconcile each resource in one replica at a time, and take over from replicas that leave or are disconnected", async ({
    expect,
  }) => {
    const access = await adminAccess(server);
    await using network = await BreakableNetwork.open(access.server);
    await using cutClient = await ApiClient.open(network.through(access));
    const one = replica("one", client);
    const two = replica("two", cutClient);
    const three = replica("three", client);
    await until(() => [one, two, three].every((each) => each.shards.held.length === 4));

    await put((index) => `first ${index}`);
    await until(() => titles().length >= count);
    await until(async () => {
      const { items } = await client.list<ManagedResource>(apiResourceOf(kind, version), { namespace });
      return items.every(({ status }) => status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True"));
    });
    expect(titles().toSorted()).toEqual(Array.from({ length: count }, (_, index) => `first ${index}`).toSorted());
    expect([one, two, three].every(({ changed }) => changed.length > 0)).toBe(true);

    // One leaves at once, and another is cut off from the API server.
    await one.end();
    network.set("closed");
    await put((index) => `second ${index}`);
    await until(() => titles().every((title) => title.startsWith("second")));
    expect(titles()).toHaveLength(count);
    await until(() => three.shards.held.length === shards);
    network.set("open");
    await until(() => two.shards.held.length === 6 && three.shards.held.length === 6);
    await put((index) => `third ${index}`);
    await until(() => titles().every((title) => title.startsWith("third")));
    expect(titles()).toHaveLength(count);
    expect(violations).toEqual([]);
    await Promise.all([two.end(), three.end()]);
  });
});
