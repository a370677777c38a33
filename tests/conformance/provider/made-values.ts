// SPDX-License-Identifier: Apache-2.0
// The operations on values in the handlers of a generated provider. values.go in tests/peers/framework-from-json does the same in Go.
import { isValue, number, of, string, bool, type Value } from "@tenon/cty";
import { isUnknown } from "@tenon/provider-sdk";
import {
  isComputed,
  isWriteOnly,
  type AttributeDeclaration,
  type Nesting,
  type ResourceDeclaration,
  type SchemaDeclaration,
  type TypeDeclaration,
} from "./declaration.ts";

/** An object as a handler receives it. */
export type Seen = Readonly<Record<string, unknown>>;

type Kind = AttributeDeclaration["kind"];
type LeafChange = (leaf: unknown, kind: Kind, made: (occasion: string) => unknown) => unknown;

/** Generates the value of an attribute from its name. */
function madeOf(type: AttributeDeclaration | TypeDeclaration, name: string, occasion: string): unknown {
  switch (type.kind) {
    case "nested": {
      const body = Object.fromEntries(Object.entries(type.body.attributes).map(([member, of]) => [member, madeOf(of, member, occasion)]));
      return repeated(type.nesting, body);
    }
    case "object":
      return Object.fromEntries(Object.entries(type.members).map(([member, of]) => [member, madeOf(of, member, occasion)]));
    case "list":
    case "set":
      return [madeOf(type.element, name, occasion)];
    case "map":
      return { k: madeOf(type.element, name, occasion) };
    case "bool":
      return name.length % 2 === 0;
    case "int32":
    case "float32":
    case "float64":
      return name.length + occasion.length;
    case "int64":
      return BigInt(name.length + occasion.length);
    case "number":
      return String(name.length + occasion.length);
    case "dynamic":
      return of(string, `${occasion}-${name}`);
    default:
      return `${occasion}-${name}`;
  }
}

function repeated(nesting: Nesting, body: unknown): unknown {
  if (nesting === "map") return { k: body };
  return nesting === "single" ? body : [body];
}

/** Maps the leaves of an object: primitives, dynamic values, and everything unknown or null. */
function mapLeaves(schema: SchemaDeclaration, object: Seen, change: LeafChange): Seen {
  const members = Object.entries(object).map(([name, member]): [string, unknown] => {
    const attribute = schema.attributes[name];
    if (attribute !== undefined && isWriteOnly(attribute)) return [name, member];
    if (attribute !== undefined && attribute.kind !== "nested") return [name, mapType(attribute, name, member, change)];
    const { nesting, body } = attribute ?? schema.blocks![name]!;
    if (member === null || isUnknown(member)) {
      return [name, change(member, "nested", (occasion) => (attribute === undefined ? member : madeOf(attribute, name, occasion)))];
    }
    const element = (one: unknown): unknown => (one === null || isUnknown(one) ? one : mapLeaves(body, one as Seen, change));
    return [name, mapElements(nesting, member, element)];
  });
  return Object.fromEntries(members);
}

function mapType(type: TypeDeclaration, name: string, value: unknown, change: LeafChange): unknown {
  if (value === null || isUnknown(value)) return change(value, type.kind, (occasion) => madeOf(type, name, occasion));
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return mapElements(type.kind, value, (element) => mapType(type.element, name, element, change));
    case "object":
      return Object.fromEntries(
        Object.entries(value as Seen).map(([member, part]) => [member, mapType(type.members[member]!, member, part, change)]),
      );
    default:
      return change(value, type.kind, (occasion) => madeOf(type, name, occasion));
  }
}

function mapElements(nesting: Nesting, value: unknown, change: (element: unknown) => unknown): unknown {
  if (nesting === "single") return change(value);
  if (nesting === "map") return Object.fromEntries(Object.entries(value as Seen).map(([key, element]) => [key, change(element)]));
  return (value as readonly unknown[]).map(change);
}

/** Replaces unknown values by generated ones. */
export function filled(schema: SchemaDeclaration, object: Seen, occasion: string): Seen {
  return mapLeaves(schema, object, (leaf, _, made) => (isUnknown(leaf) ? made(occasion) : leaf));
}

