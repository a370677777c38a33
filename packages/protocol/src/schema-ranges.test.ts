// SPDX-License-Identifier: Apache-2.0
import { create, type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import { createClient, createRouterTransport } from "@connectrpc/connect";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import * as v5 from "./gen/tfplugin5_pb.ts";
import * as v6 from "./gen/tfplugin6_pb.ts";
import { mapEntry, type SchemaRanges, SchemaRangesSchema, schemaRangesMethod } from "./schema-ranges.ts";

/** Response with 1,000 resources of 60 attributes each, and one component of each other kind. */
function bigResponse(): v6.GetProviderSchema_Response {
  const attributes = Array.from({ length: 60 }, (_, index) => ({
    name: `attribute_${index}`,
    type: new TextEncoder().encode('["map","string"]'),
    description: `What attribute ${index} is for, in a sentence of some length.`,
    optional: true,
  }));
  const schema = (version: number): v6.Schema => create(v6.SchemaSchema, { version: BigInt(version), block: { attributes } });
  return create(v6.GetProviderSchema_ResponseSchema, {
    provider: schema(1),
    providerMeta: schema(2),
    resourceSchemas: Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`big_resource_${index}`, schema(index)])),
    dataSourceSchemas: { big_data: schema(3) },
    diagnostics: [{ summary: "first" }, { summary: "second" }],
    serverCapabilities: { planDestroy: true },
    functions: { double: { return: { type: new TextEncoder().encode('"number"') } } },
    ephemeralResourceSchemas: { big_token: schema(4) },
    listResourceSchemas: { big_resource_1: schema(5) },
    stateStoreSchemas: { big_store: schema(6) },
    actionSchemas: { big_reboot: { schema: schema(7) } },
  });
}

function decodeMap(desc: DescMessage, entries: readonly Uint8Array[]): Record<string, unknown> {
  return Object.fromEntries(entries.map(mapEntry).map(({ key, value }) => [key, fromBinary(desc, value)]));
}

function decodeRanges(ranges: SchemaRanges): v6.GetProviderSchema_Response {
  return create(v6.GetProviderSchema_ResponseSchema, {
    provider: fromBinary(v6.SchemaSchema, ranges.provider!),
    providerMeta: fromBinary(v6.SchemaSchema, ranges.providerMeta!),
    resourceSchemas: decodeMap(v6.SchemaSchema, ranges.resourceSchemas) as Record<string, v6.Schema>,
    dataSourceSchemas: decodeMap(v6.SchemaSchema, ranges.dataSourceSchemas) as Record<string, v6.Schema>,
    diagnostics: ranges.diagnostics.map((bytes) => fromBinary(v6.DiagnosticSchema, bytes)),
    serverCapabilities: fromBinary(v6.ServerCapabilitiesSchema, ranges.serverCapabilities!),
    functions: decodeMap(v6.FunctionSchema, ranges.functions) as Record<string, v6.Function>,
    ephemeralResourceSchemas: decodeMap(v6.SchemaSchema, ranges.ephemeralResourceSchemas) as Record<string, v6.Schema>,
    listResourceSchemas: decodeMap(v6.SchemaSchema, ranges.listResourceSchemas) as Record<string, v6.Schema>,
    stateStoreSchemas: decodeMap(v6.SchemaSchema, ranges.stateStoreSchemas) as Record<string, v6.Schema>,
    actionSchemas: decodeMap(v6.ActionSchemaSchema, ranges.actionSchemas) as Record<string, v6.ActionSchema>,
  });
}

