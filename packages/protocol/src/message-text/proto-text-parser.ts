// SPDX-License-Identifier: Apache-2.0
import { create, type DescEnum, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { unescapedBytes } from "./proto-text-escapes.ts";

/**
 * Parses a message in protobuf's text format. Extensions and `Any` values are not supported.
 *
 * @throws SyntaxError for malformed text, and for a field that the message does not have.
 * @see https://protobuf.dev/reference/protobuf/textformat-spec/
 */
export function parseProtoText(schema: DescMessage, text: string): Message {
  const parser = new Parser(text);
  const message = parser.message(schema, undefined);
  return message.message;
}

interface Token {
  readonly kind: "name" | "number" | "string" | "symbol" | "end";
  readonly text: string;
}

const pattern =
  /(?:\s|#[^\n]*)*(?:([A-Za-z_][\w.]*)|(-?\s*(?:0[xX][\dA-Fa-f]+|[\d.]+(?:[eE][-+]?\d+)?[fF]?))|("(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*')|([:{}<>[\],;-])|$)/y;

class Parser {
  readonly #text: string;
  #at = 0;
  #next: Token;

  constructor(text: string) {
    this.#text = text;
    this.#next = this.#read();
  }

  /** Parses fields up to the closing bracket; undefined for the end of the text. */
  message(schema: DescMessage, close: string | undefined): ReflectMessage {
    const message = reflect(schema, create(schema));
    while (close === undefined ? this.#next.kind !== "end" : !this.#skips(close)) this.#field(schema, message);
    return message;
  }

  #field(schema: DescMessage, message: ReflectMessage): void {
    const { kind, text: name } = this.#take();
    const field = schema.fields.find((candidate) => candidate.name === name);
    if (kind !== "name" || field === undefined) throw this.#malformed(`${schema.typeName} has no field ${JSON.stringify(name)}`);
    const hasColon = this.#skips(":");
    if (hasColon && this.#skips("[")) {
      while (!this.#skips("]")) {
        this.#set(message, field);
        this.#skips(",");
      }
    } else this.#set(message, field);
    if (!this.#skips(",")) this.#skips(";");
  }

  #set(message: ReflectMessage, field: DescField): void {
    switch (field.fieldKind) {
      case "list":
        message.get(field).add(field.message ? this.#nested(field.message) : this.#scalar(field.scalar, field.enum));
        return;
      case "map":
        this.#entry(message, field);
        return;
      case "message":
        message.set(field, this.#nested(field.message));
        return;
      default:
        message.set(field, this.#scalar(field.scalar, field.enum));
    }
  }

  #entry(message: ReflectMessage, field: DescField & { readonly fieldKind: "map" }): void {
    const close = this.#opened();
    let key: unknown = field.mapKey === ScalarType.STRING ? "" : 0;
    let value: unknown;
    while (!this.#skips(close)) {
      const { text: name } = this.#take();
      this.#skips(":");
      if (name === "key") key = this.#scalar(field.mapKey, undefined);
      else if (name === "value") value = field.message ? this.#nested(field.message) : this.#scalar(field.scalar, field.enum);
      else throw this.#malformed(`an entry of a map has no field ${JSON.stringify(name)}`);
      if (!this.#skips(",")) this.#skips(";");
    }
    if (value === undefined && field.message) value = reflect(field.message, create(field.message));
    message.get(field).set(key, value);
  }

  #nested(schema: DescMessage): ReflectMessage {
    return this.message(schema, this.#opened());
  }

  /** Takes an opening bracket, and returns the one that closes it. */
  #opened(): string {
    const { text } = this.#take();
    if (text !== "{" && text !== "<") throw this.#malformed(`a message is expected, and not ${JSON.stringify(text)}`);
    return text === "{" ? "}" : ">";
  }

  #scalar(type: ScalarType | undefined, enumeration: DescEnum | undefined): unknown {
    const token = this.#take();
    if (enumeration) return this.#enum(enumeration, token);
    switch (type) {
      case ScalarType.STRING:
        return Buffer.from(this.#bytes(token)).toString("utf8");
      case ScalarType.BYTES:
        return this.#bytes(token);
      case ScalarType.BOOL:
        if (/^(?:true|t|True|1)$/.test(token.text)) return true;
        if (/^(?:false|f|False|0)$/.test(token.text)) return false;
        throw this.#malformed(`${JSON.stringify(token.text)} is not a boolean`);
      default:
        return this.#number(type, token);
    }
  }

  #enum(enumeration: DescEnum, { kind, text }: Token): number {
    const number = kind === "number" ? Number(text) : enumeration.values.find(({ name }) => name === text)?.number;
    if (number === undefined) throw this.#malformed(`${enumeration.typeName} has no value ${text}`);
    return number;
  }

  #number(type: ScalarType | undefined, { kind, text }: Token): number | bigint {
    const digits = text.replaceAll(/\s|[fF]$/g, "");
    if (kind !== "number") throw this.#malformed(`${JSON.stringify(text)} is not a number`);
    const isLong = type === ScalarType.INT64 || type === ScalarType.UINT64 || type === ScalarType.SINT64 || type === ScalarType.FIXED64;
    if (!isLong && type !== ScalarType.SFIXED64) return Number(digits);
    return digits.startsWith("-") ? -BigInt(digits.slice(1)) : BigInt(digits);
  }

  /** Bytes of a string, which may consist of several adjacent ones. */
  #bytes(first: Token): Uint8Array {
    if (first.kind !== "string") throw this.#malformed(`${JSON.stringify(first.text)} is not a string`);
    const parts = [unescapedBytes(first.text.slice(1, -1))];
    while (this.#next.kind === "string") parts.push(unescapedBytes(this.#take().text.slice(1, -1)));
    return new Uint8Array(Buffer.concat(parts));
  }

  #skips(symbol: string): boolean {
    if (this.#next.kind === "end" && symbol !== ":" && symbol !== "," && symbol !== ";" && symbol !== "[")
      throw this.#malformed("the text ends in a message");
    if (this.#next.kind !== "symbol" || this.#next.text !== symbol) return false;
    this.#next = this.#read();
    return true;
  }

  #take(): Token {
    const token = this.#next;
    this.#next = this.#read();
    return token;
  }

  #read(): Token {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) throw this.#malformed("a field or value is expected");
    this.#at = pattern.lastIndex;
    const [, name, number, string, symbol] = match;
    if (name !== undefined) return { kind: "name", text: name };
    if (number !== undefined) return { kind: "number", text: number };
    if (string !== undefined) return { kind: "string", text: string };
    return symbol === undefined ? { kind: "end", text: "" } : { kind: "symbol", text: symbol };
  }

  #malformed(problem: string): SyntaxError {
    return new SyntaxError(`the message is malformed before character ${this.#at}: ${problem}`);
  }
}
