// SPDX-License-Identifier: Apache-2.0
import type { Attribute, Block, Schema } from "@tenon/schema";
import type { ObjectMapping, PackageMapping, PropertyMapping, ValueMapping } from "../mapping/mapping.ts";
import { nestedScope, objectIn, type TypeScope } from "../mapping/type-names.ts";
import { deprecation, descriptionText } from "./description-text.ts";
import { jsonMember, jsonObject, jsonText } from "./json-text.ts";

/** A property in a Pulumi schema. The text is written once, although a resource type has it among its inputs, outputs and state. */
export interface PropertyText {
  readonly mapped: PropertyMapping;
  /** The property as a member of a JSON object. */
  readonly member: string;
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

/** Writes the types of properties as JSON text, and collects the named object types. */
export class TypeWriter {
  /** Named types by token. */
  readonly types: Map<string, string> = new Map();
  readonly #mapping: PackageMapping;

  constructor(mapping: PackageMapping) {
    this.#mapping = mapping;
  }

  /**
   * Properties of a component, in the order of its attributes.
   *
   * @param secret - Whether all of them are secret. Default: those are that the schema marks.
   */
  properties(
    scope: TypeScope,
    { object, schema }: { readonly object: ObjectMapping; readonly schema: Schema },
    secret = false,
  ): readonly PropertyText[] {
    return this.#properties(scope, object, schema.block, secret);
  }

  /** Members of the type of a property or parameter. */
  typeOf(scope: TypeScope, mapped: Pick<PropertyMapping, "property" | "attribute" | "value">, source: TypeSource = {}): string {
    // Only types of objects have names.
    const own = objectIn(mapped.value) === undefined ? scope : nestedScope(scope, mapped);
    return this.#type(own, mapped.value, source);
  }

  #properties(scope: TypeScope, { properties }: ObjectMapping, block: Block | undefined, secret = false): readonly PropertyText[] {
    return properties.map((mapped) => ({
      mapped,
      member: jsonMember(mapped.property, `{${this.#property(scope, mapped, block, secret)}}`),
    }));
  }

  #property(scope: TypeScope, mapped: PropertyMapping, block: Block | undefined, secret: boolean): string {
    const attribute = block?.attributes[mapped.attribute];
    const nested = block?.blocks[mapped.attribute];
    const inner = nested?.block ?? (attribute?.nested ? blockOf(attribute.nested.attributes) : undefined);
    let members = this.typeOf(scope, mapped, { isInput: mapped.input, block: inner });
    const note = mapped.writeOnly ? "This value is write-only: the provider does not return it." : "";
    const description = [descriptionText(attribute?.description ?? nested?.block.description ?? ""), note]
      .filter((text) => text !== "")
      .join("\n\n");
    const deprecated = deprecation(attribute ?? nested?.block);
    if (description) members += `,${jsonMember("description", jsonText(description))}`;
    if (deprecated) members += `,${jsonMember("deprecationMessage", jsonText(deprecated))}`;
    return mapped.sensitive || mapped.writeOnly || secret ? `${members},"secret":true` : members;
  }

  #type(scope: TypeScope, value: ValueMapping, source: TypeSource): string {
    switch (value.kind) {
      case "string":
        return '"type":"string"';
      case "number":
        return this.#mapping.exactNumbers ? '"oneOf":[{"type":"number"},{"type":"string"}]' : '"type":"number"';
      case "bool":
        return '"type":"boolean"';
      case "dynamic":
        return anyType;
      case "list":
      case "set":
        return `"type":"array","items":{${this.#type(scope, value.elements[0]!, source)}}`;
      case "tuple":
        return `"type":"array","items":{${anyType}}`;
      case "map":
        return `"type":"object","additionalProperties":{${this.#type(scope, value.element, source)}}`;
      case "only":
        return this.#type(scope, value.element, source);
      default:
        return this.#objectType(scope, value.object, source);
    }
  }

  #objectType(scope: TypeScope, object: ObjectMapping, { isInput = false, block }: TypeSource): string {
    const name = this.#mapping.typeNames.get(scope.path)!;
    const token = `${this.#mapping.name}:${scope.module}/${name}:${name}`;
    if (!this.types.has(token)) {
      // Types inside come later.
      this.types.set(token, "");
      this.types.set(token, this.#namedType({ ...scope, name }, object, isInput, block));
    }
    return jsonMember("$ref", jsonText(`#/types/${token}`));
  }

  /** A type of inputs requires the inputs that programs must set. SDKs for TypeScript also get the properties that are always returned. */
  #namedType(scope: TypeScope, object: ObjectMapping, isInput: boolean, block: Block | undefined): string {
    const properties = this.#properties(scope, object, block);
    const outputs = requiredOf(properties, "output");
    const inputs = requiredOf(properties, "input");
    return jsonObject(
      '"type":"object"',
      propertyMembers(properties),
      listMember("required", isInput ? inputs : outputs),
      isInput && outputs.length > inputs.length
        ? jsonMember("language", `{"nodejs":{${jsonMember("requiredOutputs", JSON.stringify(outputs))}}}`)
        : undefined,
    );
  }
}

const anyType = '"$ref":"pulumi.json#/Any"';

/** The member `properties` of a specification. @param name - Another name of the member. */
export function propertyMembers(properties: readonly PropertyText[], name = "properties"): string {
  return jsonMember(name, `{${properties.map(({ member }) => member).join()}}`);
}

/** A member with names; undefined without names. */
export function listMember(name: string, names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : jsonMember(name, JSON.stringify(names));
}

/** The names of the properties that are required as inputs, or always present in outputs. */
export function requiredOf(properties: readonly PropertyText[], direction: Direction): readonly string[] {
  return properties
    .filter(({ mapped: { required, computed } }) => required || (direction === "output" && computed))
    .map(({ mapped }) => mapped.property);
}

function blockOf(attributes: Readonly<Record<string, Attribute>>): Block {
  return { attributes, blocks: {}, description: "", descriptionKind: "plain", deprecated: false, deprecationMessage: "" };
}
