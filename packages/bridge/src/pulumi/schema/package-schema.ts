// SPDX-License-Identifier: Apache-2.0
import type { FunctionParameter, Schema } from "@tenon/schema";
import type { FunctionMapping, ObjectMapping, PackageMapping, ProviderFunctionMapping, ResourceMapping } from "../mapping/mapping.ts";
import { hasAutoName, nameProperty } from "../mapping/auto-named.ts";
import { componentScope, configScope, functionSubject, providerScope, resultScope, type TypeScope } from "../mapping/type-names.ts";
import { nameOfToken } from "../names/token-name.ts";
import { deprecation, descriptionText } from "./description-text.ts";
import { type PropertySpec, TypeWriter } from "./type-schema.ts";

/** The plugin that serves the package, and its parameter. Generated SDKs and programs read both from the schema. */
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
  readonly #types: TypeWriter;

  constructor(mapping: PackageMapping) {
    this.#mapping = mapping;
    this.#types = new TypeWriter(mapping);
  }

  schema({ description, repository, parameterization }: PackageTexts): object {
    const { name, version, config } = this.#mapping;
    const configSpec = this.#types.properties(configScope, config, "input");
    const provider = this.#types.properties(providerScope, config, "input");
    const resources = Object.fromEntries([...this.#mapping.resources].map(([token, resource]) => [token, this.#resource(resource)]));
    const functions = Object.fromEntries([...this.#mapping.functions].map(([token, mapped]) => [token, this.#function(mapped)]));
    const configToken = configMethodToken(name);
    const { types } = this.#types;
    return {
      name,
      version,
      description: description ?? `The Terraform provider ${name} as a Pulumi package.`,
      ...(repository ? { repository } : {}),
      // Tokens have modules such as `index/name`. The name of the module is the part before the slash.
      meta: { moduleFormat: "(.*)(?:/[^/]*)" },
      language: languages(this.#mapping),
      config: { variables: configSpec.properties, ...(configSpec.required ? { defaults: configSpec.required } : {}) },
      provider: {
        ...described(config.schema.block),
        properties: provider.properties,
        ...(provider.required ? { required: provider.required } : {}),
        inputProperties: provider.properties,
        ...(provider.required ? { requiredInputs: provider.required } : {}),
        methods: { terraformConfig: configToken },
      },
      ...(Object.keys(types).length > 0 ? { types } : {}),
      resources,
      functions: { ...functions, [configToken]: configMethod },
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

  #resource(resource: ResourceMapping): object {
    const name = nameOfToken(resource.token);
    const scope = componentScope(resource.token, `resource ${resource.typeName}`);
    const outputs = this.#types.properties(scope, resource, "output");
    const inputs = this.#types.properties(scope, resource, "input");
    const required = without(outputs.required, "id");
    // If the program sets no name, the plugin chooses one.
    const requiredInputs = hasAutoName(resource.object) ? without(inputs.required, nameProperty) : inputs.required;
    return {
      ...described(resource.schema.block),
      properties: withoutId(outputs.properties),
      ...(required ? { required } : {}),
      inputProperties: withoutId(inputs.properties),
      ...(requiredInputs ? { requiredInputs } : {}),
      stateInputs: {
        description: `Properties for looking up and filtering existing ${name} resources.\n`,
        properties: withoutId({ ...inputs.properties, ...outputs.properties }),
        type: "object",
      },
    };
  }

  #function(mapped: FunctionMapping): object {
    if (mapped.kind === "function") return this.#providerFunction(mapped);
    const name = nameOfToken(mapped.token);
    const scope = componentScope(mapped.token, functionSubject(mapped));
    const inputs = this.#types.properties(scope, mapped, "input");
    const outputs = this.#types.properties(scope, mapped, "output");
    const secret = mapped.kind === "ephemeralResource";
    const properties = Object.fromEntries(
      Object.entries(outputs.properties).map(([property, spec]) => [property, secret ? { ...spec, secret: true } : spec]),
    );
    return {
      ...described(mapped.schema.block),
      ...(Object.keys(inputs.properties).length > 0
        ? { inputs: { description: `Arguments of ${name}.\n`, type: "object", ...inputs } }
        : {}),
      outputs: { description: `Values returned by ${name}.\n`, type: "object", ...outputs, properties },
    };
  }

  #providerFunction(mapped: ProviderFunctionMapping): object {
    const { token, signature, parameters, result } = mapped;
    const scope = componentScope(token, functionSubject(mapped));
    const outcome = resultScope(token, functionSubject(mapped));
    const specs: readonly FunctionParameter[] = [
      ...signature.parameters,
      ...(signature.variadicParameter ? [signature.variadicParameter] : []),
    ];
    const properties = Object.fromEntries(
      parameters.map(({ property, value }, position) => {
        const description = descriptionText(specs[position]!.description);
        const type = this.#types.typeOf(scope, { property, attribute: property, value }, { isInput: true });
        return [property, { ...type, ...(description ? { description } : {}) }];
      }),
    );
    const required = parameters.filter(({ optional }) => !optional).map(({ property }) => property);
    const description = [signature.summary, signature.description]
      .map(descriptionText)
      .filter((text) => text !== "")
      .join("\n\n");
    return {
      ...(description ? { description } : {}),
      ...(signature.deprecationMessage ? { deprecationMessage: signature.deprecationMessage } : {}),
      ...(parameters.length > 0
        ? {
            multiArgumentInputs: parameters.map(({ property }) => property),
            inputs: { type: "object", properties, ...(required.length > 0 ? { required } : {}) },
          }
        : {}),
      outputs:
        result.kind === "object"
          ? this.#resultObject(outcome, result.object)
          : this.#types.typeOf(outcome, { property: "result", attribute: "result", value: result }),
    };
  }

  /** The outputs of a function whose result is an object: its attributes. All of them are present, but can be null. */
  #resultObject(scope: TypeScope, { properties }: ObjectMapping): object {
    const specs = properties.map((mapped) => [mapped.property, this.#types.typeOf(scope, mapped)] as const);
    return { type: "object", properties: Object.fromEntries(specs), required: properties.map(({ property }) => property) };
  }
}

/** Token of the provider's method that returns its configuration by the names of Terraform. */
export function configMethodToken(packageName: string): string {
  return `pulumi:providers:${packageName}/terraformConfig`;
}

const configMethod = {
  description: "Returns the configuration of the provider, by the names of Terraform.",
  inputs: { type: "object", properties: { __self__: { $ref: "#/provider" } }, required: ["__self__"] },
  outputs: {
    type: "object",
    properties: { result: { type: "object", additionalProperties: { $ref: "pulumi.json#/Any" } } },
    required: ["result"],
  },
};

function without(names: readonly string[] | undefined, name: string): readonly string[] | undefined {
  const rest = names?.filter((one) => one !== name);
  return rest === undefined || rest.length === 0 ? undefined : rest;
}

function withoutId(properties: Readonly<Record<string, PropertySpec>>): Readonly<Record<string, PropertySpec>> {
  const { id: _, ...rest } = properties;
  return rest;
}

function described(block: Schema["block"]): object {
  const description = descriptionText(block.description);
  const deprecated = deprecation(block);
  return { ...(description ? { description } : {}), ...(deprecated ? { deprecationMessage: deprecated } : {}) };
}

/** Options of the generators of SDKs. */
function languages({ name: packageName, exactNumbers }: PackageMapping): object {
  const common = { respectSchemaVersion: true, liftSingleValueMethodReturns: true };
  return {
    nodejs: { compatibility: "tfbridge20", ...(exactNumbers ? {} : { disableUnionOutputTypes: true }), ...common },
    python: { compatibility: "tfbridge20", pyproject: { enabled: true }, respectSchemaVersion: true },
    go: { rootPackageName: packageName.replaceAll("-", ""), generateExtraInputTypes: true, ...common },
    csharp: { compatibility: "tfbridge20", ...common },
  };
}
