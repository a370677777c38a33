// SPDX-License-Identifier: Apache-2.0
import { inspect } from "node:util";
import { toJs, type Type, type Value } from "@tenon/cty";
import { isUnknownPayload, numberToBigint, numberToDouble, valueOf, type NumberPayload, type Payload } from "@tenon/cty/unstable/payload";
import type { Attribute, Block } from "@tenon/schema";
import { unknownValue } from "@tenon/schema";

type Body = Pick<Block, "attributes"> & Partial<Pick<Block, "blocks">>;

/**
 * Returns the value of a block as JavaScript data: objects, arrays (also for sets, in canonical order), records without prototype for maps,
 * and {@link unknownValue} for unknown values. A number is a JavaScript number if that keeps all its digits, else a bigint or `BigFloat`.
 *
 * `console.log` hides sensitive attributes.
 */
export function stateData(value: Value, block: Body): unknown {
  return dataOf(value.type, value.payload, block);
}

/** Returns a value without a schema as JavaScript data. */
export function plainData(value: Value): unknown {
  return dataOf(value.type, value.payload, undefined);
}

function dataOf(type: Type, payload: Payload, body: Body | undefined): unknown {
  if (payload === null) return null;
  if (isUnknownPayload(payload)) return unknownValue;
  switch (type.kind) {
    case "list":
    case "set":
      return serializable((payload as readonly Payload[]).map((element) => dataOf(type.element, element, body)));
    case "tuple":
      return serializable((payload as readonly Payload[]).map((element, index) => dataOf(type.elements[index]!, element, body)));
    case "map": {
      const record = Object.create(null) as Record<string, unknown>;
      for (const [key, element] of payload as ReadonlyMap<string, Payload>) record[key] = dataOf(type.element, element, body);
      return serializable(record);
    }
    case "object": {
      const parts = payload as readonly Payload[];
      const record = Object.fromEntries(
        type.names.map((name, slot) => [name, dataOf(type.attributes[name]!, parts[slot]!, bodyBelow(body, name))]),
      );
      return serializable(hiding(record, body));
    }
    case "number":
      return numberData(payload as NumberPayload);
    default:
      return toJs(valueOf(type, payload));
  }
}

/** Converts a number. An unsafe integer is a bigint, even if a double holds it, so that its digits are the same in a configuration. */
function numberData(payload: NumberPayload): unknown {
  const data = numberToDouble(payload);
  const isExact = data !== undefined && (Number.isSafeInteger(data) || !Number.isInteger(data));
  return isExact ? data : (numberToBigint(payload) ?? payload);
}

/** Makes `JSON.stringify` write the bigints of an array or record as decimal strings, like a `BigFloat`. */
function serializable<Data extends object>(data: Data): Data {
  if (!Object.values(data).some((part) => typeof part === "bigint")) return data;
  const text = (part: unknown): unknown => (typeof part === "bigint" ? part.toString() : part);
  const toJson = (): unknown =>
    Array.isArray(data) ? data.map(text) : Object.fromEntries(Object.entries(data).map(([name, part]) => [name, text(part)]));
  return Object.defineProperty(data, "toJSON", { value: toJson });
}

function bodyBelow(body: Body | undefined, name: string): Body | undefined {
  if (body === undefined) return undefined;
  return attributeIn(body, name)?.nested ?? (body.blocks && Object.hasOwn(body.blocks, name) ? body.blocks[name]!.block : undefined);
}

function attributeIn(body: Body, name: string): Attribute | undefined {
  return Object.hasOwn(body.attributes, name) ? body.attributes[name] : undefined;
}

/** Creates an object that is printed as the given text. */
export function hidden(text: string): object {
  return { [inspect.custom]: () => text };
}

const sensitive = hidden("(sensitive value)");

/** Makes a record print without its own sensitive attributes. Nested records do the same for theirs. */
function hiding(record: Record<string, unknown>, body: Body | undefined): Record<string, unknown> {
  const names = body === undefined ? [] : Object.keys(record).filter((name) => attributeIn(body, name)?.sensitive && record[name] !== null);
  if (names.length === 0) return record;
  const print = (): unknown => ({ ...record, ...Object.fromEntries(names.map((name) => [name, sensitive])) });
  return Object.defineProperty(record, inspect.custom, { value: print });
}
