// SPDX-License-Identifier: Apache-2.0
import { list, string, number, bool, type Type } from "@tenon/cty";
import fc from "fast-check";
import {
  createAttribute,
  createBlock,
  createNestedAttributes,
  createNestedBlock,
  type Attribute,
  type Block,
  type FunctionParameter,
  type FunctionSignature,
  type IdentitySchema,
  type NestedBlock,
  type Schema,
} from "../../src/index.ts";
import { attributeName, attributeType, closedType } from "./arbitrary-type.ts";

const description = fc.string({ maxLength: 12 });
const descriptionKind = fc.constantFrom("plain", "markdown");
const flags = {
  required: fc.boolean(),
  optional: fc.boolean(),
  computed: fc.boolean(),
  sensitive: fc.boolean(),
  writeOnly: fc.boolean(),
  description,
  descriptionKind,
  deprecated: fc.boolean(),
  deprecationMessage: description,
};

function attribute(protocol: 5 | 6, type: fc.Arbitrary<Type>, depth = 0): fc.Arbitrary<Attribute> {
  const plain = fc.record({ ...flags, type }).map(createAttribute);
  if (protocol === 5 || depth > 1) return plain;
  // Collections have no dynamic part, because their elements could have different types.
  const nested = fc
    .tuple(
      fc.constantFrom("single", "list", "set", "map"),
      fc.dictionary(attributeName, attribute(protocol, closedType, depth + 1), { maxKeys: 3 }),
    )
    .map(([nesting, attributes]) => createNestedAttributes(nesting, attributes));
  return fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: fc.record({ ...flags, nested }).map(createAttribute) });
}

function block(protocol: 5 | 6, type: fc.Arbitrary<Type>, depth = 0): fc.Arbitrary<Block> {
  const blocks = depth > 1 ? fc.constant({}) : fc.dictionary(blockName, nestedBlock(protocol, type, depth + 1), { maxKeys: 3 });
  return fc
    .record({
      attributes: fc.dictionary(attributeName, attribute(protocol, type), { maxKeys: 4 }),
      blocks,
      description,
      descriptionKind,
      deprecated: fc.boolean(),
      deprecationMessage: description,
    })
    .map(createBlock);
}

const blockName = fc.constantFrom("disk", "filter", "network", "timeouts");

function nestedBlock(protocol: 5 | 6, type: fc.Arbitrary<Type>, depth: number): fc.Arbitrary<NestedBlock> {
  const items = fc.nat({ max: 9 });
  return fc.constantFrom("single" as const, "group" as const, "list" as const, "set" as const, "map" as const).chain((nesting) =>
    // Every core rejects a dynamic attribute inside a set.
    fc
      .tuple(block(protocol, nesting === "set" ? closedType : type, depth), fc.record({ minItems: items, maxItems: items }))
      .map(([inner, limits]) => createNestedBlock(nesting, inner, limits)),
  );
}

/** Returns arbitrary schemas that a protocol version can represent. They may break other rules of the protocol. */
export function arbitrarySchema(protocol: 5 | 6): fc.Arbitrary<Schema> {
  return fc.record({ version: fc.nat({ max: 2 ** 31 }), block: block(protocol, attributeType) });
}

export const arbitraryIdentitySchema: fc.Arbitrary<IdentitySchema> = fc.record({
  version: fc.nat(),
  attributes: fc.dictionary(
    attributeName,
    fc.record({
      type: fc.constantFrom<Type>(string, number, bool, list(string)),
      requiredForImport: fc.boolean(),
      optionalForImport: fc.boolean(),
      description,
    }),
    { minKeys: 1, maxKeys: 3 },
  ),
});

const parameter: fc.Arbitrary<FunctionParameter> = fc.record({
  name: attributeName,
  type: attributeType,
  allowNullValue: fc.boolean(),
  allowUnknownValues: fc.boolean(),
  description,
  descriptionKind,
});

export const arbitraryFunction: fc.Arbitrary<FunctionSignature> = fc.record(
  {
    parameters: fc.array(parameter, { maxLength: 3 }),
    variadicParameter: parameter,
    returnType: attributeType,
    summary: description,
    description,
    descriptionKind,
    deprecationMessage: description,
  },
  { requiredKeys: ["parameters", "returnType", "summary", "description", "descriptionKind", "deprecationMessage"] },
);
