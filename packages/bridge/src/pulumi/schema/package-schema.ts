// SPDX-License-Identifier: Apache-2.0
import type { Attribute, Block, FunctionParameter, Schema } from "@tenon/schema";
import type { FunctionMapping, ObjectMapping, PackageMapping, PropertyMapping, ResourceMapping, ValueMapping } from "../mapping/mapping.ts";
import { singularOf } from "../names/inflection.ts";

/** The plugin and the value that make it the package; in the schema, so that generated SDKs and programs name both. */
export interface SchemaParameterization {
  readonly baseProvider: { readonly name: string; readonly version: string };
  /** Value of the parameter. */
  readonly parameter: Uint8Array;
}

/** Texts about the package. */
export interface PackageTexts {
  readonly description?: string;
  readonly repository?: string;
  readonly parameterization?: SchemaParameterization;
}

interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
}

interface PropertySpec extends TypeSpec {
  readonly description?: string;
  readonly deprecationMessage?: string;
  readonly secret?: boolean;
}

interface ObjectSpec {
  readonly description?: string;
  readonly type?: "object";
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required?: readonly string[];
}

/**
 * Writes the Pulumi schema of a package as JSON text.
 *
 * @see https://www.pulumi.com/docs/iac/guides/building-extending/packages/schema/
 */
export function packageSchema(mapping: PackageMapping, texts: PackageTexts = {}): string {
  return JSON.stringify(new SchemaWriter(mapping).schema(texts));
}

class SchemaWriter {
  readonly #mapping: PackageMapping;
  readonly #types: Record<string, ObjectSpec> = {};

  constructor(mapping: PackageMapping) {
    this.#mapping = mapping;
  }

