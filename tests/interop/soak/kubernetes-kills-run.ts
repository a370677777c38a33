// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { apiResourceOf, customResourceDefinition, mapProviderKinds, type ManagedResource } from "@tenon/bridge/kubernetes";
import { installCustomResourceDefinitions, type ApiClient, type ApiResource } from "@tenon/bridge/kubernetes/machinery";
import { provider as notebook } from "@tenon/example-notebook";
import { Notebook, type Note } from "@tenon/example-notebook/store";
import { KubernetesServer, type KubernetesPrograms } from "@tenon/peers/kubernetes";
import { createProvider } from "@tenon/provider-sdk";
import { adminClient, until } from "../kubernetes-setup.ts";

const namespace = "default";
const externalName = "crossplane.io/external-name";

/** What a run has done and found. */
export interface KillReport {
  /** Operators that were killed. */
  readonly kills: number;
  /** Objects that were not yet as they should be after a kill. */
  readonly interrupted: number;
  /** Creations whose outcome a person had to decide. */
  readonly decided: number;
  /** What should not be; empty after a good run. */
  readonly faults: readonly string[];
}

/**
 * Kills an operator while it creates, changes and deletes notes, and starts another one, many times. Then lets one finish, and compares the
 * notes with the objects: there is exactly one note for each object, with what the object says, and none without an object.
 */
export async function killOperators(programs: KubernetesPrograms, kills: number, random: () => number): Promise<KillReport> {
  await using server = await KubernetesServer.start(programs);
  await using client = await adminClient(server);
  const [kind] = await mapProviderKinds(createProvider(notebook), { group: "killed.tenon.test", resources: ["notebook_note"] });
  await installCustomResourceDefinitions(client, [customResourceDefinition(kind!, { version: "v1alpha1" })], { fieldManager: "test" });
  const kubeconfig = join(server.folder, "kubeconfig");
  writeFileSync(kubeconfig, server.kubeconfig());
  const path = join(server.folder, "notes.db");
  const store = new Notebook(path);
  try {
    const run = new KillRun(client, apiResourceOf(kind!, "v1alpha1"), store, [kubeconfig, path, "killed.tenon.test"], random);
    for (let count = 0; count < kills; count++) await run.kill();
    return await run.finish(kills);
  } finally {
    store.close();
  }
}

class KillRun {
  readonly #client: ApiClient;
  readonly #resource: ApiResource;
  readonly #store: Notebook;
  readonly #operatorArguments: readonly string[];
  readonly #random: () => number;
  /** Titles of the objects that should exist, by name. A title begins with the name. */
  readonly #wanted = new Map<string, string>();
  #created = 0;
  #interrupted = 0;
  #decided = 0;

  constructor(client: ApiClient, resource: ApiResource, store: Notebook, operatorArguments: readonly string[], random: () => number) {
    this.#client = client;
    this.#resource = resource;
    this.#store = store;
    this.#operatorArguments = operatorArguments;
    this.#random = random;
  }

  /** Starts an operator, changes objects, and kills it at a random time. */
  async kill(): Promise<void> {
    const operator = await this.#start();
    const changes: Promise<unknown>[] = [];
    const names = [...this.#wanted.keys()].filter(() => this.#random() < 0.2);
    for (let count = 0; count < 5; count++) changes.push(this.#put(`note-${(this.#created += 1)}`));
    for (const [index, name] of names.entries()) changes.push(index % 3 === 0 ? this.#delete(name) : this.#put(name));
    await Promise.all([...changes, sleep(this.#random() * 250).then(() => operator.kill())]);
    this.#interrupted += await this.#countUnsettled();
  }

  /** Lets an operator finish, decides what only a person can, and compares. */
  async finish(kills: number): Promise<KillReport> {
    const operator = await this.#start();
    await until(async () => {
      const objects = await this.#objects();
      for (const object of objects) await this.#decide(object);
      return objects.length === this.#wanted.size && objects.every((object) => this.#isSettled(object));
    });
    await operator.kill();
    return { kills, interrupted: this.#interrupted, decided: this.#decided, faults: await this.#faults() };
  }

  async #start() {
    const program = join(import.meta.dirname, "killed-operator.ts");
    const operator = spawn(process.execPath, [program, ...this.#operatorArguments, "20"], { stdio: ["ignore", "pipe", "inherit"] });
    const closed = once(operator, "close");
    const isReady = await Promise.race([once(operator.stdout, "data").then(() => true), closed.then(() => false)]);
    if (!isReady) throw new Error("the operator ended before it was ready");
    const kill = async (): Promise<void> => {
      operator.kill("SIGKILL");
      await closed;
    };
    return { kill };
  }

  async #put(name: string): Promise<void> {
    const title = `${name} ${Math.floor(this.#random() * 1e9)}`;
    this.#wanted.set(name, title);
    const object = { metadata: { namespace, name }, spec: { forProvider: { title } } };
    await this.#client.apply(this.#resource, object as never, { fieldManager: "user", force: true });
  }

  async #delete(name: string): Promise<void> {
    this.#wanted.delete(name);
    await this.#client.delete(this.#resource, { namespace, name });
  }

  async #objects(): Promise<readonly ManagedResource[]> {
    return (await this.#client.list<ManagedResource>(this.#resource, { namespace })).items;
  }

  async #countUnsettled(): Promise<number> {
    return (await this.#objects()).filter((object) => !this.#isSettled(object)).length;
  }

  #isSettled({ metadata, status, spec }: ManagedResource): boolean {
    if (metadata.deletionTimestamp !== undefined) return false;
    const synced = status?.conditions?.find(({ type }) => type === "Synced");
    const isCurrent = synced?.status === "True" && synced.observedGeneration === metadata.generation;
    return isCurrent && status?.atProvider?.["title"] === spec.forProvider["title"];
  }

  /** Does what the condition of an object with an unknown creation requests: looks the note up. */
  async #decide({ metadata, status }: ManagedResource): Promise<void> {
    const synced = status?.conditions?.find(({ type }) => type === "Synced");
    if (synced?.message?.includes("its outcome is not known") !== true) return;
    this.#decided += 1;
    const [note] = this.#notesOf(metadata.name);
    const annotations = note ? { [externalName]: note.id } : { "crossplane.io/external-create-pending": null };
    await this.#client.mergePatch(this.#resource, { namespace, name: metadata.name }, { metadata: { annotations } });
    await until(async () => {
      const object = await this.#client.find<ManagedResource>(this.#resource, { namespace, name: metadata.name });
      const now = object?.status?.conditions?.find(({ type }) => type === "Synced");
      return now?.message?.includes("its outcome is not known") !== true;
    });
  }

  #notesOf(name: string): readonly Note[] {
    return this.#store.searchNotes(`${name} `, null).filter(({ title }) => title.startsWith(`${name} `));
  }

  async #faults(): Promise<readonly string[]> {
    const faults: string[] = [];
    const objects = new Map((await this.#objects()).map((object) => [object.metadata.name, object]));
    for (const [name, title] of this.#wanted) {
      const notes = this.#notesOf(name);
      if (notes.length !== 1) faults.push(`${notes.length} notes for ${name}`);
      if (notes[0] && notes[0].title !== title) faults.push(`${name} has an old title`);
      if (notes[0] && objects.get(name)?.metadata.annotations?.[externalName] !== notes[0].id)
        faults.push(`${name} has another external name`);
    }
    const all = this.#store.searchNotes("", null);
    for (const { title } of all) if (!this.#wanted.has(title.split(" ")[0]!)) faults.push(`the note ${title} has no object`);
    return faults;
  }
}
