// SPDX-License-Identifier: Apache-2.0
import type { Message } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, createContextValues, createHandlerContext, type HandlerContext } from "@connectrpc/connect";
import { attributeStep, indexStep, list, map, nullOf, number, of, set, string, type Type } from "@tenon/cty";
import { encode as encodeJson } from "@tenon/cty/json";
import { encode } from "@tenon/cty/msgpack";
import { Provider as Provider5 } from "@tenon/protocol/tfplugin5";
import { Provider as Provider6 } from "@tenon/protocol/tfplugin6";
import { describe, expect, test } from "vitest";
import { transportTo } from "../../test/wire/joined-provider.ts";
import { recordingProvider, type CannedResponses } from "../../test/wire/recording-provider.ts";
import { valueEquality } from "../../test/wire/value-equality.ts";
import { errorDiagnostic, warningDiagnostic } from "../diagnostic.ts";
import { ProviderError } from "../error.ts";
import { createAttribute, createNestedAttributes, createNestedBlock, createSchema } from "../model/create-schema.ts";
import { impliedType } from "../model/implied-type.ts";
import { emptyProviderSchema } from "./schema/provider-schema.ts";
import { createProviderService } from "./v6/index.ts";

expect.addEqualityTesters([valueEquality as never]);

const schema = createSchema(
  {
    attributes: {
      id: createAttribute({ type: string, computed: true }),
      labels: createAttribute({ type: map(string), optional: true }),
      names: createAttribute({ type: set(string), optional: true }),
      sizes: createAttribute({ type: list(number), optional: true }),
    },
    blocks: { disk: createNestedBlock("list", { attributes: { name: createAttribute({ type: string, required: true }) } }) },
  },
  3,
);
const type: Type = impliedType(schema.block);
const note = of(type, { id: "a", labels: { a: "b" }, names: ["x"], sizes: [1], disk: [] });
const offered = { ...emptyProviderSchema, resources: new Map([["note", schema]]), dataSources: new Map([["note", schema]]) };
const identities = { identitySchemas: new Map(), diagnostics: [] };

/** Creates clients of the generated stubs, as another program has, of a provider with the given responses. */
function peer(responses: CannedResponses) {
  const { provider, calls } = recordingProvider({ getProviderSchema: offered, getResourceIdentitySchemas: identities, ...responses });
  return {
    calls,
    v5: createClient(Provider5, transportTo(5, provider)),
    v6: createClient(Provider6, transportTo(6, provider)),
    called: () => calls.map(({ name }) => name),
  };
}

const wired = { msgpack: encode(note, type) };
const readRequest = { typeName: "note", currentState: wired };
const readResponse = { newState: note, diagnostics: [], private: new Uint8Array() };

describe("a peer that never requested the schemas", () => {
  test("is served, and the service requests the schemas once", async () => {
    const { v6, calls, called } = peer({ readResource: readResponse });
    const responses = await Promise.all([v6.readResource(readRequest), v6.readResource(readRequest)]);
    expect(responses.map(({ newState }) => newState?.msgpack)).toEqual([wired.msgpack, wired.msgpack]);
    expect(calls.at(-1)?.request).toEqual({ typeName: "note", currentState: note, private: new Uint8Array() });
    expect(called().filter((name) => name.startsWith("get"))).toEqual(["getProviderSchema", "getResourceIdentitySchemas"]);
  });

  test("receives the errors of the provider's schemas, which are requested again", async () => {
    const wrong = errorDiagnostic("Setup failed", "no licence");
    const { v6, called } = peer({ getProviderSchema: { ...offered, diagnostics: [wrong] }, readResource: readResponse });
    for (const _ of [1, 2]) {
      const { diagnostics } = await v6.readResource(readRequest);
      expect(diagnostics).toMatchObject([{ severity: 1, summary: "Setup failed", detail: "no licence" }]);
    }
    expect(called().filter((name) => name === "getProviderSchema")).toHaveLength(2);
    expect(called()).not.toContain("readResource");
  });
});

