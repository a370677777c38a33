// SPDX-License-Identifier: Apache-2.0
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, test } from "vitest";
import { describePeer } from "./describe-peer.ts";
import { KubernetesServer } from "./kubernetes-server.ts";

/** Whether a port accepts connections. */
async function accepts(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

describePeer(["kube-apiserver", "etcd"], "KubernetesServer", (programs) => {
  let server: KubernetesServer;
  beforeAll(async () => {
    server = await KubernetesServer.start(programs, { users: { alice: ["readers"], nobody: [] } });
    const readers = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "readers" } };
    await server.request("POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", {
      ...readers,
      rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] }],
    });
    await server.request("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
      metadata: { name: "readers" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "readers" },
      subjects: [
        { kind: "Group", name: "readers" },
        { kind: "Group", name: "Tenon" },
        { kind: "ServiceAccount", namespace: "default", name: "reader" },
      ],
    });
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  test("reports its version", async ({ expect }) => {
    const { status, body } = await server.request("GET", "/version");
    expect({ status, version: body.gitVersion }).toEqual({ status: 200, version: "v1.36.3" });
  });

  test("knows its identities, and grants only what a binding grants", async ({ expect }) => {
    const path = "/api/v1/namespaces/default/configmaps";
    const statusOf = async (credentials: Parameters<typeof server.request>[3], method = "GET"): Promise<number> =>
      (await server.request(method, path, method === "GET" ? undefined : { metadata: { name: "a" } }, credentials)).status;
    const account = { token: await server.serviceAccountToken("default", "reader") };
    const stranger = { token: await server.serviceAccountToken("default", "stranger") };
    expect({
      alice: await statusOf({ token: server.token("alice") }),
      aliceWrites: await statusOf({ token: server.token("alice") }, "POST"),
      nobody: await statusOf({ token: server.token("nobody") }),
      certificate: await statusOf({ certificate: server.clientCertificate }),
      account: await statusOf(account),
      stranger: await statusOf(stranger),
      wrong: await statusOf({ token: "wrong" }),
    }).toEqual({ alice: 200, aliceWrites: 403, nobody: 403, certificate: 200, account: 200, stranger: 403, wrong: 401 });
  });

  test("keeps objects and address when the API server is restarted", async ({ expect }) => {
    const { url } = server;
    await server.request("POST", "/api/v1/namespaces/default/configmaps", { metadata: { name: "kept" }, data: { a: "1" } });
    await server.stopApiServer();
    await expect(server.request("GET", "/readyz")).rejects.toThrow("ECONNREFUSED");
    await server.startApiServer();
    await server.compact();
    const { body } = await server.request("GET", "/api/v1/namespaces/default/configmaps/kept");
    expect({ data: body.data, url: server.url }).toEqual({ data: { a: "1" }, url });
  });

  test("reports the program's output when it cannot start", async ({ expect }) => {
    await expect(KubernetesServer.start(programs, { flags: ["--no-such-flag"] })).rejects.toThrow("unknown flag: --no-such-flag");
  });

  test("leaves no process and no folder behind when the test is killed", async ({ expect }) => {
    const program = `
      import { KubernetesServer } from ${JSON.stringify(join(import.meta.dirname, "kubernetes-server.ts"))};
      const server = await KubernetesServer.start(${JSON.stringify(programs)});
      console.log(JSON.stringify({ url: server.url, folder: server.folder }));
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const { url, folder } = JSON.parse(String(line)) as { url: string; folder: string };
    expect(existsSync(folder)).toBe(true);
    child.kill("SIGKILL");
    const { hostname, port } = new URL(url);
    while (existsSync(folder) || (await accepts(hostname, Number(port)))) await new Promise((resolve) => void setTimeout(resolve, 20));
  });

  describePeer(["kubectl"], "with kubectl", ({ kubectl }) => {
    test("serves it by a kubeconfig", async ({ expect }) => {
      const folder = mkdtempSync(join(tmpdir(), "kubectl-"));
      try {
        const config = join(folder, "config");
        const whoAmI = async (credentials: Parameters<typeof server.kubeconfig>[0]): Promise<string> => {
          writeFileSync(config, server.kubeconfig(credentials));
          const args = ["--kubeconfig", config, "--cache-dir", folder, "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"];
          return (await promisify(execFile)(kubectl.path, args)).stdout;
        };
        expect(await whoAmI({ token: server.adminToken })).toBe("admin");
        expect(await whoAmI({ certificate: server.clientCertificate })).toBe("localhost");
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
});
