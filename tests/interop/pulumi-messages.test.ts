// SPDX-License-Identifier: Apache-2.0
// Messages with unusual values, which the engine's own client does not send.
import { join } from "node:path";
import { callErrorCode, type ServiceClient } from "@tenon/protocol/carrier/calls";
import type { ResourceProvider } from "@tenon/protocol/pulumi";
import { describe, test } from "vitest";
import { PluginProcess, TestEngine } from "./pulumi-plugin.ts";

type JsonObject = { [name: string]: Json };
type Json = null | boolean | number | string | Json[] | JsonObject;

const signatureKey = "4dabf18193072939515e22adb298388d";
const secret = (value: Json): JsonObject => ({ [signatureKey]: "1b47061264138c4ac30d75fd1eb44270", value });
const output = (fields: JsonObject): JsonObject => ({ [signatureKey]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", ...fields });
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const urn = "urn:pulumi:dev::project::values:index/holder:Holder::first";
const configUrn = "urn:pulumi:dev::project::pulumi:providers:values::default";

interface Negotiation {
  readonly acceptsByteString?: boolean;
  readonly acceptsOutputsInCheck?: boolean;
  readonly acceptsOutputsInInvoke?: boolean;
  readonly acceptsOutputsInCall?: boolean;
}

/** Calls a plugin whose resource returns what it is given. */
async function withPlugin(
  use: (provider: ServiceClient<typeof ResourceProvider>) => Promise<void>,
  negotiation: Negotiation = {},
  environment: NodeJS.ProcessEnv = {},
): Promise<void> {
  await using engine = await TestEngine.start();
  await using plugin = await PluginProcess.start([engine.address], environment, join(import.meta.dirname, "fixtures/pulumi-values.ts"));
  const provider = plugin.connect();
  await provider.handshake({ engineAddress: engine.address, ...negotiation });
  await use(provider);
}

async function failure(call: Promise<unknown>): Promise<{ readonly code: string | undefined; readonly message: string }> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { code: callErrorCode(error), message: error instanceof Error ? error.message : "no error" };
}

const config = { endpoint: "https://e", region: "r" };

function nestedLists(depth: number): Json {
  let value: Json = "end";
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

describe("unusual values", { timeout: 120_000 }, () => {
  test("are kept or rejected with a clear error", async ({ expect }) => {
    await withPlugin(async (provider) => {
      await provider.configure({ args: config });
      const create = async (properties: JsonObject): Promise<JsonObject> =>
        (await provider.create({ urn, properties })).properties as JsonObject;
      const rejected = async (properties: JsonObject): Promise<{ readonly code: string | undefined; readonly message: string }> =>
        await failure(provider.create({ urn, properties }));
      const invalid = { code: "invalidArgument" };

      const keys = JSON.parse('{"notes":{"__proto__":"p","constructor":"c","":"e","a.b":"d"},"any":{"__proto__":{"x":1}}}') as JsonObject;
      const kept = await create(keys);
      expect(JSON.stringify(kept["notes"])).toBe(
        JSON.stringify({ "": "e", ...(JSON.parse('{"__proto__":"p"}') as object), "a.b": "d", constructor: "c" }),
      );
      expect(JSON.stringify(kept["any"])).toBe('{"__proto__":{"x":1}}');

      for (const amount of [Number.NaN, Number.POSITIVE_INFINITY]) {
        for (const properties of [{ amount }, { amounts: [amount] }, { any: [amount] }]) {
          expect(await rejected(properties)).toMatchObject({ ...invalid, message: expect.stringMatching(/amount|any/) as string });
        }
      }
      expect(
        (await provider.check({ urn, news: { amount: Number.NaN, any: [Number.NaN] } })).failures.map(({ property }) => property),
      ).toEqual(["amount", "any[0]"]);

      const unknownSignature = { any: [{ [signatureKey]: "nonsense" }] };
      expect(await rejected(unknownSignature)).toMatchObject({ ...invalid, message: expect.stringContaining("any[0]") as string });
      const asset = { [signatureKey]: "c44067f5952c0a294b673a41bacd8c17", text: "t" };
      const archive = { [signatureKey]: "0def7320c3a5731c473e5ecbe6d01bc7", assets: { a: asset } };
      expect(await rejected({ name: asset })).toMatchObject({ ...invalid, message: expect.stringContaining("name: an asset") as string });
      expect(await rejected({ any: [archive] })).toMatchObject({ ...invalid, message: expect.stringContaining("any[0]") as string });

      expect(await rejected({ any: nestedLists(200) })).toMatchObject({
        ...invalid,
        message: expect.stringContaining("too deeply nested") as string,
      });
      // The type of such a value is nested more deeply than the value.
      for (const depth of [12, 40]) {
        const deep = { any: nestedLists(depth) };
        const properties = await create(deep);
        expect(properties["any"]).toEqual(deep.any);
        expect(await provider.diff({ urn, id: "held", olds: properties, oldInputs: deep, news: deep })).toMatchObject({ changes: 1 });
      }
    });
  });

  test("that are byte strings are sent where both sides accept them", async ({ expect }) => {
    const bytes = { [signatureKey]: "803fd3297a5875dc03ca845dda5d2a98", value: "/w==" };
    for (const acceptsByteString of [true, false]) {
      await withPlugin(
        async (provider) => {
          const { inputs, failures } = await provider.check({ urn, news: { notes: { a: bytes } } });
          expect(inputs).toMatchObject({ notes: { a: acceptsByteString ? bytes : "\uFFFD" } });
          // A provider's strings are Unicode text.
          expect(failures).toMatchObject([{ property: "notes.a", reason: expect.stringContaining("byte string") as string }]);
        },
        { acceptsByteString },
      );
    }
  });

  test("that are outputs are returned from Check only where the engine accepts them", async ({ expect }) => {
    const news = {
      name: output({ value: "n", secret: true, dependencies: ["urn:x"] }),
      amount: output({}),
      notes: { a: output({ value: "b" }) },
    };
    await withPlugin(async (provider) => expect((await provider.check({ urn, news })).inputs).toEqual(news), {
      acceptsOutputsInCheck: true,
    });
    await withPlugin(async (provider) => {
      expect((await provider.check({ urn, news })).inputs).toEqual({ name: secret("n"), amount: unknownText, notes: { a: "b" } });
    });
  });

  test("of old outputs keep the name of a resource whose old inputs have none", async ({ expect }) => {
    await withPlugin(async (provider) => {
      const nameOf = async (olds: JsonObject, oldOutputs: JsonObject): Promise<Json | undefined> =>
        (await provider.check({ urn, olds, oldOutputs, news: { amount: 1 }, randomSeed: new Uint8Array(32) })).inputs?.["name"] as Json;
      expect(await nameOf({ amount: 1 }, { name: "kept" })).toBe("kept");
      expect(await nameOf({ amount: 1, name: "input" }, { name: "output" })).toBe("input");
      // A replacement has no old inputs, and gets a new name.
      expect(await nameOf({}, { name: "kept" })).toBe("first-0000000");
    });
  });

  test("that a double cannot hold stay exact in the state", async ({ expect }) => {
    await withPlugin(async (provider) => {
      await provider.configure({ args: config });
      // What is stored beside the outputs is secret: it may hold any value.
      const { __meta: meta } = (await provider.create({ urn, properties: {} })).properties as JsonObject;
      expect(meta).toMatchObject(secret(expect.any(String) as Json));
      const exact = { amount: "12345678901234567890.123", amounts: ["0.1", "1e30", "123456789012345678901"], any: [0.1, 2] };
      const { id, properties } = await provider.create({ urn, properties: exact });
      expect(properties).toMatchObject({ amount: 12345678901234567000, amounts: [0.1, 1e30, 123456789012345680000], any: [0.1, 2] });
      const resource = { urn, id, olds: properties!, oldInputs: exact };
      expect(await provider.diff({ ...resource, news: exact })).toMatchObject({ changes: 1 });
      expect(await provider.diff({ ...resource, news: { ...exact, any: [0.1, 3] } })).toMatchObject({ changes: 2, diffs: ["any"] });
      const other = await provider.diff({ ...resource, news: { ...exact, amount: "12345678901234567890.124" } });
      expect(other).toMatchObject({ changes: 2, diffs: ["amount"] });
      const read = await provider.read({ urn, id, properties: properties!, inputs: exact });
      expect(read.properties).toEqual(properties);
      expect(read.inputs).toEqual(exact);
    });
  });

  test("that a double cannot hold are texts on request, in outputs, previews and imported inputs", async ({ expect }) => {
    await withPlugin(
      async (provider) => {
        await provider.configure({ args: config });
        const exact = { amount: "12345678901234567890.123", amounts: [0.1, 1e22, "123456789012345678901"], any: [0.1, "text"] };
        for (const preview of [true, false]) {
          expect((await provider.create({ urn, properties: exact, preview })).properties).toMatchObject(exact);
        }
        const { id, properties } = await provider.create({ urn, properties: exact });
        const resource = { urn, id, olds: properties!, oldInputs: exact };
        expect(await provider.diff({ ...resource, news: exact })).toMatchObject({ changes: 1 });
        const changed = { ...exact, amount: "12345678901234567890.124" };
        expect(await provider.diff({ ...resource, news: changed })).toMatchObject({ changes: 2, diffs: ["amount"] });
        expect((await provider.update({ ...resource, news: changed })).properties).toMatchObject(changed);
        const read = await provider.read({ urn, id, properties: properties!, inputs: exact });
        expect(read).toMatchObject({ properties: exact, inputs: exact });
        const { schema } = await provider.getSchema({});
        expect(schema).toContain('"amount":{"oneOf":[{"type":"number"},{"type":"string"}]}');
      },
      {},
      { EXACT_NUMBERS: "1" },
    );
  });
});

describe("calls before Configure", { timeout: 120_000 }, () => {
  test("are rejected where the provider must be configured", async ({ expect }) => {
    await withPlugin(async (provider) => {
      expect((await provider.check({ urn, news: { name: "n" } })).failures).toEqual([]);
      const needsConfiguration = { code: "failedPrecondition", message: expect.stringContaining("call Configure first") as string };
      const state = { urn, id: "held", olds: { id: "held" }, news: {} };
      expect(await failure(provider.create({ urn, properties: {} }))).toMatchObject(needsConfiguration);
      expect(await failure(provider.diff(state))).toMatchObject(needsConfiguration);
      expect(await failure(provider.update(state))).toMatchObject(needsConfiguration);
      expect(await failure(provider.read({ urn, id: "held" }))).toMatchObject(needsConfiguration);
      expect(await failure(provider.delete({ urn, id: "held", properties: {} }))).toMatchObject(needsConfiguration);
      expect(await failure(provider.construct({}))).toMatchObject({ code: "unimplemented" });
    });
  });
});

describe("the configuration of a provider", { timeout: 120_000 }, () => {
  test("is secret at any depth where the schema says so", async ({ expect }) => {
    await withPlugin(async (provider) => {
      const login = { user: "u", token: "hunter2", scopes: ["s"] };
      const news = { ...config, login, accounts: [login, { user: "v" }], tenants: { t: login } };
      const hidden = { ...login, token: secret("hunter2") };
      const checked = await provider.checkConfig({ urn: configUrn, news });
      expect(checked).toMatchObject({ failures: [], inputs: { login: hidden, accounts: [hidden, { user: "v" }], tenants: { t: hidden } } });

      const texts = {
        ...config,
        retries: "3",
        login: JSON.stringify(login),
        accounts: JSON.stringify([{ user: "v", token: secret("hunter3") }]),
      };
      const { inputs } = await provider.checkConfig({ urn: configUrn, news: texts });
      expect(inputs).toEqual({ ...texts, login: secret(texts.login), accounts: secret(texts.accounts) });
      await provider.configure({ args: inputs! });
      const { return: called } = await provider.call({ tok: "pulumi:providers:values/terraformConfig" });
      expect(called).toMatchObject({ result: { value: { retries: 3, accounts: [{ user: "v" }] } } });
    });
  });

  test("is never replaced, and its differences are those of inputs at any depth", async ({ expect }) => {
    await withPlugin(async (provider) => {
      const oldInputs = {
        ...config,
        version: "1.0.0",
        accounts: [{ user: "a" }, { user: "b" }],
        tenants: { t: { user: "c" } },
        retries: "3",
      };
      const diff = async (news: JsonObject, ignoreChanges: string[] = []): Promise<object> => {
        const { changes, replaces, detailedDiff } = await provider.diffConfig({
          urn: configUrn,
          oldInputs,
          news: { ...oldInputs, ...news },
          ignoreChanges,
        });
        const details = Object.fromEntries(
          Object.entries(detailedDiff).map(([path, { kind, inputDiff }]) => [path, inputDiff ? kind : -1]),
        );
        return { changes, replaces, details };
      };
      const none = { changes: 1, replaces: [], details: {} };
      expect(await diff({})).toEqual(none);
      expect(await diff({ version: "2.0.0", retries: 3, accounts: JSON.stringify(oldInputs.accounts) })).toEqual(none);
      const changed = {
        endpoint: "https://f",
        accounts: [{ user: "x" }],
        tenants: { t: { user: "c" }, u: {} },
        retries: "4",
        login: unknownText,
      };
      expect(await diff(changed)).toEqual({
        changes: 2,
        replaces: [],
        details: { endpoint: 4, "accounts[0].user": 4, "accounts[1]": 2, "tenants.u": 0, retries: 4, login: 0 },
      });
      expect(await diff({ accounts: [{ user: "x" }, { user: "b" }], retries: 4 }, ["retries", "accounts[*].user"])).toEqual(none);
    });
  });
});
