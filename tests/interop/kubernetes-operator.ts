// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from "node:crypto";
import {
  customResourceDefinition,
  KindController,
  mapProviderKinds,
  StateStore,
  stateSecretName,
  apiResourceOf,
  decodeStoredState,
  relatedKinds,
  type KindMapping,
  type ManagedResource,
  type ProviderLogLine,
  type ResourceRules,
  type Secret,
  type StoredState,
} from "@tenon/bridge/kubernetes";
import {
  events,
  installCustomResourceDefinitions,
  isNotFound,
  secrets,
  type ApiClient,
  type ApiResource,
  type KubernetesObject,
} from "@tenon/bridge/kubernetes/machinery";
import type { Provider } from "@tenon/schema";
import { resourceType } from "@tenon/schema/lifecycle";
import { ControllerRun } from "./controller-run.ts";
import { until } from "./kubernetes-setup.ts";

const version = "v1alpha1";

export interface OperatorOptions {
  readonly client: ApiClient;
  /** Configured provider. */
  readonly provider: Provider;
  readonly resources: readonly string[];
  readonly rules?: Readonly<Record<string, ResourceRules>>;
  readonly pollMs?: number;
  /** Number of objects of a kind that are reconciled at once. */
  readonly workers?: number;
  /** Number of operations of a kind that run at once. */
  readonly maxOperations?: number;
}

/** A change of an object in tests: what a user would write in a manifest. */
export interface ObjectInput {
  readonly annotations?: Readonly<Record<string, string | null>>;
  readonly [member: string]: unknown;
}

/** What an event says. */
export interface RecordedEvent {
  readonly type: string;
  readonly reason: string;
  readonly note: string;
  readonly series?: { readonly count: number };
}

/** Operator for kinds of one provider, with a group and a namespace of its own. */
export class TestOperator implements AsyncDisposable {
  readonly namespace = "default";
  readonly client: ApiClient;
  /** Calls that change something, in order. */
  readonly changes: string[] = [];
  readonly #kinds: ReadonlyMap<string, KindMapping>;
  readonly #prefix = `t${randomUUID().slice(0, 8)}`;
  readonly #controllers: readonly KindController[];
  readonly #run: ControllerRun;

