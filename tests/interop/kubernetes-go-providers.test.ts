// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stateSecretName } from "@tenon/bridge/kubernetes";
import { secrets, type ApiClient } from "@tenon/bridge/kubernetes/machinery";
import { KubernetesServer } from "@tenon/peers/kubernetes";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider, type LaunchedProvider } from "@tenon/plugin-host";
import { afterAll, beforeAll, describe, test } from "vitest";
import { configuration } from "./go-provider.ts";
import { TestOperator, type OperatorOptions } from "./kubernetes-operator.ts";
import { adminClient, until } from "./kubernetes-setup.ts";

const externalName = "crossplane.io/external-name";
const peers = ["kube-apiserver", "etcd", "framework-provider", "sdkv2-provider", "provider-time"] as const;

describePeer(peers, "Go providers as custom resources", (programs) => {
  let server: KubernetesServer;
  let client: ApiClient;
  let folder: string;
  const cleanUp = new AsyncDisposableStack();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tenon-go-providers-"));
    server = await KubernetesServer.start(programs);
    client = await adminClient(server);
  });
  afterAll(async () => {
    await cleanUp.disposeAsync();
    await client?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Launches and configures a provider, and starts an operator for some of its types. */
  async function operatorFor(
    program: (typeof peers)[number],
    config: Readonly<Record<string, unknown>>,
    options: Pick<OperatorOptions, "resources" | "rules">,
  ): Promise<TestOperator> {
    const provider: LaunchedProvider = await launchProvider({ command: programs[program].path });
    cleanUp.defer(() => provider.close());
    const { provider: schema } = await provider.getProviderSchema({});
    const { diagnostics } = await provider.configureProvider({ terraformVersion: "1.12.6", config: configuration(schema!, config) });
    if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
    const operator = await TestOperator.start({ client, provider, ...options });
    cleanUp.use(operator);
    return operator;
  }

  const again = (operator: TestOperator, type: string, name: string, token: string): Promise<void> =>
    operator.annotate(type, name, { "crossplane.io/reconcile-requested-at": token });

  describe("on terraform-plugin-framework", () => {
    const record = "framework_record";
    let operator: TestOperator;
    let directory: string;
    const file = (id: string): Record<string, unknown> =>
      JSON.parse(readFileSync(join(directory, `${id}.json`), "utf8")) as Record<string, unknown>;
    const idOf = async (name: string): Promise<string> => (await operator.get(record, name)).metadata.annotations![externalName]!;

    beforeAll(async () => {
      directory = mkdtempSync(join(folder, "records-"));
      operator = await operatorFor("framework-provider", { directory }, { resources: [record] });
    });

    test("have values of every kind, and a second reconcile changes nothing", async ({ expect }) => {
      operator.changes.length = 0;
      const forProvider = {
        name: "every kind",
        size: 9_007_199_254_740_993n,
        ratio: 0.5,
        tags: ["b", "a"],
        labels: ["y", "x"],
        notes: { k: "v" },
        origin: { host: "h", port: 8080 },
        anything: { nested: [1, "two"] },
        single: { key: "s" },
        items: [{ key: "i", value: "v" }],
        entries: { e: { key: "e" } },
        members: [{ key: "m" }],
        rule: [{ port: 80, match: [{ pattern: "*" }] }],
        access: [{ role: "admin", write: true }],
        limits: { cpu: 1.5 },
      };
      await operator.put(record, "every", { forProvider });
      const object = await operator.ready(record, "every");
      const id = await idOf("every");
      expect(object.status?.atProvider).toMatchObject({
        ...forProvider,
        id,
        kind: "plain",
        labels: ["x", "y"],
        revision: 1,
        single: { key: "s", value: "none", stamp: "made in revision 1" },
        items: [{ key: "i", value: "v", stamp: "made in revision 1" }],
        entries: { e: { key: "e", value: "none", stamp: "made in revision 1" } },
      });
      await again(operator, record, "every", "1");
      await operator.put(record, "every", { forProvider: { ...forProvider, ratio: 0.25 } });
      await operator.becomes(record, "every", ({ status }) => status?.atProvider?.["ratio"] === 0.25);
      expect(operator.changes).toEqual(["create", "update"]);
    });

    test("keep private data in the stored state only", async ({ expect }) => {
      const kept = '{"kept":"since creation"}';
      await operator.put(record, "private", { forProvider: { name: "private" } });
      expect((await operator.ready(record, "private")).status?.atProvider?.["note"]).toBe(kept);
      await operator.put(record, "private", { forProvider: { name: "private", flag: true } });
      const updated = await operator.becomes(record, "private", ({ status }) => status?.atProvider?.["flag"] === true);
      expect(updated.status?.atProvider?.["note"]).toBe(kept);
      expect((await operator.state(record, "private"))?.object).toMatchObject({ identity: expect.stringContaining('"id"') as string });
      // Without the Secret, an import finds the record, but not its private data.
      await client.delete(secrets, { namespace: operator.namespace, name: stateSecretName(updated.metadata.uid!) });
      await again(operator, record, "private", "1");
      await operator.becomes(record, "private", ({ status }) => status?.atProvider?.["note"] === undefined);
      await until(async () => (await operator.eventReasons(record, "private")).includes("ImportedExternalResource"));
    });

    test("receive write-only values, and store them nowhere", async ({ expect }) => {
      const name = operator.name("password");
      await client.create(secrets, { metadata: { namespace: operator.namespace, name }, stringData: { pin: "correct horse" } } as never);
      const spec = {
        forProvider: { name: "write only", passwordSecretRef: { name, key: "pin" } },
        writeConnectionSecretToRef: { name: `${name}-out` },
      };
      await operator.put(record, "secret", spec);
      const object = await operator.ready(record, "secret");
      expect(file(await idOf("secret"))["password_sha256"]).toBe(createHash("sha256").update("correct horse").digest("hex"));
      const state = await operator.state(record, "secret");
      expect(JSON.stringify([object, state])).not.toContain("correct horse");
      expect(await client.get(secrets, { namespace: operator.namespace, name: `${name}-out` })).not.toHaveProperty("data");
    });

    test("are created again after they were deleted outside, and deleted with the provider's warnings", async ({ expect }) => {
      operator.changes.length = 0;
      await operator.put(record, "vanished", { forProvider: { name: "vanished", flag: true } });
      await operator.ready(record, "vanished");
      const id = await idOf("vanished");
      rmSync(join(directory, `${id}.json`));
      await again(operator, record, "vanished", "1");
      await until(() => operator.changes.length === 2);
      await operator.ready(record, "vanished");
      const { uid } = (await operator.get(record, "vanished")).metadata;
      await operator.delete(record, "vanished");
      await operator.gone(record, "vanished");
      expect([operator.changes, readdirSync(directory).includes(`${id}.json`)]).toEqual([["create", "create", "delete"], false]);
      await until(async () => (await operator.eventsOf(uid!)).some(({ note }) => note.startsWith("Flagged Record")));
    });

    test("report the provider's errors, with nothing created", async ({ expect }) => {
      operator.changes.length = 0;
      await operator.put(record, "too-long", { forProvider: { name: "n".repeat(65) } });
      await operator.fails(record, "too-long", "64");
      expect(operator.changes).toEqual([]);
      await operator.put(record, "first", { forProvider: { name: "twice" } });
      await operator.ready(record, "first");
      await operator.put(record, "second", { forProvider: { name: "twice" } });
      await operator.fails(record, "second", "Record Already Exists");
      expect((await operator.get(record, "second")).metadata.annotations).not.toHaveProperty(externalName);
    });
  });

  describe("on the SDK, version 2", () => {
    const type = "sdkv2_server";
    let operator: TestOperator;

    beforeAll(async () => {
      operator = await operatorFor("sdkv2-provider", { directory: mkdtempSync(join(folder, "servers-")) }, { resources: [type] });
    });

    test("may store values that differ from the configuration, without an update at each reconcile", async ({ expect }) => {
      operator.changes.length = 0;
      const forProvider = {
        name: "WEB",
        image: "i",
        disk: [{ gigabytes: 10, mount: [{ path: "/a" }] }],
        rule: [{ port: 80 }],
        contact: [{ mail: "m" }],
      };
      await operator.put(type, "web", { forProvider });
      const object = await operator.ready(type, "web");
      expect(object.status?.atProvider).toMatchObject({ size: "small", disk: [{ gigabytes: 10, kind: "ssd" }] });
      await again(operator, type, "web", "1");
      await operator.put(type, "web", { forProvider: { ...forProvider, cores: 4 } });
      await operator.becomes(type, "web", ({ status }) => status?.atProvider?.["cores"] === 4);
      expect(operator.changes).toEqual(["create", "update"]);
    });

    test("are replaced if the plan requires and the policy allows it", async ({ expect }) => {
      const spec = (size: string) => ({ forProvider: { name: "db", image: "i", size } });
      await operator.put(type, "db", spec("big"));
      await operator.ready(type, "db");
      operator.changes.length = 0;
      await operator.put(type, "db", spec("small"));
      expect(await operator.fails(type, "db", "needs a replacement")).toContain("size");
      await operator.annotate(type, "db", { "tenon.dev/replacement-policy": "DeleteFirst" });
      await operator.becomes(type, "db", ({ status }) => status?.atProvider?.["size"] === "small");
      expect(operator.changes).toEqual(["delete", "create"]);
    });

    test("are imported by their external names", async ({ expect }) => {
      await operator.put(type, "original", { forProvider: { name: "original", image: "i" } });
      const original = await operator.ready(type, "original");
      const id = original.metadata.annotations![externalName]!;
      operator.changes.length = 0;
      await operator.put(type, "observer", { forProvider: {}, managementPolicies: ["Observe"] }, { annotations: { [externalName]: id } });
      expect((await operator.ready(type, "observer")).status?.atProvider).toMatchObject({ id, name: "original", image: "i" });
      expect(operator.changes).toEqual([]);
    });
  });

  test("of protocol 5 copy values that the provider has chosen to their parameters", async ({ expect }) => {
    const type = "time_static";
    const operator = await operatorFor("provider-time", {}, { resources: [type] });
    await operator.put(type, "release", { forProvider: {} });
    const object = await operator.becomes(type, "release", ({ spec }) => spec.forProvider["rfc3339"] !== undefined);
    await operator.ready(type, "release");
    expect(object.spec.forProvider["rfc3339"]).toBe(object.status?.atProvider?.["rfc3339"]);
    await again(operator, type, "release", "1");
    await operator.delete(type, "release");
    await operator.gone(type, "release");
    expect(operator.changes).toEqual(["create", "delete"]);
  });
});
