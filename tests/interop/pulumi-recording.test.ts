// SPDX-License-Identifier: Apache-2.0
// Sessions that are recorded, in both formats, and replayed without a provider.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { callErrorCode } from "@tenon/protocol/carrier/calls";
import { afterAll, describe, type ExpectStatic, test } from "vitest";
import { PluginProcess, TestEngine } from "./pulumi-plugin.ts";

type JsonObject = { [name: string]: Json };
type Json = null | boolean | number | string | Json[] | JsonObject;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pulumi-recording-")));
afterAll(() => process.env["KEEP"] ?? rmSync(folder, { recursive: true, force: true }));

const secret = (value: Json): JsonObject => ({ "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value });

/** Properties whose secrets are plain values. */
function withoutSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  if ("4dabf18193072939515e22adb298388d" in value) return withoutSecrets(value["value"]!);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutSecrets(part)]));
}

/** Leads a resource through its life, and returns every response. Secrets of the program are `hunter` and a number. */
async function session(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  config: JsonObject,
  type: string,
  inputs: JsonObject,
): Promise<readonly unknown[]> {
  await using engine = await TestEngine.start();
  const goBridge = environment["PULUMI_GO_BRIDGE"];
  await using plugin = goBridge
    ? await PluginProcess.startCommand([goBridge, engine.address], environment)
    : await PluginProcess.start([engine.address], environment);
  const provider = plugin.connect();
  const responses: unknown[] = [];
  const kept = <Response>(response: Response): Response => {
    responses.push(JSON.parse(JSON.stringify(response, (key, value: unknown) => (key === "$typeName" ? undefined : value))));
    return response;
  };
  const { name } = await provider.parameterize({ parameters: { case: "args", value: { args: [...args] } } });
  const urn = `urn:pulumi:dev::project::${name}:index/${type}::first`;
  kept(JSON.parse((await provider.getSchema({})).schema) as { readonly resources: object });
  kept(await provider.checkConfig({ urn: `urn:pulumi:dev::project::pulumi:providers:${name}::default`, news: config }));
  kept(await provider.configure({ args: config }));
  const checked = kept(await provider.check({ urn, news: inputs, randomSeed: new Uint8Array(32) }));
  const created = kept(await provider.create({ urn, properties: checked.inputs! }));
  const resource = { urn, id: created.id, olds: created.properties!, oldInputs: checked.inputs! };
  kept(await provider.diff({ ...resource, news: checked.inputs! }));
  kept(await provider.read({ urn, id: created.id, properties: created.properties!, inputs: checked.inputs! }));
  kept(await provider.delete({ urn, id: created.id, properties: created.properties!, oldInputs: checked.inputs! }));
  await provider.cancel({});
  plugin.process.kill("SIGINT");
  await plugin.exit();
  return responses;
}

/** An entry of a log without the folders of the machine and the descriptions of the provider. */
function withoutPlace(line: string): string {
  if (line === "") return line;
  const entry = JSON.parse(line.replace(/,$/, "")) as { readonly call: string; readonly response: string };
  const response = JSON.parse(entry.response || "{}", (key, value: unknown) => (key === "description" ? undefined : value)) as object;
  return `${JSON.stringify({ ...entry, call: entry.call.replace(/^.*\//, ""), response: JSON.stringify(response) })},`;
}

function expectMasked(expect: ExpectStatic, file: string): void {
  const content = readFileSync(file, "latin1");
  expect(content).not.toMatch(/hunter\d|aHVudGVy|h\\x75nter/);
  // In MessagePack, as bytes or as an escaped text: the booleans, and the numbers 8443 and 4711.
  expect(content).toMatch(/(?:flag|write)(?:\xc0|\\+xc2)/);
  expect(content).not.toMatch(/(?:flag|write)(?:\xc3|\\+xc3)|port(?:\xcd|\\+xcd)|size(?:\xcd|\\+xcd)/);
}

