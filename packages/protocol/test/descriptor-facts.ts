// SPDX-License-Identifier: Apache-2.0
import { type DescEnum, type DescField, type DescFile, type DescMessage, type DescMethod, ScalarType } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";

/** Contents of a table in `facts/`: a short line for each method, field and reserved number. */
export interface Facts {
  readonly services: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly messages: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly enums: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly reserved: Readonly<Record<string, readonly string[]>>;
}

/** Returns the facts of generated descriptors. */
export function factsOf(files: readonly DescFile[]): Facts {
  const types = files.flatMap((file) => [...nestedTypes(file)]);
  const messages = types.filter((type): type is DescMessage => type.kind === "message");
  const enums = types.filter((type): type is DescEnum => type.kind === "enum");
  return {
    services: Object.fromEntries(
      files
        .flatMap((file) => file.services)
        .map((service) => [service.typeName, Object.fromEntries(service.methods.map((method) => [method.name, methodFact(method)]))]),
    ),
    messages: Object.fromEntries(
      messages.map((message) => [message.typeName, Object.fromEntries(message.fields.map((field) => [field.name, fieldFact(field)]))]),
    ),
    enums: Object.fromEntries(
      enums.map((type) => [type.typeName, Object.fromEntries(type.values.map((value) => [value.name, value.number]))]),
    ),
    reserved: Object.fromEntries(
      messages.filter((message) => message.proto.reservedRange.length > 0).map((message) => [message.typeName, reservedFact(message)]),
    ),
  };
}

function methodFact(method: DescMethod): string {
  const fromClient = method.methodKind === "client_streaming" || method.methodKind === "bidi_streaming" ? "stream " : "";
  const fromServer = method.methodKind === "server_streaming" || method.methodKind === "bidi_streaming" ? "stream " : "";
  return `${fromClient}${method.input.typeName} -> ${fromServer}${method.output.typeName}`;
}

function fieldFact(field: DescField): string {
  const label = field.fieldKind === "list" ? "repeated " : field.proto.proto3Optional ? "optional " : "";
  const oneof = field.oneof ? ` oneof ${field.oneof.name}` : "";
  return `${field.number} ${label}${typeFact(field)}${oneof}${field.deprecated ? " deprecated" : ""}`;
}

function typeFact(field: DescField): string {
  const element = field.message?.typeName ?? field.enum?.typeName ?? scalarFact(field.scalar);
  return field.fieldKind === "map" ? `map<${scalarFact(field.mapKey)}, ${element}>` : element;
}

function scalarFact(scalar: ScalarType | undefined): string {
  return (scalar === undefined ? "?" : ScalarType[scalar]).toLowerCase();
}

function reservedFact(message: DescMessage): string[] {
  return message.proto.reservedRange.map(({ start, end }) => (end === start + 1 ? `${start}` : `${start} to ${end - 1}`));
}
