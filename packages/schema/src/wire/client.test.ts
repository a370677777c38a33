// SPDX-License-Identifier: Apache-2.0
import { setTimeout as delay } from "node:timers/promises";
import { toBinary, create } from "@bufbuild/protobuf";
import { Code, ConnectError, createRouterTransport, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import { nullOf, of, string, type Type } from "@tenon/cty";
import { encode } from "@tenon/cty/msgpack";
import { schemaRangesMethod } from "@tenon/protocol/schema-ranges";
import { GetProviderSchema_ResponseSchema, Provider as Service } from "@tenon/protocol/tfplugin6";
import { describe, expect, test } from "vitest";
import { joinedProvider } from "../../test/wire/joined-provider.ts";
import { recordingProvider, type Answers } from "../../test/wire/recording-provider.ts";
import { errorDiagnostic } from "../diagnostic.ts";
import { ProviderError } from "../error.ts";
import { createAttribute, createSchema } from "../model/create-schema.ts";
import { impliedType } from "../model/implied-type.ts";
import type { Provider } from "../provider.ts";
import type { StateChunk } from "../messages/state-store.ts";
import type { ProviderClientOptions } from "./client-calls.ts";
import { emptyProviderSchema } from "./schema/provider-schema.ts";
import { createProviderClient } from "./v6/index.ts";

const schema = createSchema({ attributes: { id: createAttribute({ type: string, optional: true }) } });
const type: Type = impliedType(schema.block);
const note = of(type, { id: "a" });
const says = {
  ...emptyProviderSchema,
  resources: new Map([["note", schema]]),
  listResources: new Map([["note", schema]]),
  actions: new Map([["act", schema]]),
};
const read = { typeName: "note", currentState: note, private: new Uint8Array() };
const list = { typeName: "note", config: note, includeResourceObject: false, limit: 0 };

/** A client of generated stubs that do what they are told to: a peer of another make. */
function clientOf(handlers: Partial<ServiceImpl<typeof Service>>, options: Partial<ProviderClientOptions> = {}): Provider {
  const transport = createRouterTransport(({ service }) => void service(Service, { getProviderSchema: () => wireSchema, ...handlers }));
  return createProviderClient(transport, { close: () => Promise.resolve(), ...options });
}

const wireSchema = create(GetProviderSchema_ResponseSchema, {
  resourceSchemas: { note: { block: { attributes: [{ name: "id", type: new TextEncoder().encode('"string"'), optional: true }] } } },
  listResourceSchemas: { note: { block: {} } },
  actionSchemas: { act: {} },
});
const wiredNote = { msgpack: encode(note, type) };

function recorded(answers: Answers, options: Partial<ProviderClientOptions> = {}) {
  const { provider, calls } = recordingProvider({
    getProviderSchema: says,
    getResourceIdentitySchemas: { identitySchemas: new Map(), diagnostics: [] },
    ...answers,
  });
  return { client: joinedProvider(6, provider, options), asked: () => calls.map(({ name }) => name) };
}

describe("errors", () => {
  test.for([
    [Code.Unimplemented, "UNIMPLEMENTED"],
    [Code.Unavailable, "UNAVAILABLE"],
    [Code.Canceled, "UNAVAILABLE"],
    [Code.Aborted, "UNAVAILABLE"],
    [Code.DeadlineExceeded, "DEADLINE_EXCEEDED"],
    [Code.ResourceExhausted, "RESOURCE_EXHAUSTED"],
    [Code.Internal, "INTERNAL"],
    [Code.Unknown, "INTERNAL"],
  ] as const)("status %i is %s, with its text", async ([code, name]) => {
    const client = clientOf({
      readResource: () => {
        throw new ConnectError("what was said", code);
      },
    });
    await expect(client.readResource(read)).rejects.toMatchObject({
      name: "ProviderError",
      code: name,
      message: "ReadResource: what was said",
      cause: { code },
    });
  });

  test("a call that its own signal gave up is CANCELLED, and the provider is told", async () => {
    const told = Promise.withResolvers<void>();
    const client = clientOf({
      readResource: async (_request, { signal }) => {
        signal.addEventListener("abort", () => told.resolve());
        controller.abort();
        await told.promise;
        return {};
      },
    });
    const controller = new AbortController();
    await expect(client.readResource(read, { signal: controller.signal })).rejects.toMatchObject({ code: "CANCELLED" });
    await told.promise;
    await expect(client.readResource(read, { signal: controller.signal })).rejects.toMatchObject({ code: "CANCELLED" });
    await expect(client.getProviderSchema({}, { signal: controller.signal })).rejects.toMatchObject({ code: "CANCELLED" });
  });

  test("a type that the provider does not have is INVALID_REQUEST", async () => {
    const { client, asked } = recorded({});
    await expect(client.readResource({ ...read, typeName: "nope" })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: 'ReadResource: the provider has no resource type "nope"',
    });
    await expect(client.callFunction({ name: "nope", arguments: [of(string, "")] })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    expect(asked()).not.toContain("readResource");
  });

  test("a value of another type is INVALID_REQUEST, naming the field", async () => {
    const { client } = recorded({});
    await expect(client.readResource({ ...read, currentState: of(string, "x") })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringMatching(/^ReadResource: currentState: /),
    });
    await expect(client.readResource({ ...read, providerMeta: note })).rejects.toThrow(
      "ReadResource: providerMeta: the provider has no schema for it",
    );
  });

  test("an answer that cannot be read is INVALID_RESPONSE, naming the field", async () => {
    const client = clientOf({ readResource: () => ({ newState: { msgpack: Uint8Array.of(0xc1) } }) });
    await expect(client.readResource(read)).rejects.toMatchObject({
      code: "INVALID_RESPONSE",
      message: expect.stringMatching(/^ReadResource: newState: /),
    });
  });

  test("may be explained before the caller gets them", async () => {
    const { client } = recorded(
      { stop: new ProviderError("UNIMPLEMENTED", "no") },
      { explain: async (error) => new ProviderError(error.code, `${error.message}, as expected`, { cause: error }) },
    );
    await expect(client.stop({})).rejects.toMatchObject({ code: "UNIMPLEMENTED", message: "StopProvider: no, as expected" });
  });
});

