// SPDX-License-Identifier: Apache-2.0
import { dynamic, type ObjectType, type Type } from "@tenon/cty";
import {
  attributeType,
  nestedBlockType,
  type Attribute,
  type Block,
  type NestedAttributes,
  type NestedBlock,
  type NestedBlockMode,
} from "@tenon/schema";
import { propertyName } from "../names/property-name.ts";
import type { ObjectMapping, PropertyMapping, ValueMapping } from "./mapping.ts";

/** Property names that Pulumi reserves, with their replacements. */
export type ReservedNames = ReadonlyMap<string, string>;

/** Maps the attributes and nested blocks of a block. */
export function mapBlock(block: Block, reserved: ReservedNames = new Map()): ObjectMapping {
  const names = new Set([...Object.keys(block.attributes), ...Object.keys(block.blocks)]);
  const attributes = Object.entries(block.attributes).map(([name, attribute]) => mapAttribute(name, attribute, names, reserved));
  const blocks = Object.entries(block.blocks).map(([name, nested]) => mapNestedBlock(name, nested, names, reserved));
  return objectMapping([...attributes, ...blocks]);
}

function mapAttribute(name: string, attribute: Attribute, siblings: ReadonlySet<string>, reserved: ReservedNames): PropertyMapping {
  const type = attributeType(attribute);
  return {
    property: reserved.get(name) ?? propertyName(name, { plural: isRepeated(type), siblings }),
    attribute: name,
    value: attribute.nested ? mapNestedAttributes(attribute.nested, type) : mapType(type),
    input: attribute.required || attribute.optional,
    required: attribute.required,
    computed: attribute.computed,
    sensitive: attribute.sensitive,
    writeOnly: attribute.writeOnly,
    block: undefined,
  };
}

function mapNestedAttributes({ nesting, attributes }: NestedAttributes, type: Type): ValueMapping {
  const names = new Set(Object.keys(attributes));
  const properties = Object.entries(attributes).map(([name, attribute]) => mapAttribute(name, attribute, names, new Map()));
  return inNesting(nesting, type, objectMapping(properties));
}

/**
 * Puts an object into its nesting. The kind comes from the nesting, because the type of lists and maps of blocks with a dynamic attribute
 * is dynamic: their values are tuples and objects.
 */
function inNesting(nesting: NestedBlockMode, type: Type, object: ObjectMapping): ValueMapping {
  const element: ValueMapping = { kind: "object", type: elementType(type), object };
  switch (nesting) {
    case "list":
    case "set":
      return { kind: nesting, type, elements: [element] };
    case "map":
      return { kind: "map", type, element };
    default:
      return { kind: "object", type, object };
  }
}

function elementType(type: Type): Type {
  return type.kind === "list" || type.kind === "set" || type.kind === "map" ? type.element : dynamic;
}

function mapNestedBlock(name: string, nested: NestedBlock, siblings: ReadonlySet<string>, reserved: ReservedNames): PropertyMapping {
  const { nesting, minItems, maxItems } = nested;
  const type = nestedBlockType(nested);
  const repeated = nesting === "list" || nesting === "set";
  const isOnly = repeated && maxItems === 1;
  return {
    property: reserved.get(name) ?? propertyName(name, { plural: repeated && !isOnly, siblings }),
    attribute: name,
    value: mapBlockValue(nested, type, isOnly),
    input: true,
    required: minItems > 0,
    computed: false,
    sensitive: false,
    writeOnly: false,
    block: nesting,
  };
}

function mapBlockValue({ nesting, block }: NestedBlock, type: Type, isOnly: boolean): ValueMapping {
  const object = mapBlock(block);
  if (isOnly && (nesting === "list" || nesting === "set")) {
    return { kind: "only", type, of: nesting, element: { kind: "object", type: elementType(type), object } };
  }
  return inNesting(nesting, type, object);
}

/** Maps a type. Attributes of object types become properties, too. */
export function mapType(type: Type): ValueMapping {
  switch (type.kind) {
    case "string":
    case "number":
    case "bool":
    case "dynamic":
      return { kind: type.kind, type };
    case "list":
    case "set":
      return { kind: type.kind, type, elements: [mapType(type.element)] };
    case "map":
      return { kind: "map", type, element: mapType(type.element) };
    case "tuple":
      return { kind: "tuple", type, elements: type.elements.map(mapType) };
    case "object":
      return { kind: "object", type, object: mapObjectType(type) };
    default:
      throw new TypeError(`a provider's schema cannot hold the capsule type ${type.name}`);
  }
}

function mapObjectType(type: ObjectType): ObjectMapping {
  const siblings = new Set(type.names);
  return objectMapping(
    type.names.map((name) => {
      const attribute = type.attributes[name]!;
      return {
        property: propertyName(name, { plural: isRepeated(attribute), siblings }),
        attribute: name,
        value: mapType(attribute),
        input: true,
        required: false,
        computed: false,
        sensitive: false,
        writeOnly: false,
        block: undefined,
      };
    }),
  );
}

function isRepeated(type: Type): boolean {
  return type.kind === "list" || type.kind === "set";
}

function objectMapping(properties: readonly PropertyMapping[]): ObjectMapping {
  return {
    properties,
    byProperty: new Map(properties.map((property) => [property.property, property])),
    byAttribute: new Map(properties.map((property) => [property.attribute, property])),
  };
}
