// SPDX-License-Identifier: Apache-2.0
// The two sides that lead a life: a custom resource, and a configuration of tofu. Each records the changes of its provider.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeStoredState, stateSecretName } from "@tenon/bridge/kubernetes";
import { secrets, type ApiClient } from "@tenon/bridge/kubernetes/machinery";
import type { Provider } from "@tenon/schema";
import { CliWorkspace } from "./cli-workspace.ts";
import { configuration } from "./go-provider.ts";
import type { Json, Life, Step } from "./kubernetes-lives.ts";
import { TestOperator } from "./kubernetes-operator.ts";
import { until } from "./kubernetes-setup.ts";
import { ChangeRecord, recordedChanges, ServedForTofu } from "./recorded-changes.ts";

const externalName = "crossplane.io/external-name";

/** Changes that were planned and made. */
export type Changes = ReturnType<ChangeRecord["take"]>;

/** A custom resource. */
export class OurSide implements AsyncDisposable {
  readonly #record: ChangeRecord;
  readonly #life: Life;
  readonly #operator: TestOperator;
  readonly #provider: Provider;
  #exists = false;
  #targets: readonly string[] = [];

  private constructor(life: Life, operator: TestOperator, provider: Provider, record: ChangeRecord) {
    this.#life = life;
    this.#operator = operator;
    this.#provider = provider;
    this.#record = record;
  }

  static async start(client: ApiClient, provider: Provider, life: Life, folder: string): Promise<OurSide> {
    const { provider: schema } = await provider.getProviderSchema({});
    const config = configuration(schema!, life.provider(folder));
    const { diagnostics } = await provider.configureProvider({ terraformVersion: "1.12.6", config });
    if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
    const record = new ChangeRecord();
    const recorded = recordedChanges(provider, record);
    const { type, reference } = life;
    const operator = await TestOperator.start({
      client,
      provider: recorded,
      resources: [type, ...(reference ? [reference.type] : [])],
      rules: reference ? { [type]: { references: { [reference.attribute]: { type: reference.type } } } } : {},
    });
    return new OurSide(life, operator, provider, record);
  }

