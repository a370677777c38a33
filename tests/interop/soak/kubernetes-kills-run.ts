// SPDX-License-Identifier: Apache-2.0
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { apiResourceOf, customResourceDefinition, mapProviderKinds, type ManagedResource } from "@tenon/bridge/kubernetes";
import {
  installCustomResourceDefinitions,
  isConflict,
  isNotFound,
  leases,
  type ApiClient,
  type ApiResource,
} from "@tenon/bridge/kubernetes/machinery";
import { Notebook, type Note } from "@tenon/example-notebook/store";
import { KubernetesServer, type KubernetesPrograms } from "@tenon/peers/kubernetes";
import { createProvider } from "@tenon/provider-sdk";
import { packageProgram, writePackage } from "@tenon/provider-sdk/package";
import { adminClient, until } from "../kubernetes-setup.ts";
import { bundledProgram } from "./bundled-program.ts";
import { childrenOf, commandOf } from "./child-processes.ts";
import { noteRules, provider as notebook } from "./killed-notes.ts";
import { providerCalls, Replica, type ChangeName, type ReplicaSettings } from "./replica.ts";

const namespace = "default";
const externalName = "crossplane.io/external-name";
const createPending = "crossplane.io/external-create-pending";
const unknownOutcome = "its outcome is not known";
const lostState = "its stored state is gone";

/** What a run kills: the replica of an operator whose provider runs in its process, or the process of a replica's provider. */
export type Victim = "replica" | "provider";

/** How far a run has come. */
export type KillProgress = Pick<KillReport, "kills" | "interrupted" | "decided">;

/** What a run has done and found. */
export interface KillReport {
  readonly kills: number;
  /** Calls of the provider that were in flight at a kill. */
  readonly calls: Readonly<Record<ChangeName, number>>;
  /** Objects that were not yet as they should be after a kill. */
  readonly interrupted: number;
  /** Creations whose outcome a person had to decide. */
  readonly decided: number;
  /** Notes that others have removed. */
  readonly removed: number;
  /** Notes that were created, by the log of the notebook. */
  readonly created: number;
  /** What should not be; empty after a good run. */
  readonly faults: readonly string[];
}

/**
 * Kills replicas, or their provider, while they create, change and delete notes, many times. Some notes are removed by others, so that they are
 * created again. Then lets the work end, and compares the notes and the log of the notebook with the objects: no note was created twice, and there is
 * exactly one for each object, with what the object says. A quarter of the notes is known by a number that the notebook chooses, a quarter by the name
 * of the object, a quarter by an identity, and a quarter by a number without which the provider cannot import them. Only for the first and the last, a
 * person has to decide whether an interrupted creation succeeded.
 */
export async function killOften(
  programs: KubernetesPrograms,
  victim: Victim,
  kills: number,
  random: () => number,
  onKill: (progress: KillProgress) => void = () => {},
): Promise<KillReport> {
  await using server = await KubernetesServer.start(programs);
  await using client = await adminClient(server);
  const group = "killed.tenon.test";
  const kinds = await mapProviderKinds(createProvider(notebook), { group, rules: noteRules });
  const definitions = kinds.map((kind) => customResourceDefinition(kind, { version: "v1alpha1" }));
  await installCustomResourceDefinitions(client, definitions, { fieldManager: "test" });
  const database = join(server.folder, "notes.db");
  using system = new LoggedNotebook(database);
  const calls = join(server.folder, "calls");
  writeFileSync(calls, "");
  const settings = {
    program: await bundledProgram("replica-program.ts", server.folder),
    kubeconfig: join(server.folder, "admin.kubeconfig"),
    group,
    hasAllNotes: true,
    database,
    calls,
    latencyMs: 20,
    shards: 1,
    pollMs: 3_600_000,
    leaseTimes: { durationMs: 3_000, renewDeadlineMs: 2_000, retryMs: 200 },
  };
  await using target =
    victim === "replica"
      ? new KilledReplicas(client, settings)
      : new KilledProvider({ ...settings, provider: await packagedNotebook(join(server.folder, "provider")) });
  const resources = Object.keys(noteRules).map((type) =>
    apiResourceOf(
      kinds.find(({ typeName }) => typeName === type)!,
      "v1alpha1",
    ),
  );
  const run = new KillRun(client, resources, system, target, random);
  await run.begin();
  for (let count = 1; count <= kills; count++) {
    await run.kill();
    onKill({ kills: count, interrupted: run.interrupted, decided: run.decided });
  }
  const found = await run.finish();
  return { kills, calls: callsInFlight(calls), created: system.creations().length, ...found };
}

