// SPDX-License-Identifier: Apache-2.0
import { create, type DescField, type DescMessage, type DescOneof, type Message, ScalarType } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";

/**
 * Formats a message as Go's `encoding/json` formats its generated struct, which is not protobuf's JSON: names as in the proto file, enums and
 * 64-bit integers as numbers, fields without a value left out.
 */
export function formatGoJson(schema: DescMessage, message: Message): string {
  return messageJson(reflect(schema, message));
}

function messageJson(message: ReflectMessage): string {
  const parts = message.desc.members.flatMap((member) =>
    member.kind === "oneof" ? [oneofJson(message, member)] : fieldJson(message, member),
  );
  return `{${parts.join(",")}}`;
}

function fieldJson(message: ReflectMessage, field: DescField): readonly string[] {
  return message.isSet(field) ? [`${JSON.stringify(field.name)}:${fieldValueJson(message, field)}`] : [];
}

/** A oneof is a field with the struct of its member, both without names for JSON. */
function oneofJson(message: ReflectMessage, oneof: DescOneof): string {
  const field = oneof.fields.find((member) => message.isSet(member));
  const content = field === undefined ? "null" : `{${JSON.stringify(goName(field.name))}:${fieldValueJson(message, field)}}`;
  return `${JSON.stringify(goName(oneof.name))}:${content}`;
}

function fieldValueJson(message: ReflectMessage, field: DescField): string {
  if (field.fieldKind === "list") return `[${[...message.get(field)].map((element) => valueJson(field, element)).join(",")}]`;
  if (field.fieldKind !== "map") return valueJson(field, message.get(field));
  const entries = [...message.get(field)].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  return `{${entries.map(([key, value]) => `${JSON.stringify(String(key))}:${valueJson(field, value)}`).join(",")}}`;
}

function valueJson(field: DescField, value: unknown): string {
  if (field.message) return messageJson(value as ReflectMessage);
  if (field.scalar === ScalarType.BYTES) return JSON.stringify(Buffer.from(value as Uint8Array).toString("base64"));
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}

/**
 * Parses what Go's `encoding/json` wrote of a generated struct. Unknown names are ignored, as in Go.
 *
 * @throws SyntaxError for malformed JSON, and for a value that does not fit its field.
 */
export function parseGoJson(schema: DescMessage, text: string): Message {
  return messageOf(schema, JSON.parse(text) as unknown).message;
}

type JsonRecord = Readonly<Record<string, unknown>>;

function messageOf(schema: DescMessage, json: unknown): ReflectMessage {
  const record = recordOf(json, schema.typeName);
  const message = reflect(schema, create(schema));
  for (const member of schema.members) {
    if (member.kind === "field") setField(message, member, record[member.name]);
    else {
      const content = record[goName(member.name)];
      if (content === undefined || content === null) continue;
      const selected = recordOf(content, member.name);
      for (const field of member.fields) setField(message, field, selected[goName(field.name)]);
    }
  }
  return message;
}

function setField(message: ReflectMessage, field: DescField, json: unknown): void {
  if (json === undefined || json === null) return;
  switch (field.fieldKind) {
    case "list":
      if (!Array.isArray(json)) throw misfit(field, json);
      for (const element of json) message.get(field).add(valueOf(field, element));
      return;
    case "map":
      for (const [key, value] of Object.entries(recordOf(json, field.name))) message.get(field).set(key, valueOf(field, value));
      return;
    default:
      message.set(field, valueOf(field, json));
  }
}

function valueOf(field: DescField, json: unknown): unknown {
  if (field.message) return messageOf(field.message, json);
  switch (field.scalar) {
    case ScalarType.STRING:
      if (typeof json !== "string") throw misfit(field, json);
      return json;
    case ScalarType.BYTES:
      if (typeof json !== "string") throw misfit(field, json);
      return new Uint8Array(Buffer.from(json, "base64"));
    case ScalarType.BOOL:
      if (typeof json !== "boolean") throw misfit(field, json);
      return json;
    case ScalarType.INT64:
    case ScalarType.UINT64:
      if (!Number.isInteger(json)) throw misfit(field, json);
      return BigInt(json as number);
    default:
      if (typeof json !== "number") throw misfit(field, json);
      return json;
  }
}

/** Name of a field in a generated Go struct. */
function goName(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function recordOf(json: unknown, name: string): JsonRecord {
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw new SyntaxError(`${name} must be an object`);
  return json as JsonRecord;
}

function misfit(field: DescField, json: unknown): SyntaxError {
  return new SyntaxError(`${field.toString()} cannot be ${json === null ? "null" : typeof json}`);
}
