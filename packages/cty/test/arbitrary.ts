// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { bool, list, map, number, object, refine, set, string, tuple, unknown, type Type, type Value } from "../src/index.ts";
import {
  mapPayload,
  normalizeString,
  numberFromDouble,
  numberFromText,
  setPayload,
  UNKNOWN,
  valueOf,
  type Payload,
} from "../src/unstable/payload.ts";

const text: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", "a", "é", "e\u0301", "日本", "<&>"),
);

const numbers: fc.Arbitrary<Payload> = fc.oneof(
  fc.maxSafeInteger(),
  // As in Go, the text of a double beyond 2^53 differs from its exact value, so it is not the same after decoding.
  fc
    .double({ noNaN: true })
    .filter((x) => !Number.isInteger(x) || Number.isSafeInteger(x))
    .map((x) => numberFromDouble(x)!),
  fc.bigInt().map((x) => numberFromText(String(x))!),
  fc.tuple(fc.bigInt(), fc.nat({ max: 60 })).map(([digits, exponent]) => numberFromText(`${digits}e-${exponent}`)!),
);

/** Types without dynamic parts. */
export const types: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Type>(string, number, bool),
    tie("type").map((element): Type => list(element)),
    tie("type").map((element): Type => set(element)),
    tie("type").map((element): Type => map(element)),
    fc.array(tie("type"), { maxLength: 3 }).map((elements): Type => tuple(...elements)),
    fc
      .dictionary(fc.constantFrom("a", "b", "c", "é", "__proto__", "z z"), tie("type"), { maxKeys: 4 })
      .map((attributes): Type => object(attributes)),
  ),
})).type;

/** Values of the type, with null parts, and with unknown parts if `unknown` is set. */
export function valuesOf(type: Type, options: { readonly unknown: boolean }): fc.Arbitrary<Value> {
  return payloads(type, options).map((payload) => valueOf(type, payload));
}

function payloads(type: Type, options: { readonly unknown: boolean }): fc.Arbitrary<Payload> {
  const absent: fc.Arbitrary<Payload>[] = [fc.constant(null)];
  if (options.unknown) absent.push(fc.constant(UNKNOWN), refined(type));
  return fc.oneof({ weight: 6, arbitrary: known(type, options) }, ...absent.map((arbitrary) => ({ weight: 1, arbitrary })));
}

function refined(type: Type): fc.Arbitrary<Payload> {
  const base = unknown(type, { notNull: true });
  if (type.kind === "string") return text.map((prefix) => refine(base, { prefixFull: prefix }).payload);
  if (type.kind === "number") return fc.maxSafeInteger().map((min) => refine(base, { min: { value: min, inclusive: false } }).payload);
  if (type.kind === "map") return fc.nat({ max: 5 }).map((lengthMax) => refine(base, { lengthMin: 0, lengthMax: lengthMax + 1 }).payload);
  return fc.constant(base.payload);
}

function known(type: Type, options: { readonly unknown: boolean }): fc.Arbitrary<Payload> {
  switch (type.kind) {
    case "string":
      return text.map(normalizeString);
    case "number":
      return numbers;
    case "bool":
      return fc.boolean();
    case "list":
      return fc.array(payloads(type.element, options), { maxLength: 4 });
    case "set":
      return fc.array(payloads(type.element, options), { maxLength: 4 }).map((elements) => setPayload(type.element, elements));
    case "map":
      return fc.array(fc.tuple(text.map(normalizeString), payloads(type.element, options)), { maxLength: 4 }).map(mapPayload);
    case "tuple":
      return fc.tuple(...type.elements.map((element) => payloads(element, options)));
    case "object":
      return fc.tuple(...type.names.map((name) => payloads(type.attributes[name]!, options)));
    default:
      return fc.constant(null);
  }
}

/** Values of all types. */
export function typedValues(options: { readonly unknown: boolean }): fc.Arbitrary<Value> {
  return types.chain((type) => valuesOf(type, options));
}
