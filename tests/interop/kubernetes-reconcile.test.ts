// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StateStore, stateSecretName, type ResourceRules } from "@tenon/bridge/kubernetes";
import { isConflict, secrets, type ApiClient } from "@tenon/bridge/kubernetes/machinery";
import { provider as notebookDefinition } from "@tenon/example-notebook";
import { Notebook } from "@tenon/example-notebook/store";
import { KubernetesServer } from "@tenon/peers/kubernetes";
import { describePeer } from "@tenon/peers/vitest";
import { createProvider } from "@tenon/provider-sdk";
import { ProviderError, type Provider } from "@tenon/schema";
import { afterAll, beforeAll, describe, test } from "vitest";
import { configuration } from "./go-provider.ts";
import { adminClient, until } from "./kubernetes-setup.ts";
import { TestOperator } from "./kubernetes-operator.ts";

const note = "notebook_note";
const page = "notebook_page";
const rules: Readonly<Record<string, ResourceRules>> = {
  [page]: { references: { note_id: { type: note } } },
  [note]: { notFoundErrors: ["no such note"] },
};

describePeer(["kube-apiserver", "etcd"], "the reconciler of custom resources", (programs) => {
  let server: KubernetesServer;
  let client: ApiClient;
  let folder: string;
  let store: Notebook;
  let operator: TestOperator;
  /** Replaces calls of the provider, for one test. */
  let override: Partial<Provider> = {};

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tenon-reconcile-"));
    server = await KubernetesServer.start(programs);
    client = await adminClient(server);
    const path = join(folder, "notes.db");
    store = new Notebook(path);
    const provider = createProvider(notebookDefinition);
    const { provider: schema } = await provider.getProviderSchema({});
    const { diagnostics } = await provider.configureProvider({ terraformVersion: "1.12.6", config: configuration(schema!, { path }) });
    if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
    const overridden = new Proxy(provider, {
      get(target, name) {
        const member: unknown = Reflect.get(override, name) ?? Reflect.get(target, name);
        return typeof member === "function" ? (member.bind(target) as unknown) : member;
      },
    });
    operator = await TestOperator.start({ client, provider: overridden, resources: [note, page], rules });
  });
  afterAll(async () => {
    await operator?.[Symbol.asyncDispose]();
    store?.close();
    await client?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const externalName = "crossplane.io/external-name";
  const nameOf = async (type: string, name: string): Promise<string> =>
    (await operator.get(type, name)).metadata.annotations![externalName]!;

  test("creates, updates, repairs and deletes a resource", async ({ expect }) => {
    operator.changes.length = 0;
    await operator.put(note, "life", { forProvider: { title: "first", tags: { a: "1" } } });
    const created = await operator.ready(note, "life");
    const id = created.metadata.annotations![externalName]!;
    expect(store.findNote(id)).toMatchObject({ title: "first", folder: "inbox", tags: { a: "1" }, revision: 1 });
    expect(created.status?.atProvider).toEqual({ id, title: "first", folder: "inbox", tags: { a: "1" }, revision: 1 });
    expect(created.metadata.finalizers).toEqual(["finalizer.managedresource.crossplane.io"]);
    expect(await operator.state(note, "life")).toMatchObject({ typeName: note, object: { status: "ready" } });

    await operator.put(note, "life", { forProvider: { title: "second" } });
    await until(() => store.findNote(id)?.title === "second");
    const updated = await operator.becomes(note, "life", ({ status }) => status?.atProvider?.["revision"] === 2);
    expect(updated.status?.atProvider).not.toHaveProperty("tags");

    await store.changeNote(id, { title: "changed by another", folder: "inbox", body: null, tags: null, passphrase: null });
    await operator.annotate(note, "life", { "crossplane.io/reconcile-requested-at": "now" });
    await until(() => store.findNote(id)?.title === "second");

    const { uid } = created.metadata;
    await operator.delete(note, "life");
    await operator.gone(note, "life");
    expect(store.findNote(id)).toBeUndefined();
    await operator.stateGone(uid!);
    expect(operator.changes).toEqual(["create", "update", "update", "delete"]);
  });

  test("copies values that the provider has chosen to the spec, once", async ({ expect }) => {
    await operator.put(note, "late", { forProvider: { title: "late" } });
    const object = await operator.becomes(note, "late", ({ spec }) => spec.forProvider["folder"] === "inbox");
    expect(object.spec.forProvider).toEqual({ title: "late", folder: "inbox" });
    await operator.put(note, "early", { forProvider: { title: "early" }, managementPolicies: ["Observe", "Create", "Update", "Delete"] });
    expect((await operator.ready(note, "early")).spec.forProvider).toEqual({ title: "early" });
  });

  describe("if a change requires a replacement", () => {
    test("rejects the change with its reason, and replaces the resource after that is allowed", async ({ expect }) => {
      await operator.put(note, "moved", { forProvider: { title: "moved", folder: "a" } });
      await operator.ready(note, "moved");
      const before = await nameOf(note, "moved");
      operator.changes.length = 0;
      await operator.put(note, "moved", { forProvider: { title: "moved", folder: "b" } });
      expect(await operator.fails(note, "moved", "needs a replacement")).toContain("a change of folder needs a replacement");
      expect([operator.changes, store.findNote(before)?.folder]).toEqual([[], "a"]);
      await operator.annotate(note, "moved", { "tenon.dev/replacement-policy": "DeleteFirst" });
      await operator.ready(note, "moved");
      const after = await nameOf(note, "moved");
      expect([store.findNote(before), store.findNote(after)?.folder]).toEqual([undefined, "b"]);
      expect(operator.changes).toEqual(["delete", "create"]);
    });

    test("creates the new resource first under the policy CreateFirst", async ({ expect }) => {
      const annotations = { "tenon.dev/replacement-policy": "CreateFirst" };
      await operator.put(note, "swapped", { forProvider: { title: "swapped", folder: "a" } }, { annotations });
      await operator.ready(note, "swapped");
      const before = await nameOf(note, "swapped");
      operator.changes.length = 0;
      await operator.put(note, "swapped", { forProvider: { title: "swapped", folder: "b" } }, { annotations });
      await operator.becomes(note, "swapped", ({ status }) => status?.atProvider?.["folder"] === "b");
      expect([store.findNote(before), store.findNote(await nameOf(note, "swapped"))?.folder]).toEqual([undefined, "b"]);
      expect(operator.changes).toEqual(["create", "delete"]);
      expect(await operator.state(note, "swapped")).not.toHaveProperty("deposed");
    });

    test("keeps the old resource if the creation fails, and deletes it later if only the deletion failed", async ({ expect }) => {
      const annotations = { "tenon.dev/replacement-policy": "CreateFirst" };
      await operator.put(note, "kept", { forProvider: { title: "kept", folder: "a" } }, { annotations });
      await operator.ready(note, "kept");
      const before = await nameOf(note, "kept");
      const fail = (kind: "create" | "delete"): Partial<Provider> => ({
        async applyResourceChange(this: Provider, request, options) {
          const isMatch = kind === "create" ? request.priorState.payload === null : request.plannedState.payload === null;
          if (!isMatch) return await this.applyResourceChange(request, options);
          const diagnostics = [{ severity: "error", summary: `no ${kind}`, detail: "", path: [] }] as never;
          return { newState: request.priorState, private: new Uint8Array(), diagnostics, legacyTypeSystem: false };
        },
      });
      override = fail("create");
      await operator.put(note, "kept", { forProvider: { title: "kept", folder: "b" } }, { annotations });
      await operator.fails(note, "kept", "no create");
      expect(store.findNote(before)?.folder).toBe("a");
      override = fail("delete");
      await operator.fails(note, "kept", "no delete");
      expect(await operator.state(note, "kept")).toHaveProperty("deposed");
      override = {};
      await until(async () => (await operator.state(note, "kept"))?.deposed === undefined);
      expect(store.findNote(before)).toBeUndefined();
      const now = await operator.ready(note, "kept");
      expect(store.findNote(now.metadata.annotations![externalName]!)?.folder).toBe("b");
    });
  });

  describe("does nothing", () => {
    test("with a resource that an annotation or its policies pause", async ({ expect }) => {
      operator.changes.length = 0;
      await operator.put(note, "paused", { forProvider: { title: "paused" } }, { annotations: { "crossplane.io/paused": "true" } });
      await operator.put(note, "no-policy", { forProvider: { title: "paused" }, managementPolicies: [] });
      for (const name of ["paused", "no-policy"]) {
        await operator.becomes(note, name, ({ status }) => status?.conditions?.some(({ reason }) => reason === "ReconcilePaused") === true);
      }
      expect(operator.changes).toEqual([]);
      await operator.annotate(note, "paused", { "crossplane.io/paused": null });
      await operator.ready(note, "paused");
    });

    test("with an unsupported combination of policies", async ({ expect }) => {
      await operator.put(note, "invalid", { forProvider: { title: "x" }, managementPolicies: ["Create", "Update"] });
      expect(await operator.fails(note, "invalid", "management policies")).toContain('["Create","Update"] are not supported together');
    });
  });

  describe("follows the management policies", () => {
    test("and only observes a resource by its external name", async ({ expect }) => {
      const { id } = await store.createNote({ title: "old", folder: "x", body: null, tags: null, passphrase: null });
      operator.changes.length = 0;
      const annotations = { [externalName]: id };
      await operator.put(note, "observed", { forProvider: {}, managementPolicies: ["Observe"] }, { annotations });
      const object = await operator.ready(note, "observed");
      expect(object.status?.atProvider).toMatchObject({ id, title: "old", folder: "x" });
      await operator.delete(note, "observed");
      await operator.gone(note, "observed");
      expect([operator.changes, store.findNote(id)?.title]).toEqual([[], "old"]);
      await operator.put(
        note,
        "absent",
        { forProvider: {}, managementPolicies: ["Observe"] },
        { annotations: { [externalName]: "999999" } },
      );
      await operator.fails(note, "absent", "does not exist");
    });

    test("and adopts, updates and orphans an existing resource", async ({ expect }) => {
      const { id } = await store.createNote({ title: "old", folder: "x", body: null, tags: null, passphrase: null });
      operator.changes.length = 0;
      const spec = { forProvider: { title: "new", folder: "x" }, managementPolicies: ["Observe", "Update"] };
      await operator.put(note, "adopted", spec, { annotations: { [externalName]: id } });
      await operator.ready(note, "adopted");
      expect(store.findNote(id)?.title).toBe("new");
      const { uid } = (await operator.get(note, "adopted")).metadata;
      await operator.delete(note, "adopted");
      await operator.gone(note, "adopted");
      expect([operator.changes, store.findNote(id)?.title]).toEqual([["update"], "new"]);
      await operator.stateGone(uid!);
    });

    test("and does not update without the policy Update", async ({ expect }) => {
      await operator.put(note, "created", { forProvider: { title: "one" }, managementPolicies: ["Observe", "Create"] });
      await operator.ready(note, "created");
      operator.changes.length = 0;
      await operator.put(note, "created", { forProvider: { title: "two" }, managementPolicies: ["Observe", "Create"] });
      const object = await operator.ready(note, "created");
      expect([operator.changes, object.status?.atProvider?.["title"]]).toEqual([[], "one"]);
    });
  });

  test("creates a resource whose import fails, if the error says that it does not exist", async ({ expect }) => {
    const failingImport = (summary: string): Partial<Provider> => ({
      importResourceState: async () =>
        ({ importedResources: [], diagnostics: [{ severity: "error", summary, detail: "", path: [] }] }) as never,
    });
    override = failingImport("The token was refused");
    await operator.put(note, "named", { forProvider: { title: "named" } }, { annotations: { [externalName]: "424242" } });
    await operator.fails(note, "named", "The token was refused");
    override = failingImport("There is No Such Note");
    await operator.ready(note, "named");
    override = {};
    expect(store.findNote(await nameOf(note, "named"))?.title).toBe("named");
  });

  test("resolves references, and waits for their targets", async ({ expect }) => {
    await operator.put(page, "referring", { forProvider: { text: "t", noteIdRef: { name: operator.name("referred") } } });
    await operator.fails(page, "referring", "does not exist");
    await operator.put(note, "referred", { forProvider: { title: "referred" } }, { labels: { book: operator.name("b") } });
    const object = await operator.ready(page, "referring");
    expect(object.spec.forProvider["noteId"]).toBe(await nameOf(note, "referred"));
    await operator.put(page, "selecting", { forProvider: { text: "t", noteIdSelector: { matchLabels: { book: operator.name("b") } } } });
    const selecting = await operator.ready(page, "selecting");
    expect(selecting.spec.forProvider).toMatchObject({
      noteId: await nameOf(note, "referred"),
      noteIdRef: { name: operator.name("referred") },
    });
  });

  test("reads sensitive values from Secrets, publishes them in a connection Secret, and shows them nowhere else", async ({ expect }) => {
    const secret = { metadata: { namespace: "default", name: operator.name("in") }, stringData: { pin: "hunter2" } };
    const spec = {
      forProvider: { title: "secret", passphraseSecretRef: { name: operator.name("in"), key: "pin" } },
      writeConnectionSecretToRef: { name: operator.name("out") },
    };
    await operator.put(note, "secret", spec);
    await operator.fails(note, "secret", `the Secret ${operator.name("in")} or its key pin does not exist`);
    await client.create(secrets, secret as never);
    const object = await operator.ready(note, "secret");
    expect(store.findNote(await nameOf(note, "secret"))?.passphrase).toBe("hunter2");
    const published = await client.get(secrets, { namespace: "default", name: operator.name("out") });
    const data = { "attribute.passphrase": Buffer.from("hunter2").toString("base64") };
    expect(published).toMatchObject({ type: "connection.crossplane.io/v1alpha1", data });
    expect(JSON.stringify(object)).not.toContain("hunter2");
    expect(operator.log.join("")).not.toContain("hunter2");

    await client.create(secrets, { metadata: { namespace: "default", name: operator.name("foreign") }, stringData: { a: "b" } } as never);
    await operator.put(note, "secret", { ...spec, writeConnectionSecretToRef: { name: operator.name("foreign") } });
    await operator.fails(note, "secret", "does not belong to");
  });

  test("stores a partially created resource, and replaces it", async ({ expect }) => {
    await operator.put(note, "book", { forProvider: { title: "book" } });
    await operator.ready(note, "book");
    const spec = (label: string) => ({ forProvider: { text: "t", noteIdRef: { name: operator.name("book") }, labels: [label] } });
    await operator.put(page, "partial", spec("UPPER"));
    await operator.fails(page, "partial", "labels are lower case");
    // It is replaced, and fails again, until the labels are right.
    await until(async () => (await operator.state(page, "partial"))?.object?.status === "tainted");
    await operator.put(page, "partial", spec("lower"));
    const object = await operator.ready(page, "partial");
    expect(store.findPage(object.metadata.annotations![externalName]!)).toMatchObject({ labels: ["lower"] });
    expect(await operator.state(page, "partial")).toMatchObject({ object: { status: "ready" } });
  });

  describe("if the outcome of a creation is unknown", () => {
    /** A provider that creates and then breaks off. */
    const lostResponse = (sent: boolean): Partial<Provider> => ({
      async applyResourceChange(this: Provider, request, options) {
        if (request.priorState.payload !== null) return await this.applyResourceChange(request, options);
        if (sent) await this.applyResourceChange(request, options);
        override = {};
        throw new ProviderError("UNAVAILABLE", "the provider ended", { requestSent: sent });
      },
    });

    test("does not repeat the creation, and says what to do", async ({ expect }) => {
      operator.changes.length = 0;
      override = lostResponse(true);
      await operator.put(note, "unknown", { forProvider: { title: "the only one" } });
      const message = await operator.fails(note, "unknown", "its outcome is not known");
      expect(message).toContain("set the annotation crossplane.io/external-name");
      await operator.annotate(note, "unknown", { "crossplane.io/reconcile-requested-at": "1" });
      expect(operator.changes).toEqual(["create"]);
      const [found, ...others] = store.searchNotes("the only one", null);
      expect(others).toEqual([]);
      await operator.annotate(note, "unknown", { [externalName]: found!.id });
      const object = await operator.ready(note, "unknown");
      expect(object.metadata.annotations).toHaveProperty("crossplane.io/external-create-succeeded");
      expect(operator.changes).toEqual(["create"]);
    });

    // The external name is that of an earlier resource then, which says nothing about the one that was created.
    test.for(["vanished", "DeleteFirst", "CreateFirst"] as const)(
      "does not repeat the creation of a resource that replaces another one: %s",
      async (reason, { expect }) => {
        const name = `again-${reason.toLowerCase()}`;
        const annotations = { "tenon.dev/replacement-policy": reason };
        await operator.put(note, name, { forProvider: { title: name, folder: "a" } }, { annotations });
        await operator.ready(note, name);
        const before = await nameOf(note, name);
        if (reason === "vanished") await store.removeNote(before);
        operator.changes.length = 0;
        override = lostResponse(true);
        await operator.put(note, name, { forProvider: { title: name, folder: "b" } }, { annotations });
        await operator.fails(note, name, "its outcome is not known");
        const isKept = reason === "CreateFirst";
        const [found, ...others] = store.searchNotes(name, null).filter(({ id }) => id !== before);
        expect([others, store.findNote(before) !== undefined]).toEqual([[], isKept]);
        await operator.annotate(note, name, { [externalName]: found!.id });
        const object = await operator.ready(note, name);
        expect(object.status?.atProvider).toMatchObject({ id: found!.id, folder: "b" });
        await until(() => store.findNote(before) === undefined);
        const changes = { vanished: ["create"], DeleteFirst: ["delete", "create"], CreateFirst: ["create", "delete"] };
        expect(operator.changes).toEqual(changes[reason]);
      },
    );

    test("creates the resource after the user has confirmed that none exists", async ({ expect }) => {
      operator.changes.length = 0;
      override = lostResponse(true);
      await operator.put(note, "decided", { forProvider: { title: "decided" } });
      await operator.fails(note, "decided", "its outcome is not known");
      await operator.annotate(note, "decided", { "crossplane.io/external-create-pending": null });
      await operator.ready(note, "decided");
      expect(operator.changes).toEqual(["create", "create"]);
    });

    test("keeps the outcome although a replica with a stale object has announced a creation, too", async ({ expect }) => {
      operator.changes.length = 0;
      override = {
        async applyResourceChange(this: Provider, request, options) {
          override = {};
          const response = await this.applyResourceChange(request, options);
          const states = new StateStore({ client, clusterNamespace: "default" });
          const stale = await states.open(await operator.get(note, "contested"));
          await stale.save({ ...stale.current!, pending: { operation: "create", since: "1999-01-01T00:00:00Z" } });
          return response;
        },
      };
      await operator.put(note, "contested", { forProvider: { title: "contested" } });
      await operator.ready(note, "contested");
      expect([operator.changes, store.searchNotes("contested", null).length]).toEqual([["create"], 1]);
      expect(await operator.state(note, "contested")).not.toHaveProperty("pending");
    });

    test("repeats the creation if the request was not sent", async ({ expect }) => {
      operator.changes.length = 0;
      override = lostResponse(false);
      await operator.put(note, "unsent", { forProvider: { title: "unsent" } });
      const object = await operator.ready(note, "unsent");
      expect(object.metadata.annotations).toHaveProperty("crossplane.io/external-create-failed");
      expect([operator.changes, store.searchNotes("unsent", null).length]).toEqual([["create", "create"], 1]);
    });
  });

  describe("stores a state", () => {
    test("and rebuilds a lost one by import, with an event", async ({ expect }) => {
      await operator.put(note, "rebuilt", { forProvider: { title: "rebuilt" } });
      const { metadata } = await operator.ready(note, "rebuilt");
      await client.delete(secrets, { namespace: "default", name: stateSecretName(metadata.uid!) });
      operator.changes.length = 0;
      await operator.annotate(note, "rebuilt", { "crossplane.io/reconcile-requested-at": "1" });
      await until(async () => (await operator.state(note, "rebuilt")) !== undefined);
      expect(operator.changes).toEqual([]);
      await until(async () => (await operator.eventReasons(note, "rebuilt")).includes("ImportedExternalResource"));
    });

    test("and creates a resource again that was deleted outside", async ({ expect }) => {
      await operator.put(note, "vanished", { forProvider: { title: "vanished" } });
      await operator.ready(note, "vanished");
      const before = await nameOf(note, "vanished");
      await store.removeNote(before);
      await operator.annotate(note, "vanished", { "crossplane.io/reconcile-requested-at": "1" });
      await until(async () => (await nameOf(note, "vanished")) !== before);
      expect(store.findNote(await nameOf(note, "vanished"))?.title).toBe("vanished");
    });

    test("conditionally: the second of two replicas can neither overwrite nor delete it", async ({ expect }) => {
      await operator.put(note, "two", { forProvider: { title: "two" }, managementPolicies: [] });
      const owner = await operator.get(note, "two");
      const states = new StateStore({ client, clusterNamespace: "default" });
      const [first, second] = [await states.open(owner), await states.open(owner)];
      const base = { provider: "p", typeName: note };
      await first.save(base);
      await expect(second.save({ ...base, pending: { operation: "create", since: "now" } })).rejects.toMatchObject({ status: 409 });
      const stale = await states.open(owner);
      await first.save({ ...base, pending: { operation: "update", since: "now" } });
      await expect(stale.save({ ...base, pending: { operation: "delete", since: "now" } })).rejects.toSatisfy(isConflict);
      await expect(stale.delete()).rejects.toSatisfy(isConflict);
      expect((await states.open(owner)).current).toEqual({ ...base, pending: { operation: "update", since: "now" } });
      await first.delete();
      expect((await states.open(owner)).current).toBeUndefined();
    });
  });
});