describe("schemas", () => {
  test("are asked for once, whoever needs them, and not before", async () => {
    const { client, asked } = recorded({
      stop: { error: "" },
      readResource: { newState: note, diagnostics: [], private: new Uint8Array() },
    });
    await client.stop({});
    expect(asked()).toEqual(["stop"]);
    await Promise.all([client.readResource(read), client.readResource(read), client.getProviderSchema({})]);
    await client.getProviderSchema({});
    expect(asked().filter((name) => name === "getProviderSchema")).toHaveLength(1);
    expect(asked().filter((name) => name === "getResourceIdentitySchemas")).toHaveLength(1);
  });

  test("that the provider fails to give fail the calls that need them, and are asked for again", async () => {
    let broken = true;
    const { client } = recorded({
      getProviderSchema: () => (broken ? { ...says, diagnostics: [errorDiagnostic("Setup failed", "no licence")] } : says),
      readResource: { newState: note, diagnostics: [], private: new Uint8Array() },
    });
    await expect(client.readResource(read)).rejects.toMatchObject({
      code: "INTERNAL",
      message: "ReadResource: the provider does not say what it offers: Setup failed: no licence",
    });
    expect((await client.getProviderSchema({})).diagnostics).toHaveLength(1);
    broken = false;
    expect((await client.readResource(read)).diagnostics).toEqual([]);
  });

  test("of identities need not be known to the provider", async () => {
    const client = clientOf({ readResource: () => ({ newState: wiredNote }) });
    expect((await client.readResource(read)).diagnostics).toEqual([]);
    await expect(client.getResourceIdentitySchemas({})).rejects.toMatchObject({ code: "UNIMPLEMENTED" });
  });

  test("are decoded one by one: what is wrong with another does not matter", async () => {
    // Field 2 of Schema, the block, says that a hundred bytes follow.
    const damaged = Uint8Array.of(0x12, 0x64);
    const entry = (name: string, bytes: Uint8Array): Uint8Array =>
      Uint8Array.of(0x0a, name.length, ...new TextEncoder().encode(name), 0x12, bytes.length, ...bytes);
    const ranges = { resourceSchemas: [entry("good", new Uint8Array()), entry("bad", damaged)] };
    const transport = createRouterTransport(
      (router) => void router.rpc(schemaRangesMethod(Service.method.getProviderSchema), () => ranges),
    );
    const client = createProviderClient(transport, { close: () => Promise.resolve() });
    const { resources } = await client.getProviderSchema({});
    expect([...resources.keys()]).toEqual(["good", "bad"]);
    expect(resources.get("good")).toEqual(createSchema({}));
    expect(() => resources.get("bad")).toThrow(
      expect.objectContaining({
        code: "INVALID_RESPONSE",
        message: expect.stringMatching(/^GetProviderSchema: what the provider says of resource type "bad"/),
      }),
    );
  });

  test("of a peer of another make are read as they are", async () => {
    const { resources, actions } = await clientOf({}).getProviderSchema({});
    expect(toBinary(GetProviderSchema_ResponseSchema, wireSchema).length).toBeGreaterThan(0);
    expect(resources.get("note")).toEqual(schema);
    expect(actions.get("act")).toEqual(createSchema({}));
  });
});

