// SPDX-License-Identifier: Apache-2.0
import { of, number } from "@tenon/cty";
import { numberText, type NumberPayload } from "@tenon/cty/unstable/payload";
import type { Json } from "../property/json.ts";
import type { PropertyValue } from "../property/property-value.ts";

/** A JSON value of a provider's state. Numbers are texts, because a double cannot hold all of them exactly. */
export type RawJson = null | boolean | string | RawNumber | readonly RawJson[] | ReadonlyMap<string, RawJson>;

/** Number in decimal notation. */
export interface RawNumber {
  readonly number: string;
}

/** Converts a double to the number with its shortest text. */
export function rawNumber(double: number): RawNumber {
  return { number: numberText(of(number, double).payload as NumberPayload) };
}

/** Parses JSON text, and keeps the texts of its numbers. @throws SyntaxError */
export function parseRawJson(text: string): RawJson {
  const revive = (_: string, value: unknown, { source }: { readonly source?: string }): unknown => {
    if (typeof value === "number") return { number: source! };
    return typeof value === "object" && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : value;
  };
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown) as RawJson;
}

/** JSON text of a value. The names of objects are sorted, as in the states that providers write. */
export function rawJsonText(value: RawJson): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (isRawArray(value)) return `[${value.map(rawJsonText).join(",")}]`;
  if (!isRawObject(value)) return value.number;
  const names = [...value.keys()].toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${rawJsonText(value.get(name)!)}`).join(",")}}`;
}

/** Replaces numbers at JSON pointers (RFC 6901) by exact ones that round to them. Pointers that lead to another value are ignored. */
export function withExactNumbers(value: RawJson, numbers: ReadonlyMap<string, string>): RawJson {
  return numbers.size === 0 ? value : restored(value, numbers, "");
}

function restored(value: RawJson, numbers: ReadonlyMap<string, string>, pointer: string): RawJson {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (isRawArray(value)) return value.map((element, index) => restored(element, numbers, pointerTo(pointer, index)));
  if (isRawObject(value)) {
    return new Map([...value].map(([name, part]) => [name, restored(part, numbers, pointerTo(pointer, name))]));
  }
  const exact = numbers.get(pointer);
  return exact !== undefined && Number(exact) === Number(value.number) ? { number: exact } : value;
}

/** Finds the numbers of `exact` that `rounded` holds inexactly, by JSON pointer. Returns undefined if the values differ in another way. */
export function differingNumbers(exact: RawJson, rounded: RawJson): ReadonlyMap<string, string> | undefined {
  const numbers = new Map<string, string>();
  return onlyNumbersDiffer(exact, rounded, "", numbers) ? numbers : undefined;
}

function onlyNumbersDiffer(exact: RawJson, rounded: RawJson, pointer: string, numbers: Map<string, string>): boolean {
  if (isRawNumber(exact) && isRawNumber(rounded)) {
    if (exact.number !== rounded.number) numbers.set(pointer, exact.number);
    return Number(exact.number) === Number(rounded.number);
  }
  if (isRawArray(exact) && isRawArray(rounded)) {
    if (exact.length !== rounded.length) return false;
    return exact.every((element, index) => onlyNumbersDiffer(element, rounded[index]!, pointerTo(pointer, index), numbers));
  }
  if (isRawObject(exact) && isRawObject(rounded)) {
    if (exact.size !== rounded.size) return false;
    return exact.entries().every(([name, part]) => {
      const other = rounded.get(name);
      return other !== undefined && onlyNumbersDiffer(part, other, pointerTo(pointer, name), numbers);
    });
  }
  return exact === rounded;
}

function pointerTo(pointer: string, step: string | number): string {
  return `${pointer}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Converts plain JSON to a property value. Unlike in requests, no text and no object represents a special value. */
export function jsonProperty(json: Json): PropertyValue {
  if (Array.isArray(json)) return json.map(jsonProperty);
  return json !== null && typeof json === "object" ? new Map(Object.entries(json).map(([name, part]) => [name, jsonProperty(part)])) : json;
}

function isRawNumber(value: RawJson): value is RawNumber {
  return typeof value === "object" && value !== null && "number" in value;
}

function isRawArray(value: RawJson): value is readonly RawJson[] {
  return Array.isArray(value);
}

function isRawObject(value: RawJson): value is ReadonlyMap<string, RawJson> {
  return value instanceof Map;
}
