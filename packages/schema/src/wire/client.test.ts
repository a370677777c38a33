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
import { recordingProvider, type CannedResponses } from "../../test/wire/recording-provider.ts";
import { errorDiagnostic } from "../diagnostic.ts";
import { ProviderError } from "../error.ts";
import { createAttribute, createSchema } from "../model/create-schema.ts";
import { impliedType } from "../model/implied-type.ts";
import type { Provider } from "../provider/provider.ts";
import type { StateChunk } from "../messages/state-store.ts";
import type { ProviderClientOptions } from "./client-calls.ts";
import { emptyProviderSchema } from "./schema/provider-schema.ts";
import { createProviderClient } from "./v6/index.ts";

const schema = createSchema({ attributes: { id: createAttribute({ type: string, optional: true }) } });
const type: Type = impliedType(schema.block);
const note = of(type, { id: "a" });
const offered = {
  ...emptyProviderSchema,
  resources: new Map([["note", schema]]),
  listResources: new Map([["note", schema]]),
  actions: new Map([["act", schema]]),
};
const read = { typeName: "note", currentState: note, private: new Uint8Array() };
const list = { typeName: "note", config: note, includeResourceObject: false, limit: 0 };

/** Creates a client of a service with the given handlers, which send generated messages as a peer does. */
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

function recorded(responses: CannedResponses, options: Partial<ProviderClientOptions> = {}) {
  const { provider, calls } = recordingProvider({
    getProviderSchema: offered,
    getResourceIdentitySchemas: { identitySchemas: new Map(), diagnostics: [] },
    ...responses,
  });
  return { client: joinedProvider(6, provider, options), called: () => calls.map(({ name }) => name) };
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
  ] as const)("map status %i to %s, with its text", async ([code, name]) => {
    const client = clientOf({
      readResource: () => {
        throw new ConnectError("reason", code);
      },
    });
    await expect(client.readResource(read)).rejects.toMatchObject({
      name: "ProviderError",
      code: name,
      message: "ReadResource: reason",
      cause: { code },
    });
  });

  test("report CANCELLED for a call that its own signal cancelled, which the provider sees", async () => {
    const aborted = Promise.withResolvers<void>();
    const client = clientOf({
      readResource: async (_request, { signal }) => {
        signal.addEventListener("abort", () => aborted.resolve());
        controller.abort();
        await aborted.promise;
        return {};
      },
    });
    const controller = new AbortController();
    const reading = client.readResource(read, { signal: controller.signal });
    await expect(reading).rejects.toMatchObject({ code: "CANCELLED", requestSent: true });
    await aborted.promise;
    const late = client.readResource(read, { signal: controller.signal });
    await expect(late).rejects.toMatchObject({ code: "CANCELLED", requestSent: false });
    await expect(client.getProviderSchema({}, { signal: controller.signal })).rejects.toMatchObject({ code: "CANCELLED" });
  });

  test("report that the request was not sent when the request for the schemas failed", async () => {
    const failed = { code: "UNAVAILABLE", requestSent: false };
    const { client, called } = recorded({ getProviderSchema: new ConnectError("lost", Code.Unavailable) });
    await expect(client.readResource(read)).rejects.toMatchObject(failed);
    await expect(client.listResource(list)[Symbol.asyncIterator]().next()).rejects.toMatchObject(failed);
    expect(called()).not.toContain("readResource");
  });

  test("report INVALID_REQUEST for a type that the provider does not have", async () => {
    const { client, called } = recorded({});
    await expect(client.readResource({ ...read, typeName: "nope" })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: 'ReadResource: the provider has no resource type "nope"',
      requestSent: false,
    });
    await expect(client.callFunction({ name: "nope", arguments: [of(string, "")] })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    expect(called()).not.toContain("readResource");
  });

  test("report INVALID_REQUEST with the field for a value of another type", async () => {
    const { client } = recorded({});
    await expect(client.readResource({ ...read, currentState: of(string, "x") })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringMatching(/^ReadResource: currentState: /),
    });
    await expect(client.readResource({ ...read, providerMeta: note })).rejects.toThrow(
      "ReadResource: providerMeta: the provider has no schema for it",
    );
  });

  test("report INVALID_RESPONSE with the field for a response that cannot be decoded", async () => {
    const client = clientOf({ readResource: () => ({ newState: { msgpack: Uint8Array.of(0xc1) } }) });
    await expect(client.readResource(read)).rejects.toMatchObject({
      code: "INVALID_RESPONSE",
      message: expect.stringMatching(/^ReadResource: newState: /),
    });
  });

  test("are passed to `explain` before the caller receives them", async () => {
    const { client } = recorded(
      { stop: new ProviderError("UNIMPLEMENTED", "no") },
      { explain: async (error) => new ProviderError(error.code, `${error.message}, as expected`, { cause: error }) },
    );
    await expect(client.stop({})).rejects.toMatchObject({ code: "UNIMPLEMENTED", message: "StopProvider: no, as expected" });
  });
});

