// SPDX-License-Identifier: Apache-2.0
// Rules 39 to 44: functions, ephemeral resources, lists, actions, state stores, generated configuration. They describe the server of
// terraform-plugin-framework (internal/fwserver); `scripts/mutate/rules` refers to them by number.
import { isWhollyKnown, nullOf, of, string, unknown } from "@tenon/cty";
import type { ListResourceEvent, Provider, StateChunk } from "@tenon/schema";
import { describe, test } from "vitest";
import { ArgumentError, attr, block, createProvider, defineProvider, parameter } from "../../src/index.ts";
import type { ActionDefinition, EphemeralResourceDefinition, FoundResource, StateStoreDefinition } from "../../src/definition/index.ts";
import { stringLength } from "../../src/validators/index.ts";
import { configOf, toPlain, texts, Unknown, type Data } from "../resource-life.ts";
import { core, rawResource } from "./raw-resource.ts";

const farm = defineProvider({ name: "farm", version: "1.0.0" });

describe("rule 39", () => {
  const join = farm.function("join", {
    parameters: {
      first: parameter(attr.string({ validators: [stringLength({ max: 2 })] }), { allowNull: true }),
      second: parameter(attr.string({ validators: [stringLength({ max: 2 })] })),
    },
    variadic: parameter(attr.string()),
    returns: attr.string(),
    call: ({ first, second }, rest) => {
      if (rest.includes("bad")) throw new ArgumentError(rest.indexOf("bad"), "it is bad");
      return [first ?? "-", second, ...rest].join();
    },
  });
  const upper = farm.function("upper", {
    parameters: { of: parameter(attr.string()) },
    returns: attr.string(),
    call: ({ of: text }) => text,
  });
  const provider = createProvider(farm.with([join, upper]));
  const call = (name: string, ...args: readonly (string | null)[]): ReturnType<Provider["callFunction"]> =>
    provider.callFunction({ name, arguments: args.map((one) => (one === null ? nullOf(string) : of(string, one))) });

  test("rule 39: reports missing arguments, and extra ones if the function is not variadic", async ({ expect }) => {
    expect((await call("join", "a")).error).toEqual({
      text: "join takes 2 or more arguments, and got 1: second is missing",
      functionArgument: 1,
    });
    expect((await call("upper", "a", "b")).error).toMatchObject({ functionArgument: 1 });
    expect((await call("join", "a", "b", "c", "d")).result).toEqual(of(string, "a,b,c,d"));
  });

  test("rule 39: reports all errors at the first wrong argument; positions include variadic arguments", async ({ expect }) => {
    expect((await call("join", "long", "longer")).error).toEqual({
      text: "first must be at most 2 characters long\nsecond must be at most 2 characters long",
      functionArgument: 0,
    });
    expect((await call("join", "a", "b", "c", "bad")).error).toEqual({ text: "it is bad", functionArgument: 3 });
  });

  test("rule 39: passes null and unknown arguments only to parameters that allow them", async ({ expect }) => {
    expect((await call("join", null, "b")).result).toEqual(of(string, "-,b"));
    expect((await call("join", "a", null)).error).toMatchObject({ functionArgument: 1 });
    const { result } = await provider.callFunction({ name: "upper", arguments: [unknown(string)] });
    expect(isWhollyKnown(result!)).toBe(false);
  });
});

