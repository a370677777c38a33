// SPDX-License-Identifier: Apache-2.0
import { list } from "@tenon/cty";
import {
  createSchema,
  type FunctionSignature,
  type GetProviderSchemaResponse,
  type GetResourceIdentitySchemasResponse,
  type IdentitySchema,
  type Schema,
} from "@tenon/schema";
import { camelCase, propertyName } from "../names/property-name.ts";
import { commonPrefix, functionToken, readerToken, resourceToken, withoutPrefix } from "../names/token-name.ts";
import type {
  ComponentMapping,
  FunctionMapping,
  IdSource,
  NameDeviation,
  ObjectMapping,
  PackageMapping,
  ParameterMapping,
  ProviderFunctionMapping,
  ResourceMapping,
} from "./mapping.ts";
import { mapBlock, mapType, type ReservedNames } from "./object-mapping.ts";

/** What a package is mapped from. */
export interface PackageSource {
  readonly name: string;
  /** Full semantic version. */
  readonly version: string;
  readonly schemas: GetProviderSchemaResponse;
  readonly identities: GetResourceIdentitySchemasResponse["identitySchemas"];
  /** Whether a resource type, data source, ephemeral resource or function of this name belongs to the package. Default: all do. */
  readonly includes?: (name: string) => boolean;
}

/** Maps a provider to a Pulumi package. The properties of a type are mapped when they are first used. */
export function mapPackage(source: PackageSource): PackageMapping {
  const { name, version, schemas, includes = () => true } = source;
  const providerSchema = schemas.provider ?? createSchema({});
  const prefix = commonPrefix(schemas.resources.keys());
  const deviations: NameDeviation[] = [];
  const tokens = new UniqueTokens();
  const resources = new Map<string, ResourceMapping>();
  for (const typeName of [...schemas.resources.keys()].toSorted().filter(includes)) {
    const token = tokens.unique(resourceToken(name, withoutPrefix(typeName, prefix)));
    resources.set(token, new MappedResource(token, typeName, source));
  }
  const functions = new Map<string, FunctionMapping>();
  for (const typeName of [...schemas.dataSources.keys()].toSorted().filter(includes)) {
    const token = tokens.unique(readerToken(name, "get", withoutPrefix(typeName, prefix)));
    functions.set(token, new MappedReader("dataSource", token, typeName, schemas.dataSources));
  }
  for (const typeName of [...schemas.ephemeralResources.keys()].toSorted().filter(includes)) {
    const token = tokens.unique(readerToken(name, "open", withoutPrefix(typeName, prefix)));
    functions.set(token, new MappedReader("ephemeralResource", token, typeName, schemas.ephemeralResources));
  }
  for (const functionName of [...schemas.functions.keys()].toSorted().filter(includes)) {
    const token = tokens.unique(functionToken(name, functionName));
    functions.set(token, mapFunction(token, functionName, schemas.functions.get(functionName)!));
  }
  return { name, version, config: new LazyComponent(() => providerSchema), resources, functions, deviations };
}

/** Adds a number to a token that is equal to an earlier one apart from case. */
class UniqueTokens {
  readonly #taken = new Set<string>();

  unique(token: string): string {
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? token : numbered(token, number);
      const key = candidate.toLowerCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return candidate;
    }
  }
}

function numbered(token: string, number: number): string {
  const [packageName, module, name] = token.split(":");
  return `${packageName}:${module}V${number}:${name}V${number}`;
}

/** A component whose schema is decoded, and whose properties are mapped, when they are first used. */
class LazyComponent implements ComponentMapping {
  readonly #load: () => Schema;
  readonly #reserved: (schema: Schema) => ReservedNames;
  #object: ObjectMapping | undefined;

  constructor(load: () => Schema, reserved: (schema: Schema) => ReservedNames = () => new Map()) {
    this.#load = load;
    this.#reserved = reserved;
  }

  get schema(): Schema {
    return this.#load();
  }

  get object(): ObjectMapping {
    this.#object ??= mapBlock(this.schema.block, this.#reserved(this.schema));
    return this.#object;
  }
}

class MappedReader<Kind extends "dataSource" | "ephemeralResource"> extends LazyComponent {
  readonly kind: Kind;
  readonly token: string;
  readonly typeName: string;

  constructor(kind: Kind, token: string, typeName: string, schemas: ReadonlyMap<string, Schema>) {
    super(() => schemas.get(typeName)!);
    this.kind = kind;
    this.token = token;
    this.typeName = typeName;
  }
}

class MappedResource extends LazyComponent implements ResourceMapping {
  readonly token: string;
  readonly typeName: string;
  readonly #source: PackageSource;

  constructor(token: string, typeName: string, source: PackageSource) {
    super(
      () => source.schemas.resources.get(typeName)!,
      (schema) => reservedNames(source.name, token, schema),
    );
    this.token = token;
    this.typeName = typeName;
    this.#source = source;
  }

  get identitySchema(): IdentitySchema | undefined {
    return this.#source.identities.get(this.typeName);
  }

  get listSchema(): Schema | undefined {
    return this.#source.schemas.listResources.get(this.typeName);
  }

  get id(): IdSource {
    const { id } = this.schema.block.attributes;
    if (id?.type?.kind === "string" && !id.sensitive && !id.writeOnly) return { kind: "attribute", name: "id" };
    return this.identitySchema ? { kind: "identity" } : { kind: "none" };
  }
}

/** Returns names for attributes whose property names Pulumi reserves for itself. */
function reservedNames(packageName: string, token: string, { block }: Schema): ReservedNames {
  const names = new Map<string, string>();
  const taken = new Set([...Object.keys(block.attributes), ...Object.keys(block.blocks)]);
  const { id } = block.attributes;
  if (id && !(id.computed && !id.optional && id.type?.kind === "string")) {
    const resource = snakeCase(token.slice(token.lastIndexOf(":") + 1));
    const candidates = [`${resource}_id`, `${packageName}_${resource}_id`, "resource_id", `${packageName}_id`];
    names.set("id", camelCase(candidates.find((name) => !taken.has(name)) ?? "resource_id_"));
  }
  if (taken.has("urn")) names.set("urn", `${camelCase(packageName)}Urn`);
  if (taken.has("pulumi")) names.set("pulumi", "pulumiInfo");
  return names;
}

function snakeCase(pascal: string): string {
  return pascal.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function mapFunction(token: string, name: string, signature: FunctionSignature): ProviderFunctionMapping {
  const { parameters, variadicParameter, returnType } = signature;
  const siblings = new Set(parameters.map((parameter) => parameter.name));
  const fixed = parameters.map((parameter, position): ParameterMapping => ({
    property: propertyName(parameter.name, { plural: false, siblings }),
    value: mapType(parameter.type),
    variadic: false,
    // Only parameters at the end may be left out.
    optional: variadicParameter === undefined && parameters.slice(position).every(({ allowNullValue }) => allowNullValue),
  }));
  if (variadicParameter === undefined) return { kind: "function", token, name, signature, parameters: fixed, result: mapType(returnType) };
  const variadic: ParameterMapping = {
    property: propertyName(variadicParameter.name, { plural: false, siblings }),
    value: mapType(list(variadicParameter.type)),
    variadic: true,
    optional: true,
  };
  return { kind: "function", token, name, signature, parameters: [...fixed, variadic], result: mapType(returnType) };
}
