// SPDX-License-Identifier: Apache-2.0
import { kindOf, specialForm, type Json, type PayloadNotation, type TypeNotation, type ValueNotation } from "../notation.ts";
import type { Random } from "@tenon/testing/generate";
import { anyNumber, decimalText, smallInteger } from "./numbers.ts";
import { anyName, anyText } from "./text.ts";
import { anyType, attributesOf, elementOf, tupleElementsOf, withoutOptionals } from "./types.ts";

/** Probability of each part of a value to be null, unknown or marked. */
export interface ValueOptions {
  readonly null?: number;
  readonly unknown?: number;
  readonly marked?: number;
}

export const plain: ValueOptions = {};
/** The usual mix. */
export const mixed: ValueOptions = { null: 0.05, unknown: 0.08, marked: 0.04 };
export const knownOrNull: ValueOptions = { null: 0.08 };
export const unmarked: ValueOptions = { null: 0.05, unknown: 0.1 };

export const dynamicValue: ValueNotation = { t: "dynamic", v: { $: "unknown" } };
export const dynamicNull: ValueNotation = { t: "dynamic", v: { $: "null" } };

export function anyValue(random: Random, depth: number, options: ValueOptions = mixed): ValueNotation {
  if (options.unknown !== undefined && random.chance(0.02)) return random.pick([dynamicValue, dynamicNull]);
  if (options.unknown !== undefined && random.chance(0.02)) return absentWithOptionals(random, depth);
  return valueOfType(random, anyType(random, depth), options);
}

/** Only null, unknown and empty values keep optional attributes in their types. */
export function absentWithOptionals(random: Random, depth: number): ValueNotation {
  const type = anyType(random, Math.max(1, depth), { optional: true });
  const empty = ["list", "set", "map"].includes(kindOf(type)) && random.chance(0.5);
  return { t: type, v: empty ? [] : random.chance(0.5) ? { $: "null" } : unknownOf(random, type) };
}

export function valueOfType(random: Random, wanted: TypeNotation, options: ValueOptions = mixed): ValueNotation {
  const type = withoutOptionals(wanted);
  return { t: type, v: payloadOf(random, type, options) };
}

export function payloadOf(random: Random, type: TypeNotation, options: ValueOptions): PayloadNotation {
  if (random.chance(options.marked ?? 0)) {
    const m = random.pick([["a"], ["b"], ["a", "b"]]);
    return { $: "marked", m, v: payloadOf(random, type, { ...options, marked: 0 }) };
  }
  if (random.chance(options.null ?? 0)) return { $: "null" };
  if (random.chance(options.unknown ?? 0)) return unknownOf(random, type);
  const inside = { ...options, null: (options.null ?? 0) * 0.6, unknown: (options.unknown ?? 0) * 0.6 };
  switch (kindOf(type)) {
    case "string":
      return anyText(random);
    case "number":
      return anyNumber(random);
    case "bool":
      return random.chance(0.5);
    case "list":
    case "set": {
      const count = random.int(4);
      const elements = random.times(count, () => payloadOf(random, elementOf(type), inside));
      // A duplicate, which a set drops.
      return count > 1 && random.chance(0.3) ? [...elements, elements[0]!] : elements;
    }
    case "map": {
      const keys = new Set(random.times(random.int(4), () => anyName(random).normalize("NFC")));
      return [...keys].map((key) => [key, payloadOf(random, elementOf(type), inside)]);
    }
    case "tuple":
      return tupleElementsOf(type).map((element) => payloadOf(random, element, inside));
    case "object":
      return Object.entries(attributesOf(type)).map(([name, attribute]) => [name, payloadOf(random, attribute, inside)]);
    default: {
      // A dynamic position: choose a type and a value of it.
      const own = anyType(random, 1);
      return { $: "typed", t: own, v: payloadOf(random, own, inside) };
    }
  }
}