  schema({ description, repository, parameterization }: PackageTexts): object {
    const { name, version, config } = this.#mapping;
    const configSpec = this.#properties("Config", config.object, config.schema.block, "input");
    const resources = Object.fromEntries([...this.#mapping.resources].map(([token, resource]) => [token, this.#resource(resource)]));
    const functions = Object.fromEntries([...this.#mapping.functions].map(([token, mapped]) => [token, this.#function(mapped)]));
    const provider = this.#properties("Provider", config.object, config.schema.block, "input");
    return {
      name,
      version,
      ...(description ? { description } : {}),
      ...(repository ? { repository } : {}),
      // Modules are named `index/name`: everything after the slash is left out.
      meta: { moduleFormat: "(.*)(?:/[^/]*)" },
      language: languages,
      config: { variables: configSpec.properties, ...(configSpec.required ? { defaults: configSpec.required } : {}) },
      provider: {
        ...(config.schema.block.description ? { description: config.schema.block.description } : {}),
        properties: provider.properties,
        ...(provider.required ? { required: provider.required } : {}),
        inputProperties: provider.properties,
        ...(provider.required ? { requiredInputs: provider.required } : {}),
      },
      ...(Object.keys(this.#types).length > 0 ? { types: this.#types } : {}),
      resources,
      functions,
      ...(parameterization
        ? {
            parameterization: {
              baseProvider: parameterization.baseProvider,
              parameter: Buffer.from(parameterization.parameter).toString("base64"),
            },
          }
        : {}),
    };
  }

  #resource({ token, object, schema }: ResourceMapping): object {
    const parent = token.slice(token.lastIndexOf(":") + 1);
    const outputs = this.#properties(parent, object, schema.block, "output");
    const inputs = this.#properties(parent, object, schema.block, "input");
    const state = { ...inputs.properties, ...outputs.properties };
    return {
      ...described(schema.block),
      properties: withoutId(outputs.properties),
      ...(outputs.required ? { required: outputs.required.filter((name) => name !== "id") } : {}),
      inputProperties: withoutId(inputs.properties),
      ...(inputs.required ? { requiredInputs: inputs.required } : {}),
      stateInputs: {
        description: `Properties for looking up and filtering existing ${parent} resources.\n`,
        properties: withoutId(state),
        type: "object",
      },
    };
  }

  #function(mapped: FunctionMapping): object {
    if (mapped.kind === "function") return this.#providerFunction(mapped);
    const { token, object, schema, kind } = mapped;
    const parent = upperFirst(token.slice(token.lastIndexOf(":") + 1));
    const inputs = this.#properties(parent, object, schema.block, "input");
    const outputs = this.#properties(parent, object, schema.block, "output");
    const secret = kind === "ephemeralResource";
    const properties = Object.fromEntries(
      Object.entries(outputs.properties).map(([name, spec]) => [name, secret ? { ...spec, secret: true } : spec]),
    );
    return {
      ...described(schema.block),
      ...(Object.keys(inputs.properties).length > 0
        ? { inputs: { description: `Arguments of ${token.slice(token.lastIndexOf(":") + 1)}.\n`, ...inputs } }
        : {}),
      outputs: { description: `Values returned by ${token.slice(token.lastIndexOf(":") + 1)}.\n`, ...outputs, properties },
    };
  }

  #providerFunction({ token, signature, parameters, result }: Extract<FunctionMapping, { readonly kind: "function" }>): object {
    const parent = upperFirst(token.slice(token.lastIndexOf(":") + 1));
    const specs: readonly FunctionParameter[] = [
      ...signature.parameters,
      ...(signature.variadicParameter ? [signature.variadicParameter] : []),
    ];
    const properties = Object.fromEntries(
      parameters.map((parameter, position) => {
        const { description } = specs[position]!;
        const type = this.#type(`${parent}${upperFirst(parameter.property)}`, parameter.value);
        return [parameter.property, { ...type, ...(description ? { description } : {}) }];
      }),
    );
    const required = parameters.filter(({ optional }) => !optional).map(({ property }) => property);
    const description = [signature.summary, signature.description].filter((text) => text !== "").join("\n\n");
    const isObject = result.kind === "object";
    const resultType = this.#type(`${parent}Result`, result);
    return {
      ...(description ? { description } : {}),
      ...(signature.deprecationMessage ? { deprecationMessage: signature.deprecationMessage } : {}),
      ...(parameters.length > 0
        ? {
            multiArgumentInputs: parameters.map(({ property }) => property),
            inputs: { type: "object", properties, ...(required.length > 0 ? { required } : {}) },
          }
        : {}),
      outputs: isObject ? this.#resultObject(result) : { type: "object", properties: { result: resultType }, required: ["result"] },
    };
  }

  #resultObject(result: Extract<ValueMapping, { readonly kind: "object" }>): ObjectSpec {
    const properties = Object.fromEntries(
      result.object.properties.map(({ property, value }) => [property, this.#type(upperFirst(property), value)]),
    );
    return { type: "object", properties };
  }

  #properties(parent: string, object: ObjectMapping, block: Block | undefined, direction: "input" | "output"): ObjectSpec {
    const selected = object.properties.filter(({ input }) => direction === "output" || input);
    const required = selected.filter((property) => isRequired(property, direction)).map(({ property }) => property);
    const specs = selected.map((property) => [property.property, this.#property(parent, property, block)] as const);
    return { properties: Object.fromEntries(specs), ...(required.length > 0 ? { required } : {}) };
  }

  #property(parent: string, mapped: PropertyMapping, block: Block | undefined): PropertySpec {
    const attribute = block?.attributes[mapped.attribute];
    const nested = block?.blocks[mapped.attribute];
    const type = this.#type(`${parent}${upperFirst(singularOf(mapped.property))}`, mapped.value, attribute, nested?.block);
    const note = mapped.writeOnly ? "This value is write-only: the provider does not return it." : "";
    const description = [attribute?.description ?? nested?.block.description ?? "", note].filter((text) => text !== "").join("\n\n");
    const deprecated = deprecation(attribute ?? nested?.block);
    return {
      ...type,
      ...(description ? { description } : {}),
      ...(deprecated ? { deprecationMessage: deprecated } : {}),
      ...(mapped.sensitive || mapped.writeOnly ? { secret: true } : {}),
    };
  }

  #type(name: string, value: ValueMapping, attribute?: Attribute, block?: Block): TypeSpec {
    switch (value.kind) {
      case "string":
      case "number":
        return { type: value.kind };
      case "bool":
        return { type: "boolean" };
      case "dynamic":
        return { $ref: "pulumi.json#/Any" };
      case "list":
      case "set":
        return { type: "array", items: this.#type(name, value.elements[0]!, attribute, block) };
      case "tuple":
        return { type: "array", items: { $ref: "pulumi.json#/Any" } };
      case "map":
        return { type: "object", additionalProperties: this.#type(name, value.element, attribute, block) };
      case "only":
        return this.#type(name, value.element, attribute, block);
      default:
        return this.#objectType(name, value.object, attribute, block);
    }
  }

  #objectType(name: string, object: ObjectMapping, attribute: Attribute | undefined, block: Block | undefined): TypeSpec {
    const token = `${this.#mapping.name}:index/${name}:${name}`;
    if (!(token in this.#types)) {
      // Claimed before its properties are written: types of the same name are the same type.
      this.#types[token] = { type: "object", properties: {} };
      const source = block ?? (attribute?.nested ? nestedBlock(attribute.nested.attributes) : undefined);
      this.#types[token] = { type: "object", ...this.#properties(name, object, source, "output") };
    }
    return { $ref: `#/types/${token}` };
  }
}

function nestedBlock(attributes: Readonly<Record<string, Attribute>>): Block {
  return { attributes, blocks: {}, description: "", descriptionKind: "plain", deprecated: false, deprecationMessage: "" };
}

function isRequired(property: PropertyMapping, direction: "input" | "output"): boolean {
  if (direction === "input") return property.required;
  return property.required || property.computed;
}

function withoutId(properties: Readonly<Record<string, PropertySpec>>): Readonly<Record<string, PropertySpec>> {
  const { id: _, ...rest } = properties;
  return rest;
}

function described(block: Schema["block"]): object {
  const deprecated = deprecation(block);
  return { ...(block.description ? { description: block.description } : {}), ...(deprecated ? { deprecationMessage: deprecated } : {}) };
}

function deprecation(part: Pick<Block, "deprecated" | "deprecationMessage"> | undefined): string {
  if (!part?.deprecated) return "";
  return part.deprecationMessage === "" ? "Deprecated" : part.deprecationMessage;
}

function upperFirst(text: string): string {
  return text === "" ? text : text[0]!.toUpperCase() + text.slice(1);
}

/** Options of the generators of SDKs. */
const languages = {
  nodejs: { compatibility: "tfbridge20", disableUnionOutputTypes: true, respectSchemaVersion: true },
  python: { compatibility: "tfbridge20", pyproject: { enabled: true }, respectSchemaVersion: true },
  go: { respectSchemaVersion: true },
  csharp: { compatibility: "tfbridge20", respectSchemaVersion: true },
};
