// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import {
  apiResourceOf,
  ComponentController,
  customResourceDefinition,
  KindController,
  mapConfigOf,
  mapProviderComponents,
  mapProviderKinds,
  ProviderConfigController,
  providerConfigDefinitions,
  ProviderConfigs,
  relatedKinds,
  StateStore,
  type ComponentMapping,
  type ComponentOptions,
  type Condition,
  type ConfigReference,
  type KindMapping,
  type ProviderConfig,
  type ProviderConfigMapping,
  type ProviderConfigsSettings,
  type ProviderSupply,
  type ResourceRules,
} from "@tenon/bridge/kubernetes";
import {
  installCustomResourceDefinitions,
  secrets,
  type ApiClient,
  type ApiResource,
  type KubernetesObject,
} from "@tenon/bridge/kubernetes/machinery";
import { ControllerRun } from "./controller-run.ts";
import { until } from "./kubernetes-setup.ts";

const version = "v1alpha1";
const namespaces: ApiResource = { group: "", version: "v1", kind: "Namespace", plural: "namespaces", namespaced: false };

export interface ConfiguredOperatorOptions extends Pick<ProviderConfigsSettings, "pool" | "environment" | "namespace"> {
  readonly client: ApiClient;
  readonly supply: ProviderSupply;
  readonly resources: readonly string[];
  /** Components beside resources, by name. */
  readonly components?: Omit<ComponentOptions, "group">;
  readonly rules?: Readonly<Record<string, ResourceRules>>;
  readonly pollMs?: number;
}

/** An object with conditions. */
export type Reported = KubernetesObject & {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly atProvider?: Readonly<Record<string, unknown>>;
    readonly observedGeneration?: number;
    readonly openedAt?: string;
    readonly renewAt?: string;
  };
};

/** Operator for kinds of one provider with its configurations, in a group and a namespace of its own. */
export class ConfiguredOperator implements AsyncDisposable {
  readonly namespace: string;
  readonly client: ApiClient;
  readonly configs: ProviderConfigs;
  readonly kinds: ReadonlyMap<string, KindMapping>;
  readonly #run: ControllerRun;
  readonly #stop = new AbortController();
  readonly #controllers: readonly (KindController | ComponentController | ProviderConfigController)[];
  readonly #watching: Promise<void>;