  private constructor({ client, provider, pollMs = 3_600_000, workers, maxOperations }: OperatorOptions, kinds: readonly KindMapping[]) {
    this.client = client;
    this.#kinds = new Map(kinds.map((kind) => [kind.typeName, kind]));
    this.#run = new ControllerRun(client);
    const recorded = this.#recordChanges(provider);
    this.#controllers = kinds.map(
      (kind) =>
        new KindController({
          ...this.#run.settings,
          kind,
          version,
          states: new StateStore({ client, clusterNamespace: "default" }),
          connect: async () => await resourceType(recorded, kind.typeName, { providerAddress: "example.com/tenon/test" }),
          relatedKind: relatedKinds(kinds, version),
          pollMs,
          progressMs: 50,
          ...(workers === undefined ? {} : { workers }),
          ...(maxOperations === undefined ? {} : { maxOperations }),
        }),
    );
  }

  /** Installs the definitions and starts the controllers. */
  static async start(options: OperatorOptions): Promise<TestOperator> {
    const group = `${randomUUID().slice(0, 8)}.tenon.test`.replace(/^(?=\d)/, "g");
    const kinds = await mapProviderKinds(options.provider, { group, resources: options.resources, rules: options.rules ?? {} });
    const definitions = kinds.map((kind) => customResourceDefinition(kind, { version }));
    await installCustomResourceDefinitions(options.client, definitions, { fieldManager: "tenon" });
    const operator = new TestOperator(options, kinds);
    await operator.#run.start(operator.#controllers);
    return operator;
  }

  /** Gives a log line of the provider to the controllers. */
  addLogLine(line: ProviderLogLine): void {
    for (const controller of this.#controllers) controller.addLogLine(line);
  }

  /** Begins to end, and aborts the work in flight. */
  abort(): void {
    this.#run.abort();
  }

  /** Lines of the log. */
  get log(): readonly string[] {
    return this.#run.log;
  }

  resource(typeName: string): ApiResource {
    return apiResourceOf(this.#kinds.get(typeName)!, version);
  }

  /** Creates or changes an object. */
  async put(typeName: string, name: string, spec: Readonly<Record<string, unknown>>, input: ObjectInput = {}): Promise<void> {
    const { annotations, ...metadata } = input;
    const object = {
      metadata: { ...metadata, namespace: this.namespace, name: this.name(name), ...(annotations ? { annotations } : {}) },
      spec: { ...spec },
    };
    await this.client.apply(this.resource(typeName), object as KubernetesObject, { fieldManager: "user", force: true });
  }

  /** Name of an object in the cluster: several operators share a namespace. */
  name(name: string): string {
    return `${this.#prefix}-${name}`;
  }

  async annotate(typeName: string, name: string, annotations: Readonly<Record<string, string | null>>): Promise<void> {
    const reference = { namespace: this.namespace, name: this.name(name) };
    await this.client.mergePatch(this.resource(typeName), reference, { metadata: { annotations } });
  }

  async get(typeName: string, name: string): Promise<ManagedResource> {
    return await this.client.get<ManagedResource>(this.resource(typeName), { namespace: this.namespace, name: this.name(name) });
  }

  async delete(typeName: string, name: string): Promise<void> {
    await this.client.delete(this.resource(typeName), { namespace: this.namespace, name: this.name(name) });
  }

  /** Waits until an object is as a test wants it, and returns it. */
  async becomes(typeName: string, name: string, condition: (object: ManagedResource) => boolean): Promise<ManagedResource> {
    let object!: ManagedResource;
    await until(async () => condition((object = await this.get(typeName, name))));
    return object;
  }

  /** Waits until an object is ready and its last change has been reconciled. */
  async ready(typeName: string, name: string): Promise<ManagedResource> {
    return await this.becomes(typeName, name, (object) => {
      const { generation } = object.metadata;
      return ["Ready", "Synced"].every((type) => {
        const found = object.status?.conditions?.find((condition) => condition.type === type);
        return found?.status === "True" && (type === "Ready" || found.observedGeneration === generation);
      });
    });
  }

  /** Waits until the last reconcile of an object failed with this text, and returns its message. */
  async fails(typeName: string, name: string, text: string): Promise<string> {
    const message = (object: ManagedResource): string => synced(object)?.message ?? "";
    const object = await this.becomes(typeName, name, (current) => synced(current)?.status === "False" && message(current).includes(text));
    return message(object);
  }

  async gone(typeName: string, name: string): Promise<void> {
    await until(async () => {
      try {
        await this.get(typeName, name);
        return false;
      } catch (error) {
        if (isNotFound(error)) return true;
        throw error;
      }
    });
  }

  /** The stored state of an object; undefined where there is none. */
  async state(typeName: string, name: string): Promise<StoredState | undefined> {
    const secret = await this.#findState((await this.get(typeName, name)).metadata.uid!);
    return secret && decodeStoredState(Buffer.from(secret.data!["state"]!, "base64"));
  }

  /** Waits until an object has no stored state. It is deleted after the object. */
  async stateGone(uid: string): Promise<void> {
    await until(async () => (await this.#findState(uid)) === undefined);
  }

  async #findState(uid: string): Promise<Secret | undefined> {
    return await this.client.find<Secret>(secrets, { namespace: this.namespace, name: stateSecretName(uid) });
  }

  /** Reasons of the events about an object. */
  async eventReasons(typeName: string, name: string): Promise<readonly string[]> {
    const { metadata } = await this.get(typeName, name);
    return (await this.eventsOf(metadata.uid!)).map(({ reason }) => reason);
  }

  /** The events about an object, which may be gone. */
  async eventsOf(uid: string): Promise<readonly RecordedEvent[]> {
    type Event = KubernetesObject & RecordedEvent & { readonly regarding: { readonly uid: string } };
    const { items } = await this.client.list<Event>(events, { namespace: this.namespace });
    return items.filter(({ regarding }) => regarding.uid === uid);
  }

  /** Drains, and ends. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#run[Symbol.asyncDispose]();
  }

  /** Returns a provider that records the calls which change something. */
  #recordChanges(provider: Provider): Provider {
    return new Proxy(provider, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        const call = member.bind(target) as (...parameters: unknown[]) => unknown;
        if (name !== "applyResourceChange") return call;
        return (request: Parameters<Provider["applyResourceChange"]>[0], options: object) => {
          const kind = request.priorState.payload === null ? "create" : request.plannedState.payload === null ? "delete" : "update";
          this.changes.push(kind);
          return call(request, options);
        };
      },
    });
  }
}

function synced({ status }: ManagedResource) {
  return status?.conditions?.find(({ type }) => type === "Synced");
}
