// SPDX-License-Identifier: Apache-2.0
import { formatPath, nullOf, of, type PathStep, type Type, type Value } from "@tenon/cty";
import { decodeType } from "@tenon/cty/json";
import { decode } from "@tenon/cty/msgpack";
import { ProviderError, type ProviderErrorCode } from "@tenon/schema";
import { PluginHostError } from "../error.ts";
import { isBytes, nameOf, tagOf, type Node } from "./node.ts";
import { replaceAt, type Secret } from "./secrets.ts";

/** The values of the recording's secrets in this run, as far as its requests contain them. */
export type Bindings = ReadonlyMap<number, unknown>;

/** A recorded value, with null in place of secrets. */
export interface RecordedValue {
  readonly value: Value;
  readonly secrets: readonly Secret[];
}

/** Decodes recorded messages. */
export class MessageDecoder {
  readonly #types: ReadonlyMap<number, Type>;

  readonly #file: string;

  constructor(file: string, types: ReadonlyMap<number, string>) {
    this.#file = file;
    this.#types = new Map(Array.from(types, ([id, json]) => [id, decodeType(json)]));
  }

  /**
   * Decodes a message. Secrets get their values in this run if known, otherwise placeholders of the same type.
   *
   * @throws PluginHostError `RECORDING_MALFORMED`
   */
  decode(node: Node, bindings: Bindings): unknown {
    try {
      return this.#decode(node, "", bindings);
    } catch (cause) {
      if (cause instanceof PluginHostError) throw cause;
      throw this.#malformed(`has a message that cannot be read: ${(cause as Error).message}`, cause);
    }
  }

  decodeError(node: Node): Error {
    const { name, message, code, requestSent } = this.decode(node, new Map()) as {
      readonly name: string;
      readonly message: string;
      readonly code?: string;
      readonly requestSent?: boolean;
    };
    if (code !== undefined) return new ProviderError(code as ProviderErrorCode, message, requestSent === undefined ? {} : { requestSent });
    const error = new Error(message);
    error.name = name;
    return error;
  }

  value(content: Node): RecordedValue {
    const [typeId, bytes, masks = []] = content as readonly [number, Uint8Array, (readonly (readonly [Node, number])[])?];
    const secrets = masks.map(([path, token]) => ({ path: this.decode(path, new Map()) as readonly PathStep[], token }));
    return { value: decode(bytes, this.type(typeId)), secrets };
  }

  type(id: Node): Type {
    const type = this.#types.get(id as number);
    if (type === undefined) throw this.#malformed("refers to a type that it does not contain");
    return type;
  }

  #decode(node: Node, field: string, bindings: Bindings): unknown {
    // Copied, because decoded bytes share the memory of the file.
    if (isBytes(node)) return new Uint8Array(node);
    if (Array.isArray(node)) return (node as readonly Node[]).map((element) => this.#decode(element, field, bindings));
    if (typeof node !== "object" || node === null) return node;
    const tag = tagOf(node);
    if (tag !== undefined) return this.#tagged(...tag, field, bindings);
    const entries = [...(node as ReadonlyMap<string, Node>)].map(
      ([key, part]) => [nameOf(key), this.#decode(part, nameOf(key), bindings)] as const,
    );
    const record = Object.fromEntries(entries);
    // The keys come from a provider: without a prototype they cannot match inherited properties.
    return field === "attributes" || field === "blocks" || field === "flatmap" ? Object.setPrototypeOf(record, null) : record;
  }

  #tagged(tag: string, content: Node, field: string, bindings: Bindings): unknown {
    switch (tag) {
      case "$value": {
        const { value, secrets } = this.value(content);
        return withSecrets(value, secrets, bindings);
      }
      case "$type":
        return this.type(content);
      case "$map":
        return new Map((content as readonly (readonly [string, Node])[]).map(([key, part]) => [key, this.#decode(part, field, bindings)]));
      case "$date":
        return new Date(content as number);
      case "$secretBytes": {
        const [token, length] = content as readonly [number, number];
        return bindings.get(token) ?? placeholderBytes(token, length);
      }
      case "$secretRecord":
        return bindings.get(content as number) ?? {};
      default:
        throw this.#malformed(`has an unknown kind of object: ${tag}`);
    }
  }

  #malformed(what: string, cause?: unknown): PluginHostError {
    return new PluginHostError("RECORDING_MALFORMED", `the recording ${this.#file} ${what}`, cause === undefined ? {} : { cause });
  }
}

function withSecrets(value: Value, secrets: readonly Secret[], bindings: Bindings): Value {
  if (secrets.length === 0) return value;
  const tokens = new Map(secrets.map(({ path, token }) => [formatPath(path), token]));
  const paths = new Map(secrets.map(({ path }) => [formatPath(path), path]));
  return replaceAt(value, paths, (part, path) => {
    const token = tokens.get(formatPath(path))!;
    return (bindings.get(token) as Value | undefined) ?? placeholder(part.type, token);
  });
}

/** Placeholder of secret bytes: the text of a secret, as far as it fits, and zeros. Different secrets have different placeholders. */
function placeholderBytes(token: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  new TextEncoder().encodeInto(placeholderText(token), bytes);
  return bytes;
}

function placeholderText(token: number): string {
  return `(sensitive value ${token})`;
}

/** The placeholder of a secret that is not known in this run. */
function placeholder(type: Type, token: number): Value {
  switch (type.kind) {
    case "string":
      return of(type, placeholderText(token));
    case "number":
      return of(type, 0);
    case "bool":
      return of(type, false);
    case "list":
    case "set":
      return of(type, []);
    case "map":
      return of(type, {});
    case "tuple":
      return of(type, type.elements.map((element) => placeholder(element, token)) as never);
    case "object":
      return of(type, new Map(type.names.map((name) => [name, placeholder(type.attributes[name]!, token)])));
    default:
      return nullOf(type);
  }
}
