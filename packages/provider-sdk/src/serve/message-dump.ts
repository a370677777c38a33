// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceRegistration } from "@tenon/protocol/carrier";

/** A generated protobuf message: its fields and the name of its type. */
type Message = Readonly<Record<string, unknown>> & { readonly $typeName: string };
type Handler = (message: Message, context: unknown) => Promise<Message> | AsyncIterable<Message>;

/**
 * Wraps a service so that it writes every value it receives or sends to a separate file, in its wire encoding:
 * `<milliseconds>_<RPC>_<Request or Response>_<Field>.<msgpack, json or empty>`. The files contain sensitive values unmasked.
 *
 * @param folder value of `TF_LOG_SDK_PROTO_DATA_DIR`; the folder must exist, as with Go's plugin libraries
 * @param onFailure called for each file that cannot be written; the RPC continues
 * @see terraform-plugin-go internal/logging, ProtocolData
 */
export function dumpingService(registration: ServiceRegistration, folder: string, onFailure: (error: Error) => void): ServiceRegistration {
  let last = 0;
  const dump = (rpc: string, direction: "Request" | "Response", message: Message): void => {
    // Messages within the same millisecond would otherwise overwrite each other's files.
    last = Math.max(last + 1, Date.now());
    try {
      for (const { field, extension, bytes } of valuesIn(message, ""))
        writeFileSync(join(folder, `${last}_${rpc}_${direction}_${field}.${extension}`), bytes, { mode: 0o600 });
    } catch (error) {
      onFailure(error as Error);
    }
  };
  const { service, implementation } = registration;
  const dumping: Record<string, unknown> = {};
  for (const [localName, method] of Object.entries(service.method)) {
    const handler = (implementation as Readonly<Record<string, Handler | undefined>>)[localName];
    if (handler === undefined) continue;
    if (method.methodKind === "unary") {
      dumping[localName] = async (message: Message, context: unknown): Promise<Message> => {
        dump(method.name, "Request", message);
        const response = await (handler(message, context) as Promise<Message>);
        dump(method.name, "Response", response);
        return response;
      };
    } else if (method.methodKind === "server_streaming") {
      dumping[localName] = async function* stream(message: Message, context: unknown): AsyncIterable<Message> {
        dump(method.name, "Request", message);
        for await (const event of handler(message, context) as AsyncIterable<Message>) {
          dump(method.name, "Response", event);
          yield event;
        }
      };
      // Client-streaming RPCs carry no values.
    } else dumping[localName] = handler;
  }
  return { service, implementation: dumping as ServiceRegistration["implementation"] };
}

interface Dumped {
  readonly field: string;
  readonly extension: "msgpack" | "json" | "empty";
  readonly bytes: Uint8Array;
}

/** Yields the values of a message and of its nested messages; the field name of a list element contains its index. */
function* valuesIn(message: Message, prefix: string): Generator<Dumped> {
  for (const [name, value] of Object.entries(message)) {
    const field = `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    if (isMessage(value)) yield* valuesOf(value, field);
    else if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) if (isMessage(element)) yield* valuesOf(element, `${field}${index}`);
    }
  }
}

function* valuesOf(message: Message, field: string): Generator<Dumped> {
  if (!message.$typeName.endsWith(".DynamicValue")) {
    yield* valuesIn(message, field);
    return;
  }
  const { msgpack, json } = message as unknown as { readonly msgpack: Uint8Array; readonly json: Uint8Array };
  if (msgpack.length > 0) yield { field, extension: "msgpack", bytes: msgpack };
  if (json.length > 0) yield { field, extension: "json", bytes: json };
  if (msgpack.length === 0 && json.length === 0) yield { field, extension: "empty", bytes: new Uint8Array(0) };
}

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && "$typeName" in value;
}
