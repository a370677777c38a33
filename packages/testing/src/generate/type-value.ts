// SPDX-License-Identifier: Apache-2.0
import {
  bool,
  dynamic,
  listOf,
  mapOf,
  nullOf,
  number,
  objectOf,
  of,
  setOf,
  string,
  tupleOf,
  unknown,
  type Type,
  type Value,
} from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { valueOf } from "@tenon/cty/unstable/payload";
import type { Random } from "./random.ts";
import { completeSettings, type CompleteSettings, type ValueSettings } from "./value-settings.ts";

/** Generates a value of a type that is neither null nor unknown; elements may be. */
export function typeValue(random: Random, type: Type, settings: CompleteSettings): Value {
  const one = (of: Type): Value => (isChosen(random, settings.unknowns) ? unknown(of) : typeValue(random, of, settings));
  const element = (of: Type): Value => (of.kind !== "dynamic" && random.chance(settings.nullElements) ? nullOf(of) : one(of));
  switch (type.kind) {
    case "string":
      return of(string, random.pick(settings.texts));
    case "bool":
      return of(bool, random.chance(0.5));
    case "number":
      return convert(of(string, random.pick(settings.numbers)), number);
    case "list": {
      const elements = random.times(random.int(4), () => element(type.element));
      return elements.length === 0 ? valueOf(type, []) : listOf(elements, type.element);
    }
    case "set": {
      // Equal elements become one. A set has no null elements, which the API server of Kubernetes refuses.
      const elements = random.times(random.int(4), () => one(type.element));
      return elements.length === 0 ? valueOf(type, []) : setOf(elements, type.element);
    }
    case "map": {
      const count = random.int(Math.min(4, settings.keys.length + 1));
      const entries = random.times(count, (at) => [settings.keys[at]!, element(type.element)] as const);
      return count === 0 ? valueOf(type, new Map()) : mapOf(new Map(entries), type.element);
    }
    case "tuple":
      return tupleOf(type.elements.map(element));
    case "object":
      return objectOf(new Map(type.names.map((name) => [name, element(type.attributes[name]!)])));
    default:
      return dynamicValue(random, settings, 0);
  }
}

/** Returns true with a probability. Draws no random number if the probability is 0. */
export function isChosen(random: Random, probability: number): boolean {
  return probability > 0 && random.chance(probability);
}

/** A value of a type that JSON implies: JSON has neither lists nor sets nor maps. */
function dynamicValue(random: Random, settings: CompleteSettings, depth: number): Value {
  const kind = random.int(depth < 2 ? 6 : 3);
  if (kind === 0) return typeValue(random, string, settings);
  if (kind === 1) return typeValue(random, number, settings);
  if (kind === 2) return typeValue(random, bool, settings);
  if (kind === 3) return tupleOf(random.times(random.int(3), () => dynamicValue(random, settings, depth + 1)));
  if (kind === 4 && depth > 0 && settings.nullElements > 0) return nullOf(dynamic);
  const count = random.int(Math.min(3, settings.keys.length + 1));
  return objectOf(new Map(random.times(count, (index) => [settings.keys[index]!, dynamicValue(random, settings, depth + 1)])));
}

/** Generates a value of a type that is neither null nor unknown. */
export function generateValue(random: Random, type: Type, settings: ValueSettings = {}): Value {
  return typeValue(random, type, completeSettings(settings));
}