describe("rule 40", () => {
  const schema = { scope: attr.string({ required: true }), token: attr.string({ computed: true }) };
  type Token = EphemeralResourceDefinition<undefined, typeof schema>;
  async function opened(
    more: Partial<Token>,
  ): Promise<{ readonly provider: Provider; readonly open: ReturnType<Provider["openEphemeralResource"]> }> {
    const token = farm.ephemeralResource("token", { schema, open: ({ config }) => ({ ...config, token: "t" }), ...more });
    const provider = createProvider(farm.with([token]));
    const { block: body } = (await provider.getProviderSchema({})).ephemeralResources.get("farm_token")!;
    const config = configOf(body, { scope: "s" });
    return { provider, open: provider.openEphemeralResource({ typeName: "farm_token", config, clientCapabilities: core }) };
  }

  test("rule 40: open returns the whole state, the time to renew, and private data for renew and close", async ({ expect }) => {
    const renewAt = new Date(0);
    const closed: unknown[] = [];
    const { provider, open } = await opened({
      open: (context) => {
        context.renewAt(renewAt);
        context.privateState.set("n", 1);
        return { ...context.config, token: "t" };
      },
      renew: ({ privateState }) => privateState.set("n", 2),
      close: ({ privateState }) => void closed.push(privateState.get("n")),
    });
    const response = await open;
    expect([toPlain(response.result), response.renewAt, response.diagnostics]).toEqual([{ scope: "s", token: "t" }, renewAt, []]);
    const renewed = await provider.renewEphemeralResource({ typeName: "farm_token", private: response.private! });
    await provider.closeEphemeralResource({ typeName: "farm_token", private: renewed.private! });
    expect(closed).toEqual([2]);
  });

  test("rule 40: renew without a handler is an error, close without one succeeds, a deferred open returns unknown", async ({ expect }) => {
    const { provider } = await opened({});
    expect(texts((await provider.renewEphemeralResource({ typeName: "farm_token" })).diagnostics)[0]).toContain("Cannot renew farm_token");
    expect(await provider.closeEphemeralResource({ typeName: "farm_token" })).toEqual({ diagnostics: [] });
    const { open } = await opened({ open: ({ defer }) => defer("absentPrerequisite") });
    expect([toPlain((await open).result), (await open).deferred]).toEqual([Unknown, { reason: "absentPrerequisite" }]);
  });
});

describe("rule 41", () => {
  const book = farm.resource("book", {
    schema: { id: attr.string({ computed: true }) },
    identity: { id: attr.string() },
    create: () => ({ id: "" }),
    read: () => undefined,
    update: () => ({ id: "" }),
    delete: () => {},
  });
  type Found = FoundResource<{ readonly id: string }, { readonly id: string }>;
  async function listed(found: readonly Found[], more: { limit?: number; whole?: boolean } = {}): Promise<ListResourceEvent[]> {
    const provider = createProvider(farm.with([book, farm.listResource(book, { list: () => found })]));
    const { block: body } = (await provider.getProviderSchema({})).listResources.get("farm_book")!;
    const { limit = 0, whole = false } = more;
    return Array.fromAsync(
      provider.listResource({ typeName: "farm_book", config: configOf(body, {}), includeResourceObject: whole, limit }),
    );
  }
  const one = (id: string): Found => ({ identity: { id }, displayName: id });

  test("rule 41: one event for each result, with an error if it has no identity, and a warning if its state is missing", async ({
    expect,
  }) => {
    const events = await listed([one("a"), { displayName: "b" } as Found]);
    expect(events.map(({ identity }) => identity && toPlain(identity))).toEqual([{ id: "a" }, undefined]);
    expect(texts(events[1]!.diagnostics)[0]).toContain("error: Incomplete list result");
    const [bare] = await listed([one("a")], { whole: true });
    expect(texts(bare!.diagnostics)[0]).toContain("warning: Incomplete list result");
    const [full] = await listed([{ ...one("a"), resource: { id: "a" } }], { whole: true });
    expect([toPlain(full!.resourceObject!), full!.diagnostics]).toEqual([{ id: "a" }, []]);
  });

  test("rule 41: the server stops at the limit, even if the handler does not", async ({ expect }) => {
    expect(await listed([one("a"), one("b"), one("c")], { limit: 2 })).toHaveLength(2);
  });
});

describe("rule 42", () => {
  const schema = { times: attr.number({ required: true }) };
  async function action(
    more: Partial<ActionDefinition<undefined, typeof schema>>,
  ): Promise<{ provider: Provider; config: ReturnType<typeof configOf> }> {
    const provider = createProvider(farm.with([farm.action("water", { schema, invoke: () => {}, ...more })]));
    const { block: body } = (await provider.getProviderSchema({})).actions.get("farm_water")!;
    return { provider, config: configOf(body, { times: 2 }) };
  }

  test("rule 42: an action sends progress, then exactly one event with its outcome, even if it fails", async ({ expect }) => {
    const { provider, config } = await action({
      invoke: ({ progress, warn }) => {
        progress("half");
        warn("dry");
        throw new Error("no water");
      },
    });
    const events = await Array.fromAsync(provider.invokeAction({ actionType: "farm_water", config }));
    expect(events).toMatchObject([
      { kind: "progress", message: "half" },
      { kind: "completed", diagnostics: [{ severity: "warning" }, { severity: "error", detail: "no water" }] },
    ]);
  });

  test("rule 42: an action may defer its plan", async ({ expect }) => {
    const { provider, config } = await action({ plan: ({ defer }) => defer("absentPrerequisite") });
    expect(await provider.planAction({ actionType: "farm_water", config, clientCapabilities: core })).toEqual({
      deferred: { reason: "absentPrerequisite" },
      diagnostics: [],
    });
  });
});

