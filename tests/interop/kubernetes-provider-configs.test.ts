// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installedSupply, ownSupply } from "@tenon/bridge/kubernetes";
import type { ApiClient, ApiResource } from "@tenon/bridge/kubernetes/machinery";
import { provider as notebook } from "@tenon/example-notebook";
import { Notebook } from "@tenon/example-notebook/store";
import { KubernetesServer } from "@tenon/peers/kubernetes";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider } from "@tenon/plugin-host";
import { currentPlatform, formatPlatform } from "@tenon/plugin-host/install";
import { createProvider } from "@tenon/provider-sdk";
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { ConfiguredOperator, type ConfiguredOperatorOptions } from "./kubernetes-configured-operator.ts";
import { adminClient, until } from "./kubernetes-setup.ts";
import { packageExample } from "./packaged-provider.ts";
import { ProviderRegistry, signingKey } from "./provider-registry.ts";

const peers = ["kube-apiserver", "etcd", "framework-provider", "sdkv2-provider", "provider-time"] as const;
const pool = { quietMs: 50 };
const record = "framework_record";

describePeer(peers, "configurations of providers", (programs) => {
  let server: KubernetesServer;
  let client: ApiClient;
  let folder: string;
  const operators = new AsyncDisposableStack();
  let current = new AsyncDisposableStack();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tenon-provider-configs-"));
    server = await KubernetesServer.start(programs);
    client = await adminClient(server);
  });
  afterEach(async () => {
    await current.disposeAsync();
    current = new AsyncDisposableStack();
  });
  afterAll(async () => {
    await operators.disposeAsync();
    await client?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const newFolder = (): string => mkdtempSync(join(folder, "records-"));
  const framework = installedSupply({ kind: "file", path: programs["framework-provider"].path });

  async function start(options: Partial<ConfiguredOperatorOptions> = {}): Promise<ConfiguredOperator> {
    const operator = await ConfiguredOperator.start({ client, supply: framework, resources: [record], pool, ...options });
    current.use(operator);
    return operator;
  }

  /** Processes of a provider that this process has launched. */
  function processes(program: (typeof peers)[number]): readonly number[] {
    const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
    return lines
      .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
      .filter((match) => match !== null && Number(match[2]) === process.pid && match[3]!.startsWith(programs[program].path))
      .map((match) => Number(match![1]));
  }

  const spec = (name: string, providerConfigRef?: object): object => ({
    forProvider: { name },
    ...(providerConfigRef ? { providerConfigRef } : {}),
  });

  test("do not keep an object whose namespace is being deleted", async ({ expect }) => {
    const { configs, namespace } = await start();
    const namespaces: ApiResource = { group: "", version: "v1", kind: "Namespace", plural: "namespaces", namespaced: false };
    await client.delete(namespaces, { name: namespace });
    const reference = { kind: "ClusterProviderConfig", name: "default" };
    const metadata = { namespace, name: "one", uid: randomUUID() };
    const owner = { apiVersion: "any/v1", kind: "Any", metadata };
    await expect(configs.usages.track(reference, owner)).rejects.toMatchObject({ status: 403 });
    await configs.usages.track(reference, { ...owner, metadata: { ...metadata, deletionTimestamp: new Date().toISOString() } });
  });

  test("are waited for, and used by the objects that refer to them", async ({ expect }) => {
    const operator = await start();
    const kind = operator.resource(record);
    await operator.put(kind, "early", spec("early"));
    const message = await operator.reports(kind, "early", "Synced", "False", "does not exist");
    expect(message).toBe("the ClusterProviderConfig default does not exist");
    const [everywhere, here] = [newFolder(), newFolder()];
    await operator.put(operator.config("ClusterProviderConfig"), "default", { configuration: { directory: everywhere } });
    await operator.reports(kind, "early", "Ready", "True");
    await operator.put(operator.config("ProviderConfig"), "team", { configuration: { directory: here, options: { prefix: "p-" } } });
    await operator.put(kind, "own", spec("own", { kind: "ProviderConfig", name: "team" }));
    await operator.reports(kind, "own", "Ready", "True");
    expect([readdirSync(everywhere).length, readdirSync(here).map((file) => file.slice(0, 2))]).toEqual([1, ["p-"]]);
    const config = { kind: "ClusterProviderConfig", name: "default" };
    await until(async () => (await operator.configOf(config)).status?.users === 1);
    const { status, metadata } = await operator.configOf(config);
    expect(status).toMatchObject({ users: 1, provider: { address: "framework" }, observedGeneration: metadata.generation });
    expect(metadata.finalizers).toEqual(["in-use.crossplane.io"]);
    const { items } = await client.list(operator.configs.resources.usages, { namespace: operator.namespace });
    expect(items).toHaveLength(2);
    expect(items.find(({ metadata: { labels } }) => labels?.["crossplane.io/provider-config"] === "team")).toMatchObject({
      providerConfigRef: { kind: "ProviderConfig", name: "team" },
      resourceRef: { kind: "Record", name: "own" },
    });
  });

  test("report the provider's reasons without the secrets, and follow a change of their Secret", async ({ expect }) => {
    const operator = await start();
    const [kind, configs] = [operator.resource(record), operator.config("ProviderConfig")];
    const tokenSecretRef = { name: "credentials", key: "token" };
    await operator.put(configs, "default", { configuration: { directory: newFolder(), tokenSecretRef } });
    const missing = await operator.reports(configs, "default", "Ready", "False");
    expect(missing).toBe("spec.configuration.tokenSecretRef: the Secret credentials or its key token does not exist");
    await operator.putSecret("credentials", { token: "wrong" });
    const refused = await operator.reports(configs, "default", "Ready", "False", "Invalid Token");
    expect(refused).toBe("Invalid Token: The token was refused.");
    await operator.put(kind, "one", spec("one", { kind: "ProviderConfig", name: "default" }));
    const message = await operator.reports(kind, "one", "Synced", "False", "Invalid Token");
    expect(message).toContain("the ProviderConfig");
    await operator.putSecret("credentials", { token: "correct horse" });
    await operator.reports(configs, "default", "Ready", "True");
    await operator.reports(kind, "one", "Ready", "True");
    const all = JSON.stringify([await operator.find(configs, "default"), await operator.find(kind, "one"), operator.log]);
    expect(all).not.toContain("correct horse");
  });

  test("get a new process when they or their Secrets change, and the old process ends", async ({ expect }) => {
    const operator = await start();
    const [kind, configs] = [operator.resource(record), operator.config("ProviderConfig")];
    const [before, after] = [newFolder(), newFolder()];
    await operator.putSecret("credentials", { json: JSON.stringify({ token: "first", options: { prefix: "a-" } }) });
    const credentials = { source: "Secret", secretRef: { name: "credentials", key: "json" } };
    await operator.put(configs, "default", { configuration: { directory: before }, credentials });
    await operator.put(kind, "one", spec("one", { kind: "ProviderConfig", name: "default" }));
    await operator.reports(kind, "one", "Ready", "True");
    const [first, ...others] = processes("framework-provider");
    expect(others).toEqual([]);
    await operator.putSecret("credentials", { json: JSON.stringify({ token: "second", options: { prefix: "b-" } }) });
    await until(() => processes("framework-provider").every((pid) => pid !== first));
    await operator.put(kind, "two", spec("two", { kind: "ProviderConfig", name: "default" }));
    await operator.reports(kind, "two", "Ready", "True");
    expect(readdirSync(before).some((file) => file.startsWith("b-"))).toBe(true);
    await operator.put(configs, "default", { configuration: { directory: after }, credentials });
    await until(() => readdirSync(after).length === 2);
    await until(() => processes("framework-provider").length === 1);
  });

  test("of one namespace are those that an operator of that namespace uses", async ({ expect }) => {
    const operator = await start({ namespace: "only-here" });
    const [kind, ref] = [operator.resource(record), { kind: "ProviderConfig", name: "default" }];
    await operator.put(operator.config("ClusterProviderConfig"), "default", { configuration: { directory: newFolder() } });
    await operator.put(operator.config("ProviderConfig"), "default", { configuration: { directory: newFolder() } });
    await operator.put(kind, "cluster", spec("cluster"));
    const message = await operator.reports(kind, "cluster", "Synced", "False");
    expect(message).toContain("the operator has rights in the namespace only-here only: refer to a ProviderConfig");
    await operator.put(kind, "cluster", spec("cluster", ref));
    await operator.reports(kind, "cluster", "Ready", "True");
    expect((await operator.configOf({ kind: "ClusterProviderConfig", name: "default" })).status).toBeUndefined();
  });

  test("get a new process after theirs was killed", async ({ expect }) => {
    const operator = await start();
    const [kind, configs] = [operator.resource(record), operator.config("ProviderConfig")];
    await operator.put(configs, "default", { configuration: { directory: newFolder() } });
    const ref = { kind: "ProviderConfig", name: "default" };
    await operator.put(kind, "one", spec("one", ref));
    await operator.reports(kind, "one", "Ready", "True");
    for (const flag of [true, false, true]) {
      for (const pid of processes("framework-provider")) process.kill(pid, "SIGKILL");
      await operator.put(kind, "one", { forProvider: { name: "one", flag }, providerConfigRef: ref });
      await operator.becomes(kind, "one", ({ status }) => status?.atProvider?.["flag"] === flag);
    }
    await operator.reports(configs, "default", "Ready", "True");
    expect(operator.configs.pool.size).toBe(1);
  });

  test("are not deleted while an object uses them", async ({ expect }) => {
    const operator = await start();
    const [kind, configs] = [operator.resource(record), operator.config("ProviderConfig")];
    await operator.put(configs, "default", { configuration: { directory: newFolder() } });
    const ref = { kind: "ProviderConfig", name: "default" };
    await operator.put(kind, "user", spec("user", ref));
    await operator.reports(kind, "user", "Ready", "True");
    await operator.delete(configs, "default");
    const message = await operator.reports(configs, "default", "Terminating", "False");
    expect(message).toBe("1 object uses the configuration, which is deleted after that object");
    // What uses it can still be changed and deleted; others cannot begin to use it.
    await operator.put(kind, "late", spec("late", ref));
    await operator.reports(kind, "late", "Synced", "False", "is being deleted");
    await operator.delete(kind, "late");
    await operator.put(kind, "user", { forProvider: { name: "user", flag: true }, providerConfigRef: ref });
    await operator.becomes(kind, "user", ({ status }) => status?.atProvider?.["flag"] === true);
    await operator.delete(kind, "user");
    await operator.gone(configs, "default");
    await until(() => processes("framework-provider").length === 0);
    const { items } = await client.list(operator.configs.resources.usages, { namespace: operator.namespace });
    expect(items).toEqual([]);
  });

  test("are not deleted while a usage names its object with a version that is no longer served", async ({ expect }) => {
    const operator = await start();
    const [kind, configs] = [operator.resource(record), operator.config("ProviderConfig")];
    await operator.put(configs, "default", { configuration: { directory: newFolder() } });
    await operator.put(kind, "user", spec("user", { kind: "ProviderConfig", name: "default" }));
    await operator.reports(kind, "user", "Ready", "True");
    const { usages } = operator.configs.resources;
    const { items } = await client.list(usages, { namespace: operator.namespace });
    const reference = { namespace: operator.namespace, name: items[0]!.metadata.name };
    const apiVersion = `${kind.group}/v1alpha0`;
    await client.mergePatch(usages, reference, { resourceRef: { apiVersion } });
    const config = { kind: "ProviderConfig", namespace: operator.namespace, name: "default" };
    await until(() => operator.configs.usages.usagesOf(config)[0]?.resourceRef.apiVersion === apiVersion);
    await operator.delete(configs, "default");
    expect(await operator.reports(configs, "default", "Terminating", "False")).toContain("1 object uses the configuration");
    // The usage is removed before the report if its object is looked up in the version that is no longer served.
    expect((await client.list(usages, { namespace: operator.namespace })).items).toHaveLength(1);
    await operator.delete(kind, "user");
    await operator.gone(configs, "default");
  });

  test("drop usages of objects that no longer exist", async () => {
    const operator = await start();
    const configs = operator.config("ProviderConfig");
    await operator.put(configs, "default", { configuration: { directory: newFolder() } });
    await operator.reports(configs, "default", "Ready", "True");
    const owner = { apiVersion: `${operator.resource(record).group}/v1alpha1`, kind: "Record" };
    const uid = "00000000-0000-4000-8000-000000000000";
    await operator.configs.usages.track(
      { kind: "ProviderConfig", namespace: operator.namespace, name: "default" },
      { ...owner, metadata: { namespace: operator.namespace, name: "ghost", uid } },
    );
    await until(async () => (await operator.configOf({ kind: "ProviderConfig", name: "default" })).status?.users === 1);
    await operator.delete(configs, "default");
    await operator.gone(configs, "default");
  });

  describe("share processes", () => {
    test("if they are equal, and close them when nothing uses them", async ({ expect }) => {
      const operator = await start({ pool: { quietMs: 50, idleMs: 300 } });
      const [kind, directory] = [operator.resource(record), newFolder()];
      await operator.put(operator.config("ProviderConfig"), "a", { configuration: { directory } });
      await operator.put(operator.config("ClusterProviderConfig"), "b", { configuration: { directory } });
      await operator.put(kind, "one", spec("one", { kind: "ProviderConfig", name: "a" }));
      await operator.put(kind, "two", spec("two", { kind: "ClusterProviderConfig", name: "b" }));
      await operator.reports(kind, "one", "Ready", "True");
      await operator.reports(kind, "two", "Ready", "True");
      expect(readdirSync(directory)).toHaveLength(2);
      expect(operator.configs.pool.size).toBeLessThanOrEqual(1);
      await until(() => processes("framework-provider").length === 0);
    });

    test("one after the other if their number is limited", async ({ expect }) => {
      const operator = await start({ pool: { quietMs: 50, maxInstances: 1 } });
      const kind = operator.resource(record);
      const names = ["a", "b", "c"];
      for (const name of names) {
        await operator.put(operator.config("ProviderConfig"), name, { configuration: { directory: newFolder() } });
        await operator.put(kind, name, spec(name, { kind: "ProviderConfig", name }));
      }
      for (const name of names) await operator.reports(kind, name, "Ready", "True");
      expect(operator.configs.pool.size).toBe(1);
    });
  });

  describe("take credentials", () => {
    test("from variables and files of the control plane, in cluster-scoped configurations only", async ({ expect }) => {
      const environment = { TEST_CREDENTIALS: JSON.stringify({ token: "wrong" }) };
      const operator = await start({ environment });
      const configs = operator.config("ClusterProviderConfig");
      const fromVariable = { source: "Environment", env: { name: "TEST_CREDENTIALS" } };
      await operator.put(configs, "variable", { configuration: { directory: newFolder() }, credentials: fromVariable });
      await operator.reports(configs, "variable", "Ready", "False", "The token was refused");
      const path = join(folder, "credentials.json");
      const fromFile = { source: "Filesystem", fs: { path } };
      await operator.put(configs, "file", { credentials: fromFile });
      await operator.reports(configs, "file", "Ready", "False", `the file ${path} does not exist`);
      writeFileSync(path, JSON.stringify({ directory: newFolder(), token: "right" }));
      await operator.reports(configs, "file", "Ready", "True");
      writeFileSync(path, "not JSON, and secret");
      await operator.put(configs, "faulty", { credentials: fromFile });
      const message = await operator.reports(configs, "faulty", "Ready", "False");
      expect(message).toBe(`spec.credentials: the file ${path} must contain a JSON object`);
      for (const credentials of [fromVariable, fromFile, { source: "InjectedIdentity" }]) {
        const refused = { metadata: { namespace: operator.namespace, name: "refused" }, spec: { credentials } };
        await expect(client.create(operator.config("ProviderConfig"), refused)).rejects.toMatchObject({ status: 422 });
      }
      const incomplete = { metadata: { name: "incomplete" }, spec: { credentials: { source: "Secret" } } };
      await expect(client.create(configs, incomplete)).rejects.toThrow("the source Secret needs secretRef");
    });
  });

  test("configure a provider that runs in this process", async ({ expect }) => {
    const supply = ownSupply({ address: "example.org/tenon/notebook", version: "1.0.0" }, () => createProvider(notebook));
    const operator = await start({ supply, resources: ["notebook_note"] });
    const [kind, path] = [operator.resource("notebook_note"), join(folder, "own.db")];
    await operator.put(operator.config("ClusterProviderConfig"), "default", { configuration: { path } });
    await operator.put(kind, "note", { forProvider: { title: "in process" } });
    await operator.reports(kind, "note", "Ready", "True");
    using store = openNotebook(path);
    expect(store.notebook.searchNotes("in process", null)).toHaveLength(1);
  });

  test("configure providers of protocol 5, with their warnings", async ({ expect }) => {
    const supply = installedSupply({ kind: "file", path: programs["sdkv2-provider"].path });
    const operator = await start({ supply, resources: ["sdkv2_server"] });
    const configs = operator.config("ProviderConfig");
    await operator.put(configs, "default", { configuration: { directory: newFolder(), retries: 2, endpoint: [{ url: "http://u" }] } });
    const warning = await operator.reports(configs, "default", "Ready", "True");
    expect(warning).toBe("Argument is deprecated: The provider ignores it.");
    await operator.put(configs, "nowhere", { configuration: { directory: newFolder(), region: "nowhere" } });
    expect(await operator.reports(configs, "nowhere", "Ready", "False")).toBe("there is no region nowhere");
    const time = await start({
      supply: installedSupply({ kind: "file", path: programs["provider-time"].path }),
      resources: ["time_static"],
    });
    await time.put(time.config("ClusterProviderConfig"), "default", {});
    await time.put(time.resource("time_static"), "release", { forProvider: {} });
    await time.reports(time.resource("time_static"), "release", "Ready", "True");
  });

  test(
    "configure a package from a private registry, of which every process is the locked one",
    { timeout: 180_000 },
    async ({ expect }) => {
      using packaged = packageExample("apps/examples/textfile/main.ts", "--name", "textfile", "--version", "1.1.0", "--zip");
      const name = readdirSync(packaged.folder, { recursive: true, encoding: "utf8" }).find((file) => file.endsWith(".zip"))!;
      const zip = readFileSync(join(packaged.folder, name));
      await using registry = await ProviderRegistry.start();
      registry.keys = [await signingKey()];
      const offer = (version: string) => ({
        namespace: "acme",
        type: "textfile",
        version,
        platform: formatPlatform(currentPlatform()),
        zip,
      });
      registry.packages = [offer("1.0.0"), offer("1.1.0")];
      const [project, lockFile] = [newFolder(), join(folder, ".terraform.lock.hcl")];
      const supply = installedSupply(
        { kind: "address", address: `${registry.host}/acme/textfile`, version: "~> 1.0" },
        { environment: { ...registry.environment, HOME: project }, cacheFolder: join(project, "cache"), lockFile },
      );
      const operator = await start({ supply, resources: ["textfile_file"] });
      registry.packages = [offer("1.0.0"), offer("1.1.0"), offer("1.2.0")];
      const configs = operator.config("ClusterProviderConfig");
      await operator.put(configs, "default", { configuration: { folder: project } });
      await operator.put(operator.resource("textfile_file"), "note", { forProvider: { name: "note.txt", text: "hello" } });
      await operator.reports(operator.resource("textfile_file"), "note", "Ready", "True");
      expect(readFileSync(join(project, "note.txt"), "utf8")).toBe("hello");
      const { status } = await operator.configOf({ kind: "ClusterProviderConfig", name: "default" });
      expect(status?.provider).toEqual({ address: `${registry.host}/acme/textfile`, version: "1.1.0" });
      expect(readFileSync(lockFile, "utf8")).toContain('"1.1.0"');
      // A package that is not the locked one is not started.
      writeFileSync(
        lockFile,
        readFileSync(lockFile, "utf8").replaceAll(/"(h1|zh):[^"]+"/g, '"h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="'),
      );
      await operator.put(configs, "other", { configuration: { folder: newFolder() } });
      await operator.reports(configs, "other", "Ready", "False", "checksum");
    },
  );

  test("end a process that is killed in a creation, which is not repeated then", async ({ expect }) => {
    const main = join(createRequire(import.meta.url).resolve("@tenon/example-notebook"), "../main.ts");
    const pids: number[] = [];
    const supply = ownSupply({ address: "example.org/tenon/notebook" }, async () => {
      const provider = await launchProvider({ command: [process.execPath, main] });
      pids.push(provider.pid);
      return provider;
    });
    const operator = await start({ supply, resources: ["notebook_note"] });
    const [kind, path] = [operator.resource("notebook_note"), join(folder, "killed.db")];
    await operator.put(operator.config("ClusterProviderConfig"), "default", { configuration: { path, latencyMs: 60_000 } });
    await operator.put(kind, "slow", { forProvider: { title: "slow" } });
    await operator.becomes(kind, "slow", ({ metadata }) => metadata.annotations?.["crossplane.io/external-create-pending"] !== undefined);
    await until(() => operator.configs.pool.calls > 0);
    process.kill(pids.at(-1)!, "SIGKILL");
    await operator.reports(kind, "slow", "Synced", "False", "its outcome is not known");
    await operator.put(operator.config("ClusterProviderConfig"), "default", { configuration: { path, latencyMs: 0 } });
    await operator.put(kind, "next", { forProvider: { title: "next" } });
    await operator.reports(kind, "next", "Ready", "True");
    using store = openNotebook(path);
    expect(store.notebook.searchNotes("", null).map(({ title }) => title)).toEqual(["next"]);
    expect(existsSync(path)).toBe(true);
  });
});

function openNotebook(path: string): Disposable & { readonly notebook: Notebook } {
  const opened = new Notebook(path);
  return { notebook: opened, [Symbol.dispose]: () => opened.close() };
}