/** Packages the provider for notes, and returns the path of its program. */
async function packagedNotebook(folder: string): Promise<string> {
  const name = "terraform-provider-notebook";
  await writePackage(folder, await packageProgram({ main: join(import.meta.dirname, "killed-notes-main.ts"), name }));
  return join(folder, name);
}

/** Counts the calls that have no end in the log of the provider, or were broken off. */
function callsInFlight(log: string): KillReport["calls"] {
  const counts = { create: 0, update: 0, delete: 0 };
  for (const { call, step, isBroken } of providerCalls(log)) {
    if (call === "read") continue;
    counts[call] += step === "begin" ? 1 : isBroken ? 0 : -1;
  }
  return counts;
}

/** The notebook, which logs each creation of a note in the same transaction. */
class LoggedNotebook implements Disposable {
  readonly #store: Notebook;
  readonly #log: DatabaseSync;

  constructor(path: string) {
    this.#store = new Notebook(path);
    this.#log = new DatabaseSync(path, { timeout: 5_000 });
    this.#log.exec(`
      CREATE TABLE creation (title TEXT);
      CREATE TRIGGER creation AFTER INSERT ON note BEGIN INSERT INTO creation VALUES (new.title); END;
    `);
  }

  /** Removes the note of an object outside of the operator. Returns whether there was one. */
  remove(name: string): boolean {
    return this.#log.prepare("DELETE FROM note WHERE title GLOB ?").run(`${name} *`).changes > 0;
  }

  /** Titles with which notes were created. */
  creations(): readonly string[] {
    return this.#log
      .prepare("SELECT title FROM creation")
      .all()
      .map(({ title }) => String(title));
  }

  notes(): readonly Note[] {
    return this.#store.searchNotes("", null);
  }

  /** The notes of an object, with whose name their titles begin. */
  notesOf(name: string): readonly Note[] {
    return this.#store.searchNotes(`${name} `, null).filter(({ title }) => title.startsWith(`${name} `));
  }

  [Symbol.dispose](): void {
    this.#log.close();
    this.#store.close();
  }
}

/** What a run kills again and again. */
interface KillTarget extends AsyncDisposable {
  /** Starts what is not running. */
  start(): Promise<void>;
  /** Kills at a random point of the work, after a change has begun. */
  kill(random: () => number): Promise<void>;
}

type TargetSettings = Omit<ReplicaSettings, "member"> & { readonly calls: string };

/**
 * Waits for a random point of the work: until up to eight changes have begun in the log after a position, and up to 100 ms more. The number, and not the
 * time alone, decides, because a busy machine makes one change at a time. The first change takes longest, after a start; then ten seconds are enough.
 */
async function untilRandomPoint(log: string, position: number, random: () => number): Promise<void> {
  const wanted = 1 + Math.floor(random() * 8);
  const begun = (): number =>
    readFileSync(log)
      .subarray(position)
      .toString()
      .match(/"call":"(?:create|update|delete)","step":"begin"/g)?.length ?? 0;
  await until(() => begun() > 0);
  const end = performance.now() + 10_000;
  await until(() => begun() >= wanted || performance.now() > end);
  await sleep(random() * 100);
}

function lengthOf(log: string): number {
  return statSync(log).size;
}

/** Replicas, one after the other. */
class KilledReplicas implements KillTarget {
  readonly #client: ApiClient;
  readonly #settings: TargetSettings;
  #replica: Replica | undefined;
  #started = 0;
  #seen = 0;

  constructor(client: ApiClient, settings: TargetSettings) {
    this.#client = client;
    this.#settings = settings;
  }

  async start(): Promise<void> {
    await this.#replica?.end();
    // As if the Lease had expired.
    await this.#client.delete(leases, { namespace, name: "notes-shard-0" }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
    this.#seen = lengthOf(this.#settings.calls);
    this.#replica = await Replica.start({ ...this.#settings, member: `replica-${(this.#started += 1)}` });
  }

  async kill(random: () => number): Promise<void> {
    await untilRandomPoint(this.#settings.calls, this.#seen, random);
    await this.#replica?.end();
    this.#replica = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#replica?.end();
  }
}

/** The processes of a provider, one after the other. Their replica is never killed. */
class KilledProvider implements KillTarget {
  readonly #settings: TargetSettings;
  #replica: Replica | undefined;
  #seen = 0;

  constructor(settings: TargetSettings) {
    this.#settings = settings;
  }

  async start(): Promise<void> {
    this.#replica ??= await Replica.start({ ...this.#settings, member: "replica" });
    this.#seen = lengthOf(this.#settings.calls);
  }

  async kill(random: () => number): Promise<void> {
    await untilRandomPoint(this.#settings.calls, this.#seen, random);
    const pid = childrenOf(this.#replica!.pid).find((child) => !commandOf(child).includes("tenon-watchdog"));
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#replica?.end();
  }
}

class KillRun {
  readonly #client: ApiClient;
  /** The kinds of notes: with a number, with a name, with an identity, without import. */
  readonly #resources: readonly ApiResource[];
  readonly #system: LoggedNotebook;
  readonly #target: KillTarget;
  readonly #random: () => number;
  /** Titles of the objects that should exist, by name. A title begins with the name. */
  readonly #wanted = new Map<string, string>();
  /** Number of notes that were removed by others, by the name of their objects. */
  readonly #removed = new Map<string, number>();
  #named = 0;
  interrupted = 0;
  decided = 0;

  constructor(client: ApiClient, resources: readonly ApiResource[], system: LoggedNotebook, target: KillTarget, random: () => number) {
    this.#client = client;
    this.#resources = resources;
    this.#system = system;
    this.#target = target;
    this.#random = random;
  }

  /** Creates the first objects, without kills. */
  async begin(): Promise<void> {
    await this.#target.start();
    await Promise.all(Array.from({ length: 20 }, () => this.#putNew()));
    await this.#settle();
  }

  /** Creates, changes and deletes objects, removes notes, and kills at a random time. */
  async kill(): Promise<void> {
    await this.#target.start();
    const changes: Promise<unknown>[] = [];
    for (const name of this.#wanted.keys()) {
      const chance = this.#random();
      if (chance < 0.15) changes.push(this.#delete(name));
      else if (chance < 0.5) changes.push(this.#put(name, this.#random() < 0.2));
    }
    for (let count = 0; count < 4; count++) changes.push(this.#putNew());
    await Promise.all([...changes, this.#target.kill(this.#random)]);
    const objects = await this.#objects();
    this.interrupted += objects.filter((object) => !this.#isSettled(object)).length;
    await this.#decideAll(objects);
  }

  /** Lets the work end, decides what only a person can, and compares. */
  async finish(): Promise<Pick<KillReport, "interrupted" | "decided" | "removed" | "faults">> {
    await this.#target.start();
    await this.#settle();
    const removed = this.#removed.values().reduce((sum, count) => sum + count, 0);
    return { interrupted: this.interrupted, decided: this.decided, removed, faults: await this.#faults() };
  }

  /** Waits until all objects are as they should be. */
  async #settle(): Promise<void> {
    await until(async () => {
      const objects = await this.#objects();
      await this.#decideAll(objects);
      return objects.length === this.#wanted.size && objects.every((object) => this.#isSettled(object));
    });
  }

  async #putNew(): Promise<void> {
    await this.#put(`note-${(this.#named += 1)}`);
  }

  /** @param isRemoved - Whether the note is removed outside of the operator first. */
  async #put(name: string, isRemoved = false): Promise<void> {
    if (isRemoved) this.#remove(name);
    const title = `${name} ${Math.floor(this.#random() * 1e9)}`;
    this.#wanted.set(name, title);
    const hasName = this.#resourceOf(name).kind === "IdentifiedNote";
    const object = { metadata: { namespace, name }, spec: { forProvider: hasName ? { name, title } : { title } } };
    await this.#client.apply(this.#resourceOf(name), object as never, { fieldManager: "user", force: true });
  }

  #remove(name: string): void {
    if (this.#system.remove(name)) this.#removed.set(name, (this.#removed.get(name) ?? 0) + 1);
  }

  async #delete(name: string): Promise<void> {
    this.#wanted.delete(name);
    await this.#client.delete(this.#resourceOf(name), { namespace, name });
  }

  async #objects(): Promise<readonly ManagedResource[]> {
    const lists = await Promise.all(this.#resources.map((resource) => this.#client.list<ManagedResource>(resource, { namespace })));
    return lists.flatMap(({ items }) => items);
  }

  /** The kind of an object, by its number. */
  #resourceOf(name: string): ApiResource {
    return this.#resources[Number(/\d+$/.exec(name)![0]) % this.#resources.length]!;
  }

  #isSettled({ metadata, status, spec }: ManagedResource): boolean {
    if (metadata.deletionTimestamp !== undefined) return false;
    const synced = status?.conditions?.find(({ type }) => type === "Synced");
    const isCurrent = synced?.status === "True" && synced.observedGeneration === metadata.generation;
    return isCurrent && status?.atProvider?.["title"] === spec.forProvider["title"];
  }

  async #decideAll(objects: readonly ManagedResource[]): Promise<void> {
    await Promise.all(objects.map((object) => this.#decide(object)));
  }

  /** Does what the condition of an object with an unknown creation requests: looks the note up. */
  async #decide({ kind, metadata, status }: ManagedResource): Promise<void> {
    const message = status?.conditions?.find(({ type }) => type === "Synced")?.message ?? "";
    const pending = metadata.annotations?.[createPending];
    if (message.includes(lostState)) throw new Error(`${kind} ${metadata.name} has lost its state: ${message}`);
    // The message is about the last creation if it has the time of that creation.
    if (!message.includes(unknownOutcome) || pending === undefined || !message.includes(pending)) return;
    const { name, resourceVersion } = metadata;
    if (kind === "UnimportableNote") this.#remove(name);
    else if (kind !== "Note") throw new Error(`${kind} ${name} needs a decision, although it can be found: ${message}`);
    const [note] = this.#system.notesOf(name);
    if (note && metadata.annotations?.[externalName] === note.id) return;
    const annotations = note ? { [externalName]: note.id } : { [createPending]: null };
    try {
      await this.#client.mergePatch(this.#resourceOf(name), { namespace, name }, { metadata: { resourceVersion, annotations } });
      this.decided += 1;
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }

  async #faults(): Promise<readonly string[]> {
    const faults: string[] = [];
    const objects = new Map((await this.#objects()).map((object) => [object.metadata.name, object]));
    for (const [name, title] of this.#wanted) {
      const notes = this.#system.notesOf(name);
      if (notes.length !== 1) faults.push(`${notes.length} notes for ${name}`);
      if (notes[0] && notes[0].title !== title) faults.push(`${name} has an old title`);
      const expectedName = this.#resourceOf(name).kind === "NamedNote" ? name : notes[0]?.id;
      if (notes[0] && objects.get(name)?.metadata.annotations?.[externalName] !== expectedName)
        faults.push(`${name} has another external name`);
    }
    for (const { title } of this.#system.notes()) if (!this.#wanted.has(nameIn(title))) faults.push(`the note ${title} has no object`);
    const names = this.#system.creations().map(nameIn);
    for (const name of new Set(names)) {
      const count = names.filter((other) => other === name).length;
      const removed = this.#removed.get(name) ?? 0;
      if (count > 1 + removed) faults.push(`${name} was created ${count} times, and removed ${removed} times`);
    }
    return faults;
  }
}

/** The name of the object of a note. */
function nameIn(title: string): string {
  return title.split(" ")[0]!;
}