/** An unknown payload, half of the time with consistent refinements. */
export function unknownOf(random: Random, type: TypeNotation): PayloadNotation {
  if (kindOf(type) === "dynamic" || random.chance(0.4)) return { $: "unknown" };
  const r = refinementOf(random, type);
  return Object.keys(r).length === 0 ? { $: "unknown" } : { $: "unknown", r };
}

export function refinementOf(random: Random, type: TypeNotation): Record<string, Json> {
  const r: Record<string, Json> = {};
  if (random.chance(0.6)) r["null"] = false;
  switch (kindOf(type)) {
    case "string":
      if (random.chance(0.6)) r["prefix"] = anyText(random);
      break;
    case "number": {
      const low = random.int(20) - 10;
      const near = (base: number): Json =>
        random.chance(0.7) ? { n: String(base), p: random.pick([64, 512]) } : { n: `${base}.5`, p: 512 };
      if (random.chance(0.5)) r["min"] = [near(low), random.chance(0.5)];
      if (random.chance(0.5)) r["max"] = [near(low + 1 + random.int(10)), random.chance(0.5)];
      break;
    }
    case "list":
    case "set":
    case "map": {
      const low = random.int(3);
      if (random.chance(0.5)) r["lenMin"] = String(low);
      if (random.chance(0.5)) r["lenMax"] = String(low + random.int(3));
      break;
    }
    default:
  }
  return r;
}

/**
 * An operand for an operator on bools: known, unknown, refined or null, of type bool or dynamic, with up to three marks; sometimes
 * a value of another type, with marks anywhere.
 */
export function boolOperand(random: Random, ofOtherType: number): ValueNotation {
  if (random.chance(ofOtherType)) return random.chance(0.3) ? anyValue(random, 1, { ...mixed, marked: 0.4 }) : otherThanBool(random);
  const t = random.chance(0.85) ? "bool" : "dynamic";
  const v: PayloadNotation =
    t === "dynamic"
      ? random.pick<PayloadNotation>([{ $: "unknown" }, { $: "null" }])
      : random.weighted<PayloadNotation>([
          [3, true],
          [3, false],
          [2, { $: "unknown" }],
          [2, { $: "unknown", r: { null: false } }],
          [1, { $: "null" }],
        ]);
  const m = random.chance(0.5) ? [] : ["a", "b", "c"].filter(() => random.chance(0.5));
  return { t, v: m.length === 0 ? v : { $: "marked", m, v } };
}

/** A value similar to a bool, or one that contains a bool. */
function otherThanBool(random: Random): ValueNotation {
  const v = boolOperand(random, 0).v;
  const inside = specialForm(v) === "unknown" || typeof v === "boolean" ? v : random.chance(0.5);
  return random.weighted<ValueNotation>([
    [2, { t: "string", v: random.pick(["true", "false", "1", "0", "TRUE", ""]) }],
    [2, { t: "number", v: { n: random.pick(["0", "1", "-1"]), p: random.pick([64, 512]) } }],
    [1, { t: "string", v: unknownOf(random, "string") }],
    [1, { t: "number", v: unknownOf(random, "number") }],
    [2, { t: ["list", "bool"], v: [inside, { $: "marked", m: ["deep"], v: random.chance(0.5) }] }],
    [1, { t: ["set", "bool"], v: [inside] }],
    [1, { t: ["map", "bool"], v: [["a", inside]] }],
    [2, { t: ["tuple", ["bool", "bool"]], v: [inside, { $: "marked", m: ["deep"], v: inside }] }],
    [2, { t: ["object", { a: "bool" }], v: [["a", { $: "marked", m: ["deep", "b"], v: inside }]] }],
    [1, { t: random.pick<TypeNotation>(["string", "number", ["list", "bool"]]), v: { $: "null" } }],
  ]);
}

/** A number for arithmetic: mostly known, else unknown with bounds. */
export function numericValue(random: Random, options: ValueOptions = mixed): ValueNotation {
  if (options.unknown && random.chance(0.25)) return { t: "number", v: unknownOf(random, "number") };
  return valueOfType(random, "number", options);
}

