// SPDX-License-Identifier: Apache-2.0
import { bool, CtyError, dynamic, nullOf, number, of, string, type Value } from "@tenon/cty";
import { negativeInfinity, positiveInfinity } from "@tenon/cty/operators";
import { goQuote, numberFromText, valueOf } from "@tenon/cty/unstable/payload";
import { decodeBase64 } from "./base64.ts";

const prefix = "tag:yaml.org,2002:";
const scalarTags: ReadonlySet<string> = new Set(
  ["str", "bool", "int", "float", "null", "timestamp", "binary"].map((name) => prefix + name),
);

const yes: Value = of(bool, true);
const no: Value = of(bool, false);
const none: Value = nullOf(dynamic);

/** The values of scalars that are keywords. */
const words: ReadonlyMap<string, Value> = new Map<string, Value>([
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map((word) => [word, yes] as const),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map((word) => [word, no] as const),
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, none] as const),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map((word) => [word, positiveInfinity] as const),
  ...["-.inf", "-.Inf", "-.INF"].map((word) => [word, negativeInfinity] as const),
]);

/**
 * Converts a scalar to a value.
 *
 * @param tag The long form of the scalar's tag; undefined if it has none.
 * @param isQuoted Whether the scalar has single or double quotes.
 * @throws CtyError `MALFORMED` if the text does not match the tag.
 * @see go-cty-yaml resolveScalar
 */
export function resolveScalar(tag: string | undefined, source: string, isQuoted: boolean): Value {
  if (tag !== undefined && !scalarTags.has(tag)) throw malformed(`unsupported tag ${goQuote(tag)}`);
  const name = tag === undefined ? "" : tag.slice(prefix.length);
  if (isQuoted && name !== "binary") return of(string, source);
  if (name === "str") return of(string, source);
  if (name === "binary") {
    if (decodeBase64(source) instanceof Uint8Array) return of(string, source);
    throw malformed(`cannot parse ${goQuote(source)} as ${tag}: not valid base64`);
  }
  return (startsLikeValue(source) ? valueByText(name, source) : undefined) ?? valueByTag(name, tag ?? "", source);
}

function malformed(message: string): CtyError {
  return new CtyError("MALFORMED", message);
}

/** Whether a scalar with this first character can be anything but a string. */
function startsLikeValue(source: string): boolean {
  return source === "" || /^[-+0-9yYnNtTfFoO~.]/.test(source);
}

function valueByText(name: string, source: string): Value | undefined {
  const word = words.get(source);
  if (word !== undefined) return word;
  if (name === "" && /^\.(?:nan|NaN|NAN)$/.test(source)) throw malformed("floating point NaN is not supported");
  if (source.startsWith(".")) return decimal(source);
  if (!/^[-+0-9]/.test(source)) return undefined;
  if (name === "" || name === "timestamp") {
    const timestamp = timestampText(source);
    if (timestamp !== undefined) return of(string, timestamp);
  }
  const isInteger = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/.test(source);
  const isFloat = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(source);
  return isInteger || isFloat ? numeric(source, prefix + (isInteger ? "int" : "float")) : undefined;
}

function valueByTag(name: string, tag: string, source: string): Value {
  switch (name) {
    case "":
      return of(string, source);
    case "int":
    case "float":
      return numeric(source, tag);
    case "null":
      return none;
    default: {
      const timestamp = name === "timestamp" ? timestampText(source) : undefined;
      if (timestamp !== undefined) return of(string, timestamp);
      throw malformed(`cannot parse ${goQuote(source)} as ${tag}`);
    }
  }
}

function decimal(source: string): Value | undefined {
  try {
    const parsed = numberFromText(source);
    return parsed === undefined ? undefined : valueOf(number, parsed);
  } catch {
    return undefined;
  }
}

/** Reads a number in any form that Go accepts: decimal, or an integer with a prefix. */
function numeric(source: string, tag: string): Value {
  const plain = source.replaceAll("_", "");
  const value = decimal(plain) ?? prefixedInteger(plain);
  if (value === undefined) throw malformed(`cannot parse ${goQuote(source)} as ${tag}`);
  return value;
}

function prefixedInteger(plain: string): Value | undefined {
  const [, sign, digits = ""] = /^([-+]?)(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/.exec(plain) ?? [];
  if (sign === undefined) return undefined;
  const magnitude = BigInt(digits);
  if (magnitude >= 1n << (sign === "" ? 64n : 63n)) return undefined;
  return of(number, sign === "-" ? -magnitude : magnitude);
}

const timestampForm =
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})(?:(?:[Tt](?<hour>\d{1,2}):(?<minute>\d{1,2}):(?<second>\d{1,2})(?:[.,]\d+)?(?<zone>Z|[-+]\d\d:\d\d))|(?: (?<hour2>\d{1,2}):(?<minute2>\d{1,2}):(?<second2>\d{1,2})(?:[.,]\d+)?))?$/;

/** Converts a timestamp in any form of YAML to RFC 3339; undefined if the text is not a timestamp. */
function timestampText(source: string): string | undefined {
  const parts = timestampForm.exec(source)?.groups;
  if (parts === undefined) return undefined;
  const field = (name: string): number => Number(parts[name] ?? parts[`${name}2`] ?? 0);
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = new Date(0);
  date.setUTCFullYear(field("year"), field("month") - 1, field("day"));
  const isDate = date.getUTCMonth() === field("month") - 1 && date.getUTCDate() === field("day");
  if (!isDate || field("hour") > 23 || field("minute") > 59 || field("second") > 59) return undefined;
  const zone = parts["zone"] === undefined || /^[-+]00:00$/.test(parts["zone"]) ? "Z" : parts["zone"];
  const clock = [field("hour"), field("minute"), field("second")].map(two).join(":");
  return `${parts["year"]}-${two(field("month"))}-${two(field("day"))}T${clock}${zone}`;
}
