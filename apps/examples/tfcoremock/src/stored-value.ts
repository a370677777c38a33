// SPDX-License-Identifier: Apache-2.0
// The form of values in the JSON files of objects: each value is an object whose only member names the type. Null values of attributes are
// omitted.
import { isUnknown } from "@tenon/provider-sdk";
import { elementOf, type AttributeDeclaration, type Attributes, type BlockDeclaration } from "./declaration.ts";

/** A value in a file. Numbers are decimal text. */
export interface StoredValue {
  readonly boolean?: boolean | null;
  readonly number?: string | number | null;
  readonly string?: string | null;
  readonly list?: readonly StoredValue[] | null;
  readonly map?: Readonly<Record<string, StoredValue>> | null;
  readonly object?: Readonly<Record<string, StoredValue>> | null;
  readonly set?: readonly StoredValue[] | null;
}

/** Attributes and blocks of an object, by name, as handlers of provider-sdk receive and return them. */
export type ObjectValue = Readonly<Record<string, unknown>>;

/** What an object consists of. */
export interface ObjectDeclaration {
  readonly attributes?: Attributes;
  readonly blocks?: Readonly<Record<string, BlockDeclaration>>;
}

/** Converts the values of an object to their form in a file. */
export function storedObject(
  values: ObjectValue,
  { attributes = {}, blocks = {} }: ObjectDeclaration,
): Readonly<Record<string, StoredValue>> {
  const stored: Record<string, StoredValue> = {};
  for (const name of Object.keys(values).toSorted()) {
    const value = values[name];
    const [attribute, block] = [attributes[name], blocks[name]];
    if (attribute !== undefined && value !== null) stored[name] = storedValue(value, attribute);
    if (block !== undefined) {
      const elements = (value as readonly ObjectValue[]).map((element) => ({ object: storedObject(element, block) }));
      stored[name] = block.mode === "set" ? { set: elements } : { list: elements };
    }
  }
  return stored;
}

function storedValue(value: unknown, declared: AttributeDeclaration): StoredValue {
  if (value === null) return {};
  switch (declared.type) {
    case "boolean":
      return { boolean: value as boolean };
    case "string":
      return { string: value as string };
    case "list":
    case "set":
      return { [declared.type]: (value as readonly unknown[]).map((element) => storedValue(element, elementOf(declared))) };
    case "map": {
      const entries = Object.entries(value as ObjectValue).toSorted(([a], [b]) => (a < b ? -1 : 1));
      return { map: Object.fromEntries(entries.map(([key, element]) => [key, storedValue(element, elementOf(declared))])) };
    }
    case "object":
      return { object: storedObject(value as ObjectValue, { attributes: declared.object ?? {} }) };
    default:
      return { number: (value as string | bigint).toString() };
  }
}

/** Converts the values of an object in a file to those of a handler. An attribute that is missing is null. */
export function loadedObject(
  stored: Readonly<Record<string, StoredValue>>,
  { attributes = {}, blocks = {} }: ObjectDeclaration,
): ObjectValue {
  const values: Record<string, unknown> = {};
  for (const [name, declared] of Object.entries(attributes)) values[name] = loadedValue(stored[name], declared);
  for (const [name, block] of Object.entries(blocks)) {
    const elements = stored[name]?.[block.mode ?? "list"] ?? [];
    values[name] = elements.map((element) => loadedObject(element.object ?? {}, block));
  }
  return values;
}

/** Converts a value in a file to that of a handler. */
export function loadedValue(stored: StoredValue | undefined, declared: AttributeDeclaration): unknown {
  switch (declared.type) {
    case "boolean":
      return stored?.boolean ?? null;
    case "string":
      return stored?.string ?? null;
    case "list":
    case "set":
      return stored?.[declared.type]?.map((element) => loadedValue(element, elementOf(declared))) ?? null;
    case "map": {
      const entries = stored?.map && Object.entries(stored.map);
      return entries ? Object.fromEntries(entries.map(([key, element]) => [key, loadedValue(element, elementOf(declared))])) : null;
    }
    case "object":
      return stored?.object ? loadedObject(stored.object, { attributes: declared.object ?? {} }) : null;
    case "integer":
      return isMissing(stored?.number) ? null : wholeNumber(String(stored?.number));
    default:
      return isMissing(stored?.number) ? null : String(stored?.number);
  }
}

function isMissing(number: string | number | null | undefined): boolean {
  return number === undefined || number === null;
}

/** The files of other programs may have whole numbers with an exponent: `1e+06`. */
function wholeNumber(text: string): bigint {
  return /^-?\d+$/.test(text) ? BigInt(text) : BigInt(Number(text));
}

/** Replaces unknown values by what the declaration says, or by null. */
export function completedObject(values: ObjectValue, { attributes = {}, blocks = {} }: ObjectDeclaration): ObjectValue {
  const completed: Record<string, unknown> = { ...values };
  for (const [name, declared] of Object.entries(attributes)) {
    const value = values[name];
    const known = isUnknown(value) ? loadedValue(declared.value, declared) : value;
    completed[name] = completedValue(known, declared);
  }
  for (const [name, block] of Object.entries(blocks)) {
    completed[name] = (values[name] as readonly ObjectValue[]).map((element) => completedObject(element, block));
  }
  return completed;
}

function completedValue(value: unknown, declared: AttributeDeclaration): unknown {
  if (value === null) return null;
  switch (declared.type) {
    case "list":
    case "set":
      return (value as readonly unknown[]).map((element) => completedValue(element, elementOf(declared)));
    case "map": {
      const entries = Object.entries(value as ObjectValue);
      return Object.fromEntries(entries.map(([key, element]) => [key, completedValue(element, elementOf(declared))]));
    }
    case "object":
      return completedObject(value as ObjectValue, { attributes: declared.object ?? {} });
    default:
      return value;
  }
}