  /** Leads a step, and returns the changes that were planned and made. `expected`: those of the other side. */
  async lead(step: Step, expected: Changes): Promise<Changes> {
    const { type } = this.#life;
    const operator = this.#operator;
    if (step.older) await this.#storeOlder(step.older);
    if (step.config !== undefined) await this.#put(step.config, step);
    else if (this.#exists) await this.#remove(type, "it");
    this.#exists = step.config !== undefined;
    if (step.targets) await this.#putTargets(step.targets);
    if (step.config === undefined) return this.#record.take();
    if (step.replacement === "Refuse") await operator.fails(type, "it", "needs a replacement");
    else {
      const applies = expected.filter(({ call }) => call === "apply").length;
      await until(() => this.#record.applies >= applies);
      await operator.ready(type, "it");
    }
    return this.#record.take();
  }

  async #put(config: Json, step: Step): Promise<void> {
    const { type, lateInitializes, reference } = this.#life;
    const references: Record<string, unknown> = {};
    for (const [attribute, text] of Object.entries(step.secrets ?? {})) {
      references[`${attribute}SecretRef`] = { name: await this.#secret(attribute, text), key: "value" };
    }
    if (reference && step.refersTo !== undefined) {
      references[`${fieldName(reference.attribute)}Ref`] = { name: this.#operator.name(step.refersTo), policy: { resolve: "Always" } };
    }
    const forProvider = { ...renamed(config), ...references };
    const managementPolicies = lateInitializes ? ["*"] : ["Observe", "Create", "Update", "Delete"];
    const annotations = {
      ...(step.imports === undefined ? {} : { [externalName]: step.imports }),
      ...(step.replacement === undefined ? {} : { "tenon.dev/replacement-policy": step.replacement }),
      // A new value begins a reconcile where nothing else has changed.
      "crossplane.io/reconcile-requested-at": String(performance.now()),
    };
    await this.#operator.put(type, "it", { forProvider, managementPolicies }, { annotations });
  }

  /** Creates a Secret with a value, unless it exists, and returns its name. */
  async #secret(attribute: string, text: string): Promise<string> {
    const { client, namespace } = this.#operator;
    const reference = { namespace, name: this.#operator.name(`${attribute}-${text}`) };
    if ((await client.find(secrets, reference)) === undefined) {
      await client.create(secrets, { metadata: reference, stringData: { value: text } } as never);
    }
    return reference.name;
  }

  async #putTargets(targets: Readonly<Record<string, Json>>): Promise<void> {
    const { type } = this.#life.reference!;
    for (const [name, config] of Object.entries(targets)) {
      await this.#operator.put(type, name, { forProvider: renamed(config), managementPolicies: ["Observe", "Create", "Update", "Delete"] });
      await this.#operator.ready(type, name);
    }
    for (const name of this.#targets) if (!(name in targets)) await this.#remove(type, name);
    this.#targets = Object.keys(targets);
  }

  async #remove(type: string, name: string): Promise<void> {
    await this.#operator.delete(type, name);
    await this.#operator.gone(type, name);
  }

  async #storeOlder({ schemaVersion, values }: NonNullable<Step["older"]>): Promise<void> {
    const { type } = this.#life;
    const { client, namespace } = this.#operator;
    const state = (await this.#operator.state(type, "it"))!;
    const object = { ...state.object!, schemaVersion, value: JSON.stringify(values(JSON.parse(state.object!.value) as Json)) };
    const name = stateSecretName((await this.#operator.get(type, "it")).metadata.uid!);
    const data = { state: encodeStoredState({ ...state, object }).toString("base64") };
    await client.mergePatch(secrets, { namespace, name }, { data });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#operator[Symbol.asyncDispose]();
    await this.#provider.close();
  }
}

/** Returns a configuration with the names of the custom resource: those of its attributes in camel case. */
function renamed(config: Json): Json {
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [fieldName(name), value]));
}

function fieldName(attribute: string): string {
  return attribute.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A configuration of tofu. */
export class TheirSide implements AsyncDisposable {
  readonly #life: Life;
  readonly #folder: string;
  readonly #record: ChangeRecord;
  readonly #served: ServedForTofu;
  readonly #workspace: CliWorkspace;
  #targets: Readonly<Record<string, Json>> = {};

  private constructor(tofu: string, life: Life, folder: string, record: ChangeRecord, served: ServedForTofu) {
    this.#life = life;
    this.#folder = folder;
    this.#record = record;
    this.#served = served;
    this.#workspace = new CliWorkspace(tofu, { kind: "filesystemMirror", folder: "/nowhere" });
  }

  static async start(tofu: string, open: () => Promise<Provider>, life: Life, folder: string): Promise<TheirSide> {
    const record = new ChangeRecord();
    const served = await ServedForTofu.start(async () => recordedChanges(await open(), record));
    return new TheirSide(tofu, life, folder, record, served);
  }

  /** Leads a step, and returns the changes that were planned and made. */
  async lead(step: Step): Promise<Changes> {
    const { type, provider, reference } = this.#life;
    const { config, imports, replacement } = step;
    if (step.older) this.#storeOlder(step.older);
    if (step.targets) this.#targets = step.targets;
    const [name] = type.split("_") as [string];
    const source = `example.com/tenon/${name}`;
    const lifecycle = replacement === "CreateFirst" ? { lifecycle: { create_before_destroy: true } } : {};
    const references = reference && step.refersTo ? { [reference.attribute]: `\${${reference.type}.${step.refersTo}.id}` } : {};
    const resources: Readonly<Record<string, Json>> = {
      ...(config ? { [type]: { it: { ...config, ...step.secrets, ...references, ...lifecycle } } } : {}),
      ...(reference ? { [reference.type]: this.#targets } : {}),
    };
    // Tofu rejects an empty block.
    const present = Object.entries(resources).filter(([, named]) => Object.keys(named).length > 0);
    const document = {
      terraform: { required_providers: { [name]: { source } } },
      provider: { [name]: provider(this.#folder) },
      ...(present.length > 0 ? { resource: Object.fromEntries(present) } : {}),
      ...(imports === undefined ? {} : { import: { to: `${type}.it`, id: imports } }),
    };
    this.#workspace.write({ "main.tf.json": JSON.stringify(document) });
    const env = this.#served.environment(source);
    await this.#workspace.must(["init", "-no-color"], { env });
    await this.#served.renew();
    this.#record.take();
    await this.#workspace.must(["plan", "-input=false", "-no-color", "-out=plan.bin"], { env });
    if (replacement !== "Refuse") {
      await this.#served.renew();
      await this.#workspace.must(["apply", "-input=false", "-no-color", "plan.bin"], { env });
    }
    return this.#record.take();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#served[Symbol.asyncDispose]();
    this.#workspace[Symbol.dispose]();
  }

  #storeOlder({ schemaVersion, values }: NonNullable<Step["older"]>): void {
    type State = { readonly resources: readonly { readonly instances: readonly { readonly attributes: Json }[] }[] };
    const state = JSON.parse(readFileSync(join(this.#workspace.folder, "terraform.tfstate"), "utf8")) as State;
    const [resource] = state.resources;
    const [instance] = resource!.instances;
    const older = { ...instance, schema_version: schemaVersion, attributes: values(instance!.attributes) };
    this.#workspace.write({ "terraform.tfstate": JSON.stringify({ ...state, resources: [{ ...resource, instances: [older] }] }) });
  }
}
