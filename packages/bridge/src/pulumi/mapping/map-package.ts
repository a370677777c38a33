// SPDX-License-Identifier: Apache-2.0
import { list, type Type } from "@tenon/cty";
import {
  createSchema,
  type FunctionSignature,
  type GetProviderSchemaResponse,
  type GetResourceIdentitySchemasResponse,
  type IdentitySchema,
  type Schema,
} from "@tenon/schema";
import { camelCase } from "../names/property-name.ts";
import {
  type ComponentKind,
  componentTokens,
  type NamedComponent,
  nameOfToken,
  resourcePrefix,
  withoutPrefix,
} from "../names/token-name.ts";
import type {
  ComponentMapping,
  FunctionMapping,
  IdSource,
  ObjectMapping,
  PackageMapping,
  ParameterMapping,
  ProviderFunctionMapping,
  ResourceMapping,
  ValueMapping,
} from "./mapping.ts";
import { componentSubject, NameRegister, type RecordedNames } from "./name-register.ts";
import { mapBlock, mapType } from "./object-mapping.ts";
import { nameTypes } from "./type-names.ts";

/** The source of a {@link PackageMapping}: the schemas of a provider, and the options of the package. */
export interface PackageSource {
  readonly name: string;
  /** Full semantic version. */
  readonly version: string;
  readonly schemas: GetProviderSchemaResponse;
  readonly identities: GetResourceIdentitySchemasResponse["identitySchemas"];
  /** Whether the package includes the resource type, data source, ephemeral resource or function with a name. Default: all are included. */
  readonly includes?: (name: string) => boolean;
  /** Names that the package has had before. */
  readonly names?: RecordedNames;
  /** Whether numbers that a double cannot hold exactly are strings in outputs. Default: false. */
  readonly exactNumbers?: boolean;
}

/** Maps a provider to a Pulumi package. The properties of a type are mapped when they are first used. */
export function mapPackage(source: PackageSource): PackageMapping {
  const { name, version, schemas, includes = () => true } = source;
  const providerSchema = schemas.provider ?? createSchema({});
  const register = new NameRegister(source.names);
  const resources = new Map<string, ResourceMapping>();
  const functions = new Map<string, FunctionMapping>();
  for (const { component, token, theirs } of componentTokens(componentsOf(schemas, includes), {
    packageName: name,
    resourceTypes: schemas.resources.keys(),
    recorded: (one) => register.recorded(componentSubject(one)),
  })) {
    const { kind, name: typeName } = component;
    const subject = componentSubject(component);
    register.add({ subject, theirs: nameOfToken(theirs), ours: nameOfToken(token) });
    const lazy = { subject, register };
    if (kind === "resource") resources.set(token, new MappedResource(token, typeName, source, lazy));
    else if (kind === "data source") functions.set(token, new MappedReader("dataSource", token, typeName, schemas.dataSources, lazy));
    else if (kind === "ephemeral resource")
      functions.set(token, new MappedReader("ephemeralResource", token, typeName, schemas.ephemeralResources, lazy));
    else functions.set(token, mapFunction(token, typeName, schemas.functions.get(typeName)!, register, subject));
  }
  const reserved = new Map(
    ["id", "urn", "version"].map((attribute) => [attribute, camelCase(`${name.replaceAll("-", "_")}_${attribute}`)]),
  );
  const config = new LazyComponent(() => providerSchema, { subject: "provider configuration", register, reserved: () => reserved });
  let typeNames: ReadonlyMap<string, string> | undefined;
  return {
    name,
    version,
    config,
    resources,
    functions,
    exactNumbers: source.exactNumbers ?? false,
    get typeNames() {
      typeNames ??= nameTypes(this, register);
      return typeNames;
    },
    get deviations() {
      // Names all types, and so all properties.
      void this.typeNames;
      return register.deviations;
    },
  };
}

/** The components of a provider that the package includes, by kind, each kind in alphabetical order. */
function componentsOf(schemas: GetProviderSchemaResponse, includes: (name: string) => boolean): readonly NamedComponent[] {
  const all: readonly (readonly [kind: ComponentKind, names: Iterable<string>])[] = [
    ["resource", schemas.resources.keys()],
    ["data source", schemas.dataSources.keys()],
    ["ephemeral resource", schemas.ephemeralResources.keys()],
    ["function", schemas.functions.keys()],
  ];
  return all.flatMap(([kind, names]) =>
    [...names]
      .toSorted()
      .filter(includes)
      .map((name) => ({ kind, name })),
  );
}

/** Names and exceptions that a component needs when its properties are mapped. */
interface LazyNames {
  readonly subject: string;
  readonly register: NameRegister;
  readonly reserved?: (schema: Schema) => ReadonlyMap<string, string>;
  readonly forbidden?: ReadonlySet<string>;
}

