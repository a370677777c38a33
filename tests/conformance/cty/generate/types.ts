// SPDX-License-Identifier: Apache-2.0
import { kindOf, type Json, type TypeNotation } from "../notation.ts";
import type { Random } from "@tenon/testing/generate";
import { anyName } from "./text.ts";

export interface TypeOptions {
  /** Whether parts of the type may be dynamic. */
  readonly dynamic?: boolean;
  /** Whether attributes may be optional; only target types of conversions have optional attributes. */
  readonly optional?: boolean;
}

export function anyType(random: Random, depth: number, options: TypeOptions = {}): TypeNotation {
  const kind = random.weighted<string>([
    [4, "string"],
    [3, "number"],
    [2, "bool"],
    [options.dynamic ? 2 : 0, "dynamic"],
    [depth > 0 ? 2 : 0, "list"],
    [depth > 0 ? 2 : 0, "set"],
    [depth > 0 ? 2 : 0, "map"],
    [depth > 0 ? 3 : 0, "object"],
    [depth > 0 ? 2 : 0, "tuple"],
  ]);
  switch (kind) {
    case "list":
    case "set":
    case "map":
      return [kind, anyType(random, depth - 1, options)];
    case "tuple":
      return [kind, random.times(random.int(4), () => anyType(random, depth - 1, options))];
    case "object":
      return objectType(random, random.int(4), () => anyType(random, depth - 1, options), options);
    default:
      return kind;
  }
}

/** An object type whose names are distinct in normal form and not sorted. */
export function objectType(random: Random, size: number, attribute: () => TypeNotation, options: TypeOptions = {}): TypeNotation {
  const names = new Set<string>();
  for (let index = 0; index < size; index++) names.add(anyName(random).normalize("NFC"));
  const attributes = Object.create(null) as Record<string, TypeNotation>;
  for (const name of names) attributes[name] = attribute();
  const optional = options.optional ? [...names].filter(() => random.chance(0.3)) : [];
  return optional.length > 0 ? ["object", attributes, optional] : ["object", attributes];
}

/** The object type with some attributes optional; other types as they are. */
export function withOptionals(random: Random, type: TypeNotation): TypeNotation {
  if (kindOf(type) !== "object") return type;
  const optional = Object.keys(attributesOf(type)).filter(() => random.chance(0.3));
  return optional.length > 0 ? ["object", attributesOf(type), optional] : type;
}

/** The type without optional attributes at any depth, as known values have it. */
export function withoutOptionals(type: TypeNotation): TypeNotation {
  switch (kindOf(type)) {
    case "list":
    case "set":
    case "map":
      return [kindOf(type), withoutOptionals(elementOf(type))];
    case "tuple":
      return ["tuple", tupleElementsOf(type).map(withoutOptionals)];
    case "object": {
      const attributes = Object.create(null) as Record<string, TypeNotation>;
      for (const [name, attribute] of Object.entries(attributesOf(type))) attributes[name] = withoutOptionals(attribute);
      return ["object", attributes];
    }
    default:
      return type;
  }
}

export function attributesOf(type: TypeNotation): Readonly<Record<string, TypeNotation>> {
  return (type as readonly Json[])[1] as Readonly<Record<string, TypeNotation>>;
}

export function elementOf(type: TypeNotation): TypeNotation {
  return (type as readonly Json[])[1]!;
}

export function tupleElementsOf(type: TypeNotation): readonly TypeNotation[] {
  return (type as readonly Json[])[1] as readonly TypeNotation[];
}

/** The type with one part changed, so that conversions and comparisons are not trivial. */
export function nearType(random: Random, type: TypeNotation, options: TypeOptions = {}): TypeNotation {
  if (random.chance(0.12)) return anyType(random, 1, options);
  if (options.dynamic && random.chance(0.08)) return "dynamic";
  const inner = (part: TypeNotation): TypeNotation => nearType(random, part, options);
  switch (kindOf(type)) {
    case "string":
    case "number":
    case "bool":
      return random.chance(0.4) ? random.pick(["string", "number", "bool"]) : type;
    case "list":
    case "set":
      return [random.pick(["list", "set", kindOf(type)]), inner(elementOf(type))];
    case "map":
      return random.chance(0.8) ? ["map", inner(elementOf(type))] : objectType(random, 2, () => inner(elementOf(type)), options);
    case "tuple": {
      const elements = tupleElementsOf(type).map(inner);
      if (elements.length > 0 && random.chance(0.5)) return [random.pick(["list", "set"]), random.pick(elements)];
      return ["tuple", random.chance(0.15) ? elements.slice(1) : elements];
    }
    case "object":
      return nearObject(random, type, inner, options);
    default:
      return type;
  }
}

function nearObject(random: Random, type: TypeNotation, inner: (part: TypeNotation) => TypeNotation, options: TypeOptions): TypeNotation {
  const given = Object.entries(attributesOf(type));
  if (given.length > 0 && random.chance(0.25)) return ["map", inner(random.pick(given)[1])];
  const attributes = Object.create(null) as Record<string, TypeNotation>;
  for (const [name, attribute] of given) if (random.chance(0.9)) attributes[name] = inner(attribute);
  if (random.chance(0.3)) attributes[anyName(random).normalize("NFC")] ??= anyType(random, 1, options);
  const optional = options.optional ? Object.keys(attributes).filter(() => random.chance(0.4)) : [];
  return optional.length > 0 ? ["object", attributes, optional] : ["object", attributes];
}
