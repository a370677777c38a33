// SPDX-License-Identifier: Apache-2.0
import type { BigFloat } from "@tenon/cty";
import { isNumberPayload, numberFromText, type Payload } from "@tenon/cty/unstable/payload";

/**
 * JSON that the API server sends and accepts. Integers that a double cannot hold exactly are bigints. JSON in a Secret, which the API server does
 * not parse, may also have other numbers; those that a double cannot hold exactly are {@link BigFloat}s.
 */
export type JsonValue = null | boolean | number | bigint | BigFloat | string | readonly JsonValue[] | JsonObject;

/** JSON object. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** Whether a value is an object, and neither an array nor null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isBigFloat(value);
}

/** Whether a value is a number: a double, a bigint or a BigFloat. */
export function isJsonNumber(value: JsonValue): value is number | bigint | BigFloat {
  return typeof value === "number" || typeof value === "bigint" || isBigFloat(value);
}

function isBigFloat(value: unknown): value is BigFloat {
  return typeof value === "object" && value !== null && isNumberPayload(value as Payload);
}

/** Whether a value is an array. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** An own property of an object; undefined if the object is absent or lacks it. */
export function fieldOf(object: JsonObject | undefined, name: string): JsonValue | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The third argument of a reviver of `JSON.parse`. @see ECMAScript, "JSON.parse source text access" */
interface SourceText {
  readonly source?: string;
}

type Reviver = (key: string, value: unknown, context: SourceText) => unknown;

/**
 * Parses JSON of the API server, which stores 64-bit integers exactly. Integers that a double cannot hold exactly become bigints.
 *
 * @throws SyntaxError if the text is not JSON.
 */
export function parseJson(text: string): JsonValue {
  // Parsing with a reviver is slow, and only an integer of 16 or more digits needs it.
  if (!/\d{16}/.test(text)) return JSON.parse(text) as JsonValue;
  const reviver: Reviver = (_, value, { source }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value;
  return (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, reviver) as JsonValue;
}

/**
 * Parses JSON from a Secret, with every number exact.
 *
 * @throws SyntaxError if the text is not JSON. The message contains a part of the text, so it must not be shown.
 */
export function parseExactJson(text: string): JsonValue {
  const reviver: Reviver = (_, value, { source }) =>
    typeof value === "number" && source !== undefined ? exactNumber(value, source) : value;
  return (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, reviver) as JsonValue;
}

function exactNumber(double: number, source: string): number | BigFloat {
  return String(double) === source ? double : (numberFromText(source) ?? double);
}

/** Writes JSON. Bigints and {@link BigFloat}s are written as numbers with all their digits. */
export function jsonText(value: JsonValue): string {
  const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, name: string, part: unknown) {
    // `part` of a BigFloat is the result of its method toJSON.
    const original = this[name];
    return typeof part === "bigint" || isBigFloat(original) ? rawJSON(String(original)) : part;
  });
}
