// SPDX-License-Identifier: Apache-2.0
// The data of plans as JSON. Data that JSON cannot express is encoded as an object with one property whose name begins with `$`.
import { isValue, type Type, type Value } from "@tenon/cty";
import { decodeType, encodeType } from "@tenon/cty/json";
import { decode, encode } from "@tenon/cty/msgpack";
import { markWithPaths, unmarkDeepWithPaths, type PathMarks } from "@tenon/cty/paths";
import { DeprecationMark, type DeprecationCause } from "../../configuration/deprecation.ts";

/** JSON data. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Encodes data as JSON: plain objects, arrays, Maps, Sets, dates, bytes, registered symbols, and cty values with their marks. */
export class PlanDataEncoder {
  readonly #types = new Map<Type, number>();

  /** The types of the encoded cty values, for {@link PlanDataDecoder}. */
  get types(): readonly string[] {
    return Array.from(this.#types.keys(), encodeType);
  }

  /** @throws TypeError for data of other kinds. */
  encode(data: unknown): Json {
    if (data === null || typeof data === "string" || typeof data === "boolean") return data;
    if (typeof data === "number" && Number.isFinite(data)) return data;
    if (typeof data === "bigint") return { $bigint: String(data) };
    if (typeof data === "symbol" && Symbol.keyFor(data) !== undefined) return { $symbol: Symbol.keyFor(data)! };
    if (Array.isArray(data)) return data.map((item) => this.encode(item));
    if (data instanceof Uint8Array) return { $bytes: Buffer.from(data).toString("base64") };
    if (data instanceof Date) return { $date: data.toISOString() };
    if (data instanceof Map) return { $map: Array.from(data, ([key, item]) => [this.encode(key), this.encode(item)]) };
    if (data instanceof Set) return { $set: Array.from(data, (item) => this.encode(item)) };
    if (data instanceof DeprecationMark) return { $deprecation: this.encode(data.cause) };
    if (isValue(data)) return { $value: this.#value(data) };
    if (typeof data !== "object" || Object.getPrototypeOf(data) !== Object.prototype) {
      throw new TypeError(`a plan cannot be saved: it has data of an unexpected kind, ${typeof data}`);
    }
    const entries = Object.entries(data).filter(([, item]) => item !== undefined);
    return Object.fromEntries(entries.map(([name, item]) => [name, this.encode(item)]));
  }

  #value(value: Value): Json {
    const [plain, marks] = unmarkDeepWithPaths(value);
    let type = this.#types.get(plain.type);
    if (type === undefined) this.#types.set(plain.type, (type = this.#types.size));
    const bytes = Buffer.from(encode(plain, plain.type)).toString("base64");
    return marks.length === 0 ? [type, bytes] : [type, bytes, this.encode(marks)];
  }
}

/** Decodes JSON that {@link PlanDataEncoder} has encoded. */
export class PlanDataDecoder {
  readonly #types: readonly Type[];

  constructor(types: readonly string[]) {
    this.#types = types.map(decodeType);
  }

  decode(json: Json): unknown {
    if (typeof json !== "object" || json === null) return json;
    if (isList(json)) return json.map((item) => this.decode(item));
    const [[name, content] = ["", null], ...more] = Object.entries(json);
    if (!name.startsWith("$") || more.length > 0) {
      return Object.fromEntries(Object.entries(json).map(([key, item]) => [key, this.decode(item)]));
    }
    switch (name) {
      case "$bigint":
        return BigInt(content as string);
      case "$symbol":
        return Symbol.for(content as string);
      case "$bytes":
        return new Uint8Array(Buffer.from(content as string, "base64"));
      case "$date":
        return new Date(content as string);
      case "$map":
        return new Map(this.decode(content) as [unknown, unknown][]);
      case "$set":
        return new Set(this.decode(content) as unknown[]);
      case "$deprecation":
        return new DeprecationMark(this.decode(content) as DeprecationCause);
      case "$value":
        return this.#value(content as readonly [number, string, Json?]);
      default:
        throw new TypeError(`data of the unknown kind ${JSON.stringify(name)}`);
    }
  }

  #value([index, bytes, marks]: readonly [number, string, Json?]): Value {
    const type = this.#types[index];
    if (type === undefined) throw new TypeError(`a value of the unknown type ${index}`);
    const value = decode(Buffer.from(bytes, "base64"), type);
    return marks === undefined ? value : markWithPaths(value, this.decode(marks) as readonly PathMarks[]);
  }
}

function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}
