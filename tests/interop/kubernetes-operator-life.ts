// SPDX-License-Identifier: Apache-2.0
import { apiResourceOf, Operator, type KindMapping, type ManagedResource, type Secret } from "@tenon/bridge/kubernetes";
import { events, leases, secrets, StructuredLog, type ApiClient, type KubernetesObject } from "@tenon/bridge/kubernetes/machinery";
import type { Provider } from "@tenon/schema";
import { resourceType } from "@tenon/schema/lifecycle";

const leaseTimes = { durationMs: 6_000, renewDeadlineMs: 4_000, retryMs: 100 };

export interface LifeSettings {
  /** Client of the user. */
  readonly admin: ApiClient;
  /** Client of the operator. */
  readonly client: ApiClient;
  readonly provider: Provider;
  /** Kinds of a notebook's notes and pages, in this order. */
  readonly kinds: readonly KindMapping[];
  readonly name: string;
  /** Namespace of the operator. */
  readonly namespace: string;
  /** Namespace of the objects, and of their Secrets. */
  readonly objectNamespace: string;
  readonly watchNamespace?: string;
}

/** An operator, and a user who makes use of all that it does. */
export class OperatorLife {
  readonly #settings: LifeSettings;
  readonly #log: string[] = [];
  readonly #draining = new AbortController();
  readonly #running: Promise<void>;

  constructor(settings: LifeSettings) {
    this.#settings = settings;
    const { client, provider, kinds, name, namespace, watchNamespace } = settings;
    const operator = new Operator({
      client,
      name,
      member: "only",
      namespace,
      watchNamespace,
      kinds,
      shards: 2,
      leaseTimes,
      pollMs: 3_600_000,
      queue: { initialDelayMs: 50, maxDelayMs: 200, repeatsPerSecond: 1_000 },
      connect: async ({ typeName }) => await resourceType(provider, typeName, { providerAddress: "example.com/tenon/notebook" }),
      log: new StructuredLog({ level: "debug", write: (line) => void this.#log.push(line) }),
    });
    this.#running = operator.run(this.#draining.signal, new AbortController().signal);
  }

  /** Lines of the log about requests that the API server has forbidden, without the quotes of JSON. */
  get refusals(): readonly string[] {
    return this.#log.filter((line) => line.includes(" is forbidden: ")).map((line) => line.replaceAll("\\", ""));
  }

  /** Does everything that needs a right of the operator. @throws Error after {@link end}. */
  async run(): Promise<void> {
    const { admin, kinds, objectNamespace, name, namespace } = this.#settings;
    const [notes, pages] = kinds as readonly [KindMapping, KindMapping];
    const reference = notes.scope === "Cluster" ? {} : { namespace: objectNamespace };
    const secretReference = { namespace: objectNamespace, name: `${name}-in` };
    const connection = { namespace: objectNamespace, name: `${name}-out` };

    // The repetition of an error is counted in its event.
    await this.#put(pages, "first", { text: "t", noteIdRef: { name: "note" } });
    const first = await this.#get(pages, "first");
    await this.#until(async () => (await this.#eventCounts(first)).some((count) => count > 1));

    await admin.create(secrets, { metadata: secretReference, stringData: { pin: "one" } } as never);
    const passphraseSecretRef = {
      name: secretReference.name,
      key: "pin",
      ...(notes.scope === "Cluster" ? { namespace: objectNamespace } : {}),
    };
    const writeConnectionSecretToRef = { name: connection.name, ...(notes.scope === "Cluster" ? { namespace: objectNamespace } : {}) };
    await this.#put(notes, "note", { title: name, passphraseSecretRef }, { labels: { book: name }, writeConnectionSecretToRef });
    await this.#put(pages, "second", { text: "t", noteIdSelector: { matchLabels: { book: name } } });
    for (const [kind, object] of [
      [notes, "note"],
      [pages, "first"],
      [pages, "second"],
    ] as const)
      await this.#ready(kind, object);

    await admin.mergePatch(secrets, secretReference, { data: { pin: Buffer.from("two").toString("base64") } });
    await this.#put(notes, "note", { title: `${name} again`, passphraseSecretRef }, { labels: { book: name }, writeConnectionSecretToRef });
    await this.#until(async () => {
      const published = await admin.find<Secret>(secrets, connection);
      return published?.data?.["attribute.passphrase"] === Buffer.from("two").toString("base64");
    });

    // A Lease that another client has changed, and not taken, is read again and kept.
    const shard = { namespace, name: `${name}-shard-0` };
    await admin.mergePatch(leases, shard, { metadata: { annotations: { touched: "yes" } } });
    const touched = await admin.get(leases, shard);
    await this.#until(async () => (await admin.get(leases, shard)).metadata.resourceVersion !== touched.metadata.resourceVersion);

    for (const [kind, object] of [
      [pages, "first"],
      [pages, "second"],
      [notes, "note"],
    ] as const) {
      await admin.delete(apiResourceOf(kind, "v1alpha1"), { ...reference, name: object });
      await this.#until(async () => (await this.#find(kind, object)) === undefined);
    }
  }

  /** Ends the operator, which returns its Leases. */
  async end(): Promise<void> {
    this.#draining.abort();
    await this.#running;
  }

  async #put(
    kind: KindMapping,
    name: string,
    forProvider: object,
    { labels = {}, ...spec }: { labels?: object; [member: string]: unknown } = {},
  ): Promise<void> {
    const object = { metadata: { ...this.#reference(kind, name), labels }, spec: { forProvider, ...spec } };
    await this.#settings.admin.apply(apiResourceOf(kind, "v1alpha1"), object as never, { fieldManager: "user", force: true });
  }

  async #get(kind: KindMapping, name: string): Promise<ManagedResource> {
    return await this.#settings.admin.get<ManagedResource>(apiResourceOf(kind, "v1alpha1"), this.#reference(kind, name));
  }

  async #find(kind: KindMapping, name: string): Promise<ManagedResource | undefined> {
    return await this.#settings.admin.find<ManagedResource>(apiResourceOf(kind, "v1alpha1"), this.#reference(kind, name));
  }

  #reference({ scope }: KindMapping, name: string): { readonly namespace?: string; readonly name: string } {
    return scope === "Cluster" ? { name } : { namespace: this.#settings.objectNamespace, name };
  }

  async #ready(kind: KindMapping, name: string): Promise<void> {
    await this.#until(async () => {
      const { status } = await this.#get(kind, name);
      return ["Ready", "Synced"].every((type) => status?.conditions?.some((each) => each.type === type && each.status === "True"));
    });
  }

  /** Counts of the events about an object. */
  async #eventCounts({ metadata }: ManagedResource): Promise<readonly number[]> {
    type Event = KubernetesObject & { readonly series?: { readonly count: number }; readonly regarding: { readonly uid: string } };
    const { items } = await this.#settings.admin.list<Event>(events, { namespace: metadata.namespace ?? "default" });
    return items.filter(({ regarding }) => regarding.uid === metadata.uid).map(({ series }) => series?.count ?? 1);
  }

  async #until(condition: () => Promise<boolean>): Promise<void> {
    while (!(await condition())) {
      if (this.#draining.signal.aborted) throw new Error("the operator has ended");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
