// SPDX-License-Identifier: Apache-2.0
// What the status and the events of custom resources show: plans, drift, warnings, and operations with their progress.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ManagedResource, ResourceRules } from "@tenon/bridge/kubernetes";
import { secrets, type ApiClient } from "@tenon/bridge/kubernetes/machinery";
import { provider as notebookDefinition } from "@tenon/example-notebook";
import { Notebook } from "@tenon/example-notebook/store";
import { KubernetesServer } from "@tenon/peers/kubernetes";
import { describePeer } from "@tenon/peers/vitest";
import { createProvider } from "@tenon/provider-sdk";
import { ProviderError, type Provider } from "@tenon/schema";
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from "vitest";
import { configuration } from "./go-provider.ts";
import { TestOperator, type OperatorOptions } from "./kubernetes-operator.ts";
import { adminClient, until } from "./kubernetes-setup.ts";

const note = "notebook_note";
const externalName = "crossplane.io/external-name";
const again = { "crossplane.io/reconcile-requested-at": "now" };

type Apply = Provider["applyResourceChange"];

function condition({ status }: ManagedResource, type: string) {
  return status?.conditions?.find((one) => one.type === type);
}

describePeer(["kube-apiserver", "etcd"], "the status of custom resources", (programs) => {
  let server: KubernetesServer;
  let client: ApiClient;
  let folder: string;
  let store: Notebook;
  /** Replaces calls of the provider, for one test. */
  let override: Partial<Provider> = {};
  const cleanUp = new AsyncDisposableStack();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tenon-plan-"));
    server = await KubernetesServer.start(programs);
    client = await adminClient(server);
    store = new Notebook(join(folder, "notes.db"));
  });
  afterAll(async () => {
    await cleanUp.disposeAsync();
    store?.close();
    await client?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    override = {};
  });

  async function startOperator(options: Partial<OperatorOptions> = {}): Promise<TestOperator> {
    const provider = createProvider(notebookDefinition);
    const { provider: schema } = await provider.getProviderSchema({});
    const config = configuration(schema!, { path: join(folder, "notes.db") });
    const { diagnostics } = await provider.configureProvider({ terraformVersion: "1.12.6", config });
    if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
    const overridden = new Proxy(provider, {
      get(target, name) {
        const member: unknown = Reflect.get(override, name) ?? Reflect.get(target, name);
        return typeof member === "function" ? (member.bind(target) as unknown) : member;
      },
    });
    const operator = await TestOperator.start({ client, provider: overridden, resources: [note], ...options });
    cleanUp.use(operator);
    return operator;
  }

  describe("shows a plan", () => {
    let operator: TestOperator;
    beforeAll(async () => {
      operator = await startOperator();
    });
    const planOnly = { managementPolicies: ["Observe", "Plan"] };

    test("and makes no change where the policy is Plan", async ({ expect }) => {
      operator.changes.length = 0;
      const secret = { metadata: { namespace: "default", name: operator.name("pin") }, stringData: { pin: "hunter2" } };
      await client.create(secrets, secret as never);
      const forProvider = { title: "planned", passphraseSecretRef: { name: operator.name("pin"), key: "pin" } };
      await operator.put(note, "planned", { forProvider, ...planOnly });
      const missing = await operator.becomes(note, "planned", ({ status }) => status?.plan !== undefined);
      expect(missing.status?.plan).toEqual({
        action: "Create",
        changes: [
          { path: "folder", to: '"inbox"' },
          { path: "passphrase", sensitive: true },
          { path: "title", to: '"planned"' },
        ],
        message: "the management policy Plan allows no change",
        plannedAt: expect.any(String) as string,
      });
      expect(condition(missing, "UpToDate")).toMatchObject({ status: "False", reason: "PlanOnly" });
      expect(condition(missing, "Ready")).toMatchObject({ status: "False", reason: "Unavailable" });
      expect(condition(missing, "Synced")).toMatchObject({ status: "True" });
      expect(operator.changes).toEqual([]);
      await until(async () => (await operator.eventReasons(note, "planned")).includes("PlannedExternalResourceChange"));
      const [event] = await operator.eventsOf(missing.metadata.uid!);
      expect(event).toMatchObject({ type: "Normal", note: 'Create: folder: "inbox"; passphrase: (sensitive); title: "planned"' });

      // The same plan is neither written nor reported again.
      await operator.annotate(note, "planned", again);
      await operator.put(note, "planned", { forProvider });
      const object = await operator.ready(note, "planned");
      expect(operator.changes).toEqual(["create"]);
      expect(object.status).not.toHaveProperty("plan");
      expect(condition(object, "UpToDate")).toMatchObject({ status: "True", reason: "NoChanges" });
      expect((await operator.eventReasons(note, "planned")).filter((reason) => reason.startsWith("Planned"))).toHaveLength(1);

      await operator.put(note, "planned", { forProvider: { ...forProvider, title: "again", folder: "inbox" }, ...planOnly });
      const changed = await operator.becomes(note, "planned", ({ status }) => status?.plan !== undefined);
      expect(changed.status?.plan?.changes).toEqual([
        { path: "revision", from: "1", unknown: true },
        { path: "title", from: '"planned"', to: '"again"' },
      ]);
      expect(condition(changed, "Ready")).toMatchObject({ status: "True" });
      expect([operator.changes, JSON.stringify(changed).includes("hunter2")]).toEqual([["create"], false]);
      await operator.delete(note, "planned");
      await operator.gone(note, "planned");
      expect(store.findNote(changed.metadata.annotations![externalName]!)?.title).toBe("planned");
    });

    test("which the policies or the replacement policy do not allow", async ({ expect }) => {
      const spec = (title: string, folderName: string) => ({ forProvider: { title, folder: folderName } });
      await operator.put(note, "kept", spec("kept", "a"));
      await operator.ready(note, "kept");
      operator.changes.length = 0;
      await operator.put(note, "kept", { ...spec("other", "a"), managementPolicies: ["Observe", "Create"] });
      const kept = await operator.becomes(note, "kept", ({ status }) => status?.plan !== undefined);
      expect(condition(kept, "UpToDate")).toMatchObject({ status: "False", reason: "ChangesNotAllowed" });
      expect(condition(kept, "Synced")).toMatchObject({ status: "True" });
      await operator.put(note, "kept", { ...spec("kept", "b"), managementPolicies: ["*"] });
      await operator.fails(note, "kept", "needs a replacement");
      const refused = await operator.get(note, "kept");
      expect(refused.status?.plan).toMatchObject({
        action: "Replace",
        message: expect.stringContaining("folder needs a replacement") as string,
      });
      expect(refused.status?.plan?.changes[0]).toEqual({ path: "folder", from: '"a"', to: '"b"', requiresReplacement: true });
      expect(condition(refused, "UpToDate")).toMatchObject({ status: "False", reason: "ReplacementRefused" });
      expect(operator.changes).toEqual([]);
    });

    test("while a change is being made, after the drift that it repairs", async ({ expect }) => {
      await operator.put(note, "drifted", { forProvider: { title: "mine" } });
      const { metadata } = await operator.ready(note, "drifted");
      const id = metadata.annotations![externalName]!;
      await store.changeNote(id, { title: "theirs", folder: "inbox", body: null, tags: { by: "them" }, passphrase: null });
      let seen: ManagedResource["status"];
      override = {
        async applyResourceChange(this: Provider, ...parameters: Parameters<Apply>): ReturnType<Apply> {
          seen = (await operator.get(note, "drifted")).status;
          return await this.applyResourceChange(...parameters);
        },
      };
      await operator.annotate(note, "drifted", again);
      await until(() => store.findNote(id)?.title === "mine");
      expect(seen?.drift?.changes).toEqual([
        { path: "revision", from: "1", to: "2" },
        { path: "tags.by", to: '"them"' },
        { path: "title", from: '"mine"', to: '"theirs"' },
      ]);
      expect(seen?.plan).toMatchObject({ action: "Update" });
      expect(seen?.conditions).toContainEqual(expect.objectContaining({ type: "UpToDate", status: "False", reason: "ChangesPending" }));
      const repaired = await operator.becomes(note, "drifted", ({ status }) => status?.plan === undefined);
      expect(repaired.status?.drift).toEqual(seen?.drift);
      await until(async () => (await operator.eventReasons(note, "drifted")).includes("UpdatedExternalResource"));
      const events = await operator.eventsOf(metadata.uid!);
      expect(events.map(({ reason }) => reason)).toContain("PlannedExternalResourceChange");
      expect(events.find(({ reason }) => reason === "DriftDetected")?.note).toContain('title: "mine" -> "theirs"');
    });

    test("and reports drift of a resource that is only observed, or has vanished", async ({ expect }) => {
      const { id } = await store.createNote({ title: "old", folder: "x", body: null, tags: null, passphrase: "hunter2" });
      const annotations = { [externalName]: id };
      await operator.put(note, "seen", { forProvider: {}, managementPolicies: ["Observe"] }, { annotations });
      const first = await operator.ready(note, "seen");
      expect([first.status?.drift, condition(first, "UpToDate")?.status]).toEqual([undefined, "Unknown"]);
      await store.changeNote(id, { title: "new", folder: "x", body: null, tags: null, passphrase: "hunter3" });
      await operator.annotate(note, "seen", again);
      const second = await operator.becomes(note, "seen", ({ status }) => status?.drift !== undefined);
      expect(second.status?.drift?.changes).toContainEqual({ path: "passphrase", sensitive: true });
      expect(JSON.stringify(second)).not.toContain("hunter");
      await store.removeNote(id);
      await operator.annotate(note, "seen", { "crossplane.io/reconcile-requested-at": "later" });
      await operator.fails(note, "seen", "does not exist");
      expect((await operator.get(note, "seen")).status?.drift?.message).toBe("the resource does not exist any more");
    });
  });

  test("has the provider's warnings as one event for each, with a count", async ({ expect }) => {
    const operator = await startOperator();
    override = {
      async validateResourceConfig(this: Provider, ...parameters) {
        const { diagnostics } = await this.validateResourceConfig(...parameters);
        return { diagnostics: [...diagnostics, { severity: "warning", summary: "Old", detail: "use another", path: [] }] } as never;
      },
    };
    await operator.put(note, "warned", { forProvider: { title: "warned", folder: "inbox" } });
    const { metadata } = await operator.ready(note, "warned");
    await operator.annotate(note, "warned", again);
    const warnings = async () => (await operator.eventsOf(metadata.uid!)).filter(({ reason }) => reason === "ProviderWarning");
    await until(async () => (await warnings())[0]?.series !== undefined);
    expect(await warnings()).toMatchObject([{ type: "Warning", note: "Old: use another", series: { count: 2 } }]);
  });

  describe("shows an asynchronous operation", () => {
    const rules: Readonly<Record<string, ResourceRules>> = { [note]: { asynchronous: true } };
    let operator: TestOperator;
    beforeAll(async () => {
      operator = await startOperator({ rules, workers: 1, maxOperations: 2 });
    });

    const releases: (() => void)[] = [];
    // A test that fails does not hold the operations of the next one.
    afterEach(() => {
      for (const release of releases.splice(0)) release();
    });

    /** Holds the changes of one kind until they are released, at the latest at the end of the test. */
    function held(kind: "create" | "update" | "delete", failure?: string): { readonly begun: Promise<void>; readonly release: () => void } {
      const begun = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      releases.push(gate.resolve);
      override = {
        async applyResourceChange(this: Provider, request, ...rest) {
          const isMatch =
            kind === (request.priorState.payload === null ? "create" : request.plannedState.payload === null ? "delete" : "update");
          if (!isMatch) return await this.applyResourceChange(request, ...rest);
          begun.resolve();
          await gate.promise;
          if (failure === undefined) return await this.applyResourceChange(request, ...rest);
          const diagnostics = [{ severity: "error", summary: failure, detail: "", path: [] }] as never;
          return { newState: request.priorState, private: new Uint8Array(), diagnostics, legacyTypeSystem: false };
        },
      };
      return { begun: begun.promise, release: gate.resolve };
    }
    const call = (id: string) => ({ tf_resource_type: note, tf_rpc: "ApplyResourceChange", tf_req_id: id });

    test("which blocks no worker, with its progress", async ({ expect }) => {
      const secret = { metadata: { namespace: "default", name: operator.name("pin") }, stringData: { pin: "hunter2" } };
      await client.create(secrets, secret as never);
      const passphraseSecretRef = { name: operator.name("pin"), key: "pin" };
      const { begun, release } = held("create");
      await operator.put(note, "slow", { forProvider: { title: "slow", passphraseSecretRef } });
      await begun;
      const slow = await operator.becomes(note, "slow", ({ status }) => status?.operation?.message !== undefined);
      expect(slow.status?.operation).toMatchObject({ type: "Create", message: "create" });
      expect(Date.parse(slow.status!.operation!.startedAt)).toBeLessThanOrEqual(Date.now());
      expect(slow.status?.plan?.action).toBe("Create");
      expect(condition(slow, "AsyncOperation")).toMatchObject({ status: "False", reason: "Ongoing" });
      expect(condition(slow, "Ready")).toMatchObject({ status: "False", reason: "Creating" });
      operator.addLogLine({ message: "waits with hunter2", fields: call("1") });
      operator.addLogLine({ message: "of a read", fields: { ...call("2"), tf_rpc: "ReadResource" } });
      const line = "create: waits with (sensitive value)";
      await operator.becomes(note, "slow", ({ status }) => status?.operation?.message === line);
      // The only worker does other work meanwhile.
      await operator.put(note, "paused", { forProvider: { title: "p" }, managementPolicies: [] });
      await operator.becomes(note, "paused", (object) => condition(object, "Synced")?.reason === "ReconcilePaused");
      // So does a second operation; a third one waits for its turn.
      await operator.put(note, "second", { forProvider: { title: "second" } });
      await operator.becomes(note, "second", ({ status }) => status?.operation !== undefined);
      operator.addLogLine({ message: "of the first", fields: call("1") });
      operator.addLogLine({ message: "of one of both", fields: call("3") });
      await operator.becomes(note, "slow", ({ status }) => status?.operation?.message === "create: of the first");
      // The line of one of both is in neither.
      await operator.becomes(note, "second", ({ status }) => status?.operation?.message === "create");
      await operator.put(note, "third", { forProvider: { title: "third" } });
      release();
      const done = await operator.ready(note, "slow");
      expect(done.status).not.toHaveProperty("operation");
      expect(done.status).not.toHaveProperty("plan");
      expect(condition(done, "AsyncOperation")).toMatchObject({ status: "True", reason: "Finished" });
      expect(condition(done, "LastAsyncOperation")).toMatchObject({ status: "True", reason: "Success" });
      expect(store.findNote(done.metadata.annotations![externalName]!)?.title).toBe("slow");
      await operator.ready(note, "second");
      await operator.ready(note, "third");
      expect(["slow", "second", "third"].map((title) => store.searchNotes(title, null).length)).toEqual([1, 1, 1]);
    });

    test("with a change of the object meanwhile, and a deletion", async ({ expect }) => {
      await operator.put(note, "busy", { forProvider: { title: "one" } });
      const { metadata } = await operator.ready(note, "busy");
      const id = metadata.annotations![externalName]!;
      const update = held("update");
      await operator.put(note, "busy", { forProvider: { title: "two" } });
      await update.begun;
      await operator.put(note, "busy", { forProvider: { title: "three" } });
      await operator.delete(note, "busy");
      update.release();
      const removal = held("delete");
      await removal.begun;
      const deleting = await operator.becomes(note, "busy", ({ status }) => status?.operation?.type === "Delete");
      expect(condition(deleting, "Ready")).toMatchObject({ reason: "Deleting" });
      expect(store.findNote(id)?.title).toBe("two");
      removal.release();
      await operator.gone(note, "busy");
      expect(store.findNote(id)).toBeUndefined();
      await operator.stateGone(metadata.uid!);
    });

    test("which has failed, until it succeeds", async ({ expect }) => {
      const failing = held("create", "no quota");
      failing.release();
      await operator.put(note, "failing", { forProvider: { title: "failing" } });
      const failed = await operator.becomes(note, "failing", (object) => condition(object, "LastAsyncOperation")?.status === "False");
      expect(condition(failed, "LastAsyncOperation")).toMatchObject({ reason: "AsyncCreateFailure", message: "no quota" });
      // It is repeated, and stays in error meanwhile.
      const retry = held("create");
      await retry.begun;
      const retried = await operator.becomes(note, "failing", ({ status }) => status?.operation !== undefined);
      expect(condition(retried, "Synced")).toMatchObject({ status: "False", message: "no quota" });
      retry.release();
      const object = await operator.ready(note, "failing");
      expect(condition(object, "LastAsyncOperation")).toMatchObject({ status: "True" });
      await until(async () => (await operator.eventReasons(note, "failing")).includes("CannotCreateExternalResource"));
    });

    test("of a replacement, in both orders", async ({ expect }) => {
      const spec = (folderName: string) => ({ forProvider: { title: "moving", folder: folderName } });
      const policy = (value: string) => ({ annotations: { "tenon.dev/replacement-policy": value } });
      await operator.put(note, "moving", spec("a"), policy("DeleteFirst"));
      await operator.ready(note, "moving");
      for (const [folderName, order, expected] of [
        ["b", "DeleteFirst", ["delete", "create"]],
        ["c", "CreateFirst", ["create", "delete"]],
      ] as const) {
        operator.changes.length = 0;
        await operator.put(note, "moving", spec(folderName), policy(order));
        await operator.becomes(note, "moving", ({ status }) => status?.atProvider?.["folder"] === folderName);
        expect(operator.changes).toEqual(expected);
      }
      expect(store.searchNotes("moving", null)).toHaveLength(1);
    });

    test("which an earlier controller did not finish", async ({ expect }) => {
      await operator.put(note, "left", { forProvider: { title: "left" } });
      const { metadata } = await operator.ready(note, "left");
      const operation = { type: "Update", startedAt: "2026-01-01T00:00:00Z" };
      const reference = { namespace: metadata.namespace, name: metadata.name };
      await client.mergePatch(operator.resource(note), reference, { status: { operation } }, { subresource: "status" });
      await operator.annotate(note, "left", again);
      const object = await operator.becomes(note, "left", ({ status }) => status?.operation === undefined);
      expect(condition(object, "LastAsyncOperation")).toMatchObject({
        reason: "AsyncUpdateFailure",
        message: expect.stringContaining("ended") as string,
      });
      await operator.ready(note, "left");
    });
  });

  test("keeps an operation that the end of the controller has interrupted, with the mark of its creation", async ({ expect }) => {
    const operator = await startOperator({ rules: { [note]: { asynchronous: true } } });
    const begun = Promise.withResolvers<void>();
    override = {
      async applyResourceChange(this: Provider, request, options) {
        begun.resolve();
        await new Promise((resolve) => options!.signal!.addEventListener("abort", resolve, { once: true }));
        await this.applyResourceChange(request, {});
        throw new ProviderError("CANCELLED", "the call was cancelled", { requestSent: true });
      },
    };
    await operator.put(note, "interrupted", { forProvider: { title: "interrupted" } });
    await begun.promise;
    await operator.becomes(note, "interrupted", ({ status }) => status?.operation !== undefined);
    operator.abort();
    await operator[Symbol.asyncDispose]();
    const object = await operator.get(note, "interrupted");
    expect(object.status?.operation?.type).toBe("Create");
    expect(object.metadata.annotations).not.toHaveProperty("crossplane.io/external-create-succeeded");
    expect(await operator.state(note, "interrupted")).toMatchObject({ pending: { operation: "create" } });
    expect(store.searchNotes("interrupted", null)).toHaveLength(1);
  });
});