/** A copy of the value, mostly equal; sometimes with one part replaced, or made unknown, null or marked. */
export function nearValue(random: Random, value: ValueNotation, options: ValueOptions = mixed): ValueNotation {
  if (random.chance(0.35)) return value;
  if (random.chance(0.1)) return anyValue(random, 2, options);
  // Null or empty: no part can be replaced.
  if (JSON.stringify(withoutOptionals(value.t)) !== JSON.stringify(value.t)) return valueOfType(random, value.t, options);
  return { t: value.t, v: nearPayload(random, value.t, value.v, options) };
}

function nearPayload(random: Random, type: TypeNotation, payload: PayloadNotation, options: ValueOptions): PayloadNotation {
  const form = specialForm(payload);
  if (form === "marked") {
    const { m, v } = payload as { m: Json; v: Json };
    return random.chance(0.5) ? v : { $: "marked", m, v: nearPayload(random, type, v, options) };
  }
  const inside = Array.isArray(payload) && payload.length > 0 && random.chance(0.75);
  if (inside) {
    const parts = payload as readonly Json[];
    const at = random.int(parts.length);
    const replaced = parts.map((part, index) => (index === at ? nearPart(random, type, part, index, options) : part));
    if (kindOf(type) === "set" && random.chance(0.3)) return [...replaced].reverse();
    return replaced;
  }
  return random.weighted<() => PayloadNotation>([
    [3, () => payloadOf(random, type, plain)],
    [options.unknown ? 2 : 0, () => unknownOf(random, type)],
    [options.null ? 1 : 0, () => ({ $: "null" })],
    [options.marked ? 1 : 0, () => ({ $: "marked", m: ["b"], v: payload })],
  ])();
}

function nearPart(random: Random, type: TypeNotation, part: Json, index: number, options: ValueOptions): Json {
  switch (kindOf(type)) {
    case "list":
    case "set":
      return nearPayload(random, elementOf(type), part, options);
    case "tuple":
      return nearPayload(random, tupleElementsOf(type)[index]!, part, options);
    case "map": {
      const [key, element] = part as [string, Json];
      return random.chance(0.2) ? [`${key}x`, element] : [key, nearPayload(random, elementOf(type), element, options)];
    }
    case "object": {
      const [name, attribute] = part as [string, Json];
      return [name, nearPayload(random, attributesOf(type)[name]!, attribute, options)];
    }
    default:
      return part;
  }
}

/** A key that often exists in the container. */
export function keyFor(random: Random, container: ValueNotation): ValueNotation {
  const payload = specialForm(container.v) === "marked" ? (container.v as { v: Json }).v : container.v;
  switch (kindOf(container.t)) {
    case "map":
    case "object": {
      const keys = Array.isArray(payload) ? (payload as readonly (readonly [string, Json])[]).map(([key]) => key) : [];
      const key = keys.length > 0 && random.chance(0.8) ? random.pick(keys) : anyName(random);
      return { t: "string", v: key };
    }
    case "set": {
      const members = Array.isArray(payload) ? (payload as readonly Json[]) : [];
      if (members.length > 0 && random.chance(0.7)) return { t: elementOf(container.t), v: random.pick(members) };
      return valueOfType(random, elementOf(container.t), mixed);
    }
    default: {
      const count = Array.isArray(payload) ? payload.length : 2;
      if (random.chance(0.05)) return { t: "number", v: { n: decimalText(random), p: 512 } };
      return { t: "number", v: smallInteger(random, -1, Math.max(0, count)) };
    }
  }
}

/** A key as {@link keyFor}, sometimes unknown, marked, null or of another type. */
export function wildKeyFor(random: Random, container: ValueNotation): ValueNotation {
  const key = keyFor(random, container);
  return random.weighted<() => ValueNotation>([
    [16, () => key],
    [1, () => ({ t: key.t, v: unknownOf(random, key.t) })],
    [1, () => ({ t: key.t, v: { $: "marked", m: ["k"], v: key.v } })],
    [1, () => random.pick([dynamicValue, { t: key.t, v: { $: "null" } }, { t: "string", v: "0" }, { t: "bool", v: true }])],
  ])();
}
