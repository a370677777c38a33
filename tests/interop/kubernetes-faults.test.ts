// SPDX-License-Identifier: Apache-2.0
// What happens to replicas and to the API server while notes are changed. Replicas are processes; a gate holds their changes in the provider.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  apiResourceOf,
  customResourceDefinition,
  mapProviderKinds,
  stateSecretName,
  type KindMapping,
  type ManagedResource,
} from "@tenon/bridge/kubernetes";
import {
  installCustomResourceDefinitions,
  isConflict,
  leases,
  secrets,
  type ApiClient,
  type ApiResource,
  type KubernetesObject,
} from "@tenon/bridge/kubernetes/machinery";
import { provider as notebook } from "@tenon/example-notebook";
import { Notebook } from "@tenon/example-notebook/store";
import { KubernetesServer } from "@tenon/peers/kubernetes";
import { describePeer } from "@tenon/peers/vitest";
import { createProvider } from "@tenon/provider-sdk";
import { afterAll, beforeAll, test, vi } from "vitest";
import { BreakableNetwork, adminClient, until } from "./kubernetes-setup.ts";
import { providerCalls, Replica, type ProviderCall, type ReplicaSettings } from "./soak/replica.ts";

vi.setConfig({ testTimeout: 120_000 });

const namespace = "default";
const group = "faults.tenon.test";
const externalName = "crossplane.io/external-name";
const leaseTimes = { durationMs: 3_000, renewDeadlineMs: 2_000, retryMs: 100 };