/** A component whose schema is decoded, and whose properties are mapped, when they are first used. */
class LazyComponent implements ComponentMapping {
  readonly #load: () => Schema;
  readonly #names: LazyNames;
  #object: ObjectMapping | undefined;

  constructor(load: () => Schema, names: LazyNames) {
    this.#load = load;
    this.#names = names;
  }

  get schema(): Schema {
    return this.#load();
  }

  get object(): ObjectMapping {
    this.#object ??= this.#map();
    return this.#object;
  }

  #map(): ObjectMapping {
    const { schema } = this;
    const { subject, register, reserved, forbidden } = this.#names;
    const scope = register.scope(subject, {
      ...(reserved === undefined ? {} : { reserved: reserved(schema) }),
      ...(forbidden === undefined ? {} : { forbidden }),
    });
    return mapBlock(schema.block, scope);
  }
}

class MappedReader<Kind extends "dataSource" | "ephemeralResource"> extends LazyComponent {
  readonly kind: Kind;
  readonly token: string;
  readonly typeName: string;

  constructor(kind: Kind, token: string, typeName: string, schemas: ReadonlyMap<string, Schema>, names: LazyNames) {
    super(() => schemas.get(typeName)!, names);
    this.kind = kind;
    this.token = token;
    this.typeName = typeName;
  }
}

class MappedResource extends LazyComponent implements ResourceMapping {
  readonly token: string;
  readonly typeName: string;
  readonly #source: PackageSource;

  constructor(token: string, typeName: string, source: PackageSource, names: LazyNames) {
    super(() => source.schemas.resources.get(typeName)!, {
      ...names,
      reserved: (schema) => reservedNames(source, typeName, schema),
      forbidden: forbiddenInClasses,
    });
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

/** Property names that a class in TypeScript cannot have. */
const forbiddenInClasses: ReadonlySet<string> = new Set(["constructor"]);

/**
 * Returns names for attributes whose property names Pulumi reserves for itself.
 *
 * @see pulumi-terraform-bridge pkg/tfbridge/tokens/fixups.go, fixPropertyConflict
 */
function reservedNames({ name, schemas }: PackageSource, typeName: string, { block }: Schema): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const isTaken = (attribute: string): boolean => Object.hasOwn(block.attributes, attribute) || Object.hasOwn(block.blocks, attribute);
  const { id } = block.attributes;
  const packageName = name.replaceAll("-", "_");
  if (id && !(id.computed && !id.optional && id.type?.kind === "string")) {
    const resource = withoutPrefix(typeName, resourcePrefix(schemas.resources.keys())).replace(/^_+/, "");
    const candidates = [`${resource}_id`, `${packageName}_${resource}_id`, "resource_id", `${packageName}_id`];
    names.set("id", camelCase(candidates.find((candidate) => !isTaken(candidate)) ?? "resource_id"));
  }
  if (isTaken("urn")) names.set("urn", camelCase(`${name}_urn`));
  if (isTaken("pulumi")) names.set("pulumi", "pulumiInfo");
  return names;
}

/** Names that a parameter cannot have: keywords of TypeScript, and `opts`. */
const forbiddenParameters: ReadonlySet<string> = new Set(
  (
    "break case catch class const continue debugger default delete do else enum export extends false finally for function if import in " +
    "instanceof new null return super switch this throw true try typeof var void while with implements interface let package private " +
    "protected public static yield await eval arguments opts"
  ).split(" "),
);

function mapFunction(
  token: string,
  name: string,
  signature: FunctionSignature,
  register: NameRegister,
  subject: string,
): ProviderFunctionMapping {
  const { parameters, variadicParameter, returnType } = signature;
  const scope = register.scope(subject, { forbidden: forbiddenParameters });
  const nameOf = scope.names(
    [...parameters, ...(variadicParameter ? [variadicParameter] : [])].map((parameter) => ({ attribute: parameter.name, plural: false })),
  );
  const mapped = (parameterName: string, type: Type): ValueMapping => mapType(type, scope.child(parameterName));
  const result = mapType(returnType, register.scope(`result of ${subject}`));
  const fixed = parameters.map((parameter, position): ParameterMapping => ({
    property: nameOf(parameter.name),
    value: mapped(parameter.name, parameter.type),
    variadic: false,
    // Only parameters at the end can be optional.
    optional: variadicParameter === undefined && parameters.slice(position).every(({ allowNullValue }) => allowNullValue),
  }));
  if (variadicParameter === undefined) return { kind: "function", token, name, signature, parameters: fixed, result };
  const variadic: ParameterMapping = {
    property: nameOf(variadicParameter.name),
    value: mapped(variadicParameter.name, list(variadicParameter.type)),
    variadic: true,
    optional: true,
  };
  return { kind: "function", token, name, signature, parameters: [...fixed, variadic], result };
}