describePeer(["framework-provider"], "a recorded session", ({ "framework-provider": peer }) => {
  const config = { directory: join(folder, "records"), token: secret("hunter1") };
  const inputs = {
    name: "first",
    kind: "plain",
    ratio: 0.1,
    tags: ["a"],
    anything: { deep: [1, "two"] },
    secret: secret("hunter2"),
    password: secret("hunter3"),
    passwordVersion: 1,
    // Only the program says that these are secret.
    notes: { open: "sesame", marked: secret("hunter4"), derived: "x-hunter4-x" },
    flag: secret(true),
    size: secret(4711),
    rules: [{ port: secret(8443), matches: [{ pattern: secret("a\nhunter5") }] }],
    accesses: [{ role: "reader", write: secret(true) }],
    labels: ["x", secret("hunter6")],
  };
  const noProvider = ["registry.opentofu.org/tenon/framework", "1.0.0", "--provider-name", "framework"];

  test.for([
    ["the host's format", "PULUMI_TF_RECORD", "session.recording"],
    ["the Go bridge's format", "PULUMI_TF_DEBUG_GRPC", "session.log"],
  ] as const)(
    "in %s is replayed without a provider, and has no secrets in the clear",
    { timeout: 120_000 },
    async ([, variable, name], { expect }) => {
      const file = join(folder, name);
      const recorded = await session([peer.path], { PULUMI_GO_BRIDGE: "", [variable]: file }, config, "record:Record", inputs);
      expectMasked(expect, file);
      const replayed = await session(noProvider, { PULUMI_GO_BRIDGE: "", PULUMI_TF_REPLAY: file }, config, "record:Record", inputs);
      // The schema has another version and parameter.
      expect(replayed.slice(1)).toEqual(recorded.slice(1));
      expect(Object.keys((replayed[0] as { readonly resources: object }).resources)).toEqual(
        Object.keys((recorded[0] as { readonly resources: object }).resources),
      );
      const other = { ...inputs, name: "other" };
      await expect(session(noProvider, { PULUMI_GO_BRIDGE: "", PULUMI_TF_REPLAY: file }, config, "record:Record", other)).rejects.toThrow(
        /differs from the recording/,
      );
    },
  );

  test("has no secrets that only the inputs of an existing resource mark", { timeout: 120_000 }, async ({ expect }) => {
    const urn = "urn:pulumi:dev::project::framework:index/record:Record::first";
    const file = join(folder, "old-inputs.log");
    await using engine = await TestEngine.start();
    const configured = async (environment: NodeJS.ProcessEnv): Promise<PluginProcess> => {
      const plugin = await PluginProcess.start([engine.address], environment);
      await plugin.connect().parameterize({ parameters: { case: "args", value: { args: [peer.path] } } });
      await plugin.connect().configure({ args: { directory: config.directory } });
      return plugin;
    };
    await using plain = await configured({});
    const marked = { ...inputs, name: "marked" };
    const { id, properties } = await plain.connect().create({ urn, properties: marked });
    await using recorded = await configured({ PULUMI_TF_DEBUG_GRPC: file });
    const news = { ...(withoutSecrets(marked) as JsonObject), notes: { open: "sesame" } };
    await recorded.connect().diff({ urn, id, olds: withoutSecrets(properties!) as JsonObject, oldInputs: marked, news });
    // The plugin writes the file after its responses.
    await expect.poll(() => readFileSync(file, "utf8"), { timeout: 30_000 }).toContain("upgraded_state");
    const log = readFileSync(file, "utf8");
    const states = log.matchAll(/upgraded_state[^A-Za-z]+msgpack[^A-Za-z0-9]+([A-Za-z0-9+/=]+)/g);
    const texts = [...states].map(([, state]) => Buffer.from(state!, "base64").toString("latin1"));
    expect(texts).toEqual([expect.stringContaining("sesame")]);
    expect(log + texts.join()).not.toMatch(/hunter\d/);
  });

  test("in the Go bridge's format is a call in each line", ({ expect }) => {
    const lines = readFileSync(join(folder, "session.log"), "utf8").trim().split("\n");
    const entries = lines.map(
      (line) => JSON.parse(line.replace(/,$/, "")) as { readonly name: string; readonly request: string; readonly response: string },
    );
    const rpcs = [...new Set(entries.map(({ name }) => name.slice(name.lastIndexOf(".") + 1)))];
    expect(rpcs).toEqual([
      "GetProviderSchema",
      "GetResourceIdentitySchemas",
      "ValidateProviderConfig",
      "ConfigureProvider",
      "ValidateResourceConfig",
      "PlanResourceChange",
      "ApplyResourceChange",
      "UpgradeResourceState",
      "ReadResource",
    ]);
    const apply = entries.find(({ name }) => name.endsWith(".ApplyResourceChange"))!;
    expect(apply.request).toMatch(/^type_name:"framework_record" prior_state:\{msgpack:"\\xc0"\} planned_state:\{msgpack:"/);
    expect(JSON.parse(apply.response)).toMatchObject({ new_state: { msgpack: expect.any(String) as string } });
  });
});

// The log is that of the Go bridge. Where the variable PULUMI_GO_BRIDGE has its path, it is written again with UPDATE_GO_BRIDGE_STATES=1.
describePeer(["provider-time"], "a session that the Go bridge recorded", ({ "provider-time": peer }) => {
  test("is replayed without a provider", { timeout: 120_000 }, async ({ expect }) => {
    const log = join(import.meta.dirname, "fixtures/go-bridge-session.log");
    const inputs = { baseRfc3339: "2026-01-02T03:04:05Z", offsetDays: 7, triggers: { a: "b" } };
    const goBridge = process.env["PULUMI_GO_BRIDGE"];
    if (goBridge && process.env["UPDATE_GO_BRIDGE_STATES"] === "1") {
      rmSync(log, { force: true });
      await session([peer.path], { PULUMI_GO_BRIDGE: goBridge, PULUMI_TF_DEBUG_GRPC: log }, {}, "offset:Offset", inputs);
      writeFileSync(log, readFileSync(log, "utf8").split("\n").map(withoutPlace).join("\n"));
    }
    const source = ["registry.opentofu.org/hashicorp/time", "0.14.2"];
    const replayed = await session(source, { PULUMI_GO_BRIDGE: "", PULUMI_TF_REPLAY: log }, {}, "offset:Offset", inputs);
    const live = await session([peer.path], { PULUMI_GO_BRIDGE: "" }, {}, "offset:Offset", inputs);
    expect(replayed.slice(1)).toEqual(live.slice(1));
  });
});

describe("a recording that cannot be read", { timeout: 180_000 }, () => {
  test.for([
    ["absent", undefined, "cannot be read"],
    ["no JSON", "{", "cannot be read"],
    ["without entries", "[1]", "without name"],
    ["of an unknown RPC", '{"name":"x.Nonsense","request":"","response":"{}"},\n', "entry 1"],
    ["with a malformed request", '{"name":"x.ReadResource","request":"nonsense:1","response":"{}"},\n', "has no field"],
    ["with a malformed response", '{"name":"x.ReadResource","request":"","response":"[]"},\n', "must be an object"],
  ] as const)("is rejected: %s", async ([name, content, problem], { expect }) => {
    const file = join(folder, `${name}.log`);
    if (content !== undefined) writeFileSync(file, content);
    await using engine = await TestEngine.start();
    await using plugin = await PluginProcess.start([engine.address], { PULUMI_TF_REPLAY: file });
    const parameterizing = plugin.connect().parameterize({ parameters: { case: "args", value: { args: ["hashicorp/time", "1.0.0"] } } });
    const error: unknown = await parameterizing.catch((thrown: unknown) => thrown);
    expect(callErrorCode(error)).toBe("failedPrecondition");
    expect((error as Error).message).toContain(problem);
  });
});
