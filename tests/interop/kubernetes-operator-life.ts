// SPDX-License-Identifier: Apache-2.0
import {
  apiResourceOf,
  configResources,
  Operator,
  ownSupply,
  ProviderConfigs,
  type KindMapping,
  type ManagedResource,
  type ProviderConfig,
  type ProviderConfigMapping,
  type Secret,
} from "@tenon/bridge/kubernetes";
import {
  events,
  leases,
  secrets,
  StructuredLog,
  type ApiClient,
  type ApiResource,
  type KubernetesObject,
} from "@tenon/bridge/kubernetes/machinery";
import { provider as notebook } from "@tenon/example-notebook";
import { createProvider } from "@tenon/provider-sdk";
import type { Provider } from "@tenon/schema";
import { resourceType } from "@tenon/schema/lifecycle";

const leaseTimes = { durationMs: 6_000, renewDeadlineMs: 4_000, retryMs: 100 };

export interface LifeSettings {
  /** Client of the user. */
  readonly admin: ApiClient;
  /** Client of the operator. */
  readonly client: ApiClient;
  /** A configured notebook, for an operator without configurations in the cluster. */
  readonly provider: Provider;
  /** Configurations of notebooks in the cluster, and the path of the notebook that they name. Default: the operator has one configuration. */
  readonly configured?: { readonly mapping: ProviderConfigMapping; readonly path: string } | undefined;
  /** Kinds of a notebook's notes, pages and, with configurations, its search, in this order. */
  readonly kinds: readonly KindMapping[];
  readonly name: string;
  /** Namespace of the operator. */
  readonly namespace: string;
  /** Namespace of the objects, and of their Secrets. */
  readonly objectNamespace: string;
  readonly watchNamespace?: string;
}

/** An operator, and a user who uses every feature of it. */
export class OperatorLife {
  readonly #settings: LifeSettings;
  readonly #log: string[] = [];
  readonly #draining = new AbortController();
  readonly #running: Promise<void>;

  constructor(settings: LifeSettings) {
    this.#settings = settings;
    const { client, provider, configured, kinds, name, namespace, watchNamespace } = settings;
    const log = new StructuredLog({ level: "debug", write: (line) => void this.#log.push(line) });
    const configs =
      configured &&
      new ProviderConfigs({
        client,
        mapping: configured.mapping,
        supply: ownSupply({ address: "example.com/tenon/notebook" }, () => createProvider(notebook)),
        namespace: watchNamespace,
        pool: { quietMs: 50 },
        onWatchError: (kind, error) => log.warn("the configurations cannot be watched", { kind, error }),
      });
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
      configs,
      ...(configs
        ? {}
        : {
            connect: async ({ typeName }) => await resourceType(provider, typeName, { providerAddress: "example.com/tenon/notebook" }),
          }),
      log,
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
    const [notes, pages, search] = kinds as readonly [KindMapping, KindMapping, KindMapping?];
    const [config, other] = this.#configs();
    const providerConfigRef = config && { kind: config.kind, name: "config" };
    const otherConfigRef = other && { kind: other.kind, name: "other" };
    if (config && other) {
      await this.#putConfig(config, "config");
      await this.#putConfig(other, "other");
    }
    const reference = notes.scope === "Cluster" ? {} : { namespace: objectNamespace };
    const secretReference = { namespace: objectNamespace, name: `${name}-in` };
    const connection = { namespace: objectNamespace, name: `${name}-out` };

    // The repetition of an error is counted in its event.
    await this.#put(pages, "first", { text: "t", noteIdRef: { name: "note" } }, { providerConfigRef });
    const first = await this.#get(pages, "first");
    await this.#until(async () => (await this.#eventCounts(first)).some((count) => count > 1));

    await admin.create(secrets, { metadata: secretReference, stringData: { pin: "one" } } as never);
    const passphraseSecretRef = {
      name: secretReference.name,
      key: "pin",
      ...(notes.scope === "Cluster" ? { namespace: objectNamespace } : {}),
    };
    const writeConnectionSecretToRef = { name: connection.name, ...(notes.scope === "Cluster" ? { namespace: objectNamespace } : {}) };
    const ofNote = { labels: { book: name }, writeConnectionSecretToRef };
    await this.#put(notes, "note", { title: name, passphraseSecretRef }, { ...ofNote, providerConfigRef });
    await this.#put(pages, "second", { text: "t", noteIdSelector: { matchLabels: { book: name } } }, { providerConfigRef });
    for (const [kind, object] of [
      [notes, "note"],
      [pages, "first"],
      [pages, "second"],
    ] as const)
      await this.#ready(kind, object);

    await admin.mergePatch(secrets, secretReference, { data: { pin: Buffer.from("two").toString("base64") } });
    // An object that begins to use another configuration has its usage changed.
    await this.#put(notes, "note", { title: `${name} again`, passphraseSecretRef }, { ...ofNote, providerConfigRef: otherConfigRef });
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
    if (search && config && other) await this.#deleteConfigs(search, config, other);
  }

  /** Deletes a configuration that an object uses, which is kept until that object is deleted, and one that none uses. */
  async #deleteConfigs(search: KindMapping, config: ApiResource, other: ApiResource): Promise<void> {
    const { admin } = this.#settings;
    await this.#put(search, "search", { text: "" }, { providerConfigRef: { kind: config.kind, name: "config" } });
    await this.#ready(search, "search");
    const place = this.#configPlace(config, "config");
    await admin.delete(config, place);
    await this.#until(async () => {
      const { status } = await admin.get<ProviderConfig>(config, place);
      return status?.conditions?.some(({ type, reason }) => type === "Terminating" && reason === "InUse") === true;
    });
    await admin.delete(apiResourceOf(search, "v1alpha1"), this.#reference(search, "search"));
    await this.#until(async () => (await admin.find(config, place)) === undefined);
    const unused = this.#configPlace(other, "other");
    await admin.delete(other, unused);
    await this.#until(async () => (await admin.find(other, unused)) === undefined);
  }

  /** Two kinds of configurations, or twice the same where there is only one, or where the operator may not use those of the cluster. */
  #configs(): readonly [ApiResource, ApiResource] | readonly [] {
    const { configured, watchNamespace } = this.#settings;
    if (configured === undefined) return [];
    const [first, second = first!] = configResources(configured.mapping, "v1alpha1").configs as readonly [ApiResource, ApiResource?];
    return watchNamespace === undefined ? [first, second] : [second, second];
  }

  async #putConfig(resource: ApiResource, name: string): Promise<void> {
    const { path } = this.#settings.configured!;
    const object = { metadata: this.#configPlace(resource, name), spec: { configuration: { path } } };
    await this.#settings.admin.apply(resource, object as KubernetesObject, { fieldManager: "user", force: true });
  }

  #configPlace({ namespaced }: ApiResource, name: string): { readonly namespace?: string; readonly name: string } {
    return namespaced ? { namespace: this.#settings.objectNamespace, name } : { name };
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
