// SPDX-License-Identifier: Apache-2.0
import { convert } from "../../convert/convert.ts";
import { graphemes } from "../../text/graphemes.ts";
import { CtyError } from "../../error/error.ts";
import { goQuote } from "../../text/go-quote.ts";
import { length } from "../../operators/indexing.ts";
import { encode } from "../../json/encode.ts";
import { jsonString } from "../../json/escape.ts";
import { isInteger, truncated } from "../../binary/binary.ts";
import { binaryOf } from "../../number/number.ts";
import { bool, dynamic, list, number, string } from "../../type/type.ts";
import type { Type } from "../../model/type.ts";
import { listOf, unknown } from "../../construction/value-init.ts";
import { isKnown, isNull, isWhollyKnown } from "../../equality/value-ops.ts";
import type { Value } from "../../model/value.ts";
import { argumentError, callError, FunctionError } from "../error.ts";
import { defineFunction, type CtyFunction } from "../function.ts";
import { formatPieces, type FormatVerb } from "./format/format-fsm.ts";
import { formatFloat, formatInteger, formatPlain, goQuoteCharacter } from "./format/go-format.ts";
import { countOf, numberOf, partsOf, stringOf, stringValue } from "./argument/native.ts";

/**
 * Formats values, like C's `printf`: replaces each verb in a text by an argument.
 *
 * | Verb | Writes |
 * |---|---|
 * | `%v` `%#v` | the value by its type, as JSON |
 * | `%s` `%q` | a string, as it is or as JSON |
 * | `%t` | a bool |
 * | `%d` `%b` `%o` `%x` `%X` | an integer: decimal, binary, octal, hexadecimal |
 * | `%e` `%E` `%f` `%g` `%G` | a number: with an exponent, without, whichever suits |
 *
 * Between `%` and the letter, a verb can have flags (`+`, `-`, space, `0`, `#`), a width, a precision after a point, and the number of
 * an argument in brackets. Width and precision of strings count grapheme clusters.
 *
 * @example
 * formatFunc.call([of(string, "%s is %05.1f%%"), of(string, "x"), of(number, 12.25)])
 * // => cty.StringVal("x is 012.2%")
 *
 * @see go-cty stdlib.FormatFunc
 */
export const formatFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Replaces verbs such as %s in a text by values.",
  params: [{ name: "format", type: string }],
  varParam: { name: "args", type: dynamic, allowNull: true, allowUnknown: true, allowDynamicType: true },
  type: string,
  refineResult: { notNull: true },
  impl: ([format, ...args]) => {
    const text = stringOf(format);
    if (args.every(isWhollyKnown)) return stringValue(formatted(text, args));
    const [prefix = ""] = text.split("%", 1);
    return text.includes("%") && prefix !== "" ? unknown(string, { prefix }) : unknown(string);
  },
});

/**
 * A list of texts, each formatted as by {@link formatFunc}: the first with the first elements of all lists, the second with the
 * second elements, and so on. Arguments that are not lists, sets or tuples are used in every text.
 *
 * @example
 * formatListFunc.call([of(string, "%s-%d"), of(string, "a"), of(list(number), [1, 2])])
 * // => cty.ListVal([]cty.Value{cty.StringVal("a-1"), cty.StringVal("a-2")})
 *
 * @see go-cty stdlib.FormatListFunc
 */
export const formatListFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Formats a text once for each position in the lists.",
  params: [{ name: "format", type: string }],
  varParam: { name: "args", type: dynamic, allowNull: true, allowUnknown: true, allowDynamicType: true },
  type: /* @__PURE__ */ list(string),
  refineResult: { notNull: true },
  impl: ([formatValue, ...args], type) => {
    const format = stringOf(formatValue);
    if (args.length === 0) return listOf([stringValue(formatted(format, []))]);
    const rows = rowCount(args);
    if (args.some(isOpen)) return unknown(type);
    const columns = args.map((value) => new Column(value));
    const texts = Array.from({ length: rows ?? 1 }, (_, row) => {
      const given = nextRow(columns);
      return given === undefined ? unknown(string, { notNull: true }) : stringValue(formattedRow(format, given, row));
    });
    return listOf(texts, string);
  },
});

/** The values of one argument, one for each text: its elements in turn, or always the argument itself. */
class Column {
  readonly #value: Value;
  readonly #parts: readonly Value[] | undefined;
  #next = 0;

  constructor(value: Value) {
    this.#value = value;
    this.#parts = isIterated(value) ? partsOf(value) : undefined;
  }

  next(): Value {
    return this.#parts?.[this.#next++] ?? this.#value;
  }
}

/**
 * The values for the next text; undefined if one of them is unknown. As in go-cty, the columns after the unknown value do not advance
 * then: their elements appear one text later.
 */
function nextRow(columns: readonly Column[]): Value[] | undefined {
  const row: Value[] = [];
  for (const column of columns) {
    const value = column.next();
    if (!isWhollyKnown(value)) return undefined;
    row.push(value);
  }
  return row;
}

function isIterated(value: Value): boolean {
  return ["list", "set", "tuple"].includes(value.type.kind) && !isNull(value);
}

