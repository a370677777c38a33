// SPDX-License-Identifier: Apache-2.0
import { normalizeString } from "../../../text/normalize.ts";
import { CtyError, misuse, nullRefused } from "../../../error/error.ts";
import { isInfinite, isInteger, rounded, topExponent, truncated } from "../../../binary/binary.ts";
import { exactDouble } from "../../../binary/double.ts";
import { binaryOf } from "../../../number/number.ts";
import type { NumberPayload } from "../../../payload/number-payload.ts";
import { isMarkedPayload, isUnknownPayload, type Payload } from "../../../payload/payload.ts";
import { string } from "../../../type/type.ts";
import type { StringType } from "../../../model/type.ts";
import { valueOf } from "../../../value/value.ts";
import type { Value } from "../../../model/value.ts";

/** The payload of a value that must be known, not null and not marked. @throws CtyError `MARKED`, `UNKNOWN`, `NULL`. */
function knownPayload({ payload }: Value): Payload {
  if (isMarkedPayload(payload)) throw new CtyError("MARKED", "value is marked, so must be unmarked first");
  if (isUnknownPayload(payload)) throw new CtyError("UNKNOWN", "value is not known");
  if (payload === null) throw nullRefused("value is null");
  return payload;
}

/** The text of a string value. @throws CtyError where go-cty's AsString panics. */
export function stringOf(value: Value): string {
  const payload = knownPayload(value);
  if (typeof payload !== "string") throw misuse("not a string");
  return payload;
}

/** A string value, with the text in normal form C. */
export function stringValue(text: string): Value<StringType> {
  return valueOf(string, normalizeString(text));
}

/** The payload of a number value. @throws CtyError where go-cty's AsBigFloat panics. */
export function numberOf(value: Value): NumberPayload {
  const payload = knownPayload(value);
  if (value.type.kind !== "number") throw misuse("not a number");
  return payload as NumberPayload;
}

/** The elements of a list, set, tuple or map, or the attributes of an object, in order. @throws CtyError where go-cty's AsValueSlice panics. */
export function partsOf(value: Value): Value[] {
  const payload = knownPayload(value);
  const { type } = value;
  switch (type.kind) {
    case "list":
    case "set":
      return (payload as readonly Payload[]).map((part) => valueOf(type.element, part));
    case "tuple":
      return (payload as readonly Payload[]).map((part, index) => valueOf(type.elements[index]!, part));
    case "map":
      return Array.from((payload as ReadonlyMap<string, Payload>).values(), (part) => valueOf(type.element, part));
    case "object":
      return (payload as readonly Payload[]).map((part, index) => valueOf(type.attributes[type.names[index]!]!, part));
    default:
      throw misuse("attempt to iterate on non-collection, non-tuple type");
  }
}

/** The entries of a map, or the attributes of an object, in order. */
export function entriesOf(value: Value): [name: string, part: Value][] {
  const parts = partsOf(value);
  const { kind } = value.type;
  // The keys of lists and tuples are numbers. go-cty reads them as strings, and panics.
  if ((kind === "list" || kind === "tuple") && parts.length > 0) throw misuse("not a string");
  const names = value.type.kind === "object" ? value.type.names : [...(value.payload as ReadonlyMap<string, Payload>).keys()];
  return names.map((name, index) => [name, parts[index]!]);
}

/** The number of elements. The type of an unknown tuple or object determines it. @throws CtyError where go-cty's LengthInt panics. */
export function countOf(value: Value): number {
  const { type } = value;
  if (type.kind === "tuple") return type.elements.length;
  if (type.kind === "object") return type.names.length;
  const payload = knownPayload(value);
  if (payload instanceof Map) return payload.size;
  if (Array.isArray(payload)) return payload.length;
  throw misuse("value is not a collection");
}

function knownNumber(value: Value): NumberPayload {
  if (value.payload === null) throw new CtyError("INVALID_VALUE", "null value is not allowed");
  if (isUnknownPayload(value.payload)) throw new CtyError("INVALID_VALUE", "value must be known");
  return numberOf(value);
}

const minimumInt64 = -(2n ** 63n);
const maximumInt64 = 2n ** 63n - 1n;

/**
 * A number as Go's `int`.
 *
 * @throws CtyError `INVALID_VALUE` for null, unknown values, fractions, and integers of more than 64 bits.
 * @see go-cty gocty.FromCtyValue
 */
export function integerOf(value: Value): bigint {
  const number = knownNumber(value);
  if (typeof number === "number" && Number.isInteger(number)) return BigInt(number);
  const binary = binaryOf(number);
  // The check of the exponent comes first: the digits of 2^(2^31) do not fit in memory.
  if ((isInteger(binary) && topExponent(binary) <= 64) || binary.mantissa === 0n) {
    const integer = truncated(binary);
    if (integer >= minimumInt64 && integer <= maximumInt64) return integer;
  }
  throw new CtyError("INVALID_VALUE", `value must be a whole number, between ${minimumInt64} and ${maximumInt64}`);
}

const largestDouble = `${BigInt(Number.MAX_VALUE)}.000000`;

/**
 * A number as Go's `float64`: the nearest double, ties to even.
 *
 * @throws CtyError `INVALID_VALUE` for null, unknown values, and numbers that are too large.
 * @see go-cty gocty.FromCtyValue
 */
export function doubleOf(value: Value): number {
  const number = knownNumber(value);
  if (typeof number === "number") return number;
  const { binary } = number;
  if (isInfinite(binary)) return exactDouble(binary)!;
  // Below 2^-1022 a double loses one bit of precision with each power of two, down to no bits at 2^-1075.
  const bits = Math.min(53, topExponent(binary) + 1074);
  if (bits < 1) {
    const size = bits === 0 && binary.mantissa > 1n ? Number.MIN_VALUE : 0;
    return binary.negative ? -size : size;
  }
  const nearest = rounded(binary.negative, binary.mantissa, binary.exponent, bits);
  if (topExponent(nearest) > 1024) {
    throw new CtyError("INVALID_VALUE", `value must be between -${largestDouble} and ${largestDouble} inclusive`);
  }
  return exactDouble(nearest)!;
}