describe("values", () => {
  test("are decoded from JSON too, and encoded as msgpack", async () => {
    const { v6, calls } = peer({ readResource: readResponse });
    const { newState } = await v6.readResource({
      typeName: "note",
      currentState: { json: new TextEncoder().encode(encodeJson(note, type)) },
    });
    expect(calls.at(-1)?.request).toMatchObject({ currentState: note });
    expect(newState).toMatchObject({ msgpack: wired.msgpack, json: new Uint8Array() });
  });

  test("are decoded from msgpack if a peer sends both", async () => {
    const { v6, calls } = peer({ readResource: readResponse });
    await v6.readResource({ typeName: "note", currentState: { ...wired, json: new TextEncoder().encode("null") } });
    expect(calls.at(-1)?.request).toMatchObject({ currentState: note });
  });

  test("are null if a peer sends none", async () => {
    const { v6, calls } = peer({ readResource: readResponse });
    await v6.readResource({ typeName: "note" });
    await v6.readResource({ typeName: "note", currentState: {} });
    for (const call of calls.slice(-2)) expect(call.request).toMatchObject({ currentState: nullOf(type) });
  });

  test("have no null blocks in requests and responses", async () => {
    const nullDisk = { id: null, labels: null, names: null, sizes: null, disk: null };
    const { v6, calls } = peer({ readResource: { ...readResponse, newState: of(type, nullDisk) } });
    const { newState } = await v6.readResource({ typeName: "note", currentState: { msgpack: encode(of(type, nullDisk), type) } });
    const noDisk = of(type, { ...nullDisk, disk: [] });
    expect(calls.at(-1)?.request).toMatchObject({ currentState: noDisk });
    expect(newState?.msgpack).toEqual(encode(noDisk, type));
  });

  test("of the provider_meta block are ignored if the provider has no schema for it", async () => {
    const { v6, calls } = peer({ readResource: readResponse });
    await v6.readResource({ ...readRequest, providerMeta: { msgpack: Uint8Array.of(0x80) } });
    expect(calls.at(-1)?.request).not.toHaveProperty("providerMeta");
  });
});

describe("function calls", () => {
  const signature = {
    parameters: [
      { name: "one", type: string, allowNullValue: true, allowUnknownValues: false, description: "", descriptionKind: "plain" as const },
    ],
    returnType: string,
    summary: "",
    description: "",
    descriptionKind: "plain" as const,
    deprecationMessage: "",
  };
  const call = { name: "fn", arguments: [{}] };

  test("decode an empty argument as null", async () => {
    const { v6, calls } = peer({
      getProviderSchema: { ...offered, functions: new Map([["fn", signature]]) },
      callFunction: { result: of(string, "r") },
    });
    expect((await v6.callFunction(call)).result?.msgpack).toEqual(encode(of(string, "r"), string));
    expect(calls.at(-1)?.request).toEqual({ name: "fn", arguments: [nullOf(string)] });
  });

  test("request the functions that only a configured provider has, and again after its configuration", async () => {
    const functions = { functions: new Map([["fn", signature]]), diagnostics: [] };
    const { v6, called } = peer({
      getFunctions: functions,
      callFunction: { result: of(string, "r") },
      configureProvider: { diagnostics: [] },
    });
    for (const _ of [1, 2]) expect((await v6.callFunction(call)).error).toBeUndefined();
    await v6.configureProvider({ config: { msgpack: Uint8Array.of(0x80) } });
    expect((await v6.callFunction(call)).error).toBeUndefined();
    expect(called().filter((name) => name === "getFunctions")).toHaveLength(2);
  });

  test("return errors as function errors", async () => {
    const { v6 } = peer({ getFunctions: new ProviderError("UNIMPLEMENTED", "no"), callFunction: new Error("boom") });
    expect((await v6.callFunction(call)).error?.text).toBe(
      'The provider does not have the requested component: CallFunction: the provider has no function "fn"',
    );
  });
});

