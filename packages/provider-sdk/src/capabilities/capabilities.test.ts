// SPDX-License-Identifier: Apache-2.0
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, test } from "vitest";
import type { Provider } from "@tenon/schema";
import { configOf, startLife, texts, Unknown, type Data } from "../../test/resource-life.ts";
import { attr, createProvider, defineProvider, isUnknown, type ServedProvider } from "../index.ts";
import { retry } from "../remote/index.ts";
import { defineCapability, withCapabilities, type ConnectContext } from "./index.ts";

interface Http {
  readonly get: (path: string) => Promise<unknown>;
}

/** Authentication: a token, from the configuration or the environment, on every request. */
const authentication = defineCapability({
  schema: { endpoint: attr.string({ required: true }), token: attr.string({ optional: true, sensitive: true }) },
  validate: ({ config, error }) => {
    if (config.token === "") error("token", "must not be empty");
  },
  connect: ({ config, userAgent }) => ({
    http: {
      get: async (path) => {
        const headers = { authorization: `Bearer ${config.token ?? "anonymous"}`, "user-agent": userAgent };
        const response = await fetch(config.endpoint + path, { headers });
        if (!response.ok) throw new Error(`${path}: status ${response.status}`);
        return response.json();
      },
    } satisfies Http as Http,
  }),
});

/** Retry: wraps `http`, with the number of attempts in the configuration. */
const retrySchema = { attempts: attr.number({ optional: true }) };
const retrying = defineCapability({
  schema: retrySchema,
  validate: ({ config, error }) => {
    if (typeof config.attempts === "number" && config.attempts < 1) error("attempts", "must be at least 1");
  },
  connect: ({ config, provided: { http } }: ConnectContext<typeof retrySchema, { readonly http: Http }>) => ({
    http: {
      get: (path: string) =>
        retry(() => http.get(path), {
          when: (error) => String(error).includes("503"),
          attempts: config.attempts ?? 3,
          backOff: { first: 1 },
        }),
    },
  }),
});

/** Caching: sends one request for each path per instance. It has no configuration. */
const caching = defineCapability({
  schema: {},
  connect: ({ provided: { http } }: ConnectContext<{}, { readonly http: Http }>) => {
    const known = new Map<string, Promise<unknown>>();
    const get = (path: string): Promise<unknown> => {
      if (!known.has(path)) known.set(path, http.get(path));
      return known.get(path)!;
    };
    return { http: { get }, cache: { size: () => known.size } };
  },
});

const shop = defineProvider(
  withCapabilities([authentication, retrying, caching], {
    name: "shop",
    version: "1.0.0",
    schema: { currency: attr.string({ required: true }) },
    validate: ({ config, error }) => {
      if (!isUnknown(config.currency) && config.currency.length !== 3) error("currency", "must be three letters");
      if (config.attempts === 13) error("attempts", "must not be 13");
    },
    configure: ({ config, provided }) => ({ currency: config.currency, http: provided.http, cached: provided.cache.size }),
  }),
);
/** A capability of a component: an attribute and its validation. */
const labelled = defineCapability({
  schema: { label: attr.string({ required: true }) },
  validate: ({ config, error }) => {
    if (!isUnknown(config.label) && config.label !== config.label.toLowerCase()) error("label", "must be lower-case");
  },
});
const article = shop.resource("article", {
  schema: { ...labelled.schema, name: attr.string({ required: true }), price: attr.string({ computed: true }) },
  validate: async (context) => {
    await labelled.validate(context);
    if (context.config.name === "nothing") context.error("name", "must be something");
  },
  create: async ({ planned, client }) => ({ ...planned, price: `${String(await client.http.get(`/${planned.name}`))} ${client.currency}` }),
  read: async ({ state, client }) => ({ ...state, price: `${String(await client.http.get(`/${state.name}`))} ${client.currency}` }),
  update: ({ planned, state }) => ({ ...planned, price: state.price }),
  delete: () => {},
});
const served: ServedProvider = shop.with([article]);