/** Whether the elements of the argument, or their number, are unknown. */
function isOpen(value: Value): boolean {
  if (!isIterated(value)) return value.type === dynamic && !isKnown(value);
  return !isKnown(value) || (value.type.kind !== "tuple" && !isKnown(length(value)));
}

/** The number of elements that all lists of known length have; undefined without such a list. */
function rowCount(args: readonly Value[]): number | undefined {
  let first: { readonly at: number; readonly count: number } | undefined;
  for (const [at, value] of args.entries()) {
    if (!isIterated(value) || (value.type.kind !== "tuple" && isOpen(value))) continue;
    const count = countOf(value);
    first ??= { at, count };
    if (count === first.count) continue;
    const other = `argument ${first.at + 1} of length ${first.count}`;
    throw argumentError(at + 1, `argument ${at + 1} has length ${count}, which is inconsistent with ${other}`);
  }
  return first?.count;
}

function formattedRow(format: string, args: readonly Value[], row: number): string {
  try {
    return formatted(format, args);
  } catch (error) {
    throw error instanceof FunctionError ? callError(`error on format iteration ${row}: ${error.message}`) : error;
  }
}

/** @see go-cty formatFSM */
function formatted(format: string, args: readonly Value[]): string {
  let result = "";
  let next = 1;
  let highest = 0;
  for (const piece of formatPieces(format)) {
    if (typeof piece === "string") {
      result += piece;
      continue;
    }
    const position = piece.argument ?? next;
    highest = Math.max(highest, position);
    result += formattedVerb(piece, position, args);
    next = position + 1;
  }
  if (highest >= args.length) return result;
  const used = highest === 0 ? "no verbs in format string" : `only ${highest} used by format string`;
  throw argumentError(highest + 1, `too many arguments; ${used}`);
}

/** @see go-cty formatAppend */
function formattedVerb(verb: FormatVerb, position: number, args: readonly Value[]): string {
  const name = goQuote(verb.raw);
  const value = args[position - 1];
  if (value === undefined) {
    throw callError(`not enough arguments for ${name} at ${verb.offset}: need index ${position} but have ${args.length} total`);
  }
  if (verb.mode !== "v" && isNull(value)) throw unsupported(verb, "null value cannot be formatted");
  switch (verb.mode) {
    case "v":
      return padded(verb, plainText(verb, value));
    case "t":
      return converted(verb, value, bool).payload === true ? "true" : "false";
    case "b":
    case "d":
    case "o":
    case "x":
    case "X":
      return formattedInteger(verb, converted(verb, value, number));
    case "e":
    case "E":
    case "f":
    case "g":
    case "G": {
      const payload = numberOf(converted(verb, value, number));
      return overlong(verb) ? noVerb("big.Float", formatPlain(payload)) : formatFloat(payload, verb.mode, verb);
    }
    case "s":
      return padded(verb, shortened(verb, stringOf(converted(verb, value, string))));
    case "q":
      return padded(verb, jsonString(shortened(verb, stringOf(converted(verb, value, string)))));
    default:
      throw callError(`unsupported format verb ${goQuoteCharacter(verb.mode)} in ${name} at offset ${verb.offset}`);
  }
}

function unsupported(verb: FormatVerb, why: string): FunctionError {
  return callError(`unsupported value for ${goQuote(verb.raw)} at ${verb.offset}: ${why}`);
}

function converted(verb: FormatVerb, value: Value, type: Type): Value {
  return supported(verb, () => convert(value, type));
}

function supported<T>(verb: FormatVerb, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof CtyError && (error.code === "CONVERSION" || error.code === "UNSUPPORTED")
      ? unsupported(verb, error.message)
      : error;
  }
}

function plainText(verb: FormatVerb, value: Value): string {
  if (!verb.flags.includes("#") && !isNull(value)) {
    if (value.type === string) return stringOf(value);
    if (value.type === number) return formatPlain(numberOf(value));
  }
  return supported(verb, () => encode(value, value.type));
}

function formattedInteger(verb: FormatVerb, value: Value): string {
  const binary = binaryOf(numberOf(value));
  if (!isInteger(binary)) throw unsupported(verb, "an integer is required");
  const integer = truncated(binary);
  return overlong(verb) ? noVerb("big.Int", String(integer)) : formatInteger(integer, verb.mode, verb);
}

/** Whether Go rejects the width or precision: it has more digits after a value above a million. */
function overlong({ width = 0, precision = 0 }: FormatVerb): boolean {
  return Math.floor(width / 10) > 1e6 || Math.floor(precision / 10) > 1e6;
}

/** Go's output for a verb with a rejected width or precision. */
function noVerb(type: string, text: string): string {
  return `%!(NOVERB)%!(EXTRA *${type}=${text})`;
}

/** A precision of 0 does not shorten. */
function shortened({ precision = 0 }: FormatVerb, text: string): string {
  return precision > 0 ? graphemes(text).slice(0, precision).join("") : text;
}

function padded({ width, flags }: FormatVerb, text: string): string {
  if (width === undefined) return text;
  const padding = (flags.includes("0") ? "0" : " ").repeat(Math.max(0, width - graphemes(text).length));
  return flags.includes("-") ? text + padding : padding + text;
}
