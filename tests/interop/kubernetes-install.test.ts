// SPDX-License-Identifier: Apache-2.0
// The install manifest: the API server accepts it, its rights are enough for the operator, and none of them is superfluous.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  installManifest,
  mapConfigOf,
  mapProviderComponents,
  mapProviderKinds,
  operatorRules,
  type KindMapping,
  type PolicyRule,
  type ProviderConfigMapping,
} from "@tenon/bridge/kubernetes";
import { ApiClient, FixedCredential, type ApiResource, type KubernetesObject } from "@tenon/bridge/kubernetes/machinery";
import { provider as notebookDefinition } from "@tenon/example-notebook";
import { KubernetesServer, type KubernetesPrograms } from "@tenon/peers/kubernetes";
import { describePeer } from "@tenon/peers/vitest";
import { createProvider } from "@tenon/provider-sdk";
import type { Provider } from "@tenon/schema";
import { afterAll, beforeAll, describe, test } from "vitest";
import { configuration } from "./go-provider.ts";
import { OperatorLife } from "./kubernetes-operator-life.ts";
import { adminAccess, adminClient, until } from "./kubernetes-setup.ts";

const [note, page] = ["notebook_note", "notebook_page"] as const;
const rules = { [page]: { references: { note_id: { type: note } } } };
const image = "registry.example.com/notes-operator:1";

/** An API server with the definitions of a provider, and the provider. */
class Cluster implements AsyncDisposable {
  readonly #cleanUp = new AsyncDisposableStack();
  server!: KubernetesServer;
  admin!: ApiClient;
  provider!: Provider;
  #folder!: string;

  static async start(programs: KubernetesPrograms, flags: readonly string[] = []): Promise<Cluster> {
    const cluster = new Cluster();
    const folder = mkdtempSync(join(tmpdir(), "tenon-install-"));
    cluster.#folder = folder;
    cluster.#cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
    cluster.server = cluster.#cleanUp.use(await KubernetesServer.start(programs, { flags }));
    cluster.admin = cluster.#cleanUp.use(await adminClient(cluster.server));
    cluster.provider = createProvider(notebookDefinition);
    const { provider: schema } = await cluster.provider.getProviderSchema({});
    const config = configuration(schema!, { path: join(folder, "notes.db") });
    await cluster.provider.configureProvider({ terraformVersion: "1.12.6", config });
    return cluster;
  }

  async kinds(scope: "Namespaced" | "Cluster" = "Namespaced", name: string = scope.toLowerCase()): Promise<readonly KindMapping[]> {
    const group = `${name}.tenon.test`;
    return await mapProviderKinds(this.provider, { group, scope, resources: [note, page], rules });
  }

  /** The kinds with those that only read, and the configurations of the provider. */
  async configuredKinds(
    scope: "Namespaced" | "Cluster",
    name: string,
  ): Promise<{ readonly kinds: readonly KindMapping[]; readonly config: ProviderConfigMapping }> {
    const options = { group: `${name}.tenon.test`, scope };
    const read = await mapProviderComponents(this.provider, { ...options, data: ["notebook_search"] });
    return { kinds: [...(await this.kinds(scope, name)), ...read], config: await mapConfigOf(this.provider, options) };
  }

  /** Path of a notebook. */
  path(name: string): string {
    return join(this.#folder, `${name}.db`);
  }

  /** Applies objects in their order, as `kubectl apply --server-side` does, and waits until the kinds are served. */
  async apply(objects: readonly KubernetesObject[]): Promise<void> {
    for (const object of objects) {
      await this.admin.apply(servedAs(object), object, { fieldManager: "test", force: true, fieldValidation: "Strict" });
    }
    for (const { kind, metadata } of objects) {
      if (kind !== "CustomResourceDefinition") continue;
      const [plural, ...group] = metadata.name.split(".");
      await until(async () => (await this.server.request("GET", `/apis/${group.join(".")}/v1alpha1/${plural}`)).status === 200);
    }
  }

  /** Client with the rights of a ServiceAccount, once the API server knows them. */
  async accountClient(namespace: string, name: string): Promise<ApiClient> {
    const token = await this.server.serviceAccountToken(namespace, name);
    const credentials = new FixedCredential({ authorization: `Bearer ${token}` });
    await until(() => this.#isKnown(namespace, token));
    return await ApiClient.open({ ...(await adminAccess(this.server)), credentials });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanUp.disposeAsync();
  }

  /** Whether the API server knows both roles of an account. */
  async #isKnown(namespace: string, token: string): Promise<boolean> {
    const review = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace } };
    const { body } = await this.server.request("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", review, { token });
    const granted = (body as { status?: { resourceRules?: readonly { resources: readonly string[] }[] } }).status?.resourceRules ?? [];
    return ["leases", "secrets"].every((resource) => granted.some(({ resources }) => resources.includes(resource)));
  }
}

