// SPDX-License-Identifier: Apache-2.0
// Compares lean descriptors with the descriptors that protobuf-es creates from the same files.
import { create, type DescField, type DescFile, type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import { describe, test } from "vitest";
import { file_grpc_health_v1_health } from "../gen/grpc/health/v1/health_pb.ts";
import * as health from "../gen/lean/grpc/health/v1/health_pb.ts";
import * as broker from "../gen/lean/plugin/grpc_broker_pb.ts";
import * as controller from "../gen/lean/plugin/grpc_controller_pb.ts";
import * as stdio from "../gen/lean/plugin/grpc_stdio_pb.ts";
import * as ranges from "../gen/lean/tenon/schema_ranges_pb.ts";
import * as lean5 from "../gen/lean/tfplugin5_pb.ts";
import * as lean6 from "../gen/lean/tfplugin6_pb.ts";
import { file_plugin_grpc_broker } from "../gen/plugin/grpc_broker_pb.ts";
import { file_plugin_grpc_controller } from "../gen/plugin/grpc_controller_pb.ts";
import { file_plugin_grpc_stdio } from "../gen/plugin/grpc_stdio_pb.ts";
import { file_tenon_schema_ranges } from "../gen/tenon/schema_ranges_pb.ts";
import * as full5 from "../gen/tfplugin5_pb.ts";
import * as full6 from "../gen/tfplugin6_pb.ts";
import type { LeanFile } from "./lean-file.ts";

const files: readonly (readonly [DescFile, LeanFile])[] = [
  [file_grpc_health_v1_health, health.file_grpc_health_v1_health],
  [file_plugin_grpc_broker, broker.file_plugin_grpc_broker],
  [file_plugin_grpc_controller, controller.file_plugin_grpc_controller],
  [file_plugin_grpc_stdio, stdio.file_plugin_grpc_stdio],
  [file_tenon_schema_ranges, ranges.file_tenon_schema_ranges],
  [full5.file_tfplugin5, lean5.file_tfplugin5],
  [full6.file_tfplugin6, lean6.file_tfplugin6],
];

describe.for(files.map(([full, lean]) => ({ name: full.name, full, lean })))("$name", ({ full, lean }) => {
  test("has the same messages", ({ expect }) => {
    for (const message of everyMessage(full.messages))
      expect(facts(lean.message(message.typeName)), message.typeName).toEqual(facts(message));
  });

  test("has the same services", ({ expect }) => {
    for (const service of full.services) {
      const found = lean.service(service.typeName);
      const rows = (of: typeof service): unknown =>
        of.methods.map((method) => [
          String(method),
          method.name,
          method.localName,
          method.methodKind,
          method.idempotency,
          String(method.input),
          String(method.output),
          of.method[method.localName] === method,
        ]);
      expect(String(found)).toBe(String(service));
      expect(rows(found)).toEqual(rows(service));
    }
  });
});

function everyMessage(messages: readonly DescMessage[]): readonly DescMessage[] {
  return messages.flatMap((message) => [message, ...everyMessage(message.nestedMessages)]);
}

function facts(message: DescMessage): unknown {
  return {
    text: String(message),
    edition: message.file.edition,
    fields: message.fields.map(fieldFacts),
    oneofs: message.oneofs.map(({ localName, fields }) => [localName, fields.map((field) => field.name)]),
    members: message.members.map(({ kind, localName }) => [kind, localName]),
    byName: Object.entries(message.field).map(([name, field]) => [name, field.number]),
  };
}

function fieldFacts(field: DescField): unknown {
  // Properties that only some kinds of field have are undefined for the others.
  const all = field as unknown as Readonly<Record<string, unknown>>;
  const names = "kind name number localName fieldKind listKind mapKind mapKey scalar presence utf8Validation longAsString";
  return {
    ...Object.fromEntries(names.split(" ").map((name) => [name, all[name]])),
    text: String(field),
    oneof: field.oneof?.localName,
    message: field.message?.typeName,
    enum: field.enum && [field.enum.typeName, field.enum.open, field.enum.values[0]?.number],
    packed: all["packed"] === true,
    delimited: all["delimitedEncoding"] === true,
    default: field.fieldKind === "scalar" ? field.getDefaultValue() : undefined,
  };
}

test("messages are equal for both kinds of descriptors", ({ expect }) => {
  const init = { typeName: "a", priorState: { msgpack: new Uint8Array([1, 2]) }, clientCapabilities: { deferralAllowed: true } };
  const message = create(full6.PlanResourceChange_RequestSchema, init);
  expect(create(lean6.PlanResourceChange_RequestSchema, init)).toEqual(message);
  const bytes = toBinary(full6.PlanResourceChange_RequestSchema, message);
  expect(toBinary(lean6.PlanResourceChange_RequestSchema, message)).toEqual(bytes);
  expect(fromBinary(lean6.PlanResourceChange_RequestSchema, bytes)).toEqual(message);
});

test("finds the messages of an imported file", ({ expect }) => {
  const renewed = create(lean6.RenewEphemeralResource_ResponseSchema, { renewAt: { seconds: 7n } });
  const bytes = toBinary(lean6.RenewEphemeralResource_ResponseSchema, renewed);
  expect(fromBinary(full6.RenewEphemeralResource_ResponseSchema, bytes).renewAt?.seconds).toBe(7n);
  expect(() => lean6.file_tfplugin6.message("tfplugin6.None")).toThrow("tfplugin6 has no message tfplugin6.None");
});

test("rejects reflection, and names the entry point that supports it", ({ expect }) => {
  expect(() => lean6.SchemaSchema.proto).toThrow(expect.objectContaining({ code: "NO_REFLECTION" }) as never);
});
