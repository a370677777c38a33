// SPDX-License-Identifier: Apache-2.0
import type { FunctionParameter, Schema } from "@tenon/schema";
import type { FunctionMapping, ObjectMapping, PackageMapping, ProviderFunctionMapping, ResourceMapping } from "../mapping/mapping.ts";
import { hasAutoName, nameProperty } from "../mapping/auto-named.ts";
import { componentScope, configScope, functionSubject, providerScope, resultScope, type TypeScope } from "../mapping/type-names.ts";
import { nameOfToken } from "../names/token-name.ts";
import { deprecation, descriptionText } from "./description-text.ts";
import { jsonMember, jsonObject, jsonObjectOf, jsonText } from "./json-text.ts";
import { listMember, propertyMembers, type PropertyText, requiredOf, TypeWriter } from "./type-schema.ts";

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
  return new SchemaWriter(mapping).schema(texts);
}

class SchemaWriter {
  readonly #mapping: PackageMapping;
  readonly #types: TypeWriter;

  constructor(mapping: PackageMapping) {
    this.#mapping = mapping;
    this.#types = new TypeWriter(mapping);
  }

  schema({ description, repository, parameterization }: PackageTexts): string {
    const { name, version, config } = this.#mapping;
    const variables = inputsOf(this.#types.properties(configScope, config));
    const settings = inputsOf(this.#types.properties(providerScope, config));
    const resources = Array.from(this.#mapping.resources, ([token, resource]) => jsonMember(token, this.#resource(resource)));
    const functions = Array.from(this.#mapping.functions, ([token, mapped]) => jsonMember(token, this.#function(mapped)));
    const configToken = configMethodToken(name);
    const types = Array.from(this.#types.types, ([token, text]) => jsonMember(token, text));
    return jsonObject(
      jsonMember("name", jsonText(name)),
      jsonMember("version", jsonText(version)),
      jsonMember("description", jsonText(description ?? `The Terraform provider ${name} as a Pulumi package.`)),
      repository ? jsonMember("repository", jsonText(repository)) : undefined,
      // Tokens have modules such as `index/name`. The name of the module is the part before the slash.
      jsonMember("meta", JSON.stringify({ moduleFormat: "(.*)(?:/[^/]*)" })),
      jsonMember("language", JSON.stringify(languages(this.#mapping))),
      jsonMember("config", jsonObject(propertyMembers(variables, "variables"), listMember("defaults", requiredOf(variables, "input")))),
      jsonMember(
        "provider",
        jsonObject(
          ...described(config.schema.block),
          propertyMembers(settings),
          listMember("required", requiredOf(settings, "input")),
          propertyMembers(settings, "inputProperties"),
          listMember("requiredInputs", requiredOf(settings, "input")),
          jsonMember("methods", JSON.stringify({ terraformConfig: configToken })),
        ),
      ),
      types.length > 0 ? jsonMember("types", jsonObjectOf(types)) : undefined,
      jsonMember("resources", jsonObjectOf(resources)),
      jsonMember("functions", jsonObjectOf([...functions, jsonMember(configToken, JSON.stringify(configMethod))])),
      parameterization ? jsonMember("parameterization", parameterizationText(parameterization)) : undefined,
    );
  }

  #resource(resource: ResourceMapping): string {
    const name = nameOfToken(resource.token);
    const scope = componentScope(resource.token, `resource ${resource.typeName}`);
    const outputs = this.#types.properties(scope, resource).filter(({ mapped }) => mapped.property !== "id");
    const inputs = inputsOf(outputs);
    const others = outputs.filter(({ mapped }) => !mapped.input);
    const requiredInputs = requiredOf(inputs, "input");
    return jsonObject(
      ...described(resource.schema.block),
      propertyMembers(outputs),
      listMember("required", requiredOf(outputs, "output")),
      propertyMembers(inputs, "inputProperties"),
      // If the program sets no name, the plugin chooses one.
      listMember("requiredInputs", hasAutoName(resource.object) ? requiredInputs.filter((one) => one !== nameProperty) : requiredInputs),
      jsonMember(
        "stateInputs",
        jsonObject(
          jsonMember("description", jsonText(`Properties for looking up and filtering existing ${name} resources.\n`)),
          propertyMembers([...inputs, ...others]),
          '"type":"object"',
        ),
      ),
    );
  }

  #function(mapped: FunctionMapping): string {
    if (mapped.kind === "function") return this.#providerFunction(mapped);
    const name = nameOfToken(mapped.token);
    const scope = componentScope(mapped.token, functionSubject(mapped));
    const properties = this.#types.properties(scope, mapped);
    const inputs = inputsOf(properties);
    const outputs = mapped.kind === "ephemeralResource" ? this.#types.properties(scope, mapped, true) : properties;
    return jsonObject(
      ...described(mapped.schema.block),
      inputs.length > 0 ? jsonMember("inputs", specification(`Arguments of ${name}.\n`, inputs, requiredOf(inputs, "input"))) : undefined,
      jsonMember("outputs", specification(`Values returned by ${name}.\n`, outputs, requiredOf(outputs, "output"))),
    );
  }

  #providerFunction(mapped: ProviderFunctionMapping): string {
    const { token, signature, parameters, result } = mapped;
    const scope = componentScope(token, functionSubject(mapped));
    const outcome = resultScope(token, functionSubject(mapped));
    const specs: readonly FunctionParameter[] = [
      ...signature.parameters,
      ...(signature.variadicParameter ? [signature.variadicParameter] : []),
    ];
    const properties = parameters.map(({ property, value }, position) => {
      const description = descriptionText(specs[position]!.description);
      const type = this.#types.typeOf(scope, { property, attribute: property, value }, { isInput: true });
      return jsonMember(property, jsonObject(type, description ? jsonMember("description", jsonText(description)) : undefined));
    });
    const required = parameters.filter(({ optional }) => !optional).map(({ property }) => property);
    const names = parameters.map(({ property }) => property);
    const description = [signature.summary, signature.description]
      .map(descriptionText)
      .filter((text) => text !== "")
      .join("\n\n");
    return jsonObject(
      description ? jsonMember("description", jsonText(description)) : undefined,
      signature.deprecationMessage ? jsonMember("deprecationMessage", jsonText(signature.deprecationMessage)) : undefined,
      listMember("multiArgumentInputs", names),
      names.length > 0
        ? jsonMember(
            "inputs",
            jsonObject('"type":"object"', jsonMember("properties", jsonObjectOf(properties)), listMember("required", required)),
          )
        : undefined,
      jsonMember(
        "outputs",
        result.kind === "object"
          ? this.#resultObject(outcome, result.object)
          : jsonObject(this.#types.typeOf(outcome, { property: "result", attribute: "result", value: result })),
      ),
    );
  }

  /** The outputs of a function whose result is an object: its attributes. All of them are present, but can be null. */
  #resultObject(scope: TypeScope, { properties }: ObjectMapping): string {
    const members = properties.map((mapped) => jsonMember(mapped.property, jsonObject(this.#types.typeOf(scope, mapped))));
    const names = properties.map(({ property }) => property);
    return jsonObject('"type":"object"', jsonMember("properties", jsonObjectOf(members)), jsonMember("required", JSON.stringify(names)));
  }
}

function inputsOf(properties: readonly PropertyText[]): readonly PropertyText[] {
  return properties.filter(({ mapped }) => mapped.input);
}

function specification(description: string, properties: readonly PropertyText[], required: readonly string[]): string {
  return jsonObject(
    jsonMember("description", jsonText(description)),
    '"type":"object"',
    propertyMembers(properties),
    listMember("required", required),
  );
}

function parameterizationText({ baseProvider, parameter }: SchemaParameterization): string {
  return JSON.stringify({ baseProvider, parameter: Buffer.from(parameter).toString("base64") });
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

function described(block: Schema["block"]): readonly (string | undefined)[] {
  const description = descriptionText(block.description);
  const deprecated = deprecation(block);
  return [
    description ? jsonMember("description", jsonText(description)) : undefined,
    deprecated ? jsonMember("deprecationMessage", jsonText(deprecated)) : undefined,
  ];
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