/** How the API serves the objects of the manifest. */
function servedAs({ apiVersion = "v1", kind = "" }: KubernetesObject): ApiResource {
  const [version, group = ""] = apiVersion.split("/").toReversed() as [string, string?];
  const clusterScoped = ["CustomResourceDefinition", "Namespace", "ClusterRole", "ClusterRoleBinding"];
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, namespaced: !clusterScoped.includes(kind) };
}

describePeer(["kube-apiserver", "etcd"], "the install manifest", (programs) => {
  describe("of kinds", () => {
    let cluster: Cluster;
    beforeAll(async () => void (cluster = await Cluster.start(programs)));
    afterAll(() => cluster?.[Symbol.asyncDispose]());

    test.for(["Namespaced", "Cluster"] as const)(
      "with the scope %s has all rights that the operator needs in all namespaces",
      { timeout: 180_000 },
      async (scope, { expect }) => {
        const kinds = await cluster.kinds(scope);
        const name = `notes-${scope.toLowerCase()}`;
        await cluster.apply(installManifest(kinds, { name, namespace: "operators", image, replicas: 2 }));
        await using client = await cluster.accountClient("operators", name);
        const settings = { ...cluster, client, kinds, name, namespace: "operators", objectNamespace: "default" };
        const life = new OperatorLife(settings);
        await life.run();
        await life.end();
        expect(life.refusals).toEqual([]);
      },
    );

    test.for(["Namespaced", "Cluster"] as const)(
      "with the scope %s, of a provider with configurations in the cluster, has all rights that the operator needs",
      { timeout: 180_000 },
      async (scope, { expect }) => {
        const name = `configured-${scope.toLowerCase()}`;
        const { kinds, config } = await cluster.configuredKinds(scope, name);
        await cluster.apply(installManifest(kinds, { name, namespace: "operators", image, config }));
        await using client = await cluster.accountClient("operators", name);
        const configured = { mapping: config, path: cluster.path(name) };
        const life = new OperatorLife({ ...cluster, client, kinds, name, configured, namespace: "operators", objectNamespace: "default" });
        await life.run();
        await life.end();
        expect(life.refusals).toEqual([]);
      },
    );

    test("has a Deployment with probes, a grace period and no rights on the node", async ({ expect }) => {
      const manifest = installManifest(await cluster.kinds(), { name: "notes", image, watchNamespace: "team", graceSeconds: 45 });
      expect(manifest.map(({ kind }) => kind)).toEqual([
        "CustomResourceDefinition",
        "CustomResourceDefinition",
        "Namespace",
        "ServiceAccount",
        "Role",
        "RoleBinding",
        "Role",
        "RoleBinding",
        "Deployment",
      ]);
      expect(manifest.at(-1)).toMatchObject({
        spec: {
          template: {
            spec: {
              serviceAccountName: "notes",
              terminationGracePeriodSeconds: 45,
              containers: [
                {
                  image,
                  livenessProbe: { httpGet: { path: "/healthz" } },
                  readinessProbe: { httpGet: { path: "/readyz" } },
                  env: expect.arrayContaining([
                    { name: "WATCH_NAMESPACE", value: "team" },
                    { name: "TERMINATION_GRACE_SECONDS", value: "45" },
                  ]) as object,
                  securityContext: { readOnlyRootFilesystem: true, runAsNonRoot: true, allowPrivilegeEscalation: false },
                },
              ],
            },
          },
        },
      });
    });

    test("is refused for names that Kubernetes does not accept, and for cluster-scoped kinds in one namespace", async ({ expect }) => {
      const kinds = await cluster.kinds("Cluster");
      expect(() => installManifest(kinds, { name: "Notes", image })).toThrow('"Notes" is not a DNS label');
      expect(() => installManifest(kinds, { name: "notes", image, watchNamespace: "team" })).toThrow("has the scope Cluster");
    });
  });

  // Without watch lists, as on servers before 1.34: there, all objects are listed first.
  describe("has no right that the operator does not need:", () => {
    let cluster: Cluster;
    let kinds: readonly KindMapping[];
    let config: ProviderConfigMapping;
    let number = 0;
    beforeAll(async () => {
      cluster = await Cluster.start(programs, ["--feature-gates=WatchList=false"]);
      ({ kinds, config } = await cluster.configuredKinds("Namespaced", "namespaced"));
      await cluster.apply(installManifest(kinds, { name: "first", image, config }));
    });
    afterAll(() => cluster?.[Symbol.asyncDispose]());

    test("removing any one breaks something", { timeout: 240_000 }, async ({ expect }) => {
      const { objects, own } = operatorRules(kinds, { hasConfigs: true, watchNamespace: "any" });
      const rights = [...objects, ...own].flatMap((rule) => rule.verbs.map((verb) => ({ rule, verb })));
      expect(rights.length).toBeGreaterThan(25);
      const results = await Promise.all(rights.map(({ rule, verb }) => lifeWithout(rule, verb)));
      expect(results.filter((result) => result !== "refused")).toEqual([]);
    });

    test("removing any one on the configurations of the cluster breaks something", { timeout: 120_000 }, async ({ expect }) => {
      const isMeant = ({ resources: [first = ""] }: PolicyRule): boolean => first.startsWith("clusterproviderconfigs");
      const rules = operatorRules(kinds, { hasConfigs: true }).objects.filter(isMeant);
      const rights = rules.flatMap((rule) => rule.verbs.map((verb) => ({ rule, verb })));
      expect(rights).toHaveLength(4);
      const results = await Promise.all(rights.map(({ rule, verb }) => clusterLifeWithout(rule, verb)));
      expect(results.filter((result) => result !== "refused")).toEqual([]);
    });

    /** As {@link lifeWithout}, for an operator of the whole cluster with a group of its own. */
    async function clusterLifeWithout(missing: PolicyRule, verb: string): Promise<string> {
      const name = `cluster-without-${(number += 1)}`;
      const own = await cluster.configuredKinds("Namespaced", name);
      const manifest = installManifest(own.kinds, { name, image, config: own.config });
      await cluster.apply(manifest.map((object) => withoutRight(object, missing, verb)));
      return await refusedLife(name, own, missing, verb, {});
    }

    /** Runs an operator without one right, until a request is refused because of it. */
    async function lifeWithout(missing: PolicyRule, verb: string): Promise<string> {
      const name = `without-${(number += 1)}`;
      const manifest = installManifest(kinds, { name, image, watchNamespace: name, config });
      await cluster.apply(
        manifest.filter(({ kind }) => kind !== "CustomResourceDefinition").map((object) => withoutRight(object, missing, verb)),
      );
      return await refusedLife(name, { kinds, config }, missing, verb, { watchNamespace: name });
    }

    async function refusedLife(
      name: string,
      own: { readonly kinds: readonly KindMapping[]; readonly config: ProviderConfigMapping },
      missing: PolicyRule,
      verb: string,
      watched: { readonly watchNamespace?: string },
    ): Promise<string> {
      await using client = await cluster.accountClient(name, name);
      const configured = { mapping: own.config, path: cluster.path(name) };
      const settings = { ...cluster, ...watched, client, kinds: own.kinds, name, namespace: name, objectNamespace: name };
      const life = new OperatorLife({ ...settings, configured });
      const [resource = ""] = missing.resources;
      // An error names the verb, and a subresource with its resource.
      const isRefused = (): boolean => life.refusals.some((text) => text.includes(`cannot ${verb} resource "${resource}"`));
      await Promise.race([life.run().catch(() => undefined), until(() => isRefused())]);
      await life.end();
      return isRefused() ? "refused" : `${verb} ${resource} is not needed`;
    }
  });
});

/** Takes a right from a role. */
function withoutRight(object: KubernetesObject, { resources }: PolicyRule, verb: string): KubernetesObject {
  if (object.kind !== "Role" && object.kind !== "ClusterRole") return object;
  const { rules: granted } = object as unknown as { readonly rules: readonly PolicyRule[] };
  const isMeant = (rule: PolicyRule): boolean => rule.resources.join() === resources.join();
  const changed = granted.map((rule) => (isMeant(rule) ? { ...rule, verbs: rule.verbs.filter((each) => each !== verb) } : rule));
  return { ...object, rules: changed.filter(({ verbs }) => verbs.length > 0) } as KubernetesObject;
}