/** Replaces each text that has semantic equality by another spelling. */
export function spelled(schema: SchemaDeclaration, object: Seen): Seen {
  return mapLeaves(schema, object, (leaf, kind) => {
    return kind === "caseless" && typeof leaf === "string" ? respelled(leaf) : leaf;
  });
}

function respelled(text: string): string {
  return text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase();
}

/**
 * Replaces text, numbers and booleans, except in identity attributes and in those that select behaviour. Some texts with semantic
 * equality only change their spelling.
 */
export function drifted(resource: ResourceDeclaration, object: Seen): Seen {
  const after = mapLeaves(resource, object, (leaf, kind) => {
    if (kind === "caseless" && typeof leaf === "string" && /^o/i.test(leaf)) return respelled(leaf);
    return kind === "number" ? leaf : drift(leaf);
  });
  const kept = ["mode", ...(resource.mutableIdentity ? [] : Object.keys(resource.identity))];
  return { ...after, ...Object.fromEntries(kept.map((name) => [name, object[name]])) };
}

function drift(leaf: unknown): unknown {
  if (isValue(leaf)) return driftDynamic(leaf);
  if (typeof leaf === "string") return leaf.endsWith("~") ? leaf.slice(0, -1) : `${leaf}~`;
  if (typeof leaf === "boolean") return !leaf;
  if (typeof leaf === "number") return leaf + 1;
  return typeof leaf === "bigint" ? leaf + 1n : leaf;
}

function driftDynamic(value: Value): Value {
  const { type, payload } = value;
  if (payload === null) return value;
  if (type === string) return of(string, drift(payload) as string);
  if (type === bool) return of(bool, drift(payload) as boolean);
  return type === number && typeof payload === "number" ? of(number, payload + 1) : value;
}

/** Generates an object from its schema alone; optional values are null. */
export function whole(schema: SchemaDeclaration, occasion: string): Seen {
  const attributes = Object.entries(schema.attributes).filter(([, attribute]) => !isWriteOnly(attribute));
  const blocks = Object.entries(schema.blocks ?? {}).map(([name, { nesting, body, required }]): [string, unknown] => {
    if (nesting !== "single") return [name, []];
    return [name, required === true ? whole(body, occasion) : null];
  });
  return Object.fromEntries([...attributes.map(([name, attribute]) => [name, wholeAttribute(attribute, name, occasion)]), ...blocks]);
}

function wholeAttribute(attribute: AttributeDeclaration, name: string, occasion: string): unknown {
  if (attribute.mode === "optional") return null;
  return attribute.kind === "nested" ? repeated(attribute.nesting, whole(attribute.body, occasion)) : madeOf(attribute, name, occasion);
}

/** Completes an object: absent attributes, and nulls where null is not allowed, get generated values. */
export function within(schema: SchemaDeclaration, known: Seen, occasion: string): Seen {
  const usable = Object.entries(known).filter(([name, member]) => {
    const attribute = schema.attributes[name];
    return attribute !== undefined && !isWriteOnly(attribute) && (member !== null || attribute.mode === "optional");
  });
  return { ...whole(schema, occasion), ...Object.fromEntries(usable) };
}

/** Generates the result of a data source: a value for each computed attribute that the configuration leaves null. */
export function readOf(schema: SchemaDeclaration, config: Seen): Seen {
  const result = fromConfiguration(schema, config);
  const computed = Object.entries(schema.attributes).filter(([name, attribute]) => isComputed(attribute) && result[name] === null);
  return { ...result, ...Object.fromEntries(computed.map(([name, attribute]) => [name, wholeAttribute(attribute, name, "read")])) };
}

/** Converts a configuration to a result, with null for attributes that a configuration cannot set. */
function fromConfiguration({ attributes, blocks = {} }: SchemaDeclaration, config: Seen): Seen {
  const inside = Object.entries({ ...attributes, ...blocks }).map(([name, declared]): [string, unknown] => {
    const value = config[name] ?? null;
    if (value === null || !("body" in declared)) return [name, value];
    return [name, mapElements(declared.nesting, value, (element) => fromConfiguration(declared.body, element as Seen))];
  });
  return Object.fromEntries(inside);
}
