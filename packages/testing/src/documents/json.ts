// SPDX-License-Identifier: Apache-2.0

/** Parsed JSON. A number whose text is not that of a double is a {@link RawNumber}. */
export type Json = string | number | boolean | null | RawNumber | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** A number as its text in JSON. */
export interface RawNumber {
  readonly rawJSON: string;
}

// TypeScript's library does not declare these functions yet. Node.js has them since version 21.
const json = JSON as unknown as {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
  parse(text: string, reviver: (key: string, value: Json, context: { readonly source?: string }) => Json): Json;
};

/** Matches numbers that may lose digits as a double. */
const inexactNumber = /[\d.]{16}|\d[eE]/;

/** Parses JSON. Numbers keep every digit. @throws SyntaxError */
export function parseJson(text: string): Json {
  if (!inexactNumber.test(text)) return JSON.parse(text) as Json;
  return json.parse(text, (_, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source ? json.rawJSON(source) : value,
  );
}

/** Whether a value is a number that is kept as text. */
export function isRawNumber(value: Json): value is RawNumber {
  return json.isRawJSON(value);
}

/** Whether a value is an object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** Whether a value is an array. */
export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The text of a number; undefined for any other value. */
export function numberText(value: Json | undefined): string | undefined {
  if (typeof value === "number") return String(value);
  return value !== undefined && isRawNumber(value) ? value.rawJSON : undefined;
}

/** Whether two values are equal. Numbers are compared by their value, objects without regard to the order of their names. */
export function equalJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  const [numberA, numberB] = [numberText(a), numberText(b)];
  if (numberA !== undefined || numberB !== undefined) {
    return numberA !== undefined && numberB !== undefined && normalNumber(numberA) === normalNumber(numberB);
  }
  if (isArray(a)) return isArray(b) && a.length === b.length && a.every((element, index) => equalJson(element, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && equalJson(a[name], b[name]));
}

/** A text that all forms of a number have in common, such as `1e21` and `1000000000000000000000`: digits without zeros around them, and an exponent. */
function normalNumber(text: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text);
  // Expected values can be NaN or infinite.
  if (parts === null) return text;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
