// SPDX-License-Identifier: Apache-2.0
import {
  bool,
  dynamic,
  hasDynamic,
  listOf,
  mapOf,
  nullOf,
  number,
  objectOf,
  of,
  setOf,
  string,
  tupleOf,
  type Type,
  type Value,
} from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { valueOf } from "@tenon/cty/unstable/payload";
import {
  attributeType,
  impliedType,
  nestedBlockType,
  type Attribute,
  type Block,
  type NestedAttributes,
  type NestedBlock,
} from "@tenon/schema";
import type { Random } from "@tenon/testing/generate";

/** Which attributes a value has: those that a configuration may set, or those that a state may have. */
export type ValueRole = "configuration" | "state";

/** Generates a valid value of a block. Required attributes are set, and blocks have an allowed number of elements. */
export function randomBlockValue(random: Random, block: Block, role: ValueRole): Value {
  const parts = new Map<string, Value>();
  for (const [name, attribute] of Object.entries(block.attributes)) parts.set(name, attributeValue(random, attribute, role));
  for (const [name, nested] of Object.entries(block.blocks)) parts.set(name, nestedBlockValue(random, nested, role));
  return convert(objectOf(parts), impliedType(block));
}

function attributeValue(random: Random, attribute: Attribute, role: ValueRole): Value {
  const type = attributeType(attribute);
  const isSettable = attribute.required || attribute.optional;
  const isAbsent = role === "configuration" ? !isSettable : attribute.writeOnly;
  if (isAbsent || (!attribute.required && random.chance(0.4))) return nullOf(type);
  return attribute.nested ? nestedAttributesValue(random, attribute.nested, type, role) : typeValue(random, type);
}

function nestedAttributesValue(random: Random, { nesting, attributes }: NestedAttributes, type: Type, role: ValueRole): Value {
  const one = (): Value =>
    objectOf(new Map(Object.entries(attributes).map(([name, attribute]) => [name, attributeValue(random, attribute, role)])));
  switch (nesting) {
    case "single":
      return convert(one(), type);
    case "map":
      return convert(objectOf(new Map(random.times(random.int(3), (index) => [keys[index]!, one()]))), type);
    default:
      return convert(tupleOf(random.times(random.int(3), one)), type);
  }
}

function nestedBlockValue(random: Random, nested: NestedBlock, role: ValueRole): Value {
  const { nesting, block, minItems, maxItems } = nested;
  const type = nestedBlockType(nested);
  const one = (): Value => randomBlockValue(random, block, role);
  if (nesting === "single") return minItems === 0 && random.chance(0.3) ? nullOf(type) : one();
  if (nesting === "group") return one();
  // Elements of a set of a dynamic type must have one type.
  const most = nesting === "set" && hasDynamic(type) ? 1 : maxItems;
  const count = Math.min(minItems + random.int(3), most === 0 ? Infinity : most);
  if (nesting === "map") return repeatedMap(random.times(count, one), type);
  const elements = random.times(count, one);
  if (type.kind === "dynamic") return tupleOf(elements);
  if (elements.length === 0) return valueOf(type, []);
  return convert(tupleOf(elements), type);
}

function repeatedMap(elements: readonly Value[], type: Type): Value {
  const entries = new Map(elements.map((element, index) => [keys[index]!, element]));
  if (type.kind === "dynamic") return objectOf(entries);
  return entries.size === 0 ? valueOf(type, new Map()) : convert(objectOf(entries), type);
}

const keys = ["k", "a.b/c", "é", "", "__proto__"] as const;
const texts = ["a", "", "yes", "null", "1_000", "0x1f", "é\u{1f600}", " two\nlines ", "*", "-", "a: b #c"] as const;
/** Numbers as text; the API server keeps all but the last three exactly. */
const numbers = [
  ..."0 1 -2 1.5 0.1 3.14159 1e21 1e300 9007199254740993 9223372036854775807 -9223372036854775808".split(" "),
  ..."12345678901234567890 3.00000000000000000001 1e400".split(" "),
];

function typeValue(random: Random, type: Type): Value {
  const element = (of: Type): Value => (random.chance(0.05) && of.kind !== "dynamic" ? nullOf(of) : typeValue(random, of));
  switch (type.kind) {
    case "string":
      return of(string, random.pick(texts));
    case "bool":
      return of(bool, random.chance(0.5));
    case "number":
      return convert(of(string, random.chance(0.1) ? random.pick(numbers) : random.pick(numbers.slice(0, -3))), number);
    case "list":
      return sized(
        random,
        (count) =>
          listOf(
            random.times(count, () => element(type.element)),
            type.element,
          ),
        type,
      );
    // The API server refuses null in a set of scalars.
    case "set":
      return sized(
        random,
        (count) =>
          setOf(
            random.times(count, () => typeValue(random, type.element)),
            type.element,
          ),
        type,
      );
    case "map":
      return sized(random, (count) => mapOf(new Map(random.times(count, (at) => [keys[at]!, element(type.element)])), type.element), type);
    case "tuple":
      return tupleOf(type.elements.map(element));
    case "object":
      return objectOf(new Map(type.names.map((name) => [name, element(type.attributes[name]!)])));
    default:
      return dynamicValue(random, 0);
  }
}

function sized(random: Random, make: (count: number) => Value, type: Type): Value {
  const count = random.int(4);
  return count === 0 ? valueOf(type, type.kind === "map" ? new Map() : []) : make(count);
}

/** A value of a type that JSON implies: JSON has neither lists nor sets nor maps. */
function dynamicValue(random: Random, depth: number): Value {
  const kind = random.int(depth < 2 ? 6 : 3);
  if (kind === 0) return typeValue(random, string);
  if (kind === 1) return typeValue(random, number);
  if (kind === 2) return typeValue(random, bool);
  if (kind === 3) return tupleOf(random.times(random.int(3), () => dynamicValue(random, depth + 1)));
  if (kind === 4 && depth > 0) return nullOf(dynamic);
  return objectOf(new Map(random.times(random.int(3), (index) => [keys[index]!, dynamicValue(random, depth + 1)])));
}