  private constructor(
    options: ConfiguredOperatorOptions,
    kinds: readonly KindMapping[],
    components: readonly ComponentMapping[],
    mapping: ProviderConfigMapping,
  ) {
    const { client, pollMs = 3_600_000, namespace = `ns-${randomUUID().slice(0, 8)}` } = options;
    this.namespace = namespace;
    this.client = client;
    this.kinds = new Map([
      ...kinds.map((kind) => [kind.typeName, kind] as const),
      ...components.map((kind) => [`${kind.component}.${kind.typeName}`, kind] as const),
    ]);
    const relatedKind = relatedKinds(this.kinds.values(), version);
    this.#run = new ControllerRun(client);
    this.configs = new ProviderConfigs({ ...options, mapping });
    const states = new StateStore({ client, clusterNamespace: "default" });
    const all = { ...this.#run.settings, version, states, relatedKind, pollMs };
    const controllers = [
      ...kinds.map((kind) => new KindController({ ...all, ...this.configs.connections(kind), kind })),
      ...components.map((kind) => new ComponentController({ ...all, configs: this.configs, kind })),
    ];
    this.configs.onChange(({ kind, reference }) => {
      if (kind !== "configuration") return;
      for (const controller of controllers) controller.reconcileAll((object) => this.configs.isUsedBy(reference, object));
    });
    const users = [...this.kinds.values()].map((kind) => apiResourceOf(kind, version));
    this.#controllers = [...controllers, new ProviderConfigController({ ...this.#run.settings, configs: this.configs, users })];
    this.#watching = this.configs.run(this.#stop.signal);
  }

  /** Installs the definitions and starts the controllers. */
  static async start(options: ConfiguredOperatorOptions): Promise<ConfiguredOperator> {
    const group = `g${randomUUID().slice(0, 8)}.tenon.test`;
    await using provider = await options.supply.open();
    const { resources, rules = {}, components = {} } = options;
    const kinds = await mapProviderKinds(provider, { group, resources, rules });
    const read = await mapProviderComponents(provider, { ...components, rules, group });
    const mapping = await mapConfigOf(provider, { group });
    const ofKinds = [...kinds, ...read].map((kind) => customResourceDefinition(kind, { version }));
    const definitions = [...providerConfigDefinitions(mapping), ...ofKinds];
    await installCustomResourceDefinitions(options.client, definitions, { fieldManager: "tenon" });
    const operator = new ConfiguredOperator(options, kinds, read, mapping);
    await options.client.create(namespaces, { metadata: { name: operator.namespace } });
    await operator.#run.start(operator.#controllers);
    return operator;
  }

  /** Lines of the log. */
  get log(): readonly string[] {
    return this.#run.log;
  }

  /** The kind of a resource type. */
  resource(typeName: string): ApiResource {
    return apiResourceOf(this.kinds.get(typeName)!, version);
  }

  /** The kind of configurations. */
  config(kind: "ProviderConfig" | "ClusterProviderConfig"): ApiResource {
    return this.configs.resources.configs.find((resource) => resource.kind === kind)!;
  }

  /** Creates or changes an object. */
  async put(resource: ApiResource, name: string, spec: object): Promise<void> {
    const metadata = { name, ...(resource.namespaced ? { namespace: this.namespace } : {}) };
    await this.client.apply(resource, { metadata, spec } as KubernetesObject, { fieldManager: "user", force: true });
  }

  /** Texts in a Secret; undefined where it does not exist. */
  async secretTexts(name: string): Promise<Readonly<Record<string, string>> | undefined> {
    const secret = await this.client.find<KubernetesObject & { readonly data?: Readonly<Record<string, string>> }>(secrets, {
      namespace: this.namespace,
      name,
    });
    const entries = Object.entries(secret?.data ?? {}).map(([key, data]) => [key, Buffer.from(data, "base64").toString("utf8")]);
    return secret && (Object.fromEntries(entries) as Readonly<Record<string, string>>);
  }

  /** Creates or changes a Secret. */
  async putSecret(name: string, stringData: Readonly<Record<string, string>>): Promise<void> {
    const data = Object.fromEntries(Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString("base64")]));
    const secret = { metadata: { namespace: this.namespace, name }, data } as KubernetesObject;
    await this.client.apply(secrets, secret, { fieldManager: "user", force: true });
  }

  async delete(resource: ApiResource, name: string): Promise<void> {
    await this.client.delete(resource, this.#reference(resource, name));
  }

  async find(resource: ApiResource, name: string): Promise<Reported | undefined> {
    return await this.client.find<Reported>(resource, this.#reference(resource, name));
  }

  /** Waits until an object is as a test wants it, and returns it. */
  async becomes(resource: ApiResource, name: string, condition: (object: Reported) => boolean): Promise<Reported> {
    let object: Reported | undefined;
    await until(async () => (object = await this.find(resource, name)) !== undefined && condition(object));
    return object!;
  }

  /** Waits until an object has a condition for its last change, and returns its message. */
  async reports(resource: ApiResource, name: string, type: string, status: "True" | "False", text = ""): Promise<string> {
    const found = (object: Reported) => object.status?.conditions?.find((condition) => condition.type === type);
    const object = await this.becomes(resource, name, (current) => {
      const condition = found(current);
      const isCurrent = condition?.observedGeneration === current.metadata.generation;
      return isCurrent && condition?.status === status && (condition.message ?? "").includes(text);
    });
    return found(object)!.message ?? "";
  }

  async gone(resource: ApiResource, name: string): Promise<void> {
    await until(async () => (await this.find(resource, name)) === undefined);
  }

  /** A configuration with its status. */
  async configOf({ kind, name }: ConfigReference): Promise<ProviderConfig> {
    const resource = this.config(kind as "ProviderConfig");
    return await this.client.get<ProviderConfig>(resource, this.#reference(resource, name));
  }

  /** Drains, and ends. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#run[Symbol.asyncDispose]();
    this.#stop.abort();
    await this.#watching;
  }

  #reference({ namespaced }: ApiResource, name: string): { readonly name: string; readonly namespace?: string } {
    return { name, ...(namespaced ? { namespace: this.namespace } : {}) };
  }
}
