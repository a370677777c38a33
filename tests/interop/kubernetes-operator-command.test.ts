// SPDX-License-Identifier: Apache-2.0
// The command tenon-kubernetes-operator: what it prints is installed, and it runs with the rights of that.
import { execFile, execFileSync, spawn, type ChildProcess } from "node:child_process";
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

const parsed: ApiResource = {
  group: "time.tenon.test",
  version: "v1",
  kind: "Rfc3339ParseFunction",
  plural: "rfc3339parsefunction",
  namespaced: true,
};
const configs: ApiResource = {
  group: "time.tenon.test",
  version: "v1",
  kind: "ClusterProviderConfig",
  plural: "clusterproviderconfigs",
  namespaced: false,
};

interface LogLine {
  readonly message: string;
  readonly level: string;
  readonly healthPort?: number;
}

/** Whether a line is about an error other than the end of a provider that a test has killed. */
function isUnexpected(line: LogLine): boolean {
  const text = JSON.stringify(line);
  return (line.level === "error" && !text.includes("ended with signal SIGKILL")) || text.includes("forbidden");
}

describePeer(["kube-apiserver", "etcd", "provider-time"], "tenon-kubernetes-operator", (programs) => {
  let server: KubernetesServer;
  let admin: ApiClient;
  const provider = [programs["provider-time"].path, "--include", "time_static"];
  const kindArgs = [...provider, "--group", "time.tenon.test", "--api-version", "v1"];
  const args = [...kindArgs, "--function", "rfc3339_parse"];

  beforeAll(async () => {
    server = await KubernetesServer.start(programs);
    admin = await adminClient(server);
  });
  afterAll(async () => {
    await admin?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  /** Starts the command as the ServiceAccount, and waits until the operator is ready. */
  async function start(withArgs: readonly string[], member: string): Promise<{ readonly operator: ChildProcess; readonly log: LogLine[] }> {
    const kubeconfig = join(server.folder, "account.kubeconfig");
    writeFileSync(kubeconfig, server.kubeconfig({ token: await server.serviceAccountToken("time-operator", "time-operator") }));
    const home = join(server.folder, "home");
    mkdirSync(home, { recursive: true });
    const environment = {
      PATH: process.env["PATH"],
      HOME: home,
      KUBECONFIG: kubeconfig,
      POD_NAME: member,
      POD_NAMESPACE: "time-operator",
      HEALTH_PORT: "0",
    };
    const operator = spawn(process.execPath, [command, ...withArgs], { env: environment, stdio: ["ignore", "inherit", "pipe"] });
    const log: LogLine[] = [];
    createInterface(operator.stderr).on("line", (line) => void log.push(JSON.parse(line) as LogLine));
    await until(() => log.some(({ message }) => message === "the operator is ready"));
    return { operator, log };
  }

  async function isReady(resource: ApiResource, name: string): Promise<void> {
    const reference = resource.namespaced ? { namespace: "default", name } : { name };
    await until(async () => {
      const { status } = await admin.get<ManagedResource>(resource, reference);
      return status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True") === true;
    });
  }

  async function createStatic(name: string): Promise<void> {
    const spec = { forProvider: { rfc3339: "2026-01-02T03:04:05Z" } };
    await admin.create(statics, { metadata: { namespace: "default", name }, spec } as never);
    await isReady(statics, name);
  }

  /** Kills the provider of an operator. */
  function killProvider({ pid }: ChildProcess): void {
    const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
    const children = lines
      .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
      .filter((match) => match !== null && Number(match[2]) === pid && match[3]!.startsWith(programs["provider-time"].path));
    if (children.length !== 1) throw new Error(`the operator has ${children.length} providers`);
    process.kill(Number(children[0]![1]), "SIGKILL");
  }

  test(
    "prints what it needs, runs as its ServiceAccount until SIGTERM, and serves its health",
    { timeout: 120_000 },
    async ({ expect }) => {
      const install = ["--manifest", "--image", "registry.example.com/time:1", "--replicas=2"];
      const { stdout } = await promisify(execFile)(process.execPath, [command, ...args, ...install]);
      const objects = parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
      const definitions = objects.filter(({ kind }) => kind === "CustomResourceDefinition");
      expect(definitions.map(({ metadata }) => metadata.name.split(".")[0])).toEqual([
        "providerconfigs",
        "clusterproviderconfigs",
        "providerconfigusages",
        "static",
        "rfc3339parsefunction",
      ]);
      await installCustomResourceDefinitions(admin, definitions, { fieldManager: "test" });
      for (const object of objects.slice(definitions.length)) {
        const [version = "v1", group = ""] = object.apiVersion!.split("/").toReversed();
        const plural = `${object.kind!.toLowerCase()}s`;
        const resource = { group, version, kind: object.kind!, plural, namespaced: object.metadata.namespace !== undefined };
        await admin.apply(resource, object, { fieldManager: "test", fieldValidation: "Strict" });
      }
      const deployment = objects.at(-1) as {
        readonly spec?: { readonly template: { readonly spec: { readonly containers: readonly { readonly args: unknown }[] } } };
      };
      expect(deployment.spec?.template.spec.containers[0]?.args).toEqual(args);

      const { operator, log } = await start(args, "one");
      const closed = once(operator, "close");
      const { healthPort } = log.find((line) => line.healthPort !== undefined)!;
      expect((await fetch(`http://127.0.0.1:${healthPort}/readyz`)).status).toBe(200);

      await admin.create(configs, { metadata: { name: "default" }, spec: {} } as never);
      await createStatic("release");
      await isReady(configs, "default");
      killProvider(operator);
      await createStatic("after-end");
      const moment = { metadata: { namespace: "default", name: "moment" }, spec: { forProvider: { timestamp: "2026-01-02T03:04:05Z" } } };
      await admin.create(parsed, moment as never);
      await isReady(parsed, "moment");
      const { status } = await admin.get<ManagedResource>(parsed, moment.metadata);
      expect(status?.atProvider).toMatchObject({ result: { year: 2026 } });
      const metrics = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
      expect(metrics).toMatch(/tenon_reconciles_total\{controller="Static",result="success"\} \d/);
      operator.kill("SIGTERM");
      expect(await closed).toEqual([0, null]);
      // A watch may be refused for a moment after a definition was installed. A right is never missing.
      expect(log.filter(isUnexpected)).toEqual([]);
    },
  );

  test("runs with one configuration, and starts the provider again after its end", { timeout: 120_000 }, async ({ expect }) => {
    const settings = join(server.folder, "settings.yaml");
    writeFileSync(settings, "{}");
    const { operator, log } = await start([...kindArgs, "--settings", settings, "--name", "fixed"], "one");
    const closed = once(operator, "close");
    await createStatic("fixed");
    killProvider(operator);
    await createStatic("fixed-after-end");
    operator.kill("SIGTERM");
    expect(await closed).toEqual([0, null]);
    expect(log.filter(isUnexpected)).toEqual([]);
    const run = promisify(execFile)(process.execPath, [command, ...args, "--settings", settings]);
    await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("cannot be used with --settings") as string });
  });

  test("shows the log of the provider as the progress of long changes, in a program of its own", { timeout: 120_000 }, async () => {
    const [program, file] = [join(import.meta.dirname, "kubernetes-logging-program.ts"), join(server.folder, "bound")];
    const kubeconfig = join(server.folder, "admin.kubeconfig");
    writeFileSync(kubeconfig, server.kubeconfig());
    const environment = { PATH: process.env["PATH"], KUBECONFIG: kubeconfig, HEALTH_PORT: "0", LOG_LEVEL: "error" };
    const operator = spawn(process.execPath, [program, "shelf.tenon.test", file], {
      env: environment,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const closed = once(operator, "close");
    const [manifest] = (await once(createInterface(operator.stdout), "line")) as [string];
    const definitions = (JSON.parse(manifest) as KubernetesObject[]).filter(({ kind }) => kind === "CustomResourceDefinition");
    await installCustomResourceDefinitions(admin, definitions, { fieldManager: "test" });
    const book: ApiResource = { group: "shelf.tenon.test", version: "v1alpha1", kind: "Book", plural: "book", namespaced: true };
    const config = { ...configs, group: book.group, version: book.version };
    await admin.create(config, { metadata: { name: "default" }, spec: {} } as never);
    const reference = { namespace: "default", name: "novel" };
    await admin.create(book, { metadata: reference, spec: { forProvider: { title: "Emma" } } } as never);
    await until(async () => {
      const { status } = await admin.get<ManagedResource>(book, reference);
      return status?.operation?.message === "create: binds Emma";
    });
    writeFileSync(file, "");
    await isReady(book, "novel");
    operator.kill("SIGTERM");
    await closed;
  });

  test("reports arguments that are wrong", async ({ expect }) => {
    const run = promisify(execFile)(process.execPath, [command, ...args, "--image", "registry.example.com/time:1"]);
    await expect(run).rejects.toMatchObject({
      code: 1,
      stderr: "tenon-kubernetes-operator: the flag --image is for --manifest; see --help\n",
    });
  });
});
