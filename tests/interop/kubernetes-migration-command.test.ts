// SPDX-License-Identifier: Apache-2.0
// The migration of a whole operator by its command: from the first version of a provider to the second, with objects that exist.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { ownerLabel, type ManagedResource } from "@tenon/bridge/kubernetes";
import { customResourceDefinitions, secrets, type ApiResource, type KubernetesObject } from "@tenon/bridge/kubernetes/machinery";
import { describePeer } from "@tenon/peers/vitest";
import { beforeAll, test } from "vitest";
import { until } from "./kubernetes-setup.ts";
import { kubernetesSuite } from "./kubernetes-suite.ts";

const command = join(import.meta.dirname, "../../packages/bridge/src/kubernetes/operator-main.ts");
const group = "shelf.tenon.test";
const books = (version: string): ApiResource => ({ group, version, kind: "Book", plural: "book", namespaced: true });
const readers: ApiResource = { group, version: "v1alpha1", kind: "Reader", plural: "reader", namespaced: true };
const configs = (version: string): ApiResource => ({
  group,
  version,
  kind: "ClusterProviderConfig",
  plural: "clusterproviderconfigs",
  namespaced: false,
});
const usages = (version: string): ApiResource => ({
  group,
  version,
  kind: "ProviderConfigUsage",
  plural: "providerconfigusages",
  namespaced: true,
});
const namespace = "default";

