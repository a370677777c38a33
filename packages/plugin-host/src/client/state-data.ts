// SPDX-License-Identifier: Apache-2.0
import { inspect } from "node:util";
import { toJs, type Type, type Value } from "@tenon/cty";
import { isUnknownPayload, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import type { Attribute, Block } from "@tenon/schema";
import { unknownValue } from "./unknown.ts";

type Body = Pick<Block, "attributes"> & Partial<Pick<Block, "blocks">>;

/**
 * A value of a block as JavaScript data: objects, arrays (sets too, in canonical order), maps without prototype, numbers as
 * `toJs` of cty gives them, and {@link unknownValue} for what is not known.
 *
 * Printed with `console.log`, an object hides what the schema calls sensitive.
 */
export function stateData(value: Value, block: Body): unknown {
  return dataOf(value.type, value.payload, block);
}

/** A value without a schema as JavaScript data. */
export function plainData(value: Value): unknown {
  return dataOf(value.type, value.payload, undefined);
}

function dataOf(type: Type, payload: Payload, body: Body | undefined): unknown {
  if (payload === null) return null;
  if (isUnknownPayload(payload)) return unknownValue;
  switch (type.kind) {
    case "list":
    case "set":
      return (payload as readonly Payload[]).map((element) => dataOf(type.element, element, body));
    case "tuple":
      return (payload as readonly Payload[]).map((element, index) => dataOf(type.elements[index]!, element, body));
    case "map": {
      const record = Object.create(null) as Record<string, unknown>;
      for (const [key, element] of payload as ReadonlyMap<string, Payload>) record[key] = dataOf(type.element, element, body);
      return record;
    }
    case "object": {
      const parts = payload as readonly Payload[];
      const record = Object.fromEntries(
        type.names.map((name, slot) => [name, dataOf(type.attributes[name]!, parts[slot]!, bodyBelow(body, name))]),
      );
      return hiding(record, body);
    }
    default:
      return toJs(valueOf(type, payload));
  }
}

function bodyBelow(body: Body | undefined, name: string): Body | undefined {
  if (body === undefined) return undefined;
  return attributeIn(body, name)?.nested ?? (body.blocks && Object.hasOwn(body.blocks, name) ? body.blocks[name]!.block : undefined);
}

function attributeIn(body: Body, name: string): Attribute | undefined {
  return Object.hasOwn(body.attributes, name) ? body.attributes[name] : undefined;
}

/** What is printed in place of something that must not be. */
export function hidden(text: string): object {
  return { [inspect.custom]: () => text };
}

const sensitive = hidden("(sensitive value)");

/** The record, which from now on prints without its own sensitive parts; those further inside see to themselves. */
function hiding(record: Record<string, unknown>, body: Body | undefined): Record<string, unknown> {
  const names = body === undefined ? [] : Object.keys(record).filter((name) => attributeIn(body, name)?.sensitive && record[name] !== null);
  if (names.length === 0) return record;
  const print = (): unknown => ({ ...record, ...Object.fromEntries(names.map((name) => [name, sensitive])) });
  return Object.defineProperty(record, inspect.custom, { value: print });
}
