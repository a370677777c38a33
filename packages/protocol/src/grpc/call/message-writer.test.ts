// SPDX-License-Identifier: Apache-2.0
import { create, type DescField, type DescMessage, type Message, ScalarType, toBinary } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { FileDescriptorProtoSchema, file_google_protobuf_descriptor, StructSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import fc from "fast-check";
import { describe, test } from "vitest";
import { file_probe } from "../../../test/gen/probe_pb.ts";
import { file_grpc_health_v1_health } from "../../gen/grpc/health/v1/health_pb.ts";
import * as lean6 from "../../gen/lean/tfplugin6_pb.ts";
import { file_plugin_grpc_broker } from "../../gen/plugin/grpc_broker_pb.ts";
import { file_tfplugin5 } from "../../gen/tfplugin5_pb.ts";
import * as full6 from "../../gen/tfplugin6_pb.ts";
import { writeMessage } from "./message-writer.ts";

const files = [
  full6.file_tfplugin6,
  file_tfplugin5,
  file_plugin_grpc_broker,
  file_grpc_health_v1_health,
  file_probe,
  file_google_protobuf_descriptor,
];

function messagesOf({ messages }: { readonly messages: readonly DescMessage[] }): readonly DescMessage[] {
  return messages.flatMap((message) => [message, ...messagesOf({ messages: message.nestedMessages })]);
}

const integers = fc.oneof(fc.integer({ min: 0, max: 0x7fff_ffff }), fc.constantFrom(0, 1, 127, 128, 16_384));
const longs = fc.bigInt({ min: 0n, max: 0x7fff_ffff_ffff_ffffn });

function scalarOf(scalar: ScalarType): fc.Arbitrary<unknown> {
  switch (scalar) {
    case ScalarType.STRING:
      return fc.string({ unit: "binary", maxLength: 200 });
    case ScalarType.BYTES:
      return fc.uint8Array({ maxLength: 300 });
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.DOUBLE:
      return fc.oneof(fc.double(), fc.constant(-0));
    case ScalarType.FLOAT:
      return fc.float();
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return longs;
    default:
      return integers;
  }
}

function valueOf(field: DescField, depth: number): fc.Arbitrary<unknown> {
  if (field.message !== undefined) return initOf(field.message, depth - 1);
  return field.scalar === undefined ? fc.constantFrom(...field.enum!.values.map(({ number }) => number)) : scalarOf(field.scalar);
}

/** Random contents of a message, some levels deep. */
function initOf(desc: DescMessage, depth: number): fc.Arbitrary<object> {
  const fields = desc.fields.filter(({ message }) => message === undefined || depth > 0);
  const members = fields.map((field): readonly [string, fc.Arbitrary<unknown>] => {
    const value = valueOf(field, depth);
    const { localName } = field;
    if (field.fieldKind === "list") return [localName, fc.array(value, { maxLength: 3 })];
    if (field.fieldKind === "map") return [localName, fc.dictionary(fc.string(), value, { maxKeys: 3 })];
    if (field.oneof === undefined) return [localName, fc.option(value, { nil: undefined })];
    return [field.oneof.localName, value.map((chosen) => ({ case: localName, value: chosen }))];
  });
  return fc.record(Object.fromEntries(members), { requiredKeys: [] });
}

function written(desc: DescMessage, message: Message): string {
  const bytes = writeMessage(desc, message as never, 1 << 30);
  const body = Buffer.from(bytes.subarray(5));
  return Buffer.from(bytes.subarray(0, 5)).readUIntBE(1, 4) === body.length && bytes[0] === 0 ? body.toString("hex") : "another length";
}

describe("writeMessage", () => {
  test.for(files.flatMap(messagesOf))("encodes $typeName as protobuf-es does", (desc, { expect }) => {
    fc.assert(
      fc.property(initOf(desc, 3), (init) => {
        const message = create(desc, init as never);
        let expected: string;
        try {
          expected = Buffer.from(toBinary(desc, message)).toString("hex");
        } catch {
          // A required field of proto2 is missing.
          expect(() => written(desc, message)).toThrow();
          return;
        }
        expect(written(desc, message)).toBe(expected);
      }),
      { numRuns: 40 },
    );
  });

  test("encodes the same bytes with a lean descriptor", ({ expect }) => {
    const { input } = full6.Provider.method.planResourceChange;
    fc.assert(
      fc.property(initOf(input, 3), (init) => {
        const lean = lean6.Provider.method.planResourceChange.input;
        expect(written(lean, create(lean, init as never))).toBe(Buffer.from(toBinary(input, create(input, init as never))).toString("hex"));
      }),
    );
  });

  test("keeps unknown fields", ({ expect }) => {
    const message = create(full6.DynamicValueSchema, { msgpack: Uint8Array.of(1) });
    message.$unknown = [{ no: 99, wireType: WireType.LengthDelimited, data: Uint8Array.of(2, 7, 8) }];
    expect(written(full6.DynamicValueSchema, message)).toBe(Buffer.from(toBinary(full6.DynamicValueSchema, message)).toString("hex"));
  });

  test("leaves messages with rare features to protobuf-es", ({ expect }) => {
    const message = create(StructSchema, { fields: { a: { kind: { case: "numberValue", value: 1 } } } });
    expect(written(StructSchema, message)).toBe(Buffer.from(toBinary(StructSchema, message)).toString("hex"));
  });

  test("recovers from an invalid message and from one that is too long", ({ expect }) => {
    const good = create(full6.DynamicValueSchema, { msgpack: Uint8Array.of(1, 2, 3) });
    const wrong = create(full6.PlanResourceChange_RequestSchema, { typeName: "x" });
    wrong.config = create(FileDescriptorProtoSchema) as never;
    for (let round = 0; round < 3; round++) {
      expect(() => writeMessage(full6.PlanResourceChange_RequestSchema, wrong, 1000)).toThrow("got google.protobuf.FileDescriptorProto");
      const long = create(full6.DynamicValueSchema, { msgpack: new Uint8Array(3_000_000 * round + 2000) });
      expect(() => writeMessage(full6.DynamicValueSchema, long, 1000)).toThrow(expect.objectContaining({ code: Code.ResourceExhausted }));
      expect(written(full6.DynamicValueSchema, good)).toBe("0a03010203");
    }
  });
});
