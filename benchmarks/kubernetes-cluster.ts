// SPDX-License-Identifier: Apache-2.0
// An API server with the custom resources of the bare provider, for `npm run bench -- kubernetes`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { apiResourceOf, customResourceDefinition, mapProviderKinds, type ManagedResource } from "@tenon/bridge/kubernetes";
import {
  ApiClient,
  findClusterAccess,
  installCustomResourceDefinitions,
  leases,
  ObjectCache,
  secrets,
  type ApiResource,
} from "@tenon/bridge/kubernetes/machinery";
import { requirePeer } from "@tenon/peers";
import { KubernetesServer } from "@tenon/peers/kubernetes";
import { openProvider } from "@tenon/plugin-host";

/** Namespace of all objects. */
export const namespace = "default";
/** API group of the notes. */
export const group = "bench.tenon.test";

/** An API server with notes: custom resources for a resource type of the bare provider. */
export class NoteCluster implements AsyncDisposable {
  readonly server: KubernetesServer;
  readonly kubeconfig: string;
  readonly #client: ApiClient;
  readonly #notes: ApiResource;

  private constructor(server: KubernetesServer, kubeconfig: string, client: ApiClient, notes: ApiResource) {
    this.server = server;
    this.kubeconfig = kubeconfig;
    this.#client = client;
    this.#notes = notes;
  }

  static async start(): Promise<NoteCluster> {
    const server = await KubernetesServer.start({ "kube-apiserver": requirePeer("kube-apiserver"), etcd: requirePeer("etcd") });
    const kubeconfig = join(server.folder, "bench.kubeconfig");
    writeFileSync(kubeconfig, server.kubeconfig());
    const client = await ApiClient.open(await findClusterAccess({ kubeconfig }));
    await using opened = await openProvider([requirePeer("bare-provider").path], { configure: false });
    const [kind] = await mapProviderKinds(opened.provider, { group, resources: ["bench_note"] });
    await installCustomResourceDefinitions(client, [customResourceDefinition(kind!, { version: "v1alpha1" })], { fieldManager: "bench" });
    return new NoteCluster(server, kubeconfig, client, apiResourceOf(kind!, "v1alpha1"));
  }

  /** Creates objects, and waits until a watch has them. */
  async createNotes(count: number): Promise<WatchedNotes> {
    const names = Array.from({ length: count }, (_, index) => `note-${index}`);
    await inParallel(names, async (name) => {
      const forProvider = {
        title: name,
        body: "Bread, butter, and cheese of the mountain kind",
        tags: { team: "platform", stage: "production" },
      };
      await this.#client.create(this.#notes, { metadata: { namespace, name }, spec: { forProvider } } as never);
    });
    const watched = new WatchedNotes(this.#client, this.#notes, count);
    await watched.until((notes) => notes.length === count);
    return watched;
  }

  /** Removes all objects and what an operator has left. */
  async removeNotes(): Promise<void> {
    const { items } = await this.#client.list<ManagedResource>(this.#notes, { namespace });
    await inParallel(items, async ({ metadata: { name } }) => {
      await this.#client.mergePatch(this.#notes, { namespace, name }, { metadata: { finalizers: null } });
      await this.#client.delete(this.#notes, { namespace, name });
    });
    for (const resource of [secrets, leases]) {
      const left = await this.#client.list(resource, { namespace });
      await inParallel(left.items, ({ metadata: { name } }) => this.#client.delete(resource, { namespace, name }));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
  }
}

/** The objects in memory, by a watch. */
export class WatchedNotes implements Disposable {
  readonly #count: number;
  readonly #cache: ObjectCache<ManagedResource>;
  readonly #stop = new AbortController();

  constructor(client: ApiClient, notes: ApiResource, count: number) {
    this.#count = count;
    this.#cache = new ObjectCache<ManagedResource>(client, notes);
    void this.#cache.run(this.#stop.signal);
  }

  async until(condition: (notes: readonly ManagedResource[]) => boolean): Promise<void> {
    while (!condition([...this.#cache.objects.values()])) await sleep(20);
  }

  /** Waits until all objects are ready and show their state. */
  async allReady(): Promise<void> {
    const isReady = ({ status }: ManagedResource): boolean =>
      status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True") === true &&
      status.atProvider !== undefined;
    await this.until((notes) => notes.length === this.#count && notes.every(isReady));
  }

  /** What an operator has written to an object, with sorted fields and without times and versions. */
  written(name: string): string {
    const { metadata, status } = this.#cache.objects.get(`${namespace}/${name}`)!;
    const conditions = status?.conditions?.map(({ type, status: value, reason }) => `${type}=${value} ${reason}`).toSorted();
    const annotations = Object.keys(metadata.annotations ?? {}).toSorted();
    const atProvider = Object.entries(status?.atProvider ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify({ conditions, annotations, finalizers: metadata.finalizers, atProvider });
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
