// SPDX-License-Identifier: Apache-2.0
import { isPrimitiveType, isType, isValue, type Type, type Value } from "@tenon/cty";
import { encodeType } from "@tenon/cty/json";
import { encode } from "@tenon/cty/msgpack";
import { type CallName, ProviderError } from "@tenon/schema";
import { hasSecrets, isSelfDescribing, type FieldSecrets, type SecretsOf } from "../secrets/message-secrets.ts";
import { textsOfBytes } from "../secrets/message-texts.ts";
import { isBytes, keyOf, tagged, type Node } from "./node.ts";
import type { MessageField, Secrets } from "./secrets.ts";

/** Fields with messages, in which a provider may quote secrets. */
const messageFields: ReadonlySet<string> = new Set(["summary", "detail", "text", "message", "displayName"]);

/** The call of a message, and its direction. A part of a stream counts as a request or response. */
export type MessageKind = Pick<MessageField, "method" | "message"> & {
  /** Name of the type in the request; empty if it has none. */
  readonly typeName: string;
};

/** The kind of the messages of a call. */
export function messageKind(method: CallName, message: MessageKind["message"], request: object): MessageKind {
  const { typeName = "" } = request as { readonly typeName?: string };
  return { method, message, typeName };
}

/** Encodes messages for a recording. Values are in canonical cty encoding, each with its own type. */
export class MessageEncoder {
  readonly #types = new Map<Type, number>();
  readonly #secrets: Secrets | undefined;
  readonly #onType: (id: number, json: string) => void;
  /** The kind of the message that is being encoded. */
  #kind: MessageKind = { method: "getMetadata", message: "request", typeName: "" };

  /**
   * @param secrets - masks secrets; undefined to keep them
   * @param onType - called with every type before its first value
   */
  constructor(secrets: Secrets | undefined, onType: (id: number, json: string) => void) {
    this.#secrets = secrets;
    this.#onType = onType;
  }

  /** Encodes a message. @throws CtyError for a value that cannot be encoded */
  encode(message: object, secretsOf: SecretsOf, kind: MessageKind): Node {
    this.#kind = kind;
    return this.#record(message, secretsOf);
  }

  encodeError(error: unknown): Node {
    const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
    return new Map<string, Node>([
      ["name", name],
      ["message", this.#text(message)],
      ...(error instanceof ProviderError ? ([["code", error.code]] as const) : []),
      ...(error instanceof ProviderError && !error.requestSent ? ([["requestSent", false]] as const) : []),
    ]);
  }

  #record(record: object, secretsOf: SecretsOf): Node {
    const typeName = "typeName" in record && typeof record.typeName === "string" ? record.typeName : undefined;
    const entries = Object.entries(record).filter(([, part]) => part !== undefined && typeof part !== "function");
    return new Map(entries.map(([name, part]) => [keyOf(name), this.#part(part, name, typeName, secretsOf)]));
  }

  #part(part: unknown, field: string, typeName: string | undefined, secretsOf: SecretsOf): Node {
    if (typeof part === "string") return messageFields.has(field) ? this.#text(part) : part;
    if (part === null || typeof part === "boolean" || typeof part === "number") return part;
    if (typeof part !== "object") throw new TypeError(`a message has a ${typeof part} at ${field}`);
    if (isValue(part)) return this.#value(part, secretsOf(field, typeName), this.#field(field, typeName));
    if (isType(part)) return tagged("$type", this.#typeId(part));
    if (isBytes(part)) return this.#bytes(part, secretsOf(field, typeName), this.#field(field, typeName));
    if (part instanceof Date) return tagged("$date", part.getTime());
    if (Array.isArray(part)) return part.map((element: unknown) => this.#part(element, field, typeName, secretsOf));
    if (isMap(part))
      return tagged(
        "$map",
        [...part].map(([key, element]) => [key, this.#part(element, field, typeName, secretsOf)]),
      );
    if (Symbol.asyncIterator in part) return tagged("$stream", true);
    if (field === "flatmap") return this.#flatmap(part, secretsOf(field, typeName));
    // A part has the secrecy of its field, unless it has its own type.
    return this.#record(part, isSelfDescribing(field) ? secretsOf : (_, inner) => secretsOf(field, inner ?? typeName));
  }

  #field(field: string, typeName: string = this.#kind.typeName): MessageField {
    return { ...this.#kind, field, typeName };
  }

  #value(value: Value, secrets: FieldSecrets, field: MessageField): Node {
    const everything = secrets.everything === true || !isOfBlock(value, secrets);
    // The key of a path stays, so that the path remains one of the value.
    const isKey = field.field === "key";
    const scope = { everything, masksTexts: !isKey || !isPrimitiveType(value.type), field: isKey ? undefined : field };
    const masked = this.#secrets?.mask(value, secrets.block, scope) ?? { value, secrets: [] };
    const content: Node[] = [this.#typeId(masked.value.type), encode(masked.value, masked.value.type)];
    if (masked.secrets.length > 0)
      content.push(masked.secrets.map(({ path, token }) => [this.#part(path, "path", undefined, () => ({})), token]));
    return tagged("$value", content);
  }

  #bytes(bytes: Uint8Array, { everything }: FieldSecrets, field: MessageField): Node {
    if (this.#secrets === undefined || bytes.length === 0) return bytes;
    if (everything !== true && !this.#secrets.areSecret(bytes, field)) return bytes;
    return tagged("$secretBytes", [this.#secrets.tokenOfText(Buffer.from(bytes).toString("base64"), textsOfBytes(bytes)), bytes.length]);
  }

  #flatmap(record: object, { everything }: FieldSecrets): Node {
    const secrets = this.#secrets;
    const texts = Object.values(record) as readonly string[];
    if (secrets === undefined || (everything !== true && !texts.some((text) => secrets.isSecret(text)))) {
      return this.#record(record, () => ({}));
    }
    return tagged("$secretRecord", secrets.tokenOfText(flatmapText(record), texts));
  }

  #text(text: string): string {
    return this.#secrets?.redact(text) ?? text;
  }

  #typeId(type: Type): number {
    const known = this.#types.get(type);
    if (known !== undefined) return known;
    const id = this.#types.size;
    this.#types.set(type, id);
    this.#onType(id, encodeType(type));
    return id;
  }
}

/** A flatmap as text that does not depend on the order of its keys. */
export function flatmapText(record: object): string {
  return JSON.stringify(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether a value conforms to its block, so that its secrets can be located. The keys of a path count as conforming, too. */
function isOfBlock(value: Value, secrets: FieldSecrets): boolean {
  if (secrets.block === undefined || !hasSecrets(secrets)) return true;
  const { type } = value;
  if (type.kind === "string" || type.kind === "number") return true;
  const { attributes, blocks } = secrets.block;
  return type.kind === "object" && [...Object.keys(attributes), ...Object.keys(blocks)].every((name) => type.slots.has(name));
}

function isMap(part: object): part is ReadonlyMap<string, unknown> {
  return part instanceof Map || (Symbol.iterator in part && "get" in part && "size" in part);
}
