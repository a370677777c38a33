// SPDX-License-Identifier: Apache-2.0
import type { Attribute, Block, Schema } from "@tenon/schema";
import type { ObjectMapping, PackageMapping, PropertyMapping, ValueMapping } from "../mapping/mapping.ts";
import { nestedScope, type TypeScope } from "../mapping/type-names.ts";
import { deprecation, descriptionText } from "./description-text.ts";

/** Type in a Pulumi schema. */
export interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
}

/** Property in a Pulumi schema. */
export interface PropertySpec extends TypeSpec {
  readonly description?: string;
  readonly deprecationMessage?: string;
  readonly secret?: boolean;
}

/** Properties of an object, and which of them are required. */
export interface PropertiesSpec {
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required?: readonly string[];
}

/** Named object type in a Pulumi schema. */
interface ObjectSpec extends PropertiesSpec {
  readonly type: "object";
  readonly language?: object;
}

/** The direction of properties: the program sets inputs, the provider returns outputs. */
export type Direction = "input" | "output";

/** The context of a type, in addition to its mapping. */
interface TypeSource {
  /** Whether programs set values of the type. */
  readonly isInput?: boolean;
  /** Block with the texts of the properties. */
  readonly block?: Block | undefined;
}

/** Writes the types of properties, and collects the named object types. */
export class TypeWriter {
  /** Named types by token. */
  readonly types: Record<string, ObjectSpec> = {};
  readonly #mapping: PackageMapping;

  constructor(mapping: PackageMapping) {
    this.#mapping = mapping;
  }

  /** Properties of a component. */
  properties(
    scope: TypeScope,
    { object, schema }: { readonly object: ObjectMapping; readonly schema: Schema },
    direction: Direction,
  ): PropertiesSpec {
    return this.#properties(scope, object, schema.block, direction);
  }

  /** Type of a property or parameter. */
  typeOf(scope: TypeScope, mapped: Pick<PropertyMapping, "property" | "attribute" | "value">, source: TypeSource = {}): TypeSpec {
    return this.#type(nestedScope(scope, mapped), mapped.value, source);
  }

  #properties(scope: TypeScope, object: ObjectMapping, block: Block | undefined, direction: Direction): PropertiesSpec {
    const selected = object.properties.filter(({ input }) => direction === "output" || input);
    const required = requiredOf(selected, direction);
    const specs = selected.map((property) => [property.property, this.#property(scope, property, block)] as const);
    return { properties: Object.fromEntries(specs), ...(required.length > 0 ? { required } : {}) };
  }

  #property(scope: TypeScope, mapped: PropertyMapping, block: Block | undefined): PropertySpec {
    const attribute = block?.attributes[mapped.attribute];
    const nested = block?.blocks[mapped.attribute];
    const inner = nested?.block ?? (attribute?.nested ? blockOf(attribute.nested.attributes) : undefined);
    const type = this.typeOf(scope, mapped, { isInput: mapped.input, block: inner });
    const note = mapped.writeOnly ? "This value is write-only: the provider does not return it." : "";
    const description = [descriptionText(attribute?.description ?? nested?.block.description ?? ""), note]
      .filter((text) => text !== "")
      .join("\n\n");
    const deprecated = deprecation(attribute ?? nested?.block);
    return {
      ...type,
      ...(description ? { description } : {}),
      ...(deprecated ? { deprecationMessage: deprecated } : {}),
      ...(mapped.sensitive || mapped.writeOnly ? { secret: true } : {}),
    };
  }

  #type(scope: TypeScope, value: ValueMapping, source: TypeSource): TypeSpec {
    switch (value.kind) {
      case "string":
        return { type: "string" };
      case "number":
        return this.#mapping.exactNumbers ? { oneOf: [{ type: "number" }, { type: "string" }] } : { type: "number" };
      case "bool":
        return { type: "boolean" };
      case "dynamic":
        return { $ref: "pulumi.json#/Any" };
      case "list":
      case "set":
        return { type: "array", items: this.#type(scope, value.elements[0]!, source) };
      case "tuple":
        return { type: "array", items: { $ref: "pulumi.json#/Any" } };
      case "map":
        return { type: "object", additionalProperties: this.#type(scope, value.element, source) };
      case "only":
        return this.#type(scope, value.element, source);
      default:
        return this.#objectType(scope, value.object, source);
    }
  }

  #objectType(scope: TypeScope, object: ObjectMapping, { isInput = false, block }: TypeSource): TypeSpec {
    const name = this.#mapping.typeNames.get(scope.path)!;
    const token = `${this.#mapping.name}:${scope.module}/${name}:${name}`;
    if (!Object.hasOwn(this.types, token)) {
      this.types[token] = { type: "object", properties: {} };
      this.types[token] = this.#objectSpec({ ...scope, name }, object, isInput, block);
    }
    return { $ref: `#/types/${token}` };
  }

  /** A type of inputs requires the inputs that programs must set. SDKs for TypeScript also get the properties that are always returned. */
  #objectSpec(scope: TypeScope, object: ObjectMapping, isInput: boolean, block: Block | undefined): ObjectSpec {
    const { properties } = this.#properties(scope, object, block, "output");
    const outputs = requiredOf(object.properties, "output");
    const inputs = requiredOf(object.properties, "input");
    const required = isInput ? inputs : outputs;
    return {
      type: "object",
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...(isInput && outputs.length > inputs.length ? { language: { nodejs: { requiredOutputs: outputs } } } : {}),
    };
  }
}

function requiredOf(properties: readonly PropertyMapping[], direction: Direction): readonly string[] {
  return properties.filter(({ required, computed }) => required || (direction === "output" && computed)).map(({ property }) => property);
}

function blockOf(attributes: Readonly<Record<string, Attribute>>): Block {
  return { attributes, blocks: {}, description: "", descriptionKind: "plain", deprecated: false, deprecationMessage: "" };
}
