// SPDX-License-Identifier: Apache-2.0
import { ProviderError, type Provider } from "@tenon/schema";
import { describe, test } from "vitest";
import { note, notebook, provider as served } from "../../test/notebook.ts";
import { configOf, seen, startLife, texts, Unknown, type Data } from "../../test/resource-life.ts";
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

describe("what a provider offers", () => {
  test("its schema, its names and its functions", async ({ expect }) => {
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

  test("a type it does not have is the caller's mistake, and says what there is", async ({ expect }) => {
    const provider = createProvider(served);
    const config = configOf((await provider.getProviderSchema({})).provider!.block, {});
    await expect(provider.validateResourceConfig({ typeName: "notebook_page", config })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: 'provider notebook has no resource "notebook_page": it has notebook_note',
    });
    await expect(provider.validateResourceConfig({ typeName: "notebook_note", config })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });

  test("components that are not there are an error of whoever asks, with streams when they are read", async ({ expect }) => {
    const provider = createProvider(served);
    await expect(provider.getStates({ typeName: "notebook_state" })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    const stream = provider.readStateBytes({ typeName: "notebook_state", stateId: "a" });
    await expect(Array.fromAsync(stream)).rejects.toBeInstanceOf(ProviderError);
  });
});

describe("loading", () => {
  test("components are loaded with the first call, once, and not before", async ({ expect }) => {
    let loaded = 0;
    const lazy = notebook.with([async () => (loaded++, { default: note })]);
    const provider = createProvider(lazy);
    expect(loaded).toBe(0);
    await Promise.all([provider.getMetadata({}), provider.getProviderSchema({})]);
    expect(loaded).toBe(1);
  });

  test("components are put together from what is found out, after setup", async ({ expect }) => {
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
      "what component 0 of provider notebook loads is no component: hand over what resource(), dataSource() or one of their neighbours answered, or a module with it as its default export",
    ],
    "two of one name": [notebook.with([note, async () => note]), "provider notebook: two resources are called note"],
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
    test(`${what} is answered by every call, and nothing dies`, async ({ expect }) => {
      const provider = createProvider(definition);
      const expected = [`error: Provider cannot be loaded: ${message}`];
      expect(texts((await provider.getProviderSchema({})).diagnostics)).toEqual(expected);
      expect(texts((await provider.upgradeResourceState({ typeName: "notebook_note", version: 0, rawState: {} })).diagnostics)).toEqual(
        expected,
      );
      expect((await provider.callFunction({ name: "join", arguments: [] })).error?.text).toContain(message);
    });
  }

  test("the same component twice is found when the provider is put together", ({ expect }) => {
    expect(() => notebook.with([note, note])).toThrow(expect.objectContaining({ code: "INVALID_DEFINITION" }));
    expect(() => notebook.with([note, note])).toThrow(SdkError);
  });

  test("a provider that could not be loaded at all says why, whatever it is asked", async ({ expect }) => {
    const provider = failedProvider(new Error("top level", { cause: new SyntaxError("unexpected token") }));
    const expected = ["error: Provider cannot be loaded: top level: unexpected token"];
    expect(texts((await provider.getProviderSchema({})).diagnostics)).toEqual(expected);
    expect(texts((await provider.getMetadata({})).diagnostics)).toEqual(expected);
    expect(await provider.stop({})).toEqual({ error: "" });
    await provider.close();
  });
});

describe("configuring", () => {
  test("a failure is a diagnostic without secrets, and what comes later says so", async ({ expect }) => {
    const provider = createProvider(served);
    expect(await configure(provider, { path: "missing", token: "hunter22" })).toEqual([
      "error: Cannot configure provider notebook: no file missing, token (sensitive value)",
    ]);
    expect(texts((await search(provider, { text: "a" })).diagnostics)).toEqual([
      "error: Provider not configured: Provider notebook cannot read notebook_search: its configuration failed.",
    ]);
  });

  test("what needs the client says when there was no configuration at all", async ({ expect }) => {
    const provider = createProvider(served);
    expect(texts((await search(provider, { text: "a" })).diagnostics)).toEqual([
      "error: Provider not configured: Provider notebook cannot read notebook_search: it was asked before it was configured.",
    ]);
    expect(await configure(provider, {})).toEqual([]);
    expect((await configure(provider, {}))[0]).toContain("configured twice");
    expect((await search(provider, { text: "a" })).diagnostics).toEqual([]);
  });

  test("waits while something is unknown: plans go on, the rest is deferred or says what is missing", async ({ expect }) => {
    const life = await startLife(served, "notebook_note", { path: Unknown });
    expect((await life.plan({ title: "Bread" })).planned?.action).toBe("create");
    expect(texts((await search(life.provider, { text: "a" })).diagnostics)[0]).toContain(
      "of its configuration, path is only known after apply",
    );
    const deferred = await search(life.provider, { text: "a" }, true);
    expect(deferred).toMatchObject({ deferred: { reason: "providerConfigUnknown" }, diagnostics: [] });
    expect(seen(deferred.state)).toBe(Unknown);
  });

  test("takes unknown values as they are where its author asks for it", async ({ expect }) => {
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
    expect(seen((await search(provider, { text: "a" })).state)).toEqual({ text: "a", path: "later" });
  });

  test("validation needs no configuration, and checks the provider's own", async ({ expect }) => {
    const provider = createProvider(
      defineProvider({
        name: "p",
        version: "1.0.0",
        schema: { path: attr.string({ required: true }) },
        validate: ({ config, error }) => {
          if (config.path === "/") error("path", "is everything");
        },
      }).with([]),
    );
    const { block } = (await provider.getProviderSchema({})).provider!;
    const validate = async (data: Data): Promise<readonly string[]> =>
      texts((await provider.validateProviderConfig({ config: configOf(block, data) })).diagnostics);
    expect(await validate({})).toEqual(["error: Missing required attribute: path is required, and is not set."]);
    expect(await validate({ path: "/" })).toEqual(["error: is everything: path: is everything"]);
    expect(await validate({ path: Unknown })).toEqual([]);
  });
});

describe("data sources", () => {
  test("answer what they found; an error is a diagnostic", async ({ expect }) => {
    const life = await startLife(served, "notebook_note");
    await life.apply({ title: "Bread" });
    await life.apply({ title: "Rye bread" });
    expect(seen((await search(life.provider, { text: "bread" })).state)).toEqual({ text: "bread", titles: ["Rye bread"] });
    expect(texts((await search(life.provider, { text: "!" })).diagnostics)).toEqual(["error: Cannot read notebook_search: no such text"]);
  });
});

describe("ending", () => {
  const slow = defineProvider({
    name: "slow",
    version: "1.0.0",
    configure: () => ({ ended: [] as string[] }),
    cleanup: ({ client }) => void client.ended.push("cleaned"),
  });
  let client: { readonly ended: string[] } | undefined;
  const wait = slow.dataSource("wait", {
    schema: { forever: attr.bool({ required: true }) },
    read: async ({ config, signal, client: mine }) => {
      client = mine;
      if (config.forever) await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
      return config;
    },
  });
  const heedless = slow.dataSource("heedless", {
    schema: { forever: attr.bool({ required: true }) },
    read: ({ config }) => config,
  });
  const read = async (provider: Provider, forever: boolean, signal?: AbortSignal): ReturnType<Provider["readDataSource"]> => {
    const { block } = (await provider.getProviderSchema({})).dataSources.get("slow_wait")!;
    return provider.readDataSource({ typeName: "slow_wait", config: configOf(block, { forever }) }, signal === undefined ? {} : { signal });
  };

  test("stop aborts what runs, and serving goes on", async ({ expect }) => {
    const provider = createProvider(slow.with([wait]));
    await configure(provider, {});
    const running = read(provider, true);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await provider.stop({})).toEqual({ error: "" });
    expect(texts((await running).diagnostics)).toEqual(["error: Cannot read slow_wait: the run was interrupted"]);
    expect((await read(provider, false)).diagnostics).toEqual([]);
  });

  test("a handler that had not begun when the stop came does not begin", async ({ expect }) => {
    const provider = createProvider(slow.with([wait]));
    await configure(provider, {});
    const { block } = (await provider.getProviderSchema({})).dataSources.get("slow_wait")!;
    const late = provider.readDataSource({ typeName: "slow_wait", config: configOf(block, { forever: true }) });
    await provider.stop({});
    expect(texts((await late).diagnostics)).toEqual(["error: Cannot read slow_wait: the run was interrupted"]);
  });

  test("a caller that gives up gets its answer at once", async ({ expect }) => {
    const provider = createProvider(slow.with([wait]));
    await configure(provider, {});
    await expect(read(provider, true, AbortSignal.timeout(10))).rejects.toMatchObject({ code: "CANCELLED" });
    await expect(read(provider, false, AbortSignal.abort())).rejects.toMatchObject({ code: "CANCELLED" });
  });

  test("a signal that is made when it is looked at is made for the handlers that look", async ({ expect }) => {
    const provider = createProvider(slow.with([wait, heedless]));
    await configure(provider, {});
    const { dataSources } = await provider.getProviderSchema({});
    const controller = new AbortController();
    let made = 0;
    const caller = {
      isAborted: () => controller.signal.aborted,
      get signal() {
        made++;
        return controller.signal;
      },
    };
    const call = async (typeName: string, forever: boolean): Promise<readonly string[]> => {
      const config = configOf(dataSources.get(typeName)!.block, { forever });
      return texts((await provider.readDataSource({ typeName, config }, caller)).diagnostics);
    };
    expect(await call("slow_heedless", false)).toEqual([]);
    expect(made).toBe(0);
    const waiting = call("slow_wait", true);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(made).toBe(1);
    controller.abort(new Error("nobody waits"));
    expect(await waiting).toEqual(["error: Cannot read slow_wait: nobody waits"]);
    // One that only listens would wait for ever.
    expect(await call("slow_wait", true)).toEqual(["error: Cannot read slow_wait: nobody waits"]);
  });

  test("close cleans up once; later calls are refused", async ({ expect }) => {
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

test("every log line says which request it belongs to", async ({ expect }) => {
  const lines: LogEntry[] = [];
  const provider = createProvider(served, { logger: (entry) => lines.push(entry) });
  await configure(provider, { path: "missing" });
  const line = lines.find(({ message }) => message === "Cannot configure provider notebook");
  expect(line).toMatchObject({
    level: "debug",
    fields: { tf_rpc: "ConfigureProvider", tf_provider: "notebook", tf_req_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  });
  expect(line?.fields["error"]).toContain("notebook.ts");
});
