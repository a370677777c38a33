// SPDX-License-Identifier: Apache-2.0
import { kindOf, specialForm, type Json, type NumberNotation, type PayloadNotation, type TypeNotation } from "../notation.ts";
import type { Random } from "@tenon/testing/generate";
import { decimalText } from "./numbers.ts";
import { attributesOf, elementOf, tupleElementsOf, withOptionals } from "./types.ts";

/**
 * JSON text for a known value, in one of the forms that a decoder must handle: with white space, with numbers and bools as
 * strings, with attributes in another order, missing or duplicated.
 */
export function jsonTextOf(random: Random, type: TypeNotation, payload: PayloadNotation): string {
  const gap = random.chance(0.8) ? "" : random.pick([" ", "\n", "\t "]);
  return textOf(random, type, payload, gap);
}

function textOf(random: Random, type: TypeNotation, payload: PayloadNotation, gap: string): string {
  const form = specialForm(payload);
  const special = payload as Readonly<Record<string, Json>>;
  if (form === "marked") return textOf(random, type, special["v"]!, gap);
  if (form === "null" || form === "unknown") return "null";
  if (form === "typed") return dynamicText(random, special["t"]!, special["v"]!, gap);
  const inner = (part: TypeNotation, value: Json): string => textOf(random, part, value, gap);
  const joined = (open: string, parts: readonly string[], close: string): string => `${open}${gap}${parts.join(`,${gap}`)}${close}${gap}`;
  switch (kindOf(type)) {
    case "string":
      return random.chance(0.04) ? random.pick(["true", "false", "12", "1.50", "-0"]) : stringText(random, payload as string);
    case "bool":
      return random.chance(0.08) ? `"${random.pick(["true", "false", "1", "0", "yes", "TRUE"])}"` : String(payload);
    case "number":
      return numeral(random, payload as NumberNotation);
    case "list":
    case "set":
      return joined(
        "[",
        (payload as readonly Json[]).map((element) => inner(elementOf(type), element)),
        "]",
      );
    case "tuple":
      return joined(
        "[",
        (payload as readonly Json[]).map((element, index) => inner(tupleElementsOf(type)[index]!, element)),
        "]",
      );
    case "map":
      return joined(
        "{",
        entries(payload).map(([key, element]) => `${stringText(random, key)}:${inner(elementOf(type), element)}`),
        "}",
      );
    case "object": {
      const attributes = entries(payload)
        .filter(() => random.chance(0.97))
        .map(([name, value]) => `${stringText(random, name)}:${gap}${inner(attributesOf(type)[name]!, value)}`);
      if (random.chance(0.1)) attributes.reverse();
      if (attributes.length > 0 && random.chance(0.04)) attributes.push(random.pick(attributes));
      if (random.chance(0.02)) attributes.push('"other":1');
      return joined("{", attributes, "}");
    }
    default:
      return "null";
  }
}

function entries(payload: PayloadNotation): readonly (readonly [string, Json])[] {
  return payload as readonly (readonly [string, Json])[];
}

function dynamicText(random: Random, type: TypeNotation, payload: PayloadNotation, gap: string): string {
  const parts = [`"value":${gap}${textOf(random, type, payload, gap)}`, `"type":${JSON.stringify(withOptionals(random, type))}`];
  if (random.chance(0.3)) parts.reverse();
  if (random.chance(0.05)) parts.pop();
  if (random.chance(0.03)) parts.push('"extra":1');
  return `{${parts.join(`,${gap}`)}}`;
}

/** JSON text of a string with some unnecessary escapes; surrogate pairs stay together. */
export function stringText(random: Random, text: string): string {
  const written = JSON.stringify(text);
  if (random.chance(0.85)) return written;
  const escaped = (character: string): string =>
    Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join("");
  return written.replace(/\\.|[g-z\u0080-\u{10ffff}]/gu, (part) => (part.startsWith("\\") || random.chance(0.5) ? part : escaped(part)));
}

function numeral(random: Random, { n, p }: NumberNotation): string {
  const text = n === undefined || n.endsWith("Inf") ? decimalText(random) : n;
  if (random.chance(0.08)) return `"${text}"`;
  if (random.chance(0.05)) return `${text.includes(".") ? text : `${text}.0`}e${random.int(20) - 10}`;
  return p === 53 && text.length > 400 ? "0.5" : text;
}

const snippets: readonly string[] = [
  "",
  ",",
  ":",
  "]",
  "[",
  "{",
  "}",
  "null",
  "true",
  "1",
  "-",
  ".",
  "e5",
  '"',
  '"x"',
  "\\",
  "\\u12",
  "\u0000",
  " ",
  "{}",
  "[]",
  '"value":',
  '"type":"string"',
  "nul",
  "01",
  "\ufffd",
  "\ud800",
];

/** The text with one or two small random edits. */
export function mutatedText(random: Random, text: string): string {
  let mutated = text;
  for (let count = random.int(2) + 1; count > 0; count--) {
    const at = random.int(mutated.length + 1);
    const span = random.int(4);
    mutated = random.weighted<() => string>([
      [4, () => mutated.slice(0, at) + random.pick(snippets) + mutated.slice(at + span)],
      [2, () => mutated.slice(0, at)],
      [1, () => mutated.slice(0, at) + mutated.slice(at, at + span + 3).repeat(2) + mutated.slice(at)],
      [1, () => mutated.slice(at) + mutated.slice(0, at)],
    ])();
  }
  // Remove lone surrogates, which UTF-8 cannot represent, and shorten exponents, because huge numbers are slow to write.
  return mutated.toWellFormed().replace(/(e[+-]?0*[1-9]\d{3})\d+/gi, "$1");
}
