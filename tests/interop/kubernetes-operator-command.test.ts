// SPDX-License-Identifier: Apache-2.0
// The command tenon-kubernetes-operator: what it prints is installed, and it runs with the rights of that.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { KubernetesServer } from "@tenon/peers/kubernetes";
import { describePeer } from "@tenon/peers/vitest";
import type { ManagedResource } from "@tenon/bridge/kubernetes";
import {
  installCustomResourceDefinitions,
  type ApiClient,
  type ApiResource,
  type KubernetesObject,
} from "@tenon/bridge/kubernetes/machinery";
import { afterAll, beforeAll, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { adminClient, until } from "./kubernetes-setup.ts";

const command = join(import.meta.dirname, "../../packages/bridge/src/kubernetes/operator-main.ts");
const statics: ApiResource = { group: "time.tenon.test", version: "v1", kind: "Static", plural: "static", namespaced: true };

describePeer(["kube-apiserver", "etcd", "provider-time"], "tenon-kubernetes-operator", (programs) => {
  let server: KubernetesServer;
  let admin: ApiClient;
  const provider = [programs["provider-time"].path, "--include", "time_static"];
  const args = [...provider, "--group", "time.tenon.test", "--api-version", "v1"];

  beforeAll(async () => {
    server = await KubernetesServer.start(programs);
    admin = await adminClient(server);
  });
  afterAll(async () => {
    await admin?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  test(
    "prints what it needs, runs as its ServiceAccount until SIGTERM, and serves its health",
    { timeout: 120_000 },
    async ({ expect }) => {
      const install = ["--manifest", "--image", "registry.example.com/time:1", "--replicas=2"];
      const { stdout } = await promisify(execFile)(process.execPath, [command, ...args, ...install]);
      const objects = parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
      const [definition, ...others] = objects;
      await installCustomResourceDefinitions(admin, [definition!], { fieldManager: "test" });
      for (const object of others) {
        const [version = "v1", group = ""] = object.apiVersion!.split("/").toReversed();
        const plural = `${object.kind!.toLowerCase()}s`;
        const resource = { group, version, kind: object.kind!, plural, namespaced: object.metadata.namespace !== undefined };
        await admin.apply(resource, object, { fieldManager: "test", fieldValidation: "Strict" });
      }
      const deployment = objects.at(-1) as {
        readonly spec?: { readonly template: { readonly spec: { readonly containers: readonly { readonly args: unknown }[] } } };
      };
      expect(deployment.spec?.template.spec.containers[0]?.args).toEqual(args);

      const kubeconfig = join(server.folder, "account.kubeconfig");
      const token = await server.serviceAccountToken("time-operator", "time-operator");
      writeFileSync(kubeconfig, server.kubeconfig({ token }));
      const home = join(server.folder, "home");
      mkdirSync(home);
      const environment = {
        PATH: process.env["PATH"],
        HOME: home,
        KUBECONFIG: kubeconfig,
        POD_NAME: "one",
        POD_NAMESPACE: "time-operator",
        HEALTH_PORT: "0",
      };
      const operator = spawn(process.execPath, [command, ...args], { env: environment, stdio: ["ignore", "inherit", "pipe"] });
      const closed = once(operator, "close");
      const log: { readonly message: string; readonly level: string; readonly healthPort?: number }[] = [];
      createInterface(operator.stderr).on("line", (line) => void log.push(JSON.parse(line) as (typeof log)[number]));
      await until(() => log.some(({ message }) => message === "the operator is ready"));
      const { healthPort } = log.find((line) => line.healthPort !== undefined)!;
      expect((await fetch(`http://127.0.0.1:${healthPort}/readyz`)).status).toBe(200);

      const reference = { namespace: "default", name: "release" };
      await admin.create(statics, { metadata: reference, spec: { forProvider: { rfc3339: "2026-01-02T03:04:05Z" } } } as never);
      await until(async () => {
        const { status } = await admin.get<ManagedResource>(statics, reference);
        return status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True") === true;
      });
      const metrics = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
      expect(metrics).toMatch(/tenon_reconciles_total\{controller="Static",result="success"\} \d/);
      operator.kill("SIGTERM");
      expect(await closed).toEqual([0, null]);
      // A watch may be refused for a moment after a definition was installed. A right is never missing.
      expect(log.filter((line) => line.level === "error" || JSON.stringify(line).includes("forbidden"))).toEqual([]);
    },
  );

  test("reports arguments that are wrong", async ({ expect }) => {
    const run = promisify(execFile)(process.execPath, [command, ...args, "--image", "registry.example.com/time:1"]);
    await expect(run).rejects.toMatchObject({
      code: 1,
      stderr: "tenon-kubernetes-operator: the flag --image is for --manifest; see --help\n",
    });
  });
});