describe("a failure", () => {
  test("is a diagnostic if the response has diagnostics", async () => {
    const { v5, v6 } = peer({ readResource: new Error("connection refused") });
    for (const client of [v5, v6]) {
      expect((await client.readResource(readRequest)).diagnostics).toMatchObject([
        { severity: 1, summary: "The provider failed", detail: "ReadResource: connection refused" },
      ]);
    }
  });

  test("names an unknown type", async () => {
    const { v6, called } = peer({});
    expect((await v6.readResource({ typeName: "nope" })).diagnostics).toMatchObject([
      { summary: "The provider does not have the requested component", detail: 'ReadResource: the provider has no resource type "nope"' },
    ]);
    expect((await v6.readDataSource({ typeName: "nope" })).diagnostics[0]?.detail).toBe(
      'ReadDataSource: the provider has no data source "nope"',
    );
    expect(called()).not.toContain("readResource");
  });

  test("names the RPC, the field and the path of a value that cannot be decoded", async () => {
    const { v6 } = peer({ readResource: readResponse });
    const text = encode(of(map(string), { id: "a", labels: "", names: "", sizes: "x", disk: "" }), map(string));
    const { diagnostics } = await v6.readResource({ typeName: "note", currentState: { msgpack: text } });
    expect(diagnostics).toMatchObject([{ summary: "The provider cannot decode a request" }]);
    expect(diagnostics[0]?.detail).toMatch(/^ReadResource: currentState, at \["disk"\]: /);
  });

  test("names the field of a response that cannot be sent, after the provider's own diagnostics", async () => {
    const { v6 } = peer({
      readResource: { ...readResponse, newState: of(string, "no object"), diagnostics: [warningDiagnostic("Careful", "")] },
    });
    const { diagnostics } = await v6.readResource(readRequest);
    expect(diagnostics.map(({ severity, summary }) => [severity, summary])).toEqual([
      [2, "Careful"],
      [1, "The provider returned a response that cannot be sent"],
    ]);
    expect(diagnostics[1]?.detail).toMatch(/^ReadResource: newState: /);
  });

  test("names the imported resource", async () => {
    const imported = { typeName: "note", state: note, private: new Uint8Array() };
    const { v6 } = peer({
      importResourceState: { importedResources: [imported, { ...imported, state: of(string, "") }], diagnostics: [] },
    });
    expect((await v6.importResourceState({ typeName: "note", id: "a" })).diagnostics[0]?.detail).toMatch(
      /^ImportResourceState: importedResources\[1\]: /,
    );
  });

  test("is a status if the provider lacks the RPC", async () => {
    const { v6 } = peer({ readResource: new ProviderError("UNIMPLEMENTED", "no such thing") });
    await expect(v6.readResource(readRequest)).rejects.toMatchObject({ code: Code.Unimplemented, rawMessage: "no such thing" });
  });

  test("is the text of Stop's response", async () => {
    const { v5, v6 } = peer({ stop: new Error("busy") });
    expect((await v6.stopProvider({})).Error).toBe("The provider failed: StopProvider: busy");
    expect((await v5.stop({})).Error).toBe("The provider failed: Stop: busy");
  });

  test("ends a stream with an event that reports it", async () => {
    const { v6 } = peer({
      getProviderSchema: { ...offered, listResources: new Map([["note", schema]]), actions: new Map([["act", schema]]) },
      async *listResource() {
        yield { displayName: "first", diagnostics: [] };
        throw new Error("gone");
      },
      invokeAction: new Error("no"),
    });
    const events = [];
    for await (const event of v6.listResource({ typeName: "note" })) events.push(event);
    expect(events).toMatchObject([
      { displayName: "first", diagnostic: [] },
      { diagnostic: [{ severity: 1, detail: "ListResource: gone" }] },
    ]);
    for await (const event of v6.invokeAction({ actionType: "act" })) {
      expect(event.type).toMatchObject({ case: "completed", value: { diagnostics: [{ detail: "InvokeAction: no" }] } });
    }
  });

  test("is a diagnostic for a state whose first message has no target", async () => {
    const { v6, called } = peer({ writeStateBytes: { diagnostics: [] } });
    const chunks = (async function* () {
      yield { bytes: Uint8Array.of(1), range: { start: 0n, end: 0n }, totalLength: 1n };
    })();
    expect((await v6.writeStateBytes(chunks)).diagnostics[0]?.detail).toMatch(/^WriteStateBytes: meta: /);
    expect(called()).not.toContain("writeStateBytes");
  });
});

test("paths end before a step into a set", async () => {
  const paths = [
    [attributeStep("names"), indexStep("x")],
    [attributeStep("sizes"), indexStep(0)],
    [attributeStep("labels"), indexStep("a")],
    [attributeStep("disk"), indexStep(1), attributeStep("name")],
  ];
  const { v6 } = peer({
    planResourceChange: {
      plannedState: note,
      requiresReplace: paths,
      plannedPrivate: new Uint8Array(),
      diagnostics: paths.map((path) => errorDiagnostic("s", "", path)),
    },
  });
  const { requiresReplace, diagnostics } = await v6.planResourceChange({ typeName: "note" });
  const steps = requiresReplace.map((path) => path.steps.map(({ selector }) => selector.value));
  expect(steps).toEqual([["names"], ["sizes", 0n], ["labels", "a"], ["disk", 1n, "name"]]);
  expect(diagnostics.map(({ attribute }) => attribute?.steps.map(({ selector }) => selector.value))).toEqual(steps);
});