describePeer(["kube-apiserver", "etcd"], "replicas of an operator", (programs) => {
  let server: KubernetesServer;
  let client: ApiClient;
  let folder: string;
  let store: Notebook;
  let kind: KindMapping;
  let notes: ApiResource;
  let base: Omit<ReplicaSettings, "member">;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tenon-faults-"));
    server = await KubernetesServer.start(programs);
    client = await adminClient(server);
    [kind] = (await mapProviderKinds(createProvider(notebook), { group, resources: ["notebook_note"] })) as [KindMapping];
    await installCustomResourceDefinitions(client, [customResourceDefinition(kind, { version: "v1alpha1" })], { fieldManager: "test" });
    notes = apiResourceOf(kind, "v1alpha1");
    const database = join(folder, "notes.db");
    store = new Notebook(database);
    base = { kubeconfig: join(server.folder, "admin.kubeconfig"), group, database, shards: 2, leaseTimes, pollMs: 3_600_000 };
  });
  afterAll(async () => {
    store?.close();
    await client?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Number of the next note: the provider's log names notes by their numbers. */
  let number = 0;
  const nextName = (): string => `note-${(number += 1)}`;
  const titled = (name: string, text: string): string => `${name} ${text}`;

  async function put(name: string, text: string): Promise<void> {
    const object = { metadata: { namespace, name }, spec: { forProvider: { title: titled(name, text) } } };
    await client.apply(notes, object as never, { fieldManager: "user", force: true });
  }
  const get = async (name: string): Promise<ManagedResource> => await client.get<ManagedResource>(notes, { namespace, name });
  const find = async (name: string): Promise<ManagedResource | undefined> => await client.find<ManagedResource>(notes, { namespace, name });
  const messageOf = ({ status }: ManagedResource): string => status?.conditions?.find(({ type }) => type === "Synced")?.message ?? "";

  /** Whether the object is ready with this title. */
  async function isReady(name: string, text: string): Promise<boolean> {
    const { status, metadata } = await get(name);
    const isTrue = (type: string): boolean => status?.conditions?.find((each) => each.type === type)?.status === "True";
    const isCurrent = status?.observedGeneration === metadata.generation && status?.atProvider?.["title"] === titled(name, text);
    return isCurrent && isTrue("Ready") && isTrue("Synced");
  }

  /** Titles of the notes that exist for an object. */
  const titlesOf = (name: string): readonly string[] =>
    store
      .searchNotes(`${name} `, null)
      .map(({ title }) => title)
      .filter((title) => title.startsWith(`${name} `));

  async function remove(name: string): Promise<void> {
    await client.delete(notes, { namespace, name });
    await until(async () => (await find(name)) === undefined);
  }

  const annotate = async (name: string, annotations: Readonly<Record<string, string | null>>): Promise<void> =>
    void (await client.mergePatch(notes, { namespace, name }, { metadata: { annotations } }));

  /** Replica whose changes wait in the provider while its gate is closed. */
  async function gatedReplica(member: string, options: Partial<ReplicaSettings> = {}) {
    const gate = join(folder, `${member}.gate`);
    const calls = join(folder, `${member}.calls`);
    writeFileSync(calls, "");
    const replica = await Replica.start({ ...base, member, gate, calls, ...options });
    const changes = (name: string, step: ProviderCall["step"]): number =>
      providerCalls(calls).filter((call) => call.call !== "read" && call.step === step && call.note === name.replace("note-", "")).length;
    return {
      replica,
      changes,
      close: () => writeFileSync(gate, ""),
      open: () => rmSync(gate, { force: true }),
      [Symbol.asyncDispose]: () => replica[Symbol.asyncDispose](),
    };
  }

  test("that wake up after a takeover overwrite a newer update, which the next observation repairs: reading the Lease again would not help", async ({
    expect,
  }) => {
    await using first = await gatedReplica("update-first");
    const name = nextName();
    await put(name, "zero");
    await until(() => isReady(name, "zero"));
    first.close();
    await put(name, "one");
    // It held its Lease when it sent the change, and no check could come later.
    await until(() => first.changes(name, "begin") === 2);
    first.replica.signal("SIGSTOP");
    await put(name, "two");
    await using second = await gatedReplica("update-second");
    await until(() => isReady(name, "two"));
    expect(second.changes(name, "end")).toBe(1);
    const state = await client.get(secrets, { namespace, name: stateSecretName((await get(name)).metadata.uid!) });
    first.open();
    first.replica.signal("SIGCONT");
    await until(() => first.changes(name, "end") === 2);
    expect(titlesOf(name)).toEqual([titled(name, "one")]);
    await first.replica.end("SIGTERM");
    // The outcome of the stale change was refused.
    const after = await client.get(secrets, { namespace, name: stateSecretName((await get(name)).metadata.uid!) });
    expect(after.metadata.resourceVersion).toBe(state.metadata.resourceVersion);
    await annotate(name, { "crossplane.io/reconcile-requested-at": "1" });
    await until(() => titlesOf(name)[0] === titled(name, "two"));
    expect(titlesOf(name)).toHaveLength(1);
    await remove(name);
  });

  test("that wake up after a takeover complete their creation, and no second resource exists", async ({ expect }) => {
    await using first = await gatedReplica("create-first");
    const name = nextName();
    first.close();
    await put(name, "one");
    await until(() => first.changes(name, "begin") === 1);
    first.replica.signal("SIGSTOP");
    await using second = await gatedReplica("create-second");
    await until(async () => messageOf(await get(name)).includes("its outcome is not known"));
    first.open();
    first.replica.signal("SIGCONT");
    await until(async () => (await get(name)).metadata.annotations?.[externalName] !== undefined);
    await until(() => isReady(name, "one"));
    expect([titlesOf(name), second.changes(name, "begin")]).toEqual([[titled(name, "one")], 0]);
    await remove(name);
    expect(titlesOf(name)).toEqual([]);
  });

  test("that lose their Leases in the middle of a change: the outcome is stored, and the change is made once", async ({ expect }) => {
    await using network = await BreakableNetwork.open(new URL(server.url));
    const kubeconfig = join(folder, "cut.kubeconfig");
    const url = `https://127.0.0.1:${network.port}`;
    writeFileSync(kubeconfig, server.kubeconfig().replace(server.url, url));
    await using first = await gatedReplica("cut-first", { kubeconfig });
    const name = nextName();
    first.close();
    await put(name, "one");
    await until(() => first.changes(name, "begin") === 1);
    network.set("closed");
    await using second = await gatedReplica("cut-second");
    await until(async () => messageOf(await get(name)).includes("its outcome is not known"));
    network.set("open");
    first.open();
    await until(() => isReady(name, "one"));
    expect([titlesOf(name), second.changes(name, "begin")]).toEqual([[titled(name, "one")], 0]);
    await remove(name);
  });

  test("whose Leases are stolen leave the work to the thief, and go on when it is gone", async ({ expect }) => {
    await using replica = await gatedReplica("robbed");
    for (const shard of [0, 1]) {
      const reference = { namespace, name: `notes-shard-${shard}` };
      type Lease = KubernetesObject & { readonly spec?: { readonly holderIdentity?: string } };
      await until(async () => (await client.find<Lease>(leases, reference))?.spec?.holderIdentity === "robbed");
      const spec = { holderIdentity: "thief", leaseDurationSeconds: 3, renewTime: new Date().toISOString().replace("Z", "000Z") };
      await client.mergePatch(leases, reference, { spec });
    }
    const name = nextName();
    await put(name, "one");
    // The thief never renews: its Leases are free after their duration.
    await until(() => isReady(name, "one"));
    expect(replica.changes(name, "begin")).toBe(1);
    await remove(name);
  });

  test("whose clocks differ by two hours take over from each other, and create nothing twice", async ({ expect }) => {
    const name = nextName();
    await using fast = await gatedReplica("fast", { skewMs: 3_600_000 });
    await put(name, "one");
    await until(() => isReady(name, "one"));
    const before = (await get(name)).metadata.annotations![externalName]!;
    await fast.replica.end();
    await store.removeNote(before);

    const slow = await gatedReplica("slow", { skewMs: -3_600_000 });
    slow.close();
    await until(() => slow.changes(name, "begin") === 1);
    slow.open();
    await until(() => slow.changes(name, "end") === 1);
    await slow.replica.end();
    await using last = await gatedReplica("last");
    await until(async () => (await isReady(name, "one")) || messageOf(await get(name)).includes("its outcome is not known"));
    expect([titlesOf(name).length, last.changes(name, "begin")]).toEqual([1, 0]);
    await annotate(name, { [externalName]: store.searchNotes(`${name} `, null)[0]!.id });
    await until(() => isReady(name, "one"));
    await remove(name);
  });

  test("keep what they have updated although its Secret was deleted meanwhile", async ({ expect }) => {
    await using replica = await gatedReplica("secretless");
    const name = nextName();
    await put(name, "zero");
    await until(() => isReady(name, "zero"));
    replica.close();
    await put(name, "one");
    await until(() => replica.changes(name, "begin") === 2);
    const { uid } = (await get(name)).metadata;
    await client.delete(secrets, { namespace, name: stateSecretName(uid!) });
    replica.open();
    await until(() => isReady(name, "one"));
    expect(titlesOf(name)).toEqual([titled(name, "one")]);
    await remove(name);
  });

  test("go on after the API server was killed, etcd compacted, and their watches cut, while users write all the time", async ({
    expect,
  }) => {
    await using network = await BreakableNetwork.open(new URL(server.url));
    const kubeconfig = join(folder, "storm.kubeconfig");
    writeFileSync(kubeconfig, server.kubeconfig().replace(server.url, `https://127.0.0.1:${network.port}`));
    await using one = await Replica.start({ ...base, member: "storm-one", latencyMs: 10 });
    await using two = await Replica.start({ ...base, member: "storm-two", latencyMs: 10, kubeconfig });
    expect(one.member).not.toBe(two.member);
    const names = Array.from({ length: 24 }, nextName);
    const stop = new AbortController();
    let conflicts = 0;
    /** Writes a note again and again, on the condition of its version and without it. */
    const storm = async (name: string): Promise<void> => {
      for (let round = 0; !stop.signal.aborted; round += 1) {
        try {
          const { metadata } = await get(name);
          await new Promise((resolve) => setTimeout(resolve, 20));
          const patch = { metadata: { resourceVersion: metadata.resourceVersion, annotations: { round: String(round) } } };
          await client.mergePatch(notes, { namespace, name }, patch);
        } catch (error) {
          if (isConflict(error)) conflicts += 1;
        }
      }
    };
    const retried = async (write: () => Promise<void>): Promise<void> => {
      for (;;) {
        try {
          return await write();
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    };
    await Promise.all(names.map((name) => put(name, "one")));
    // Two users of each note, who also conflict when no replica writes any more.
    const storms = names.slice(0, 8).flatMap((name) => [storm(name), storm(name)]);
    network.cut();
    await server.stopApiServer();
    await server.compact();
    await server.startApiServer();
    network.cut();
    await Promise.all(names.map((name) => retried(() => put(name, "two"))));
    await server.compact();
    network.cut();
    await until(() => conflicts > 20);
    stop.abort();
    await Promise.all(storms);
    // What the server did not answer may need a decision, as after a kill.
    await until(async () => {
      const states = await Promise.all(
        names.map(async (name) => {
          const object = await get(name);
          if (messageOf(object).includes("its outcome is not known")) {
            const [note] = store.searchNotes(`${name} `, null);
            await annotate(name, note ? { [externalName]: note.id } : { "crossplane.io/external-create-pending": null });
            return false;
          }
          return await isReady(name, "two");
        }),
      );
      return states.every(Boolean);
    });
    for (const name of names) expect(titlesOf(name)).toEqual([titled(name, "two")]);
    await Promise.all(names.map(remove));
    for (const name of names) expect(titlesOf(name)).toEqual([]);
  });
});
