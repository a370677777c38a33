// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { apiResourceOf, customResourceDefinition, mapProviderKinds, type ManagedResource } from "@tenon/bridge/kubernetes";
import {
  installCustomResourceDefinitions,
  leases,
  ObjectCache,
  type ApiClient,
  type ApiResource,
  type KubernetesObject,
} from "@tenon/bridge/kubernetes/machinery";
import { provider as notebook } from "@tenon/example-notebook";
import { Notebook } from "@tenon/example-notebook/store";
import { KubernetesServer, type KubernetesPrograms } from "@tenon/peers/kubernetes";
import { createProvider } from "@tenon/provider-sdk";
import { adminClient, until } from "../kubernetes-setup.ts";
import { Replica, type ReplicaSettings } from "./replica.ts";

const namespace = "default";
const group = "scale.tenon.test";

/** Many notes as custom resources, and replicas that manage them. */
export class NoteFleet implements AsyncDisposable {
  readonly #cleanUp = new AsyncDisposableStack();
  readonly #wanted = new Map<string, string>();
  /** Log of the provider, by all replicas. */
  calls!: string;
  store!: Notebook;
  client!: ApiClient;
  #resource!: ApiResource;
  #objects!: ObjectCache<ManagedResource>;
  #settings!: Omit<ReplicaSettings, "member">;

  static async start(programs: KubernetesPrograms, settings: Partial<ReplicaSettings> = {}): Promise<NoteFleet> {
    const fleet = new NoteFleet();
    const server = fleet.#cleanUp.use(await KubernetesServer.start(programs));
    fleet.client = fleet.#cleanUp.use(await adminClient(server));
    const [kind] = await mapProviderKinds(createProvider(notebook), { group, resources: ["notebook_note"] });
    const definition = customResourceDefinition(kind!, { version: "v1alpha1" });
    await installCustomResourceDefinitions(fleet.client, [definition], { fieldManager: "test" });
    fleet.#resource = apiResourceOf(kind!, "v1alpha1");
    const database = join(server.folder, "notes.db");
    fleet.store = new Notebook(database);
    fleet.#cleanUp.defer(() => fleet.store.close());
    fleet.calls = join(server.folder, "calls");
    writeFileSync(fleet.calls, "");
    fleet.#settings = { kubeconfig: join(server.folder, "admin.kubeconfig"), group, database, calls: fleet.calls, ...settings };
    fleet.#objects = new ObjectCache<ManagedResource>(fleet.client, fleet.#resource);
    const stop = new AbortController();
    const watching = fleet.#objects.run(stop.signal);
    fleet.#cleanUp.defer(async () => {
      stop.abort();
      await watching;
    });
    await fleet.#objects.synced;
    return fleet;
  }

  async replica(member: string): Promise<Replica> {
    const memoryFile = join(dirname(this.calls), `${member}.memory`);
    return this.#cleanUp.use(await Replica.start({ ...this.#settings, member, memoryFile }));
  }

  /** Names of the notes that should exist. */
  get names(): readonly string[] {
    return [...this.#wanted.keys()];
  }

  /** Creates or changes notes, 16 at a time. */
  async put(names: readonly string[], text: string): Promise<void> {
    const queue = [...names];
    const worker = async (): Promise<void> => {
      for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
        const title = `${name} ${text}`;
        this.#wanted.set(name, title);
        const object = { metadata: { namespace, name }, spec: { forProvider: { title } } };
        await this.client.apply(this.#resource, object as never, { fieldManager: "user", force: true });
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const name of names) {
      this.#wanted.delete(name);
      await this.client.delete(this.#resource, { namespace, name });
    }
  }

  /** Waits until all notes are as they should be, and no other object exists. */
  async settled(): Promise<void> {
    await until(async () => {
      await sleep(100);
      const objects = [...this.#objects.objects.values()];
      return objects.length === this.#wanted.size && objects.every((object) => this.#isSettled(object));
    });
  }

  /** Number of shards by holder, from the Leases. */
  async shardsByHolder(): Promise<ReadonlyMap<string, number>> {
    type Lease = KubernetesObject & { readonly spec?: { readonly holderIdentity?: string } };
    const { items } = await this.client.list<Lease>(leases, { namespace, labelSelector: "tenon.dev/shard-role=shard" });
    const holders = new Map<string, number>();
    for (const { spec } of items) holders.set(spec?.holderIdentity ?? "", (holders.get(spec?.holderIdentity ?? "") ?? 0) + 1);
    return holders;
  }

  /** What differs between the notes and the objects; empty where nothing does. */
  faults(): readonly string[] {
    const titles = this.store.searchNotes("", null).map(({ title }) => title);
    const wanted = new Set(this.#wanted.values());
    const counted = new Set(titles);
    return [
      ...titles.filter((title) => !wanted.has(title)).map((title) => `the note ${title} should not exist`),
      ...[...wanted].filter((title) => !counted.has(title)).map((title) => `the note ${title} does not exist`),
      ...(titles.length === counted.size ? [] : ["a note exists twice"]),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanUp.disposeAsync();
  }

  #isSettled({ metadata, status, spec }: ManagedResource): boolean {
    const isTrue = (type: string): boolean => status?.conditions?.find((each) => each.type === type)?.status === "True";
    const isCurrent = status?.observedGeneration === metadata.generation && status?.atProvider?.["title"] === spec.forProvider["title"];
    return isCurrent && spec.forProvider["title"] === this.#wanted.get(metadata.name) && isTrue("Ready") && isTrue("Synced");
  }
}