test("each session may have its own provider", async () => {
  const key = { id: Symbol("session"), defaultValue: "" };
  const seen: string[] = [];
  const providers = new Map(
    ["one", "two"].map((session) => [
      session,
      recordingProvider({ getProviderSchema: offered, stop: () => (seen.push(session), { error: session }) }).provider,
    ]),
  );
  const transport = transportTo(6, async (context) => providers.get(context.requestHeader.get("session") ?? "")!);
  const client = createClient(Provider6, transport);
  for (const session of ["one", "two", "one"])
    await client.stopProvider({}, { headers: { session }, contextValues: createContextValues().set(key, session) });
  expect(seen).toEqual(["one", "two", "one"]);
});

test("a provider that cannot be created fails the call with a status or a diagnostic", async () => {
  const client = createClient(
    Provider6,
    transportTo(6, () => Promise.reject(new ConnectError("not today", Code.Unavailable))),
  );
  await expect(client.stopProvider({})).rejects.toMatchObject({ code: Code.Unavailable, rawMessage: "not today" });
  const failing = createClient(
    Provider6,
    transportTo(6, () => {
      throw new Error("no file");
    }),
  );
  expect((await failing.getProviderSchema({})).diagnostics).toMatchObject([{ severity: 1, detail: "GetProviderSchema: no file" }]);
});

describe("GetProviderSchema", () => {
  test("has the contents of the generated messages", async () => {
    const { resourceSchemas } = await peer({}).v6.getProviderSchema({});
    expect(Object.keys(resourceSchemas)).toEqual(["note"]);
    const attributes = [{ name: "id" }, { name: "labels" }, { name: "names" }, { name: "sizes" }];
    expect(resourceSchemas["note"]).toMatchObject({ version: 3n, block: { attributes, blockTypes: [{ typeName: "disk" }] } });
  });

  test("is encoded once for all instances that return the same response", async () => {
    const instances = [recordingProvider({ getProviderSchema: offered }), recordingProvider({ getProviderSchema: offered })];
    let next = 0;
    const { service, implementation } = createProviderService(() => instances[next++ % 2]!.provider);
    const handler = implementation["getProviderSchema"] as unknown as (request: object, context: HandlerContext) => Promise<Message>;
    const context = createHandlerContext({
      service,
      method: Provider6.method.getProviderSchema,
      protocolName: "grpc",
      requestMethod: "POST",
      url: "",
    });
    const first = await handler({}, context);
    expect(await handler({}, context)).toBe(first);
    expect(await handler({}, context)).toBe(first);
    expect(instances.map(({ calls }) => calls.length)).toEqual([1, 1]);
  });

  test("returns a diagnostic for schemas larger than a core accepts (pitfall 19)", async () => {
    const description = "x".repeat(17 * 1024 * 1024);
    const large = createSchema({ description });
    const { v6 } = peer({ getProviderSchema: { ...offered, resources: new Map(["a", "b", "c", "d"].map((name) => [name, large])) } });
    const { diagnostics, resourceSchemas } = await v6.getProviderSchema({});
    expect(resourceSchemas).toEqual({});
    expect(diagnostics).toMatchObject([{ severity: 1, summary: "The provider's schemas are too large" }]);
  });
});

describe("protocol 5", () => {
  test("returns the validated configuration", async () => {
    const { v5 } = peer({ validateProviderConfig: { diagnostics: [] } });
    const config = { msgpack: Uint8Array.of(0x80) };
    expect((await v5.prepareProviderConfig({ config })).preparedConfig).toMatchObject(config);
  });

  test("rejects nested attributes with their paths", async () => {
    const nested = createAttribute({ nested: createNestedAttributes("list", { leaf: createAttribute({ type: string }) }) });
    const bad = createSchema({
      attributes: { top: nested },
      blocks: { disk: createNestedBlock("set", { attributes: { inner: nested } }) },
    });
    const { v5, v6 } = peer({ getProviderSchema: { ...offered, provider: bad, actions: new Map([["act", bad]]) } });
    const { diagnostics, resourceSchemas } = await v5.getSchema({});
    expect(resourceSchemas).toEqual({});
    expect(diagnostics.map(({ detail }) => detail.split(" has nested attributes")[0])).toEqual([
      "the provider's configuration: the attribute top",
      "the provider's configuration: the attribute disk.inner",
      'action type "act": the attribute top',
      'action type "act": the attribute disk.inner',
    ]);
    expect((await v6.getProviderSchema({})).diagnostics).toEqual([]);
  });

  test("omits state stores", async () => {
    const { v5 } = peer({ getProviderSchema: { ...offered, stateStores: new Map([["store", schema]]) } });
    expect(await v5.getSchema({})).not.toHaveProperty("$unknown");
  });
});
