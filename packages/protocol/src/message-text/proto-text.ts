// SPDX-License-Identifier: Apache-2.0
import { type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";

/**
 * Formats a message in protobuf's text format, on one line. Text parsers of any language read it.
 *
 * @see https://protobuf.dev/reference/protobuf/textformat-spec/
 */
export function formatProtoText(schema: DescMessage, message: Message): string {
  return messageText(reflect(schema, message));
}

function messageText(message: ReflectMessage): string {
  return message.sortedFields.flatMap((field) => (message.isSet(field) ? fieldTexts(message, field) : [])).join(" ");
}

function fieldTexts(message: ReflectMessage, field: DescField): readonly string[] {
  switch (field.fieldKind) {
    case "list":
      return [...message.get(field)].map((element) => `${field.name}:${valueText(field, element)}`);
    case "map":
      return [...message.get(field)].map(([key, value]) => {
        const keyText = typeof key === "string" ? quoted(Buffer.from(key)) : String(key);
        return `${field.name}:{key:${keyText} value:${valueText(field, value)}}`;
      });
    default:
      return [`${field.name}:${valueText(field, message.get(field))}`];
  }
}

/** Text of a value, or of one element of a list or map. */
function valueText(field: DescField, value: unknown): string {
  if (field.message) return `{${messageText(value as ReflectMessage)}}`;
  if (field.enum) return field.enum.value[value as number]?.name ?? String(value);
  if (field.scalar === ScalarType.STRING) return quoted(Buffer.from(value as string));
  return field.scalar === ScalarType.BYTES ? quoted(value as Uint8Array) : String(value);
}

/** Quotes bytes. All but printable ASCII characters are escaped. */
function quoted(bytes: Uint8Array): string {
  let text = '"';
  for (const byte of bytes) {
    if (byte === 0x22 || byte === 0x5c) text += `\\${String.fromCharCode(byte)}`;
    else text += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return `${text}"`;
}
