// SPDX-License-Identifier: Apache-2.0
// A Pulumi plugin under the clients and serialisers of Pulumi's SDK for Node, from npm: they share no code with ours, nor with the Go client.
import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";

const require = createRequire(import.meta.url);

/** Messages have a setter for each field. */
type Message = Record<`set${string}`, (value: unknown) => void> & { toObject(): Record<string, unknown> } & Record<
    `get${string}`,
    () => unknown
  >;

/** A JSON object in the messages of the SDK. */
interface Struct {
  toJavaScript(): Record<string, unknown>;
}

interface SdkModules {
  readonly grpc: typeof Grpc;
  readonly messages: Readonly<Record<string, new () => Message>>;
  readonly services: { readonly ResourceProviderClient: new (...args: readonly unknown[]) => Grpc.Client };
  readonly struct: { readonly Struct: (new () => Struct) & { fromJavaScript(fields: object): Struct } };
  readonly rpc: {
    serializeProperties(label: string, properties: object): Promise<Record<string, unknown>>;
    deserializeProperties(properties: Struct): Record<string, unknown>;
    unwrapSecretValues(value: unknown): readonly [value: unknown, isSecret: boolean];
    isRpcSecret(value: unknown): boolean;
  };
}

// The SDK is CommonJS, and loads its runtime when it is imported.
const sdk: SdkModules = {
  grpc: require("@grpc/grpc-js") as SdkModules["grpc"],
  messages: require("@pulumi/pulumi/proto/provider_pb.js") as SdkModules["messages"],
  services: require("@pulumi/pulumi/proto/provider_grpc_pb.js") as SdkModules["services"],
  struct: require("google-protobuf/google/protobuf/struct_pb.js") as SdkModules["struct"],
  rpc: require("@pulumi/pulumi/runtime/rpc.js") as SdkModules["rpc"],
};

/** Fields of a request. A plain object is a `Struct`. */
export type Fields = Readonly<Record<string, unknown>>;

/** An error of a call, with its gRPC code. */
export interface NodeClientError extends Error {
  readonly code: number;
}

/** The SDK's client of a plugin. */
export class PulumiNodeClient implements Disposable {
  readonly #client: Grpc.Client;

  constructor(port: number) {
    const options = { "grpc.max_receive_message_length": 400 << 20 };
    this.#client = new sdk.services.ResourceProviderClient(`127.0.0.1:${port}`, sdk.grpc.credentials.createInsecure(), options);
  }

  /** Makes a call with the request of this name; structures in the response are plain objects. */
  async call(method: string, requestName: string, fields: Fields = {}): Promise<Record<string, unknown>> {
    const request = message(requestName, fields);
    const client = this.#client as unknown as Record<
      string,
      (request: Message, callback: (error: NodeClientError | null, response?: Message) => void) => void
    >;
    const response = await new Promise<Message>((resolve, reject) => {
      client[method]!(request, (error, answer) => (error ? reject(error) : resolve(answer!)));
    });
    return read(response);
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}

/** A request of the SDK. Other messages in it are built with this function, too. */
export function message(name: string, fields: Fields): Message {
  const built = new (sdk.messages[name] ?? nested(name))();
  for (const [field, value] of Object.entries(fields)) {
    const setter = Object.keys(Object.getPrototypeOf(built) as object).find(
      (key) => key.toLowerCase() === `set${field}`.toLowerCase() || key.toLowerCase() === `set${field}list`.toLowerCase(),
    ) as `set${string}`;
    if (setter === undefined) throw new Error(`${name} has no field ${field}`);
    built[setter]!(isPlainObject(value) ? sdk.struct.Struct.fromJavaScript(value as object) : value);
  }
  return built;
}

/** Serialises properties as a program of the SDK does. */
export async function serialized(properties: object): Promise<Record<string, unknown>> {
  return await sdk.rpc.serializeProperties("test", properties);
}

/** Deserialises properties as a program of the SDK does. */
export function deserialized(properties: unknown): Record<string, unknown> {
  return sdk.rpc.deserializeProperties(sdk.struct.Struct.fromJavaScript(properties as object));
}

/** Removes the marks of secrets; says whether there was one. */
export function unwrapped(value: unknown): readonly [value: unknown, isSecret: boolean] {
  return sdk.rpc.unwrapSecretValues(value);
}

function nested(name: string): new () => Message {
  const [outer = "", inner = ""] = name.split(".");
  return (sdk.messages[outer] as unknown as Record<string, new () => Message>)[inner]!;
}

function read(response: Message): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const key of Object.keys(Object.getPrototypeOf(response) as object)) {
    if (!/^get[A-Z]/.test(key)) continue;
    const value = response[key as `get${string}`]!();
    const name = key[3]!.toLowerCase() + key.slice(4);
    fields[name] = value instanceof sdk.struct.Struct ? value.toJavaScript() : value;
  }
  return fields;
}

function isPlainObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