describe("rule 43", () => {
  type Store = Map<string, Uint8Array>;
  async function store(more: Partial<StateStoreDefinition<undefined, {}, Store>> = {}, configured = true): Promise<Provider> {
    const shed = farm.stateStore("shed", {
      open: (): Store => new Map(),
      read: ({ store: states, stateId }) => states.get(stateId),
      write: ({ store: states, stateId, state }) => void states.set(stateId, state),
      list: ({ store: states }) => [...states.keys()],
      delete: ({ store: states, stateId }) => void states.delete(stateId),
      ...more,
    });
    const provider = createProvider(farm.with([shed]));
    const { block: body } = (await provider.getProviderSchema({})).stateStores.get("farm_shed")!;
    if (configured) await provider.configureStateStore({ typeName: "farm_shed", config: configOf(body, {}), chunkSize: 4 });
    return provider;
  }
  async function* chunks(sizes: readonly number[], totalLength: number): AsyncGenerator<StateChunk> {
    let start = 0;
    for (const size of sizes) {
      yield { bytes: new Uint8Array(size).fill(65), totalLength, start, end: start + size - 1 };
      start += size;
    }
  }
  const write = async (provider: Provider, sizes: readonly number[], totalLength: number): Promise<readonly string[]> =>
    texts((await provider.writeStateBytes({ typeName: "farm_shed", stateId: "s", chunks: chunks(sizes, totalLength) })).diagnostics);

  test("rule 43: refuses requests to a state store that is not configured", async ({ expect }) => {
    const provider = await store({}, false);
    expect((await write(provider, [4], 4))[0]).toContain("State store not configured");
  });

  test("rule 43: chunks have the negotiated size, the last may be smaller, and their total length must match", async ({ expect }) => {
    const provider = await store();
    expect(await write(provider, [4, 4, 2], 10)).toEqual([]);
    for (const [sizes, total, why] of [
      [[3, 4], 7, "chunk 1 has 3 bytes"],
      [[5], 5, "chunk 1 has 5 bytes"],
      [[4, 4], 10, "8 of 10 bytes arrived"],
      [[4, 4], 6, "exceeds the 6 bytes"],
      [[], 0, "there are no chunks"],
    ] as const) {
      expect((await write(provider, sizes, total))[0], why).toContain(why);
    }
    const read = await Array.fromAsync(provider.readStateBytes({ typeName: "farm_shed", stateId: "s" }));
    expect(read.map(({ start, end, totalLength }) => [start, end, totalLength])).toEqual([
      [0, 3, 10],
      [4, 7, 10],
      [8, 9, 10],
    ]);
  });
});

test("rule 44: a generated configuration omits attributes that a practitioner would omit", async ({ expect }) => {
  const schema = {
    id: attr.string({ optional: true, computed: true }),
    made: attr.string({ computed: true }),
    old: attr.string({ optional: true, deprecated: "no" }),
    empty: attr.string({ optional: true }),
    kept: attr.list(attr.string(), { optional: true }),
    sub: block.list({ id: attr.string({ optional: true, computed: true }), made: attr.string({ computed: true }) }),
    gone: block.list({ a: attr.string({ optional: true }) }, { deprecated: "no" }),
  };
  const { provider, value } = await rawResource({ schema });
  const state: Data = { id: "1", made: "m", old: "o", empty: "", kept: ["k"], sub: [{ id: "2", made: "n" }], gone: [{ a: "x" }] };
  const { config } = await provider.generateResourceConfig({ typeName: "farm_field", state: value(state) });
  expect(toPlain(config!)).toEqual({
    id: null,
    made: null,
    old: null,
    empty: null,
    kept: ["k"],
    sub: [{ id: "2", made: null }],
    gone: [],
  });
});

test("rule 44: a generated configuration sets what has a default", async ({ expect }) => {
  const { provider, value } = await rawResource({
    schema: { id: attr.string({ default: "auto" }), title: attr.string({ default: "untitled" }) },
  });
  const { config } = await provider.generateResourceConfig({ typeName: "farm_field", state: value({ id: "1", title: "" }) });
  expect(toPlain(config!)).toEqual({ id: "1", title: "" });
});
