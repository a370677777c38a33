// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiResourceOf, customResourceDefinition, mapProviderKinds, Operator, type Secret } from "@tenon/bridge/kubernetes";
import {
  ApiClient,
  installCustomResourceDefinitions,
  secrets,
  StructuredLog,
  type KubernetesObject,
} from "@tenon/bridge/kubernetes/machinery";
import { provider as notebook } from "@tenon/example-notebook";
import { describePeer } from "@tenon/peers/vitest";
import { createProvider } from "@tenon/provider-sdk";
import type { Provider } from "@tenon/schema";
import { resourceType } from "@tenon/schema/lifecycle";
import { test } from "vitest";
import { configuration } from "./go-provider.ts";
import { adminAccess, until } from "./kubernetes-setup.ts";
import { kubernetesSuite } from "./kubernetes-suite.ts";

describePeer(["kube-apiserver", "etcd"], "the connection Secrets of an operator", (programs) => {
  const cluster = kubernetesSuite(programs);

  test("are read only after they have changed, and are repaired then", { timeout: 120_000 }, async ({ expect }) => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-connections-"));
    let [requests, reads] = [0, 0];
    const provider = createProvider(notebook);
    const { provider: schema } = await provider.getProviderSchema({});
    await provider.configureProvider({ terraformVersion: "1.12.6", config: configuration(schema!, { path: join(folder, "notes.db") }) });
    const counted = new Proxy(provider, {
      get(target, name) {
        if (name === "readResource") reads += 1;
        const member: unknown = Reflect.get(target, name);
        return typeof member === "function" ? (member.bind(target) as unknown) : member;
      },
    }) as Provider;
    const [kind] = await mapProviderKinds(provider, { group: "connections.tenon.test", resources: ["notebook_note"] });
    await installCustomResourceDefinitions(cluster.client, [customResourceDefinition(kind!, { version: "v1alpha1" })], {
      fieldManager: "test",
    });
    const onRequest = ({ method }: { readonly method: string }): void => void (requests += method === "GET" ? 1 : 0);
    await using client = await ApiClient.open(await adminAccess(cluster.server), { onRequest });
    const operator = new Operator({
      client,
      name: "connections",
      member: "only",
      namespace: "default",
      kinds: [kind!],
      shards: 1,
      pollMs: 20,
      log: new StructuredLog({ level: "error" }),
      connect: async ({ typeName }) => await resourceType(counted, typeName),
    });
    const [draining, ending] = [new AbortController(), new AbortController()];
    const running = operator.run(draining.signal, ending.signal);

    const reference = { namespace: "default", name: "published" };
    const find = async (): Promise<Secret | undefined> => await cluster.client.find<Secret>(secrets, reference);
    const spec = { forProvider: { title: "first" }, writeConnectionSecretToRef: { name: "published" } };
    const object = { metadata: { namespace: "default", name: "note" }, spec };
    await cluster.client.create(apiResourceOf(kind!, "v1alpha1"), object as KubernetesObject);
    await until(async () => (await find()) !== undefined);

    const { uid } = (await find())!.metadata;
    await until(() => reads > 5);
    [requests, reads] = [0, 0];
    await until(() => reads >= 60);
    // The Leases are listed all the time, but not for each read of the resource.
    expect(requests).toBeLessThan(reads / 2);

    await cluster.client.mergePatch(secrets, reference, { data: { foreign: "eA==" } });
    await until(async () => (await find())?.data?.["foreign"] === undefined);
    await cluster.client.delete(secrets, reference);
    await until(async () => ![undefined, uid].includes((await find())?.metadata.uid));

    draining.abort();
    await running;
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  });
});