describe("streams", () => {
  /** Counts up for ever, and says when it was told to stop. */
  function endless(): { handlers: Partial<ServiceImpl<typeof Service>>; stopped: Promise<void>; started: () => number } {
    const { promise, resolve } = Promise.withResolvers<void>();
    let started = 0;
    return {
      handlers: {
        async *listResource(_request, { signal }: HandlerContext) {
          started++;
          signal.addEventListener("abort", () => resolve());
          for (let number = 0; ; number++) {
            yield { displayName: String(number) };
            await delay(1);
          }
        },
      },
      stopped: promise,
      started: () => started,
    };
  }

  test("end at the provider when the consumer breaks off", async () => {
    const { handlers, stopped } = endless();
    for await (const event of clientOf(handlers).listResource(list)) if (event.displayName === "2") break;
    await stopped;
  });

  test("end with CANCELLED, at both ends, when the caller's signal is aborted", async () => {
    const { handlers, stopped } = endless();
    const controller = new AbortController();
    const events: string[] = [];
    const reading = (async () => {
      for await (const event of clientOf(handlers).listResource(list, { signal: controller.signal })) {
        events.push(event.displayName);
        if (events.length === 3) controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: "CANCELLED" });
    await stopped;
    expect(events).toEqual(["0", "1", "2"]);
  });

  test("are called when the first event is asked for", async () => {
    const { handlers, started } = endless();
    const stream = clientOf(handlers).listResource(list);
    await delay(5);
    expect(started()).toBe(0);
    await stream[Symbol.asyncIterator]().next();
    expect(started()).toBe(1);
  });

  test("reject with the provider's error", async () => {
    const client = clientOf({
      // oxlint-disable-next-line require-yield
      async *invokeAction() {
        throw new ConnectError("gone", Code.Unavailable);
      },
    });
    const events = client.invokeAction({ actionType: "act", config: nullOf(impliedType(createSchema({}).block)) });
    await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "UNAVAILABLE", message: "InvokeAction: gone" });
  });

  test("of chunks hand an error of their source back to the caller", async () => {
    const { client } = recorded({
      writeStateBytes: async ({ chunks }: { chunks: AsyncIterable<StateChunk> }) => {
        for await (const _ of chunks);
        return { diagnostics: [] };
      },
    });
    const failure = new Error("the disk is gone");
    const chunks = (async function* (): AsyncIterable<StateChunk> {
      yield { bytes: Uint8Array.of(1), totalLength: 2, start: 0, end: 0 };
      throw failure;
    })();
    await expect(client.writeStateBytes({ typeName: "store", stateId: "s", chunks })).rejects.toBe(failure);
  });

  test("of chunks end when the provider answers before it has read them", async () => {
    let returned = false;
    const client = clientOf({
      async writeStateBytes(messages) {
        for await (const _ of messages) break;
        return { diagnostics: [{ severity: 1, summary: "full" }] };
      },
    });
    const chunks = (async function* (): AsyncIterable<StateChunk> {
      try {
        for (;;) {
          yield { bytes: Uint8Array.of(1), totalLength: 2, start: 0, end: 0 };
          await delay(1);
        }
      } finally {
        returned = true;
      }
    })();
    expect((await client.writeStateBytes({ typeName: "store", stateId: "s", chunks })).diagnostics).toMatchObject([{ summary: "full" }]);
    await expect.poll(() => returned).toBe(true);
  });
});

describe("close", () => {
  test("ends what is behind the client once; later calls reject with CLOSED", async () => {
    let closed = 0;
    const { client } = recorded({ stop: { error: "" } }, { close: async () => void closed++ });
    await Promise.all([client.close(), client.close(), client[Symbol.asyncDispose]()]);
    expect(closed).toBe(1);
    await expect(client.stop({})).rejects.toMatchObject({ code: "CLOSED", message: "StopProvider: the provider is closed" });
    await expect(client.getProviderSchema({})).rejects.toMatchObject({ code: "CLOSED" });
    await expect(client.listResource(list)[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "CLOSED" });
  });
});

test("protocol 5 has no state stores", async () => {
  const { provider } = recordingProvider({ getProviderSchema: says });
  const client = joinedProvider(5, provider);
  const missing = { code: "UNIMPLEMENTED" };
  await expect(client.getStates({ typeName: "s" })).rejects.toMatchObject(missing);
  await expect(client.readStateBytes({ typeName: "s", stateId: "s" })[Symbol.asyncIterator]().next()).rejects.toMatchObject(missing);
});
