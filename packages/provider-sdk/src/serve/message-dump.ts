// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceRegistration } from "@tenon/protocol/carrier";

/** A message as it was generated: its fields, and the name of its type. */
type Message = Readonly<Record<string, unknown>> & { readonly $typeName: string };
type Handler = (message: Message, context: unknown) => Promise<Message> | AsyncIterable<Message>;

/**
 * The service with every value it receives or sends written to a file of its own, as it is on the wire:
 * `<milliseconds>_<RPC>_<Request or Response>_<Field>.<msgpack, json or empty>`. Nothing is masked in them.
 *
 * @param folder exists already, as with Go's plugin libraries; the value of `TF_LOG_SDK_PROTO_DATA_DIR`
 * @param onFailure told of each file that could not be written; the call goes on
 * @see terraform-plugin-go internal/logging, ProtocolData
 */
export function dumpingService(registration: ServiceRegistration, folder: string, onFailure: (error: Error) => void): ServiceRegistration {
  let last = 0;
  const dump = (rpc: string, direction: "Request" | "Response", message: Message): void => {
    // Calls of one millisecond would write over one another.
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
        const answer = await (handler(message, context) as Promise<Message>);
        dump(method.name, "Response", answer);
        return answer;
      };
    } else if (method.methodKind === "server_streaming") {
      dumping[localName] = async function* stream(message: Message, context: unknown): AsyncIterable<Message> {
        dump(method.name, "Request", message);
        for await (const event of handler(message, context) as AsyncIterable<Message>) {
          dump(method.name, "Response", event);
          yield event;
        }
      };
      // An upload carries no values.
    } else dumping[localName] = handler;
  }
  return { service, implementation: dumping as ServiceRegistration["implementation"] };
}

interface Dumped {
  readonly field: string;
  readonly extension: "msgpack" | "json" | "empty";
  readonly bytes: Uint8Array;
}

/** Values of a message and of the messages in it; what is in a list has its position in the name. */
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