describe("SchemaRanges", () => {
  test.for([
    { version: 5, response: v5.GetProviderSchema_ResponseSchema },
    { version: 6, response: v6.GetProviderSchema_ResponseSchema },
  ])("has a field for every field of version $version, by number and name", ({ response }, { expect }) => {
    for (const field of response.fields) {
      const range = SchemaRangesSchema.fields.find(({ number }) => number === field.number);
      expect(range?.name).toBe(field.name);
      // Every field is length-delimited. Lists and maps become lists of bytes.
      expect(["message", "map", "list"]).toContain(field.fieldKind);
      expect(range?.fieldKind).toBe(field.fieldKind === "message" ? "scalar" : "list");
    }
  });

  test("contains every part of a response with 1,000 resources", ({ expect }) => {
    const response = bigResponse();
    const bytes = toBinary(v6.GetProviderSchema_ResponseSchema, response);
    const ranges = fromBinary(SchemaRangesSchema, bytes);
    expect(decodeRanges(ranges)).toEqual(response);
    expect(toBinary(SchemaRangesSchema, ranges).length).toBe(bytes.length);
  });

  test("refers to the bytes of the response without a copy", ({ expect }) => {
    const bytes = toBinary(v6.GetProviderSchema_ResponseSchema, bigResponse());
    const ranges = fromBinary(SchemaRangesSchema, bytes);
    expect(ranges.resourceSchemas.every((entry) => entry.buffer === bytes.buffer && mapEntry(entry).value.buffer === bytes.buffer)).toBe(
      true,
    );
  });

  test("is received over any transport, by the path of the original method", async ({ expect }) => {
    const transport = createRouterTransport(({ rpc, service }) => {
      rpc(v6.Provider.method.getProviderSchema, () => ({ resourceSchemas: { six: {} } }));
      service(v5.Provider, { getSchema: () => ({ resourceSchemas: { five: {} } }) });
    });
    const names = async (method: typeof v6.Provider.method.getProviderSchema | typeof v5.Provider.method.getSchema): Promise<string[]> => {
      const { message } = await transport.unary(schemaRangesMethod(method), undefined, undefined, undefined, {});
      return message.resourceSchemas.map((entry) => mapEntry(entry).key);
    };
    expect(await names(v6.Provider.method.getProviderSchema)).toEqual(["six"]);
    expect(await names(v5.Provider.method.getSchema)).toEqual(["five"]);
    // The original method is unchanged.
    expect((await createClient(v6.Provider, transport).getProviderSchema({})).resourceSchemas).toHaveProperty("six");
  });
});

describe("mapEntry", () => {
  test.for<[name: string, bytes: number[], key: string, value: number[]]>([
    ["key and value", [0x0a, 1, 0x61, 0x12, 2, 8, 1], "a", [8, 1]],
    ["value and key", [0x12, 2, 8, 1, 0x0a, 1, 0x61], "a", [8, 1]],
    ["no key", [0x12, 2, 8, 1], "", [8, 1]],
    ["no value", [0x0a, 1, 0x61], "a", []],
    ["nothing", [], "", []],
    ["a key twice", [0x0a, 1, 0x61, 0x0a, 1, 0x62], "b", []],
    ["unknown fields", [0x18, 5, 0x0a, 1, 0x61, 0x22, 1, 0], "a", []],
  ])("decodes an entry with %s", ([, bytes, key, value], { expect }) => {
    expect(mapEntry(Uint8Array.from(bytes))).toEqual({ key, value: Uint8Array.from(value) });
  });

  test.for([[[0x0a]], [[0x0a, 9, 0x61]], [[0x12, 0xff]], [[0x0a, 1, 0xff]], [[0x0b]]])("rejects %j", ([bytes], { expect }) => {
    expect(() => mapEntry(Uint8Array.from(bytes!))).toThrow(expect.objectContaining({ code: "MESSAGE_MALFORMED" }));
  });

  test("rejects damaged entries with MESSAGE_MALFORMED, and never reads past the end", ({ expect }) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        try {
          const { value } = mapEntry(bytes);
          expect(value.length).toBeLessThanOrEqual(bytes.length);
        } catch (error) {
          expect(error).toMatchObject({ name: "ProtocolError", code: "MESSAGE_MALFORMED" });
        }
      }),
      { numRuns: 2000 },
    );
  });
});
