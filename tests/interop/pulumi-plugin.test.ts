// SPDX-License-Identifier: Apache-2.0
// The process of the plugin: how engines start it, attach to it, and end it. The provider behind it is an example.
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider, reattachEnvironment } from "@tenon/plugin-host";
import { currentPlatform } from "@tenon/plugin-host/install";
import { callErrorCode } from "@tenon/protocol/carrier/calls";
import { afterAll, describe, test, vi } from "vitest";
import { PluginProcess, TestEngine } from "./pulumi-plugin.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pulumi-plugin-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Executable file that runs the notebook provider from its sources. */
const notebook = join(folder, "terraform-provider-notebook_v1.2.3");
writeFileSync(
  notebook,
  `#!/bin/sh\nexec "${process.execPath}" "${join(import.meta.dirname, "../../apps/examples/notebook/src/main.ts")}"\n`,
);
chmodSync(notebook, 0o755);

const args = (...values: string[]): { parameters: { case: "args"; value: { args: string[] } } } => ({
  parameters: { case: "args", value: { args: values } },
});

const failure = async (call: Promise<unknown>): Promise<{ code: string | undefined; message: string }> => {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { code: callErrorCode(error), message: error instanceof Error ? error.message : "no error" };
};

describe("the plugin", { timeout: 120_000 }, () => {
  test("is parameterized by arguments and by the value in its schema", async ({ expect }) => {
    await using engine = await TestEngine.start();
    await using plugin = await PluginProcess.start(["--logtostderr", "-v=3", engine.address]);
    const provider = plugin.connect();
    expect(await provider.handshake({ engineAddress: engine.address, acceptsByteString: true })).toMatchObject({
      acceptSecrets: true,
      supportsAutonamingConfiguration: true,
      acceptsByteString: true,
    });
    expect((await provider.getPluginInfo({})).version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(await failure(provider.getSchema({}))).toMatchObject({
      code: "failedPrecondition",
      message: expect.stringContaining("call Parameterize first") as string,
    });
    expect(await provider.parameterize(args(notebook, "--include", "notebook_note,slug"))).toMatchObject({
      name: "notebook",
      version: "1.2.3",
    });
    const schema = JSON.parse((await provider.getSchema({ subpackageName: "notebook", subpackageVersion: "1.2.3" })).schema) as {
      readonly resources: object;
      readonly functions: object;
      readonly parameterization: { readonly baseProvider: object; readonly parameter: string };
      readonly meta: object;
    };
    expect(schema.meta).toEqual({ moduleFormat: "(.*)(?:/[^/]*)" });
    expect(Object.keys(schema.resources)).toEqual(["notebook:index/note:Note"]);
    expect(Object.keys(schema.functions)).toEqual(["notebook:index/slug:slug", "pulumi:providers:notebook/terraformConfig"]);
    expect(schema.parameterization.baseProvider).toMatchObject({ name: "terraform-provider" });
    expect(await failure(provider.parameterize(args(notebook)))).toMatchObject({ code: "failedPrecondition" });
    expect(await failure(provider.construct({}))).toMatchObject({ code: "unimplemented" });

    await using second = await PluginProcess.start([engine.address]);
    const value = new Uint8Array(Buffer.from(schema.parameterization.parameter, "base64"));
    const other = second.connect();
    await other.handshake({ engineAddress: engine.address });
    expect(await other.parameterize({ parameters: { case: "value", value: { name: "notebook", version: "1.2.3", value } } })).toMatchObject(
      {
        name: "notebook",
      },
    );
    expect(JSON.parse((await other.getSchema({})).schema)).toEqual(schema);
    expect(await other.getMappings({ key: "terraform" })).toMatchObject({ providers: ["notebook"] });
    const mapping = JSON.parse(Buffer.from((await other.getMapping({ key: "terraform", provider: "notebook" })).data).toString()) as object;
    expect(mapping).toMatchObject({ name: "notebook", resources: { notebook_note: { tok: "notebook:index/note:Note" } } });
  });

  test("rejects arguments and values that name no provider", async ({ expect }) => {
    await using engine = await TestEngine.start();
    await using plugin = await PluginProcess.start([engine.address]);
    const provider = plugin.connect();
    const invalid = { code: "invalidArgument" };
    expect(await failure(provider.parameterize({}))).toMatchObject(invalid);
    expect(await failure(provider.parameterize(args()))).toMatchObject(invalid);
    expect(await failure(provider.parameterize(args("--nonsense")))).toMatchObject(invalid);
    expect(await failure(provider.parameterize(args(notebook, "1.0.0")))).toMatchObject(invalid);
    expect(await failure(provider.parameterize(args(notebook, "--include", "a", "--exclude", "a")))).toMatchObject(invalid);
    const garbage = { name: "x", version: "1.0.0", value: new Uint8Array([255, 0]) };
    expect(await failure(provider.parameterize({ parameters: { case: "value", value: garbage } }))).toMatchObject(invalid);
    expect(await failure(provider.parameterize(args(join(folder, "terraform-provider-none"))))).toMatchObject({
      code: "failedPrecondition",
      message: expect.stringContaining("terraform-provider-none") as string,
    });
    // After an error, another provider can be selected.
    expect(await provider.parameterize(args(notebook, "--provider-name", "notes"))).toMatchObject({ name: "notes" });
  });

  test("leads a resource through its life", async ({ expect }) => {
    await using engine = await TestEngine.start();
    await using plugin = await PluginProcess.start([engine.address]);
    const provider = plugin.connect();
    await provider.handshake({ engineAddress: engine.address });
    await provider.parameterize(args(notebook));
    const missing = await failure(provider.configure({ args: {} }));
    expect(missing).toMatchObject({ code: "invalidArgument", message: expect.stringContaining("misses path") as string });
    await provider.configure({ args: { path: join(folder, "life.db") } });
    const urn = "urn:pulumi:dev::project::notebook:index/note:Note::first";
    const { inputs, failures } = await provider.check({ urn, news: { title: "one", tags: { a: "1" } }, randomSeed: new Uint8Array(32) });
    expect(failures).toEqual([]);
    expect((await provider.check({ urn, news: { title: "", nonsense: 1 } })).failures.map(({ property }) => property)).toEqual([
      "nonsense",
    ]);
    expect((await provider.check({ urn, news: { title: "" } })).failures).toMatchObject([{ property: "title" }]);
    const preview = await provider.create({ urn, properties: inputs!, preview: true });
    expect(preview).toMatchObject({ id: "", properties: { id: "04da6b54-80e4-46f7-96ec-b56ff0331ba9", title: "one" } });
    const created = await provider.create({ urn, properties: inputs! });
    expect(created.properties).toMatchObject({ id: created.id, title: "one", tags: { a: "1" } });
    const resource = { urn, id: created.id, oldInputs: inputs! };
    const same = await provider.diff({ ...resource, olds: created.properties!, news: inputs! });
    expect(same).toMatchObject({ changes: 1, diffs: [], detailedDiff: {} });
    const news = { title: "two", tags: { a: "1", b: "2" } };
    const change = await provider.diff({ ...resource, olds: created.properties!, news });
    expect(change).toMatchObject({ changes: 2, replaces: [], hasDetailedDiff: true });
    expect(Object.fromEntries(Object.entries(change.detailedDiff).map(([path, { kind }]) => [path, kind]))).toEqual({
      title: 4,
      "tags.b": 0,
    });
    const updated = await provider.update({ ...resource, olds: created.properties!, news });
    expect(updated.properties).toMatchObject(news);
    const read = await provider.read({ urn, id: created.id, properties: updated.properties!, inputs: news });
    expect(read).toMatchObject({ id: created.id, inputs: news });
    expect(await provider.read({ urn, id: created.id })).toMatchObject({ id: created.id, inputs: news });
    await provider.delete({ urn, id: created.id, properties: read.properties! });
    const gone = await provider.read({ urn, id: created.id, properties: read.properties!, inputs: news });
    expect(gone.id).toBe("");
    expect(gone.properties).toBeUndefined();
  });

  test("ends after Cancel and SIGINT, and when the engine ends", async ({ expect }) => {
    await using engine = await TestEngine.start();
    await using plugin = await PluginProcess.start([engine.address]);
    const provider = plugin.connect();
    await provider.parameterize(args(notebook));
    await provider.cancel({});
    plugin.process.kill("SIGINT");
    expect(await plugin.exit()).toEqual([0, null]);

    const gone = await TestEngine.start();
    await using orphan = await PluginProcess.start([gone.address]);
    await orphan.connect().getPluginInfo({});
    await gone[Symbol.asyncDispose]();
    expect(await orphan.exit()).toEqual([0, null]);
  });

  test("has a session for each engine that attaches, which outlives its connection", async ({ expect }) => {
    await using engine = await TestEngine.start();
    await using plugin = await PluginProcess.start([]);
    const connections = [plugin.open(), plugin.open()];
    const [loader, deployment] = await Promise.all(
      connections.map(async (connection) => {
        const provider = plugin.callsOver(connection);
        await provider.handshake({ engineAddress: engine.address });
        await provider.attach({ address: engine.address });
        await provider.parameterize(args(notebook));
        return provider;
      }),
    );
    await deployment!.configure({ args: { path: join(folder, "attached.db") } });
    await connections[1]!.close();
    const urn = "urn:pulumi:dev::project::notebook:index/note:Note::first";
    // The plugin may notice the end of the connection later than the client.
    const create = async (): Promise<object | undefined> =>
      (await plugin.connect().create({ urn, properties: { title: "after a redial" } })).properties;
    expect(await vi.waitFor(create, { timeout: 60_000 })).toMatchObject({ title: "after a redial" });
    expect((await loader!.getSchema({})).schema).toContain("notebook:index/note:Note");
    expect(plugin.process.exitCode).toBeNull();
    plugin.process.kill("SIGINT");
    await once(plugin.process, "exit");
  });
});

describePeer(["provider-time"], "a provider that the plugin finds", ({ "provider-time": time }) => {
  const home = join(folder, "home");
  const version = "0.14.2";
  const { os, arch } = currentPlatform();
  const packageFolder = join(home, "mirror", "registry.opentofu.org", "hashicorp", "time", version, `${os}_${arch}`);
  mkdirSync(packageFolder, { recursive: true });
  copyFileSync(time.path, join(packageFolder, `terraform-provider-time_v${version}`));
  writeFileSync(
    join(home, "cli.tfrc"),
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(join(home, "mirror"))}\n  }\n}\n`,
  );
  const environment = {
    HOME: home,
    XDG_CACHE_HOME: join(home, "cache"),
    TF_CLI_CONFIG_FILE: join(home, "cli.tfrc"),
    PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR: join(home, "plugins"),
  };

  test("by its address is installed from a mirror, and named with its exact version in the parameter", async ({ expect }) => {
    await using engine = await TestEngine.start();
    await using plugin = await PluginProcess.start([engine.address], environment);
    const provider = plugin.connect();
    expect(await provider.parameterize(args("hashicorp/time", "~> 0.14.0"))).toMatchObject({ name: "time", version });
    const { parameterization } = JSON.parse((await provider.getSchema({})).schema) as { parameterization: { parameter: string } };
    expect(JSON.parse(Buffer.from(parameterization.parameter, "base64").toString())).toMatchObject({
      remote: { url: "registry.opentofu.org/hashicorp/time", version },
      lock: { platform: `${os}_${arch}`, hashes: [expect.stringMatching(/^h1:/)] },
    });

    await using second = await PluginProcess.start([engine.address], environment);
    const absent = await failure(second.connect().parameterize(args("hashicorp/time", ">= 99.0.0")));
    expect(absent).toMatchObject({ code: "failedPrecondition", message: expect.stringContaining("hashicorp/time") as string });
  });

  test("is attached to where it runs already, and keeps running", async ({ expect }) => {
    await using running = await launchProvider({ command: time.path, autoMtls: false });
    const { TF_REATTACH_PROVIDERS: value } = reattachEnvironment({ "hashicorp/time": running });
    await using engine = await TestEngine.start();
    await using plugin = await PluginProcess.start([engine.address], { ...environment, PULUMI_BRIDGE_REATTACH_PROVIDERS: value });
    const provider = plugin.connect();
    expect(await provider.parameterize(args("hashicorp/time"))).toMatchObject({ name: "time", version: "0.0.0" });
    await provider.configure({ args: {} });
    expect((await provider.invoke({ tok: "time:index/durationParse:durationParse", args: { duration: "2h" } })).return).toMatchObject({
      hours: 2,
    });
    plugin.process.kill("SIGINT");
    await plugin.exit();
    expect((await running.getMetadata({})).diagnostics).toEqual([]);
  });
});

describePeer(["framework-provider"], "messages that the engine's client does not send", ({ "framework-provider": peer }) => {
  test("are handled: unknown values in List, output values in Check and Invoke", async ({ expect }) => {
    await using engine = await TestEngine.start();
    await using plugin = await PluginProcess.start([engine.address]);
    const provider = plugin.connect();
    await provider.handshake({ engineAddress: engine.address, acceptsOutputsInCheck: true, acceptsOutputsInInvoke: true });
    await provider.parameterize(args(peer.path));
    await provider.configure({ args: { directory: join(folder, "records") } });
    const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const events: unknown[] = [];
    for await (const { response } of provider.list({ token: "framework:index/record:Record", query: { kind: unknownText } }))
      events.push(response.case);
    expect(events).toEqual(["computed"]);

    const signature = "4dabf18193072939515e22adb298388d";
    const output = (value: string): { readonly [name: string]: string | string[] } => ({
      [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
      value,
      dependencies: ["urn:x"],
    });
    const urn = "urn:pulumi:dev::project::framework:index/record:Record::first";
    const news = { name: output("n"), kind: { [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4" }, notes: { a: output("b") } };
    const checked = await provider.check({ urn, news, oldOutputs: {} });
    expect(checked).toMatchObject({ failures: [], inputs: news });
    const created = await provider.create({ urn, properties: { ...news, kind: "k" } });
    expect(created.properties).toMatchObject({ name: "n", kind: "k", notes: { a: "b" } });
    const joined = await provider.invoke({ tok: "framework:index/join:join", args: { separator: output("-"), parts: ["a", output("b")] } });
    expect(joined.return).toEqual({ result: "a-b" });
    const nested = { anything: { [signature]: "nonsense" } };
    expect(await failure(provider.check({ urn, news: nested }))).toMatchObject({ code: "invalidArgument" });
  });
});

describePeer(["framework-provider"], "a resource whose type changed by an alias", ({ "framework-provider": peer }) => {
  test("is moved by the provider", async ({ expect }) => {
    await using running = await launchProvider({ command: peer.path, autoMtls: false });
    const { TF_REATTACH_PROVIDERS: value } = reattachEnvironment({ "registry.terraform.io/tenon/framework": running });
    await using engine = await TestEngine.start();
    await using plugin = await PluginProcess.start([engine.address], { PULUMI_BRIDGE_REATTACH_PROVIDERS: value });
    const provider = plugin.connect();
    await provider.parameterize(args("registry.terraform.io/tenon/framework"));
    await provider.configure({ args: { directory: join(folder, "moved") } });
    const urnOf = (type: string): string => `urn:pulumi:dev::project::framework:index/${type}::moved`;
    const trouble = await provider.create({ urn: urnOf("trouble:Trouble"), properties: { name: "moved", mode: "none" } });
    const olds = { urn: urnOf("record:Record"), id: trouble.id, olds: trouble.properties!, oldInputs: { name: "moved" } };
    const diff = await provider.diff({ ...olds, news: { name: "moved" } });
    expect(diff.replaces).toEqual([]);
    const { properties } = await provider.update({ ...olds, news: { name: "renamed" } });
    expect(properties).toMatchObject({ name: "renamed" });
  });
});

describe("a provider of the SDK", { timeout: 120_000 }, () => {
  test("is a plugin of its own, without a process and without a parameter", async ({ expect }) => {
    await using engine = await TestEngine.start();
    await using plugin = await PluginProcess.start([engine.address], {}, join(import.meta.dirname, "fixtures/pulumi-notebook.ts"));
    const provider = plugin.connect();
    expect(await provider.getPluginInfo({})).toMatchObject({ version: "1.0.0" });
    const schema = JSON.parse((await provider.getSchema({})).schema) as { readonly name: string; readonly parameterization?: object };
    expect(schema).toMatchObject({ name: "notebook", version: "1.0.0" });
    expect(schema.parameterization).toBeUndefined();
    expect(await failure(provider.parameterize(args("hashicorp/time")))).toMatchObject({ code: "failedPrecondition" });
    await provider.configure({ args: { path: join(folder, "own.db") } });
    const urn = "urn:pulumi:dev::project::notebook:index/note:Note::first";
    const created = await provider.create({ urn, properties: { title: "mine" } });
    expect(created.properties).toMatchObject({ title: "mine", id: created.id, folder: "inbox" });
    await provider.delete({ urn, id: created.id, properties: created.properties! });
  });
});
