// SPDX-License-Identifier: Apache-2.0
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  ApiClient,
  customResourceDefinitions,
  findClusterAccess,
  FixedCredential,
  installCustomResourceDefinitions,
  isAlreadyExists,
  isConflict,
  isNotFound,
  retryOnConflict,
  type ApiResource,
  type CrdObject,
  type KubernetesObject,
} from "@tenon/bridge/kubernetes/machinery";
import { KubernetesServer } from "@tenon/peers/kubernetes";
import { describePeer } from "@tenon/peers/vitest";
import { afterAll, beforeAll, describe, test } from "vitest";

const configMaps: ApiResource = { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true };
const notes: ApiResource = { group: "notes.example", version: "v1", kind: "Note", plural: "notes", namespaced: true };

interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

interface Note extends KubernetesObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

function noteDefinition({ plural = "notes", kind = "Note" } = {}): CrdObject {
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    metadata: { name: `${plural}.notes.example` },
    spec: {
      group: "notes.example",
      scope: "Namespaced",
      names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties: { spec: open, status: open } } },
        },
      ],
    },
  } as CrdObject;
}

describePeer(["kube-apiserver", "etcd"], "the client of the Kubernetes API", (programs) => {
  let server: KubernetesServer;
  let client: ApiClient;
  const config = (content: string, name = "config"): string => {
    const path = join(server.folder, name);
    writeFileSync(path, content);
    return path;
  };
  const connect = async (content: string): Promise<ApiClient> =>
    await ApiClient.open(await findClusterAccess({ kubeconfig: config(content) }));
  const namespace = "default";

  beforeAll(async () => {
    server = await KubernetesServer.start(programs);
    client = await connect(server.kubeconfig());
  });
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  describe("authenticates", () => {
    test("with a client certificate", async ({ expect }) => {
      await using own = await connect(server.kubeconfig({ certificate: server.clientCertificate }));
      await expect(own.list(configMaps, { namespace })).rejects.toMatchObject({
        code: "API_REFUSED",
        status: 403,
        reason: "Forbidden",
        message: expect.stringContaining('User "localhost" cannot list') as string,
      });
    });

    test("with the token of a ServiceAccount, and reads a replaced token after a rejection", async ({ expect }) => {
      const token = await server.serviceAccountToken("operators", "bridge");
      const folder = join(server.folder, "account");
      mkdirSync(folder);
      for (const [name, text] of Object.entries({ token: "expired", "ca.crt": server.certificateAuthority, namespace: "operators" })) {
        writeFileSync(join(folder, name), text);
      }
      const { hostname, port } = new URL(server.url);
      const environment = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
      await using own = await ApiClient.open(await findClusterAccess({ environment, serviceAccountFolder: folder }));
      expect(own.namespace).toBe("operators");
      await expect(own.list(configMaps)).rejects.toMatchObject({ status: 401, reason: "Unauthorized" });
      writeFileSync(join(folder, "token"), token);
      await expect(own.list(configMaps)).rejects.toThrow('User "system:serviceaccount:operators:bridge" cannot list');
    });

    test("with an exec plugin", async ({ expect }) => {
      const plugin = join(server.folder, "plugin");
      const credential = { kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status: { token: server.adminToken } };
      writeFileSync(plugin, `#!/bin/sh\necho '${JSON.stringify(credential)}'\n`);
      chmodSync(plugin, 0o755);
      const kubeconfig = JSON.parse(server.kubeconfig()) as { users: unknown };
      kubeconfig.users = [{ name: "test", user: { exec: { apiVersion: credential.apiVersion, command: plugin } } }];
      await using own = await connect(JSON.stringify(kubeconfig));
      expect((await own.list(configMaps, { namespace })).items).toBeInstanceOf(Array);
    });

    test("as another user whom it may impersonate", async ({ expect }) => {
      const kubeconfig = JSON.parse(server.kubeconfig()) as { users: { user: object }[] };
      Object.assign(kubeconfig.users[0]!.user, { as: "jane", "as-groups": ["writers"] });
      await using own = await connect(JSON.stringify(kubeconfig));
      await expect(own.list(configMaps)).rejects.toThrow('User "jane" cannot list');
    });

    test("only servers with a trusted certificate", async ({ expect }) => {
      const access = await findClusterAccess({ kubeconfig: config(server.kubeconfig()) });
      await using own = await ApiClient.open({ ...access, certificateAuthorities: undefined });
      await expect(own.list(configMaps)).rejects.toMatchObject({ code: "API_UNREACHABLE", status: 0 });
      await using insecure = await ApiClient.open({ ...access, certificateAuthorities: undefined, insecure: true });
      expect((await insecure.list(configMaps)).items).toBeInstanceOf(Array);
    });
  });

  describe("reads and writes", () => {
    test("objects, conditionally on their version", async ({ expect }) => {
      const created = await client.create<ConfigMap>(configMaps, { metadata: { namespace, name: "one" }, data: { a: "1", b: "2" } });
      expect(created.metadata.resourceVersion).toMatch(/^\d+$/);
      const again = client.create<ConfigMap>(configMaps, { metadata: { namespace, name: "one" } });
      await expect(again).rejects.toSatisfy(isAlreadyExists);
      await expect(again).rejects.not.toSatisfy(isConflict);

      const replaced = await client.replace<ConfigMap>(configMaps, { ...created, data: { a: "2" } });
      expect(replaced.data).toEqual({ a: "2" });
      await expect(client.replace<ConfigMap>(configMaps, created)).rejects.toSatisfy(isConflict);

      const patched = await client.mergePatch<ConfigMap>(configMaps, { namespace, name: "one" }, { data: { a: null, c: "3" } });
      expect(patched.data).toEqual({ c: "3" });
      const stale = { metadata: { resourceVersion: replaced.metadata.resourceVersion }, data: { c: "4" } };
      await expect(client.mergePatch(configMaps, { namespace, name: "one" }, stale)).rejects.toSatisfy(isConflict);
    });

    test("absent objects as undefined, or as an error", async ({ expect }) => {
      expect(await client.find(configMaps, { namespace, name: "absent" })).toBeUndefined();
      await expect(client.get(configMaps, { namespace, name: "absent" })).rejects.toSatisfy(isNotFound);
      await expect(client.get(configMaps, { namespace, name: "absent" })).rejects.toThrow(
        "GET /api/v1/namespaces/default/configmaps/absent: 404 NotFound",
      );
    });

    test("deletes an object conditionally on its UID and version", async ({ expect }) => {
      const { metadata } = await client.create<ConfigMap>(configMaps, { metadata: { namespace, name: "deleted" } });
      const reference = { namespace, name: "deleted" };
      const other = "00000000-0000-0000-0000-000000000000";
      await expect(client.delete(configMaps, reference, { preconditions: { uid: other } })).rejects.toSatisfy(isConflict);
      await client.mergePatch(configMaps, reference, { data: { a: "1" } });
      const { resourceVersion, uid } = metadata as { readonly resourceVersion: string; readonly uid: string };
      await expect(client.delete(configMaps, reference, { preconditions: { resourceVersion } })).rejects.toSatisfy(isConflict);
      await client.delete(configMaps, reference, { preconditions: { uid } });
      expect(await client.find(configMaps, reference)).toBeUndefined();
    });

    test("applies fields, and reports the manager that owns a conflicting field", async ({ expect }) => {
      const object = { metadata: { namespace, name: "applied" }, data: { a: "1" } };
      await client.apply<ConfigMap>(configMaps, object, { fieldManager: "first" });
      const other = { ...object, data: { a: "2" } };
      const refused = client.apply<ConfigMap>(configMaps, other, { fieldManager: "second" });
      await expect(refused).rejects.toSatisfy(isConflict);
      await expect(refused).rejects.toThrow('conflict with "first"');
      const forced = await client.apply<ConfigMap>(configMaps, other, { fieldManager: "second", force: true });
      expect(forced.data).toEqual({ a: "2" });
      const dry = await client.apply<ConfigMap>(configMaps, { ...object, data: { b: "3" } }, { fieldManager: "first", dryRun: true });
      expect(dry.data).toEqual({ a: "2", b: "3" });
      expect((await client.get<ConfigMap>(configMaps, object.metadata)).data).toEqual({ a: "2" });
    });

    test("lists in pages", async ({ expect }) => {
      const names = ["page-1", "page-2", "page-3"];
      for (const name of names) await client.create(configMaps, { metadata: { namespace, name, labels: { group: "pages" } } });
      const options = { namespace, labelSelector: "group=pages", limit: 2 };
      const first = await client.list(configMaps, options);
      expect(first.items.map(({ metadata }) => metadata.name)).toEqual(["page-1", "page-2"]);
      const second = await client.list(configMaps, { ...options, continue: first.metadata.continue });
      expect(second.items.map(({ metadata }) => metadata.name)).toEqual(["page-3"]);
      expect(second.metadata.continue).toBeFalsy();
    });

    test("concurrently: retryOnConflict loses no change", async ({ expect }) => {
      const reference = { namespace, name: "counter" };
      await client.create<ConfigMap>(configMaps, { metadata: reference, data: { count: "0" } });
      const increment = async (): Promise<void> => {
        const current = await client.get<ConfigMap>(configMaps, reference);
        await client.replace<ConfigMap>(configMaps, { ...current, data: { count: String(Number(current.data!["count"]) + 1) } });
      };
      await Promise.all(Array.from({ length: 8 }, () => retryOnConflict(increment, { attempts: 50 })));
      expect((await client.get<ConfigMap>(configMaps, reference)).data).toEqual({ count: "8" });
    });

    test("retryOnConflict does not retry after other errors", async ({ expect }) => {
      let attempts = 0;
      const attempt = async (): Promise<void> => {
        attempts += 1;
        await client.get(configMaps, { namespace, name: "absent" });
      };
      await expect(retryOnConflict(attempt)).rejects.toSatisfy(isNotFound);
      expect(attempts).toBe(1);
    });
  });

  describe("installs custom resource definitions", () => {
    test("whose objects can be created immediately, with status as a subresource and exact 64-bit integers", async ({ expect }) => {
      const established: string[] = [];
      const definitions = [noteDefinition(), noteDefinition({ plural: "pages", kind: "Page" })];
      const onEstablished = (name: string): void => void established.push(name);
      await installCustomResourceDefinitions(client, definitions, { fieldManager: "tenon", onEstablished });
      expect(established.sort()).toEqual(["notes.notes.example", "pages.notes.example"]);
      // Again, as on each start.
      await installCustomResourceDefinitions(client, definitions, { fieldManager: "tenon" });

      const object = { metadata: { namespace, name: "big" }, spec: { size: 9223372036854775807n }, status: { ignored: true } };
      const created = await client.create<Note>(notes, object);
      expect(created.spec).toEqual({ size: 9223372036854775807n });
      expect(created.status).toBeUndefined();
      const reference = { namespace, name: "big" };
      const patched = await client.mergePatch<Note>(
        notes,
        reference,
        { status: { ready: true }, spec: { size: 1 } },
        { subresource: "status" },
      );
      expect(patched).toMatchObject({ status: { ready: true }, spec: { size: 9223372036854775807n } });
    });

    test("and reports a name that another definition has", async ({ expect }) => {
      await installCustomResourceDefinitions(client, [noteDefinition()], { fieldManager: "tenon" });
      const taken = noteDefinition({ plural: "notebooks", kind: "Note" });
      await expect(installCustomResourceDefinitions(client, [taken], { fieldManager: "tenon" })).rejects.toMatchObject({
        code: "CRD_NOT_ESTABLISHED",
        message: expect.stringMatching(
          /notebooks\.notes\.example is not served, because its names are not accepted: .*already in use/,
        ) as string,
      });
    });

    test("and reports the invalid field of a rejected one", async ({ expect }) => {
      const definition = noteDefinition({ plural: "drafts", kind: "Draft" }) as { spec: { scope: string } } & CrdObject;
      definition.spec.scope = "Nowhere";
      const refused = installCustomResourceDefinitions(client, [definition], { fieldManager: "tenon" });
      await expect(refused).rejects.toMatchObject({ code: "API_REFUSED", status: 422, reason: "Invalid" });
      await expect(refused).rejects.toMatchObject({
        causes: expect.arrayContaining([expect.objectContaining({ field: "spec.scope" })]) as unknown,
      });
      expect(await client.find(customResourceDefinitions, { name: "drafts.notes.example" })).toBeUndefined();
    });
  });

  describe("aborts", () => {
    test("a request when its signal is aborted, also while it waits for a connection", async ({ expect }) => {
      const sockets: { destroy(): void }[] = [];
      const silent = createServer();
      silent.on("connection", (socket) => sockets.push(socket));
      await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
      const url = new URL(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
      const own = await ApiClient.open({ server: url, credentials: new FixedCredential({}), namespace }, { connections: 1 });
      const abort = new AbortController();
      const requests = [own.list(configMaps, { signal: abort.signal }), own.list(configMaps, { signal: abort.signal })];
      const settled = Promise.allSettled(requests);
      abort.abort(new Error("enough"));
      expect((await settled).map((result) => (result as PromiseRejectedResult).reason as unknown)).toEqual([
        new Error("enough"),
        new Error("enough"),
      ]);
      await expect(own.list(configMaps, { timeoutMs: 50 })).rejects.toMatchObject({ code: "API_UNREACHABLE" });
      await own[Symbol.asyncDispose]();
      await expect(own.list(configMaps)).rejects.toMatchObject({ code: "API_UNREACHABLE" });
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => silent.close(resolve));
    });
  });

  test("repeats a request after the delay that an overloaded server requests", async ({ expect }) => {
    let requests = 0;
    const overloaded = createServer((_, response) => {
      requests += 1;
      if (requests < 3) response.writeHead(429, { "retry-after": "0" }).end("Too many requests");
      else response.end(JSON.stringify({ items: [], metadata: {} }));
    });
    await new Promise<void>((resolve) => overloaded.listen(0, "127.0.0.1", resolve));
    const url = new URL(`http://127.0.0.1:${(overloaded.address() as AddressInfo).port}/prefix`);
    await using own = await ApiClient.open({ server: url, credentials: new FixedCredential({}), namespace });
    expect((await own.list(configMaps)).items).toEqual([]);
    expect(requests).toBe(3);
    overloaded.close();
  });
});