describe("schemas", () => {
  test("are requested once for all calls, and not before the first of them", async () => {
    const { client, called } = recorded({
      stop: { error: "" },
      readResource: { newState: note, diagnostics: [], private: new Uint8Array() },
    });
    await client.stop({});
    expect(called()).toEqual(["stop"]);
    await Promise.all([client.readResource(read), client.readResource(read), client.getProviderSchema({})]);
    await client.getProviderSchema({});
    expect(called().filter((name) => name === "getProviderSchema")).toHaveLength(1);
    expect(called().filter((name) => name === "getResourceIdentitySchemas")).toHaveLength(1);
  });

  test("are requested again after a response with errors, which fails the calls that need them", async () => {
    let broken = true;
    const { client } = recorded({
      getProviderSchema: () => (broken ? { ...offered, diagnostics: [errorDiagnostic("Setup failed", "no licence")] } : offered),
      readResource: { newState: note, diagnostics: [], private: new Uint8Array() },
    });
    await expect(client.readResource(read)).rejects.toMatchObject({
      code: "INTERNAL",
      message: "ReadResource: the provider failed to return its schemas: Setup failed: no licence",
    });
    expect((await client.getProviderSchema({})).diagnostics).toHaveLength(1);
    broken = false;
    expect((await client.readResource(read)).diagnostics).toEqual([]);
  });

  test("of identities may be unimplemented", async () => {
    const client = clientOf({ readResource: () => ({ newState: wiredNote }) });
    expect((await client.readResource(read)).diagnostics).toEqual([]);
    await expect(client.getResourceIdentitySchemas({})).rejects.toMatchObject({ code: "UNIMPLEMENTED" });
  });

  test("are decoded one by one: a malformed schema does not affect the others", async () => {
    // Field 2 of Schema, the block, has a length of a hundred bytes, which are missing.
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
        message: expect.stringMatching(/^GetProviderSchema: cannot decode resource type "bad"/),
      }),
    );
  });

  test("are decoded from generated messages", async () => {
    const { resources, actions } = await clientOf({}).getProviderSchema({});
    expect(toBinary(GetProviderSchema_ResponseSchema, wireSchema).length).toBeGreaterThan(0);
    expect(resources.get("note")).toEqual(schema);
    expect(actions.get("act")).toEqual(createSchema({}));
  });
});

describe("streams", () => {
  /** Returns a handler that counts up without end, and resolves `stopped` when its call is cancelled. */
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

  test("are cancelled at the provider when the consumer stops reading", async () => {
    const { handlers, stopped } = endless();
    for await (const event of clientOf(handlers).listResource(list)) if (event.displayName === "2") break;
    await stopped;
  });

  test("end with CANCELLED, in client and provider, when the caller's signal is aborted", async () => {
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

  test("are called when the first event is requested", async () => {
    const { handlers, started } = endless();
    const client = clientOf(handlers);
    const stream = client.listResource(list);
    await client.getMetadata({}).catch(() => {});
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

  test("of chunks rethrow an error of their source", async () => {
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

  test("of chunks end when the provider responds before it has read them", async () => {
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
  test("closes the connection once; later calls reject with CLOSED", async () => {
    let closed = 0;
    const { client } = recorded({ stop: { error: "" } }, { close: async () => void closed++ });
    await Promise.all([client.close(), client.close(), client[Symbol.asyncDispose]()]);
    expect(closed).toBe(1);
    await expect(client.stop({})).rejects.toMatchObject({
      code: "CLOSED",
      message: "StopProvider: the provider is closed",
      requestSent: false,
    });
    await expect(client.getProviderSchema({})).rejects.toMatchObject({ code: "CLOSED" });
    await expect(client.listResource(list)[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "CLOSED" });
  });
});

test("protocol 5 rejects calls of state stores with UNIMPLEMENTED", async () => {
  const { provider } = recordingProvider({ getProviderSchema: offered });
  const client = joinedProvider(5, provider);
  const missing = { code: "UNIMPLEMENTED" };
  await expect(client.getStates({ typeName: "s" })).rejects.toMatchObject(missing);
  await expect(client.readStateBytes({ typeName: "s", stateId: "s" })[Symbol.asyncIterator]().next()).rejects.toMatchObject(missing);
});
