// SPDX-License-Identifier: Apache-2.0
// Deletions of custom resources that are interrupted at the worst point, or whose namespace is being deleted.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  apiResourceOf,
  customResourceDefinition,
  decodeStoredState,
  mapProviderKinds,
  stateSecretName,
  type KindMapping,
  type ManagedResource,
  type Secret,
  type StoredState,
} from "@tenon/bridge/kubernetes";
import {
  ApiError,
  installCustomResourceDefinitions,
  leases,
  secrets,
  type ApiResource,
  type KubernetesObject,
} from "@tenon/bridge/kubernetes/machinery";
import { Notebook } from "@tenon/example-notebook/store";
import { describePeer } from "@tenon/peers/vitest";
import { createProvider } from "@tenon/provider-sdk";
import { afterAll, beforeAll, test, vi } from "vitest";
import { until } from "./kubernetes-setup.ts";
import { kubernetesSuite } from "./kubernetes-suite.ts";
import { noteRules, provider as notebook } from "./soak/killed-notes.ts";
import { Replica, type ReplicaSettings } from "./soak/replica.ts";

vi.setConfig({ testTimeout: 120_000 });

const group = "deletion.tenon.test";
const policies: ApiResource = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingAdmissionPolicy",
  plural: "validatingadmissionpolicies",
  namespaced: false,
};
const bindings: ApiResource = { ...policies, kind: "ValidatingAdmissionPolicyBinding", plural: "validatingadmissionpolicybindings" };
const namespaces: ApiResource = { group: "", version: "v1", kind: "Namespace", plural: "namespaces", namespaced: false };

describePeer(["kube-apiserver", "etcd"], "the deletion of a custom resource", (programs) => {
  const suite = kubernetesSuite(programs);
  let folder: string;
  let store: Notebook;
  let base: Omit<ReplicaSettings, "member">;
  let kinds: readonly KindMapping[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tenon-deletion-"));
    kinds = await mapProviderKinds(createProvider(notebook), { group, rules: noteRules });
    const definitions = kinds.map((kind) => customResourceDefinition(kind, { version: "v1alpha1" }));
    await installCustomResourceDefinitions(suite.client, definitions, { fieldManager: "test" });
    const database = join(folder, "notes.db");
    store = new Notebook(database);
    const kubeconfig = join(suite.server.folder, "admin.kubeconfig");
    base = { kubeconfig, group, database, hasAllNotes: true, shards: 1, pollMs: 3_600_000 };
  });
  afterAll(() => {
    store?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const resourceOf = (typeName: string): ApiResource =>
    apiResourceOf(
      kinds.find((kind) => kind.typeName === typeName)!,
      "v1alpha1",
    );

  /** Creates an object, and waits until its resource is ready. */
  async function create(resource: ApiResource, namespace: string, name: string): Promise<ManagedResource> {
    const { client } = suite;
    const object = { metadata: { namespace, name }, spec: { forProvider: { title: `${name} first` } } };
    await client.apply(resource, object as KubernetesObject, { fieldManager: "user", force: true });
    let created!: ManagedResource;
    await until(async () => {
      created = await client.get<ManagedResource>(resource, { namespace, name });
      return created.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
    });
    return created;
  }

  const isGone = async (resource: ApiResource, { metadata: { namespace, name } }: ManagedResource): Promise<boolean> =>
    (await suite.client.find(resource, { namespace, name })) === undefined;

  async function findState({ metadata: { namespace, uid } }: ManagedResource): Promise<StoredState | undefined> {
    const secret = await suite.client.find<Secret>(secrets, { namespace, name: stateSecretName(uid!) });
    return secret && decodeStoredState(Buffer.from(secret.data!["state"]!, "base64"));
  }

  /** Makes the API server refuse the removal of finalizers from the objects of the group. Returns a function that allows it again. */
  async function refuseFinalizerRemoval(object: ManagedResource, resource: ApiResource): Promise<() => Promise<void>> {
    const { client } = suite;
    const name = "keep-finalizers";
    const rule = { apiGroups: [group], apiVersions: ["*"], resources: ["*"], operations: ["UPDATE"] };
    const expression = "!has(oldObject.metadata.finalizers) || has(object.metadata.finalizers)";
    await client.create(policies, {
      metadata: { name },
      spec: { failurePolicy: "Fail", matchConstraints: { resourceRules: [rule] }, validations: [{ expression }] },
    } as KubernetesObject);
    await client.create(bindings, { metadata: { name }, spec: { policyName: name, validationActions: ["Deny"] } } as KubernetesObject);
    const { namespace, name: objectName } = object.metadata;
    const isRefused = async (): Promise<boolean> => {
      try {
        await client.mergePatch(resource, { namespace, name: objectName }, { metadata: { finalizers: null } }, { dryRun: true });
        return false;
      } catch (error) {
        if (error instanceof ApiError && error.detail.includes(name)) return true;
        throw error;
      }
    };
    await until(isRefused);
    return async () => {
      await client.delete(bindings, { name });
      await client.delete(policies, { name });
      await until(async () => !(await isRefused()));
    };
  }

  async function freeShard(): Promise<void> {
    // As if the Lease of the killed replica had expired.
    await suite.client.delete(leases, { namespace: "default", name: "notes-shard-0" });
  }

  test("ends although the replica was killed before it removed the finalizer, and the provider cannot import", async ({ expect }) => {
    const resource = resourceOf("notebook_unimportable_note");
    await using killed = await Replica.start({ ...base, member: "killed" });
    const object = await create(resource, "default", "note-1");
    const allowFinalizerRemoval = await refuseFinalizerRemoval(object, resource);
    await suite.client.delete(resource, { namespace: "default", name: "note-1" });
    // The replica has deleted the note, and repeats its attempts to remove the finalizer.
    await until(async () => (await findState(object))?.object === undefined);
    await killed.end();
    expect(store.searchNotes("note-1 ", null)).toEqual([]);
    await allowFinalizerRemoval();
    expect(await isGone(resource, object)).toBe(false);
    await freeShard();
    await using replicas = new AsyncDisposableStack();
    replicas.use(await Replica.start({ ...base, member: "next" }));
    await until(() => isGone(resource, object));
    await until(async () => (await findState(object)) === undefined);
  });

  test("ends in a namespace that is being deleted, where the state is deleted first", async ({ expect }) => {
    const { client } = suite;
    const resource = resourceOf("notebook_note");
    await freeShard().catch(() => undefined);
    await using replicas = new AsyncDisposableStack();
    replicas.use(await Replica.start({ ...base, member: "only" }));
    await client.create(namespaces, { metadata: { name: "ending" } });
    const object = await create(resource, "ending", "note-2");
    await client.delete(namespaces, { name: "ending" });
    // The namespace controller deletes the objects in any order.
    await client.delete(secrets, { namespace: "ending", name: stateSecretName(object.metadata.uid!) });
    await client.delete(resource, { namespace: "ending", name: "note-2" });
    await until(() => isGone(resource, object));
    expect(store.searchNotes("note-2 ", null)).toEqual([]);
  });
});
