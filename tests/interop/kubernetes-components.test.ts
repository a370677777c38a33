// SPDX-License-Identifier: Apache-2.0
// Data sources, functions, lists and ephemeral resources as custom resources.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installedSupply, ownSupply, stateSecretName } from "@tenon/bridge/kubernetes";
import { secrets, type ApiClient } from "@tenon/bridge/kubernetes/machinery";
import { provider as notebook } from "@tenon/example-notebook";
import { KubernetesServer } from "@tenon/peers/kubernetes";
import { describePeer } from "@tenon/peers/vitest";
import { createProvider } from "@tenon/provider-sdk";
import { afterAll, beforeAll, describe, test } from "vitest";
import { ConfiguredOperator, type ConfiguredOperatorOptions } from "./kubernetes-configured-operator.ts";
import { adminClient, until } from "./kubernetes-setup.ts";

const record = "framework_record";

describePeer(
  ["kube-apiserver", "etcd", "framework-provider", "sdkv2-provider"],
  "components of providers as custom resources",
  (programs) => {
    let server: KubernetesServer;
    let client: ApiClient;
    let folder: string;
    let operator: ConfiguredOperator;
    let directory: string;
    const cleanUp = new AsyncDisposableStack();

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "tenon-components-"));
      server = await KubernetesServer.start(programs);
      client = await adminClient(server);
      directory = mkdtempSync(join(folder, "records-"));
      operator = await start({
        resources: [record],
        components: {
          data: ["framework_lookup"],
          function: ["join", "describe", "fail", "dynamic"],
          list: [record],
          ephemeral: ["framework_token"],
        },
        rules: {
          [record]: { references: { name: { type: "function.join", attribute: "result" } } },
          "data.framework_lookup": { references: { id: { type: record } } },
        },
        pollMs: 300,
      });
      await operator.put(operator.config("ClusterProviderConfig"), "default", { configuration: { directory } });
    });
    afterAll(async () => {
      await cleanUp.disposeAsync();
      await client?.[Symbol.asyncDispose]();
      await server?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    });

    async function start(options: Omit<ConfiguredOperatorOptions, "client" | "supply"> & Partial<ConfiguredOperatorOptions>) {
      const supply = installedSupply({ kind: "file", path: programs["framework-provider"].path });
      const started = await ConfiguredOperator.start({ client, supply, pool: { quietMs: 50 }, ...options });
      cleanUp.use(started);
      return started;
    }

    const kind = (name: string) => operator.resource(name);

    describe("a data source", () => {
      test("is read again after each poll, with what it refers to", async ({ expect }) => {
        await operator.put(kind("data.framework_lookup"), "early", { forProvider: { idRef: { name: "found" } } });
        await operator.reports(kind("data.framework_lookup"), "early", "Synced", "False", "does not exist");
        await operator.put(kind(record), "found", { forProvider: { name: "found", tags: ["a"] } });
        await operator.reports(kind("data.framework_lookup"), "early", "Ready", "True");
        const { status } = (await operator.find(kind("data.framework_lookup"), "early"))!;
        expect(status?.atProvider).toMatchObject({ name: "found", kind: "plain", revision: 1, tags: ["a"] });
        await operator.put(kind(record), "found", { forProvider: { name: "found" } });
        const again = await operator.becomes(
          kind("data.framework_lookup"),
          "early",
          ({ status: current }) => current?.atProvider?.["revision"] === 2,
        );
        expect(again.status?.atProvider).not.toHaveProperty("tags");
        await operator.delete(kind("data.framework_lookup"), "early");
        await operator.gone(kind("data.framework_lookup"), "early");
      });

      test("reports errors, and publishes what is sensitive in a Secret only", async ({ expect }) => {
        const lookup = kind("data.framework_lookup");
        await operator.put(lookup, "absent", { forProvider: { id: "unknown" } });
        const message = await operator.reports(lookup, "absent", "Synced", "False", "Record Not Found");
        expect(message).toBe("Record Not Found: There is no record unknown.");
        await operator.putSecret("given", { text: "correct horse" });
        const secretSecretRef = { name: "given", key: "text" };
        await operator.put(kind(record), "secretive", { forProvider: { name: "secretive", secretSecretRef } });
        await operator.reports(kind(record), "secretive", "Ready", "True");
        const spec = { forProvider: { idRef: { name: "secretive" } }, writeConnectionSecretToRef: { name: "looked-up" } };
        await operator.put(lookup, "secretive", spec);
        await operator.reports(lookup, "secretive", "Ready", "True");
        expect(await operator.secretTexts("looked-up")).toEqual({ "attribute.secret": "correct horse" });
        expect((await operator.find(lookup, "secretive"))?.status?.atProvider).not.toHaveProperty("secret");
      });

      test("of protocol 5, and of a provider in this process", async ({ expect }) => {
        const sdkv2 = await start({
          supply: installedSupply({ kind: "file", path: programs["sdkv2-provider"].path }),
          resources: ["sdkv2_server"],
          components: { data: ["sdkv2_servers"] },
        });
        await sdkv2.put(sdkv2.config("ClusterProviderConfig"), "default", {
          configuration: { directory: mkdtempSync(join(folder, "s-")) },
        });
        await sdkv2.put(sdkv2.resource("data.sdkv2_servers"), "all", { forProvider: {} });
        await sdkv2.reports(sdkv2.resource("data.sdkv2_servers"), "all", "Ready", "True");
        const notes = await start({
          supply: ownSupply({ address: "example.org/tenon/notebook" }, () => createProvider(notebook)),
          resources: ["notebook_note"],
          components: { data: ["notebook_search"], function: ["slug"] },
          pollMs: 200,
        });
        await notes.put(notes.config("ClusterProviderConfig"), "default", { configuration: { path: join(folder, "notes.db") } });
        await notes.put(notes.resource("notebook_note"), "one", { forProvider: { title: "Café" } });
        await notes.put(notes.resource("data.notebook_search"), "all", { forProvider: { text: "caf" } });
        const isFound = ({ status }: { readonly status?: { readonly atProvider?: Readonly<Record<string, unknown>> } }): boolean =>
          (status?.atProvider?.["notes"] as readonly unknown[] | undefined)?.length === 1;
        await notes.becomes(notes.resource("data.notebook_search"), "all", isFound);
        await notes.put(notes.resource("function.slug"), "one", { forProvider: { title: "Café au lait" } });
        const slug = await notes.becomes(notes.resource("function.slug"), "one", ({ status }) => status?.atProvider !== undefined);
        expect([slug.kind, slug.status?.atProvider]).toEqual(["SlugFunction", { result: "cafe-au-lait" }]);
      });
    });

    describe("a function", () => {
      test("is called with its parameters, and its result can be referred to", async ({ expect }) => {
        const join = kind("function.join");
        await operator.put(join, "name", { forProvider: { separator: "-", parts: ["a", "b"] } });
        const called = await operator.becomes(join, "name", ({ status }) => status?.atProvider?.["result"] === "a-b");
        await operator.put(kind(record), "joined", { forProvider: { nameRef: { name: "name" } } });
        await operator.reports(kind(record), "joined", "Ready", "True");
        expect((await operator.find(kind(record), "joined"))?.status?.atProvider).toMatchObject({ name: "a-b" });
        expect(called.metadata.finalizers).toBeUndefined();
        await operator.put(join, "name", { forProvider: { separator: "+", parts: ["a", "b"] } });
        await operator.becomes(join, "name", ({ status }) => status?.atProvider?.["result"] === "a+b");
        const thing = { name: "box", size: 3 };
        await operator.put(kind("function.describe"), "box", { forProvider: { thing } });
        await operator.becomes(kind("function.describe"), "box", ({ status }) => status?.atProvider?.["result"] === "box of size 3");
        const value = { nested: [1, "two", null, true] };
        await operator.put(kind("function.dynamic"), "any", { forProvider: { value } });
        const dynamic = await operator.becomes(kind("function.dynamic"), "any", ({ status }) => status?.atProvider !== undefined);
        expect(dynamic.status?.atProvider).toEqual({ result: value });
      });

      test("reports errors with the parameter, and requires its parameters", async ({ expect }) => {
        const fail = kind("function.fail");
        await operator.put(fail, "blamed", { forProvider: { message: "not like this", argument: 1 } });
        expect(await operator.reports(fail, "blamed", "Synced", "False")).toBe("spec.forProvider.argument: not like this");
        const incomplete = { metadata: { namespace: operator.namespace, name: "x" }, spec: { forProvider: { message: "m" } } };
        await expect(client.create(fail, incomplete)).rejects.toThrow("spec.forProvider.argument: Required value");
      });
    });

    test("a list has the resources that exist, up to a limit", async ({ expect }) => {
      for (const name of ["listed-a", "listed-b", "listed-c"])
        await operator.put(kind(record), name, { forProvider: { name, kind: "listed" } });
      for (const name of ["listed-a", "listed-b", "listed-c"]) await operator.reports(kind(record), name, "Ready", "True");
      const query = kind(`list.${record}`);
      await operator.put(query, "all", { forProvider: { kind: "listed" } });
      const count = (object: { readonly status?: { readonly atProvider?: Readonly<Record<string, unknown>> } }, name: string): number =>
        (object.status?.atProvider?.[name] as readonly unknown[] | undefined)?.length ?? -1;
      const all = await operator.becomes(query, "all", (object) => count(object, "resources") === 3);
      const listed = all.status!.atProvider!["resources"] as readonly Readonly<Record<string, unknown>>[];
      expect(new Set(listed.map(({ displayName }) => displayName))).toEqual(new Set(["listed-a", "listed-b", "listed-c"]));
      expect(Object.keys(listed[0]!).toSorted()).toEqual(["displayName", "identity"]);
      expect(count(all, "ids")).toBe(3);
      await operator.put(query, "some", { forProvider: { kind: "listed" }, limit: 2, includeResources: true });
      const some = await operator.becomes(query, "some", (object) => count(object, "resources") === 2);
      const [first] = some.status!.atProvider!["resources"] as readonly { readonly resource: object }[];
      expect(first!.resource).toMatchObject({ kind: "listed", revision: 1 });
      expect(first!.resource).not.toHaveProperty("secret");
      await operator.delete(kind(record), "listed-a");
      await operator.becomes(query, "all", (object) => count(object, "resources") === 2);
    });

    describe("an ephemeral resource", () => {
      const token = "ephemeral.framework_token";
      const log = (name: string): readonly string[] => {
        const file = join(directory, `token-${name}.log`);
        return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
      };

      test("is a Secret that is renewed until the object is deleted", async ({ expect }) => {
        await operator.put(kind(token), "short", { forProvider: { name: "short", ttlSeconds: 1 }, writeSecretToRef: { name: "short" } });
        await operator.reports(kind(token), "short", "Ready", "True");
        expect(await operator.secretTexts("short")).toEqual({ name: "short", ttl_seconds: "1", value: "token of short" });
        await until(() => log("short").includes("renewed 3"));
        const object = (await operator.find(kind(token), "short"))!;
        expect(Date.parse(object.status!.renewAt!)).toBeGreaterThan(Date.parse(object.status!.openedAt!));
        const secret = await client.get(secrets, { namespace: operator.namespace, name: "short" });
        expect(secret.metadata.ownerReferences).toMatchObject([{ kind: "TokenEphemeral", name: "short", controller: true }]);
        // The private data are in the state Secret, and nowhere else.
        expect(JSON.stringify([object, secret, operator.log])).not.toContain('ttl_seconds\\":');
        const { uid } = object.metadata;
        await operator.delete(kind(token), "short");
        await operator.gone(kind(token), "short");
        expect(log("short")).toSatisfy((lines: readonly string[]) => lines[0] === "opened" && /^closed after \d+$/.test(lines.at(-1)!));
        expect(log("short").filter((line) => line.startsWith("closed"))).toHaveLength(1);
        expect(await operator.secretTexts("short")).toBeUndefined();
        expect(await client.find(secrets, { namespace: operator.namespace, name: stateSecretName(uid!) })).toBeUndefined();
      });

      test("is replaced when its parameters change or its Secret is gone, and the earlier one is closed", async ({ expect }) => {
        const spec = (name: string) => ({ forProvider: { name }, writeSecretToRef: { name: "replaced" } });
        await operator.put(kind(token), "replaced", spec("first"));
        await operator.reports(kind(token), "replaced", "Ready", "True");
        await operator.put(kind(token), "replaced", spec("second"));
        await until(async () => (await operator.secretTexts("replaced"))?.["value"] === "token of second");
        await until(() => log("first").length === 2);
        expect(log("first")).toEqual(["opened", "closed after 0"]);
        await client.delete(secrets, { namespace: operator.namespace, name: "replaced" });
        await until(async () => (await operator.secretTexts("replaced"))?.["value"] === "token of second");
        await until(() => log("second").length === 3);
        expect(log("second").toSorted()).toEqual(["closed after 0", "opened", "opened"]);
        await operator.put(kind(token), "replaced", { ...spec("second"), writeSecretToRef: { name: "moved" } });
        await until(
          async () => (await operator.secretTexts("moved")) !== undefined && (await operator.secretTexts("replaced")) === undefined,
        );
        expect(log("second").length).toBeGreaterThan(3);
      });

      test("never takes the Secret of another", async ({ expect }) => {
        await operator.putSecret("taken", { value: "mine" });
        await operator.put(kind(token), "thief", { forProvider: { name: "thief" }, writeSecretToRef: { name: "taken" } });
        await operator.reports(kind(token), "thief", "Synced", "False", "does not belong to");
        expect([await operator.secretTexts("taken"), log("thief")]).toEqual([{ value: "mine" }, []]);
        await operator.delete(kind(token), "thief");
        await operator.gone(kind(token), "thief");
        expect(await operator.secretTexts("taken")).toEqual({ value: "mine" });
      });
    });
  },
);
