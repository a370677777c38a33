// SPDX-License-Identifier: Apache-2.0
import type { BigFloat } from "@tenon/cty";
import { isNumberPayload, numberFromText, type Payload } from "@tenon/cty/unstable/payload";

/**
 * JSON as the API server sends and accepts it. Integers that a double cannot hold exactly are bigints. The text of a Secret may have other
 * numbers, too, which the API server does not read: they are exact, as a {@link BigFloat}.
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

/** Whether a value is a number, of any of its three forms. */
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

/** Field of an object; undefined where it has none of its own. */
export function fieldOf(object: JsonObject | undefined, name: string): JsonValue | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** What a reviver of `JSON.parse` receives about the text of a value. @see ECMAScript, "JSON.parse source text access" */
interface SourceText {
  readonly source?: string;
}

type Reviver = (key: string, value: unknown, context: SourceText) => unknown;

/**
 * Parses a text of the API server. The API server keeps 64-bit integers exactly, but `JSON.parse` does not: such integers become bigints.
 *
 * @throws SyntaxError when the text is no JSON.
 */
export function parseJson(text: string): JsonValue {
  // The reviver costs more than the parser, and few texts have an integer that needs it.
  if (!/\d{16}/.test(text)) return JSON.parse(text) as JsonValue;
  const reviver: Reviver = (_, value, { source }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value;
  return (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, reviver) as JsonValue;
}

/**
 * Parses the text of a Secret: every number is exact.
 *
 * @throws SyntaxError when the text is no JSON. Its message has a part of the text.
 */
export function parseExactJson(text: string): JsonValue {
  const reviver: Reviver = (_, value, { source }) =>
    typeof value === "number" && source !== undefined ? exactNumber(value, source) : value;
  return (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, reviver) as JsonValue;
}

function exactNumber(double: number, source: string): number | BigFloat {
  return String(double) === source ? double : (numberFromText(source) ?? double);
}

/** Writes JSON with bigints and {@link BigFloat}s as numbers, digit by digit. */
export function jsonText(value: JsonValue): string {
  const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, name: string, part: unknown) {
    // A BigFloat has become a text already, by its method toJSON.
    const original = this[name];
    return typeof part === "bigint" || isBigFloat(original) ? rawJSON(String(original)) : part;
  });
}
