// SPDX-License-Identifier: Apache-2.0
import { dynamic, hasDynamic, list, map, nullOf, of, set, tuple, unknown, type ObjectType, type Type, type Value } from "@tenon/cty";
import { numberFromText, setPayload, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import fc from "fast-check";
import {
  attributeType as typeOfAttribute,
  impliedType,
  type Attribute,
  type Block,
  type NestedBlock,
  type Schema,
} from "../../src/index.ts";
import { objectOf } from "../../src/model/value-parts.ts";
import { closedType } from "./arbitrary-type.ts";

/** Returns arbitrary unmarked values of the type: null, unknown with or without refinements, and known. */
export function arbitraryValue(type: Type): fc.Arbitrary<Value> {
  if (type.kind === "dynamic") {
    const typed = closedType.chain((closed) => knownValue(closed));
    return fc.oneof({ weight: 4, arbitrary: typed }, { weight: 1, arbitrary: fc.constantFrom<Value>(nullOf(dynamic), unknown(dynamic)) });
  }
  return fc.oneof(
    { weight: 8, arbitrary: knownValue(type) },
    { weight: 1, arbitrary: fc.constant(nullOf(type)) },
    { weight: 1, arbitrary: unknownValue(type) },
  );
}

/** Returns arbitrary values of a schema as a core or a provider sends them: no list, set or map block is null. */
export function arbitraryBlockValue({ block }: Schema): fc.Arbitrary<Value> {
  const type = impliedType(block);
  return fc.oneof({ weight: 9, arbitrary: blockValue(block) }, { weight: 1, arbitrary: fc.constant<Value>(nullOf(type)) });
}

function unknownValue(type: Type): fc.Arbitrary<Value> {
  const plain = fc.constantFrom<Value>(unknown(type), unknown(type, { notNull: true }));
  switch (type.kind) {
    case "string":
      return fc.oneof(plain, fc.constant<Value>(unknown(type, { notNull: true, prefix: "arn:aws:" })));
    case "number":
      return fc.oneof(
        plain,
        fc.tuple(fc.integer(), fc.boolean()).map(([value, inclusive]): Value => unknown(type, { min: { value, inclusive } })),
      );
    case "list":
    case "map":
      return fc.oneof(
        plain,
        fc.nat({ max: 9 }).map((lengthMin): Value => unknown(type, { lengthMin: lengthMin + 1, lengthMax: lengthMin + 5 })),
      );
    default:
      return plain;
  }
}

const exactNumber: fc.Arbitrary<Value["payload"]> = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  // Doubles beyond 64 bits are excluded: go-cty writes their shortest digits as text, which is a different number.
  fc.double({ noNaN: true, min: -(2 ** 62), max: 2 ** 62 }).map((double) => (Object.is(double, -0) ? 0 : double)),
  fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }).map((integer) => numberFromText(String(integer))!),
  fc.tuple(fc.nat(), fc.nat()).map(([whole, part]) => numberFromText(`${whole}.${part}1`)!),
);

function knownValue(type: Type): fc.Arbitrary<Value> {
  return knownPayload(type).map((payload) => valueOf(type, payload));
}

/** Returns arbitrary payloads of a type without a dynamic part. */
function knownPayload(type: Type): fc.Arbitrary<Payload> {
  const inside = (element: Type): fc.Arbitrary<Payload> => arbitraryValue(element).map(({ payload }) => payload);
  switch (type.kind) {
    case "string":
      return fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => of(type, text).payload);
    case "bool":
      return fc.boolean();
    case "number":
      // `of` normalizes the payload as cty does.
      return exactNumber.map((payload) => (typeof payload === "number" ? of(type, payload).payload : payload));
    case "list":
      return fc.array(inside(type.element), { maxLength: 3 });
    case "set":
      return fc.array(inside(type.element), { maxLength: 3 }).map((elements) => setPayload(type.element, elements));
    case "map":
      return fc
        .dictionary(fc.string({ maxLength: 4 }), inside(type.element), { maxKeys: 3 })
        .map((elements) => of(type, fromPayloads(type.element, elements)).payload);
    case "tuple":
      return fc.tuple(...type.elements.map(inside));
    case "object":
      return fc.tuple(...type.names.map((name) => inside(type.attributes[name]!)));
    default:
      throw new TypeError(`values of type ${type.kind} are not generated`);
  }
}

function fromPayloads(type: Type, payloads: Readonly<Record<string, Payload>>): Map<string, Value> {
  return new Map(Object.entries(payloads).map(([name, payload]) => [name, valueOf(type, payload)]));
}

function blockValue(block: Block): fc.Arbitrary<Value> {
  const names = [...Object.keys(block.attributes), ...Object.keys(block.blocks)];
  const parts = [
    ...Object.values(block.attributes).map((attribute) => attributeValue(attribute)),
    ...Object.values(block.blocks).map((nested) => nestedBlockValue(nested)),
  ];
  return fc.tuple(...parts).map((values) => objectOf(new Map(names.map((name, index) => [name, values[index]!]))));
}

function attributeValue(attribute: Attribute): fc.Arbitrary<Value> {
  return arbitraryValue(typeOfAttribute(attribute));
}

function nestedBlockValue(nested: NestedBlock): fc.Arbitrary<Value> {
  const type = impliedType(nested.block);
  const one = blockValue(nested.block);
  switch (nested.nesting) {
    case "group":
      return one;
    case "single":
      return fc.oneof({ weight: 3, arbitrary: one }, { weight: 1, arbitrary: fc.constant<Value>(nullOf(type)) });
    default:
      return fc.array(one, { maxLength: 2 }).map((elements) => repeated(nested, type, elements));
  }
}

function repeated({ nesting }: NestedBlock, type: ObjectType, elements: readonly Value[]): Value {
  const payloads = elements.map(({ payload }) => payload);
  const keyed = new Map(elements.map((element, index) => [`key ${index}`, element]));
  if (nesting === "set") return valueOf<Type>(set(type), setPayload(type, payloads));
  if (nesting === "map") {
    return hasDynamic(type) ? objectOf(keyed) : valueOf<Type>(map(type), new Map([...keyed].map(([key, { payload }]) => [key, payload])));
  }
  return hasDynamic(type)
    ? valueOf<Type>(tuple(...elements.map((element) => element.type)), payloads)
    : valueOf<Type>(list(type), payloads);
}
