// SPDX-License-Identifier: Apache-2.0
import { ProviderError, type Provider } from "@tenon/schema";
import { beforeEach, describe, test } from "vitest";
import { note, notebook, provider as served } from "../../test/notebook.ts";
import { configOf, toPlain, startLife, texts, Unknown, type Data } from "../../test/resource-life.ts";
import { attr, defineProvider, SdkError, type Component, type LogEntry, type ServedProvider } from "../index.ts";
import { createProvider, failedProvider } from "./create-provider.ts";

async function configure(provider: Provider, data: Data): Promise<readonly string[]> {
  const { provider: schema } = await provider.getProviderSchema({});
  return texts((await provider.configureProvider({ terraformVersion: "1.12.0", config: configOf(schema!.block, data) })).diagnostics);
}

async function search(provider: Provider, data: Data, deferralAllowed = false): ReturnType<Provider["readDataSource"]> {
  const { block } = (await provider.getProviderSchema({})).dataSources.get("notebook_search")!;
  const clientCapabilities = { deferralAllowed, writeOnlyAttributesAllowed: true };
  return provider.readDataSource({ typeName: "notebook_search", config: configOf(block, data), clientCapabilities });
}

describe("the components of a provider", () => {
  test("appear in its schema, its metadata and its functions", async ({ expect }) => {
    const provider = createProvider(served);
    const schema = await provider.getProviderSchema({});
    expect([...schema.resources.keys(), ...schema.dataSources.keys(), ...schema.functions.keys()]).toEqual([
      "notebook_note",
      "notebook_search",
      "join",
    ]);
    expect(Object.keys(schema.resources.get("notebook_note")!.block.attributes)).toEqual([
      "folder",
      "id",
      "passphrase",
      "revision",
      "tags",
      "title",
    ]);
    expect(schema.resources.get("notebook_note")!.block.attributes["folder"]).toMatchObject({
      optional: true,
      computed: true,
      required: false,
    });
    expect(await provider.getMetadata({})).toMatchObject({
      resources: ["notebook_note"],
      dataSources: ["notebook_search"],
      functions: ["join"],
      diagnostics: [],
    });
    expect((await provider.getFunctions({})).functions.get("join")).toEqual(schema.functions.get("join"));
    expect((await provider.getResourceIdentitySchemas({})).identitySchemas.size).toBe(0);
  });

  test("reject a request for an unknown type with INVALID_REQUEST and the known types", async ({ expect }) => {
    const provider = createProvider(served);
    const config = configOf((await provider.getProviderSchema({})).provider!.block, {});
    await expect(provider.validateResourceConfig({ typeName: "notebook_page", config })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: 'provider notebook has no resource "notebook_page": it has notebook_note',
    });
    await expect(provider.validateResourceConfig({ typeName: "notebook_note", config })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });

  test("reject a request for an unknown state store; a stream rejects when it is read", async ({ expect }) => {
    const provider = createProvider(served);
    await expect(provider.getStates({ typeName: "notebook_state" })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    const stream = provider.readStateBytes({ typeName: "notebook_state", stateId: "a" });
    await expect(Array.fromAsync(stream)).rejects.toBeInstanceOf(ProviderError);
  });
});

describe("loading", () => {
  test("loads components once, with the first call", async ({ expect }) => {
    let loaded = 0;
    const lazy = notebook.with([async () => (loaded++, { default: note })]);
    const provider = createProvider(lazy);
    expect(loaded).toBe(0);
    await Promise.all([provider.getMetadata({}), provider.getProviderSchema({})]);
    expect(loaded).toBe(1);
  });

  test("runs setup before a loader that discovers components", async ({ expect }) => {
    const order: string[] = [];
    const shop = defineProvider({ name: "shop", version: "1.0.0", setup: async () => void order.push("setup") });
    const discovered = async (): Promise<readonly Component<undefined>[]> => {
      order.push("assembly");
      const found = await Promise.resolve(["apple", "pear"]);
      return found.map((name) =>
        shop.dataSource(name, { schema: { size: attr.number({ computed: true }) }, read: () => ({ size: name.length }) }),
      );
    };
    const provider = createProvider(shop.with([discovered]));
    expect([...(await provider.getProviderSchema({})).dataSources.keys()]).toEqual(["shop_apple", "shop_pear"]);
    expect(order).toEqual(["setup", "assembly"]);
  });

  const broken: Readonly<Record<string, readonly [ServedProvider, string]>> = {
    "a module that cannot be imported": [
      notebook.with([() => Promise.reject(new Error("no such file"))]),
      "component 0 of provider notebook cannot be loaded: no such file",
    ],
    "a module without a component": [
      notebook.with([() => Promise.resolve({ default: 5 } as never)]),
      "the module of component 0 of provider notebook is not a component; pass the result of resource(), dataSource() or another method of the definition, or a module with it as its default export",
    ],
    "two components of one name": [notebook.with([note, async () => note]), "provider notebook: two resources have the name note"],
    "setup that fails": [
      defineProvider({
        name: "p",
        version: "1.0.0",
        setup: () => {
          throw new Error("no licence");
        },
      }).with([]),
      "no licence",
    ],
  };
  for (const [what, [definition, message]] of Object.entries(broken)) {
    test(`reports ${what} in every call`, async ({ expect }) => {
      const provider = createProvider(definition);
      const expected = [`error: Provider cannot be loaded: ${message}`];
      expect(texts((await provider.getProviderSchema({})).diagnostics)).toEqual(expected);
      expect(texts((await provider.upgradeResourceState({ typeName: "notebook_note", version: 0, rawState: {} })).diagnostics)).toEqual(
        expected,
      );
      expect((await provider.callFunction({ name: "join", arguments: [] })).error?.text).toContain(message);
    });
  }

  test("refuses a duplicate component when the provider is defined", ({ expect }) => {
    expect(() => notebook.with([note, note])).toThrow(expect.objectContaining({ code: "INVALID_DEFINITION" }));
    expect(() => notebook.with([note, note])).toThrow(SdkError);
  });

  test("reports in every call why the provider's module could not be loaded", async ({ expect }) => {
    const provider = failedProvider(new Error("top level", { cause: new SyntaxError("unexpected token") }));
    const expected = ["error: Provider cannot be loaded: top level: unexpected token"];
    expect(texts((await provider.getProviderSchema({})).diagnostics)).toEqual(expected);
    expect(texts((await provider.getMetadata({})).diagnostics)).toEqual(expected);
    expect(await provider.stop({})).toEqual({ error: "" });
    await provider.close();
  });
});

describe("configuring", () => {
  test("reports a failure without secrets, and refuses later calls", async ({ expect }) => {
    const provider = createProvider(served);
    expect(await configure(provider, { path: "missing", token: "hunter22" })).toEqual([
      "error: Cannot configure provider notebook: no file missing, token (sensitive value)",
    ]);
    expect(texts((await search(provider, { text: "a" })).diagnostics)).toEqual([
      "error: Provider not configured: Provider notebook cannot read notebook_search: its configuration failed.",
    ]);
  });

  test("refuses calls that need the client before the provider is configured", async ({ expect }) => {
    const provider = createProvider(served);
    expect(texts((await search(provider, { text: "a" })).diagnostics)).toEqual([
      "error: Provider not configured: Provider notebook cannot read notebook_search: it is not configured yet.",
    ]);
    expect(await configure(provider, {})).toEqual([]);
    expect((await configure(provider, {}))[0]).toContain("configured twice");
    expect((await search(provider, { text: "a" })).diagnostics).toEqual([]);
  });

  test("waits while values are unknown: plans work, and other calls are deferred or name the unknown attribute", async ({ expect }) => {
    const life = await startLife(served, "notebook_note", { path: Unknown });
    expect((await life.plan({ title: "Bread" })).planned?.action).toBe("create");
    expect(texts((await search(life.provider, { text: "a" })).diagnostics)[0]).toContain(
      "in its configuration, path is known only after apply",
    );
    const deferred = await search(life.provider, { text: "a" }, true);
    expect(deferred).toMatchObject({ deferred: { reason: "providerConfigUnknown" }, diagnostics: [] });
    expect(toPlain(deferred.state)).toBe(Unknown);
  });

  test('runs with unknown values with unknownConfig "pass"', async ({ expect }) => {
    const passing = defineProvider({
      name: "notebook",
      version: "1.0.0",
      unknownConfig: "pass",
      schema: { path: attr.string({ required: true }) },
      configure: ({ config }) => ({ path: typeof config.path === "symbol" ? "later" : config.path }),
    });
    const where = passing.dataSource("search", {
      schema: { text: attr.string({ required: true }), path: attr.string({ computed: true }) },
      read: ({ config, client }) => ({ ...config, ...client }),
    });
    const provider = createProvider(passing.with([where]));
    expect(await configure(provider, { path: Unknown })).toEqual([]);
    expect(toPlain((await search(provider, { text: "a" })).state)).toEqual({ text: "a", path: "later" });
  });

  test("validates the provider's configuration before it is configured", async ({ expect }) => {
    const provider = createProvider(
      defineProvider({
        name: "p",
        version: "1.0.0",
        schema: { path: attr.string({ required: true }) },
        validate: ({ config, error }) => {
          if (config.path === "/") error("path", "must not be the root");
        },
      }).with([]),
    );
    const { block } = (await provider.getProviderSchema({})).provider!;
    const validate = async (data: Data): Promise<readonly string[]> =>
      texts((await provider.validateProviderConfig({ config: configOf(block, data) })).diagnostics);
    expect(await validate({})).toEqual(["error: Missing required attribute: path is required, but not set."]);
    expect(await validate({ path: "/" })).toEqual(["error: must not be the root: path: must not be the root"]);
    expect(await validate({ path: Unknown })).toEqual([]);
  });
});

describe("data sources", () => {
  test("return their state; an error becomes a diagnostic", async ({ expect }) => {
    const life = await startLife(served, "notebook_note");
    await life.apply({ title: "Bread" });
    await life.apply({ title: "Rye bread" });
    expect(toPlain((await search(life.provider, { text: "bread" })).state)).toEqual({ text: "bread", titles: ["Rye bread"] });
    expect(texts((await search(life.provider, { text: "!" })).diagnostics)).toEqual(["error: Cannot read notebook_search: no such text"]);
  });
});

describe("stopping, cancelling and closing", () => {
  const slow = defineProvider({
    name: "slow",
    version: "1.0.0",
    configure: () => ({ ended: [] as string[] }),
    cleanup: ({ client }) => void client.ended.push("cleaned"),
  });
  let client: { readonly ended: string[] } | undefined;
  let started = Promise.withResolvers<void>();
  beforeEach(() => {
    started = Promise.withResolvers();
  });
  const wait = slow.dataSource("wait", {
    schema: { forever: attr.bool({ required: true }) },
    read: async ({ config, signal, client: mine }) => {
      client = mine;
      started.resolve();
      if (config.forever) await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
      return config;
    },
  });
  const immediate = slow.dataSource("immediate", {
    schema: { forever: attr.bool({ required: true }) },
    read: ({ config }) => config,
  });
  const read = async (provider: Provider, forever: boolean, signal?: AbortSignal): ReturnType<Provider["readDataSource"]> => {
    const { block } = (await provider.getProviderSchema({})).dataSources.get("slow_wait")!;
    return provider.readDataSource({ typeName: "slow_wait", config: configOf(block, { forever }) }, signal === undefined ? {} : { signal });
  };

  test("stop aborts calls in flight, and later calls run", async ({ expect }) => {
    const provider = createProvider(slow.with([wait]));
    await configure(provider, {});
    const running = read(provider, true);
    await started.promise;
    expect(await provider.stop({})).toEqual({ error: "" });
    expect(texts((await running).diagnostics)).toEqual(["error: Cannot read slow_wait: the run was interrupted"]);
    expect((await read(provider, false)).diagnostics).toEqual([]);
  });

  test("stop prevents the start of a handler that has not started yet", async ({ expect }) => {
    const provider = createProvider(slow.with([wait]));
    await configure(provider, {});
    const { block } = (await provider.getProviderSchema({})).dataSources.get("slow_wait")!;
    const late = provider.readDataSource({ typeName: "slow_wait", config: configOf(block, { forever: true }) });
    await provider.stop({});
    expect(texts((await late).diagnostics)).toEqual(["error: Cannot read slow_wait: the run was interrupted"]);
  });

  test("a cancelled call rejects immediately", async ({ expect }) => {
    const provider = createProvider(slow.with([wait]));
    await configure(provider, {});
    await expect(read(provider, true, AbortSignal.timeout(10))).rejects.toMatchObject({ code: "CANCELLED" });
    await expect(read(provider, false, AbortSignal.abort())).rejects.toMatchObject({ code: "CANCELLED" });
  });

  test("a lazy signal is created only for a handler that reads it", async ({ expect }) => {
    const provider = createProvider(slow.with([wait, immediate]));
    await configure(provider, {});
    const { dataSources } = await provider.getProviderSchema({});
    const controller = new AbortController();
    let created = 0;
    const caller = {
      isAborted: () => controller.signal.aborted,
      get signal() {
        created++;
        return controller.signal;
      },
    };
    const call = async (typeName: string, forever: boolean): Promise<readonly string[]> => {
      const config = configOf(dataSources.get(typeName)!.block, { forever });
      return texts((await provider.readDataSource({ typeName, config }, caller)).diagnostics);
    };
    expect(await call("slow_immediate", false)).toEqual([]);
    expect(created).toBe(0);
    const waiting = call("slow_wait", true);
    await started.promise;
    expect(created).toBe(1);
    controller.abort(new Error("cancelled"));
    expect(await waiting).toEqual(["error: Cannot read slow_wait: cancelled"]);
    // The handler only listens for "abort": it would wait forever on a signal that is already aborted.
    expect(await call("slow_wait", true)).toEqual(["error: Cannot read slow_wait: cancelled"]);
  });

  test("close cleans up once, and later calls are refused", async ({ expect }) => {
    const provider = createProvider(slow.with([wait]));
    {
      await using open = provider;
      await configure(open, {});
      await read(open, false);
    }
    await provider.close();
    expect(client?.ended).toEqual(["cleaned"]);
    await expect(provider.getMetadata({})).rejects.toMatchObject({ code: "CLOSED" });
    await expect(provider.stop({})).rejects.toMatchObject({ code: "CLOSED" });
  });
});

test("log lines carry the RPC, the provider and the id of the request", async ({ expect }) => {
  const lines: LogEntry[] = [];
  const provider = createProvider(served, { logger: (entry) => lines.push(entry) });
  await configure(provider, { path: "missing" });
  const line = lines.find(({ message }) => message === "Cannot configure provider notebook");
  expect(line).toMatchObject({
    level: "error",
    fields: { tf_rpc: "ConfigureProvider", tf_provider: "notebook", tf_req_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  });
  expect(line?.fields["error"]).toContain("notebook.ts");
});