describePeer(["kube-apiserver", "etcd"], "tenon-kubernetes-operator --migrate", (programs) => {
  const suite = kubernetesSuite(programs);
  let environment: Readonly<Record<string, string>>;
  let rules: string;

  beforeAll(() => {
    const { folder } = suite.server;
    for (const version of ["1", "2"]) {
      mkdirSync(join(folder, version));
      const program = join(import.meta.dirname, "kubernetes-shelf-program.ts");
      const script = `#!/bin/sh\nSHELF_VERSION=${version} exec "${process.execPath}" "${program}"\n`;
      writeFileSync(provider(version), script);
      chmodSync(provider(version), 0o755);
    }
    rules = join(folder, "rules.yaml");
    writeFileSync(rules, "{}");
    const kubeconfig = join(folder, "admin.kubeconfig");
    environment = { PATH: process.env["PATH"]!, HOME: folder, KUBECONFIG: kubeconfig, POD_NAMESPACE: namespace, HEALTH_PORT: "0" };
  });

  function provider(version: string): string {
    return join(suite.server.folder, version, "terraform-provider-shelf");
  }

  const args = (version: string): readonly string[] => [command, provider(version), "--group", group, "--rules", rules];

  async function migrate(version: string): Promise<readonly string[]> {
    const migration = [...args(version), "--migrate", "--namespace", namespace];
    const { stdout } = await promisify(execFile)(process.execPath, migration, { env: environment });
    return stdout.trimEnd().split("\n");
  }

  /** Runs the operator during a task. */
  async function withOperator(version: string, task: () => Promise<void>): Promise<void> {
    const operator = spawn(process.execPath, [...args(version)], { env: environment, stdio: ["ignore", "inherit", "pipe"] });
    const closed = once(operator, "close");
    const ready = new Promise<void>((resolve) => {
      createInterface(operator.stderr).on("line", (line) => {
        if (line.includes("the operator is ready")) resolve();
      });
    });
    try {
      await ready;
      await task();
    } finally {
      operator.kill("SIGTERM");
      await closed;
    }
  }

  async function put(resource: ApiResource, name: string, forProvider: object): Promise<void> {
    const object = { metadata: { namespace, name }, spec: { forProvider } };
    await suite.client.apply(resource, object as unknown as KubernetesObject, { fieldManager: "user", force: true });
  }

  async function configure(configuration: object): Promise<void> {
    const object = { metadata: { name: "default" }, spec: { configuration } } as unknown as KubernetesObject;
    await suite.client.apply(configs("v1alpha1"), object, { fieldManager: "user", force: true });
  }

  /** The kinds and versions that usages and Secrets with states name as their owners. */
  async function versionsInReferences(ofUsages: string): Promise<readonly string[]> {
    type Referring = KubernetesObject & { readonly resourceRef?: { readonly apiVersion: string; readonly kind: string } };
    const states = await suite.client.list<Referring>(secrets, { namespace, labelSelector: ownerLabel });
    const { items } = await suite.client.list<Referring>(usages(ofUsages), { namespace });
    return [...states.items, ...items]
      .flatMap(({ metadata, resourceRef }) => {
        const [owner] = metadata.ownerReferences!;
        if (resourceRef && resourceRef.apiVersion !== owner!.apiVersion) return [`${resourceRef.apiVersion} and ${owner!.apiVersion}`];
        return [`${owner!.kind} ${owner!.apiVersion.slice(group.length + 1)}`];
      })
      .toSorted();
  }

  async function becomes(resource: ApiResource, name: string, condition: (object: ManagedResource) => boolean): Promise<ManagedResource> {
    let object!: ManagedResource;
    await until(async () =>
      condition((object = await suite.client.get<ManagedResource>(resource, { name, ...(resource.namespaced ? { namespace } : {}) }))),
    );
    return object;
  }

  const isReady = ({ status }: ManagedResource): boolean =>
    status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True") === true;

  async function versionsOf(plural: string): Promise<readonly string[]> {
    type Definition = KubernetesObject & { readonly spec: { readonly versions: readonly { readonly name: string }[] } };
    const { spec } = await suite.client.get<Definition>(customResourceDefinitions, { name: `${plural}.${group}` });
    return spec.versions.map(({ name }) => name);
  }

  test(
    "installs, refuses what cannot be converted, and then converts objects, which the operator goes on with",
    { timeout: 240_000 },
    async ({ expect }) => {
      expect(await migrate("1")).toEqual([
        "ProviderConfig v1alpha1 created",
        "ClusterProviderConfig v1alpha1 created",
        "ProviderConfigUsage v1alpha1 created",
        "shelf_book: Book v1alpha1 created",
        "shelf_reader: Reader v1alpha1 created",
      ]);
      await configure({ limit: "many", room: "1" });
      await withOperator("1", async () => {
        await put(books("v1alpha1"), "emma", { title: "Emma", pages: "474", shelf: "A" });
        await put(readers, "ada", { name: "Ada" });
        await becomes(books("v1alpha1"), "emma", isReady);
        await becomes(readers, "ada", isReady);
        expect(await versionsInReferences("v1alpha1")).toEqual(["Book v1alpha1", "Book v1alpha1", "Reader v1alpha1", "Reader v1alpha1"]);
        await expect(migrate("2")).rejects.toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/shelf-operator is running \(.+\).*kubectl scale deployment\/shelf-operator/) as string,
        });
      });

      await put(books("v1alpha1"), "dune", { title: "Dune", pages: "many" });
      const refused = await migrate("2").catch((error: { readonly stderr: string }) => error.stderr);
      expect(refused).toContain("default/dune: spec.forProvider.pages cannot be converted to a number");
      expect(refused).toContain("default/emma: spec.forProvider.shelf is removed, and the object sets it");
      expect(refused).toContain("the schema of the provider's configuration has changed");
      expect(refused).toContain("default: spec.configuration.limit cannot be converted to a number");
      expect(refused).toContain("default: spec.configuration.room is removed, and the object sets it");
      expect(await versionsOf("book")).toEqual(["v1alpha1"]);
      expect(await versionsOf("clusterproviderconfigs")).toEqual(["v1alpha1"]);

      await put(books("v1alpha1"), "dune", { title: "Dune", pages: "412" });
      await configure({ limit: "9", room: "1" });
      const moves = "shelf_book:\n  moves: { renamed: { shelf: place } }\nProviderConfig:\n  moves: { renamed: { room: hall } }\n";
      writeFileSync(rules, moves);
      expect(await migrate("2")).toEqual([
        "ProviderConfig v1alpha2 migrated, 0 objects converted",
        "ClusterProviderConfig v1alpha2 migrated, 1 object converted",
        "ProviderConfigUsage v1alpha2 migrated, 2 objects converted",
        "shelf_book: Book v1alpha2 migrated, 2 objects converted",
        "shelf_reader: Reader v1alpha1 updated",
        "",
        "Add these versions to the rules of the operator:",
        "",
        "ProviderConfig:",
        "  version: v1alpha2",
        "shelf_book:",
        "  version: v1alpha2",
      ]);
      expect([await versionsOf("book"), await versionsOf("reader")]).toEqual([["v1alpha2"], ["v1alpha1"]]);

      const config = await suite.client.get<ManagedResource>(configs("v1alpha2"), { name: "default" });
      expect(config.spec).toMatchObject({ configuration: { limit: 9, hall: "1" } });
      expect(await versionsInReferences("v1alpha2")).toEqual(["Book v1alpha2", "Book v1alpha2", "Reader v1alpha1", "Reader v1alpha1"]);

      writeFileSync(rules, "shelf_book: { version: v1alpha2 }\nProviderConfig: { version: v1alpha2 }\n");
      await withOperator("2", async () => {
        const hasPages =
          (pages: number) =>
          ({ status }: ManagedResource) =>
            status?.atProvider?.["pages"] === pages;
        const emma = await becomes(books("v1alpha2"), "emma", hasPages(474));
        expect(emma.spec.forProvider).toEqual({ title: "Emma", pages: 474, place: "A" });
        expect(emma.status?.atProvider).toMatchObject({ place: "A" });
        await becomes(books("v1alpha2"), "dune", hasPages(412));
        await put(readers, "bob", { name: "Bob" });
        await becomes(readers, "bob", isReady);
        await becomes(configs("v1alpha2"), "default", ({ status }) => (status as { readonly users?: number }).users === 4);
      });
      expect(await migrate("2")).toEqual([
        "ProviderConfig v1alpha2 updated",
        "ClusterProviderConfig v1alpha2 updated",
        "ProviderConfigUsage v1alpha2 updated",
        "shelf_book: Book v1alpha2 updated",
        "shelf_reader: Reader v1alpha1 updated",
      ]);
    },
  );
});