let server: Server;
let endpoint = "";
let requests: string[] = [];
let failures = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.url} ${request.headers.authorization} ${request.headers["user-agent"]?.split(" ")[0]}`);
    response.statusCode = failures-- > 0 ? 503 : 200;
    response.end("42");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  requests = [];
  failures = 0;
});

describe("a provider with capabilities", () => {
  test("authenticates, retries and caches: each capability wraps the previous one", async ({ expect }) => {
    failures = 2;
    const life = await startLife(served, "shop_article", { endpoint, token: "key", currency: "EUR" });
    await life.apply({ name: "pen", label: "a" });
    expect(life.state()).toMatchObject({ price: "42 EUR" });
    expect(requests).toEqual(Array(3).fill("/pen Bearer key terraform-provider-shop/1.0.0"));
    await life.refresh();
    expect(requests.length).toBe(3);
  });

  test("configures each instance separately", async ({ expect }) => {
    failures = 1;
    const life = await startLife(served, "shop_article", { endpoint, currency: "EUR", attempts: 1 });
    expect(texts((await life.apply({ name: "pen", label: "a" })).diagnostics)).toEqual([
      "error: Cannot create shop_article: /pen: status 503",
    ]);
    const other = await startLife(served, "shop_article", { endpoint, currency: "USD" });
    await other.apply({ name: "pen", label: "a" });
    expect(other.state()).toMatchObject({ price: "42 USD" });
  });

  test("validates with every capability, then with the provider", async ({ expect }) => {
    const provider = createProvider(served);
    const { block } = (await provider.getProviderSchema({})).provider!;
    expect(Object.keys(block.attributes)).toEqual(["attempts", "currency", "endpoint", "token"]);
    const validated = async (data: object): Promise<readonly string[]> =>
      texts((await provider.validateProviderConfig({ config: configOf(block, data as never) })).diagnostics).map(
        (text) => text.split(": ")[1]!,
      );
    expect(await validated({ endpoint, token: "", attempts: 0, currency: "EURO" })).toEqual([
      "must not be empty",
      "must be at least 1",
      "must be three letters",
    ]);
    expect(await validated({ endpoint, attempts: 13, currency: "EUR" })).toEqual(["must not be 13"]);
  });

  test("masks sensitive values of a capability", async ({ expect }) => {
    const life = await startLife(served, "shop_article", { endpoint, token: "key-of-the-shop", currency: "EUR", attempts: 1 });
    failures = 9;
    await life.apply({ name: "key-of-the-shop", label: "a" });
    expect(JSON.stringify(life.log)).not.toContain("key-of-the-shop");
  });
});

test("a component includes the schema and the validation of a capability", async ({ expect }) => {
  const life = await startLife(served, "shop_article", { endpoint, currency: "EUR" });
  const config = life.config({ name: "nothing", label: "A" });
  const { diagnostics } = await life.provider.validateResourceConfig({
    typeName: "shop_article",
    config,
    clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed: true },
  });
  expect(texts(diagnostics).map((text) => text.split(": ")[1])).toEqual(["must be lower-case", "must be something"]);
});

test("without configure, the client is the object with all provided members", async ({ expect }) => {
  const plain = defineProvider(withCapabilities([authentication, caching], { name: "plain", version: "1.0.0" }));
  const total = plain.dataSource("total", {
    schema: { value: attr.number({ computed: true }), cached: attr.number({ computed: true }) },
    read: async ({ client }) => ({ value: (await client.http.get("/total")) as number, cached: client.cache.size() }),
  });
  const provider = createProvider(plain.with([total]));
  const schema = await provider.getProviderSchema({});
  await provider.configureProvider({ terraformVersion: "1.12.0", config: configOf(schema.provider!.block, { endpoint }) });
  const { state } = await provider.readDataSource({
    typeName: "plain_total",
    config: configOf(schema.dataSources.get("plain_total")!.block, {}),
    clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed: true },
  });
  expect(state?.payload).toEqual([1, 42]);
});

describe("closing a provider", () => {
  /** A capability that records its calls. */
  const recording = (name: string, events: string[], fails = false) =>
    defineCapability({
      schema: { [name]: attr.string({ optional: true }) },
      connect: () => {
        if (fails) throw new Error("no");
        events.push(`${name} connects`);
        return { [name]: true };
      },
      disconnect: () => void events.push(`${name} disconnects`),
    });

  async function lifeOf(provider: ServedProvider, config: Data = {}): Promise<Provider> {
    const open = createProvider(provider);
    const { provider: schema } = await open.getProviderSchema({});
    await open.configureProvider({ terraformVersion: "1.12.0", config: configOf(schema!.block, config) });
    return open;
  }

  test("disconnects capabilities in reverse order, after the provider's cleanup", async ({ expect }) => {
    const events: string[] = [];
    const definition = { name: "p", version: "1.0.0", cleanup: () => void events.push("cleanup") };
    const provider = defineProvider(withCapabilities([recording("a", events), recording("b", events)] as never, definition as never));
    await (await lifeOf(provider.with([]))).close();
    expect(events).toEqual(["a connects", "b connects", "cleanup", "b disconnects", "a disconnects"]);
  });

  test("disconnects connected capabilities when a later one failed to connect", async ({ expect }) => {
    const events: string[] = [];
    const provider = defineProvider(
      withCapabilities([recording("a", events), recording("b", events, true)] as never, { name: "p", version: "1.0.0" }),
    );
    await (await lifeOf(provider.with([]))).close();
    expect(events).toEqual(["a connects", "a disconnects"]);
  });

  test("does not wait for a cleanup that never ends, and logs one that fails", async ({ expect }) => {
    const log: string[] = [];
    const provider = defineProvider({
      name: "p",
      version: "1.0.0",
      configure: ({ onCleanup }) => {
        onCleanup(() => new Promise(() => {}));
        onCleanup(() => {
          throw new Error("stuck");
        });
      },
    });
    const open = createProvider(provider.with([]), { logger: ({ level, message }) => void (level === "error" && log.push(message)) });
    await open.configureProvider({
      terraformVersion: "1.12.0",
      config: configOf((await open.getProviderSchema({})).provider!.block, {}),
    });
    await open.close();
    expect(log).toEqual(["cleanup failed", "cleanup timed out"]);
  });
});

test("an unknown configuration is passed to capabilities that set unknownConfig", async ({ expect }) => {
  const schema = { region: attr.string({ required: true }) };
  const passing = defineCapability({
    schema,
    unknownConfig: "pass",
    connect: ({ config }) => ({ region: isUnknown(config.region) ? "later" : config.region }),
  });
  const waiting = defineCapability({ schema });
  const provider = defineProvider(withCapabilities([passing], { name: "p", version: "1.0.0", unknownConfig: "pass" }));
  const where = provider.dataSource("where", {
    schema: { region: attr.string({ computed: true }) },
    read: ({ client }) => ({ region: client.region }),
  });
  const open = createProvider(provider.with([where]));
  const all = await open.getProviderSchema({});
  await open.configureProvider({ terraformVersion: "1.12.0", config: configOf(all.provider!.block, { region: Unknown }) });
  const config = configOf(all.dataSources.get("p_where")!.block, {});
  expect((await open.readDataSource({ typeName: "p_where", config })).state.payload).toEqual(["later"]);
  expect(() => withCapabilities([waiting] as never, { name: "p", version: "1.0.0", unknownConfig: "pass" } as never)).toThrow(
    'each of its capabilities must also set unknownConfig: "pass"',
  );
});

test("rejects two attributes of the same name", ({ expect }) => {
  const again = { name: "shop", version: "1.0.0", schema: { token: attr.string({ optional: true }) } };
  expect(() => withCapabilities([authentication], again as never)).toThrow(
    expect.objectContaining({ code: "INVALID_DEFINITION", message: expect.stringContaining("token is defined by two capabilities") }),
  );
});

// Code that does not compile. It never runs.
export const mistakes: () => void = () => {
  // @ts-expect-error no earlier capability provides the http that it wraps
  withCapabilities([retrying], { name: "p", version: "1.0.0" });
  // @ts-expect-error caching needs http, which authentication provides later
  withCapabilities([caching, authentication], { name: "p", version: "1.0.0" });
  // @ts-expect-error it waits for a known configuration
  withCapabilities([authentication], { name: "p", version: "1.0.0", unknownConfig: "pass" });
  withCapabilities([authentication, retrying], {
    name: "p",
    version: "1.0.0",
    // @ts-expect-error no capability provides a cache
    configure: ({ provided }) => provided.cache,
  });
  withCapabilities([authentication], {
    name: "p",
    version: "1.0.0",
    schema: { region: attr.string({ required: true }) },
    configure: ({ config }) => {
      const region: string = config.region;
      // @ts-expect-error the token is optional
      const token: string = config.token;
      // @ts-expect-error no capability has this attribute
      void config.attempts;
      return region + token;
    },
  });
  defineCapability({
    schema: { token: attr.string({ required: true }) },
    // @ts-expect-error no such attribute
    validate: ({ error }) => error("tokn", "must be there"),
  });
};
