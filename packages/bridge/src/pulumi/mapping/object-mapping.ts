// SPDX-License-Identifier: Apache-2.0
import { dynamic, type ObjectType, type Type } from "@tenon/cty";
import { attributeType, nestedBlockType, type Attribute, type Block, type NestedAttributes, type NestedBlock } from "@tenon/schema";
import { elementTypeOf, mapNested, mapTypeIn, type TypeRules } from "../../type-mapping.ts";
import type { ObjectMapping, PropertyMapping, ValueMapping } from "./mapping.ts";
import { NameRegister, type NameScope } from "./name-register.ts";

/** Maps the attributes and nested blocks of a block. @param scope - names the attributes. By default, names follow only the rules. */
export function mapBlock({ attributes, blocks }: Block, scope: NameScope = new NameRegister().scope("block")): ObjectMapping {
  const attributeNames = Object.keys(attributes);
  const blockNames = Object.keys(blocks);
  const nameOf = scope.names([
    ...attributeNames.map((name) => ({ attribute: name, plural: isRepeatedAttribute(attributes[name]!) })),
    ...blockNames.map((name) => ({ attribute: name, plural: isList(blocks[name]!) && !isOnly(blocks[name]!) })),
  ]);
  return new MappedObject([
    ...attributeNames.map((name) => mapAttribute(name, attributes[name]!, nameOf(name), scope.child(name))),
    ...blockNames.map((name) => mapNestedBlock(name, blocks[name]!, nameOf(name), scope.child(name))),
  ]);
}

function mapAttribute(name: string, attribute: Attribute, property: string, scope: NameScope): PropertyMapping {
  const type = attributeType(attribute);
  return {
    property,
    attribute: name,
    value: attribute.nested ? mapNestedAttributes(attribute.nested, type, scope) : mapType(type, scope),
    input: attribute.required || attribute.optional,
    required: attribute.required,
    computed: attribute.computed,
    sensitive: attribute.sensitive,
    writeOnly: attribute.writeOnly,
    block: undefined,
  };
}

function mapNestedAttributes({ nesting, attributes }: NestedAttributes, type: Type, scope: NameScope): ValueMapping {
  const names = Object.keys(attributes);
  const nameOf = scope.names(names.map((name) => ({ attribute: name, plural: isRepeatedAttribute(attributes[name]!) })));
  const properties = names.map((name) => mapAttribute(name, attributes[name]!, nameOf(name), scope.child(name)));
  return mapNested(nesting, type, new MappedObject(properties));
}

function isList({ nesting }: NestedBlock): boolean {
  return nesting === "list" || nesting === "set";
}

/** Whether the nested block is a list or set that can have at most one block. */
function isOnly(nested: NestedBlock): boolean {
  return isList(nested) && nested.maxItems === 1;
}

function mapNestedBlock(name: string, nested: NestedBlock, property: string, scope: NameScope): PropertyMapping {
  return {
    property,
    attribute: name,
    value: mapBlockValue(nested, nestedBlockType(nested), scope),
    input: true,
    required: nested.minItems > 0,
    computed: false,
    sensitive: false,
    writeOnly: false,
    block: nested.nesting,
  };
}

function mapBlockValue(nested: NestedBlock, type: Type, scope: NameScope): ValueMapping {
  const { nesting, block } = nested;
  const object = mapBlock(block, scope);
  if (isOnly(nested) && (nesting === "list" || nesting === "set")) {
    return { kind: "only", type, of: nesting, element: { kind: "object", type: elementTypeOf(type), object } };
  }
  return mapNested(nesting, type, object);
}

/** Maps a type. The attributes of an object type become properties. */
export function mapType(type: Type, scope: NameScope): ValueMapping {
  return mapTypeIn(type, scope, typeRules);
}

const typeRules: TypeRules<ObjectMapping, NameScope> = {
  object: mapObjectType,
  tupleElement: (tuple, index) => tuple.child(`t${index}`),
};

function mapObjectType(type: ObjectType, scope: NameScope): ObjectMapping {
  const nameOf = scope.names(type.names.map((name) => ({ attribute: name, plural: isRepeated(type.attributes[name]!) })));
  return new MappedObject(
    type.names.map((name) => {
      const attribute = type.attributes[name]!;
      return {
        property: nameOf(name),
        attribute: name,
        value: mapType(attribute, scope.child(name)),
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

function isRepeatedAttribute({ nested, type = dynamic }: Attribute): boolean {
  return nested ? nested.nesting === "list" || nested.nesting === "set" : isRepeated(type);
}

function isRepeated(type: Type): boolean {
  return type.kind === "list" || type.kind === "set";
}

/** The maps are made on first use: a large package has many objects, and its schema needs none of the maps. */
class MappedObject implements ObjectMapping {
  readonly properties: readonly PropertyMapping[];
  #byProperty: ReadonlyMap<string, PropertyMapping> | undefined;
  #byAttribute: ReadonlyMap<string, PropertyMapping> | undefined;

  constructor(properties: readonly PropertyMapping[]) {
    this.properties = properties;
  }

  get byProperty(): ReadonlyMap<string, PropertyMapping> {
    this.#byProperty ??= new Map(this.properties.map((property) => [property.property, property]));
    return this.#byProperty;
  }

  get byAttribute(): ReadonlyMap<string, PropertyMapping> {
    this.#byAttribute ??= new Map(this.properties.map((property) => [property.attribute, property]));
    return this.#byAttribute;
  }
}
