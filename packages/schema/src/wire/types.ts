// SPDX-License-Identifier: Apache-2.0
import { bool, number, object, type Type } from "@tenon/cty";
import type { GetProviderSchemaResponse } from "../messages/provider.ts";
import type { FunctionSignature } from "../model/function-signature.ts";
import type { IdentitySchema } from "../model/identity-schema.ts";
import { identityType } from "../model/identity-type.ts";
import { impliedType } from "../model/implied-type.ts";
import type { Schema } from "../model/schema.ts";
import { nestedBlocksFill, type Fill } from "./nested-blocks.ts";
import { WireError } from "./wire-error.ts";

/** Type of a value, and for a block the replacement of null nested blocks in it. */
export interface ValueShape {
  readonly type: Type;
  readonly fill?: Fill;
}

/** Schemas and functions of a provider, as far as they were requested. */
export interface KnownSchemas {
  readonly schema: GetProviderSchemaResponse;
  /** Undefined before they are requested. */
  readonly identities?: ReadonlyMap<string, IdentitySchema>;
  /** Signatures of functions that only a configured provider has, and that `schema` lacks. */
  readonly functions?: ReadonlyMap<string, FunctionSignature>;
}

/** Selects the shape of a field from {@link Types}. */
export type ShapeOf = (types: Types) => ValueShape;
/** As {@link ShapeOf}, for a field for which the provider may have no type. */
export type OptionalShapeOf = (types: Types) => ValueShape | undefined;

/** Shape of the provider's configuration. */
export const ofProviderConfig: ShapeOf = (types) => types.providerConfig;
/** Shape of `provider_meta`. */
export const ofProviderMeta: OptionalShapeOf = (types) => types.providerMeta;
/** Shape of the managed resource that the call names. */
export const ofResource: ShapeOf = (types) => types.resource;
/** Shape of the identity of the resource that the call names. */
export const ofIdentity: OptionalShapeOf = (types) => types.identity;
/** Shape of the data source that the call names. */
export const ofDataSource: ShapeOf = (types) => types.dataSource;
/** Shape of the ephemeral resource that the call names. */
export const ofEphemeralResource: ShapeOf = (types) => types.ephemeralResource;
/** Shape of the list resource that the call names. */
export const ofListResource: ShapeOf = (types) => types.listResource;
/** Shape of the action that the call names. */
export const ofAction: ShapeOf = (types) => types.action;
/** Shape of the state store that the call names. */
export const ofStateStore: ShapeOf = (types) => types.stateStore;
/** Shape of a bool. */
export const ofBool: ShapeOf = () => boolShape;
/** Shape of a number. */
export const ofNumber: ShapeOf = () => numberShape;

const boolShape: ValueShape = { type: bool };
const numberShape: ValueShape = { type: number };
const emptyShape: ValueShape = { type: object({}) };

/**
 * Types of the values in one call: those of the provider, and those of the call's type name. Each is looked up when a field needs it.
 */
export class Types {
  readonly #known: KnownSchemas | undefined;
  readonly #typeName: string;
  #resource: ValueShape | undefined;

  /** @param known - Undefined for calls without values. */
  constructor(known: KnownSchemas | undefined, typeName: string) {
    this.#known = known;
    this.#typeName = typeName;
  }

  /** Returns the types of another type name, such as that of an imported resource. */
  named(typeName: string): Types {
    return typeName === this.#typeName ? this : new Types(this.#known, typeName);
  }

  get providerConfig(): ValueShape {
    const { provider } = this.#schemas;
    return provider === undefined ? emptyShape : shapeOf(provider);
  }

  get providerMeta(): ValueShape | undefined {
    const { providerMeta } = this.#schemas;
    return providerMeta && shapeOf(providerMeta);
  }

  get resource(): ValueShape {
    return (this.#resource ??= this.#named(this.#schemas.resources, "resource type"));
  }

  get dataSource(): ValueShape {
    return this.#named(this.#schemas.dataSources, "data source");
  }

  get ephemeralResource(): ValueShape {
    return this.#named(this.#schemas.ephemeralResources, "ephemeral resource type");
  }

  get listResource(): ValueShape {
    return this.#named(this.#schemas.listResources, "list resource type");
  }

  get action(): ValueShape {
    return this.#named(this.#schemas.actions, "action type");
  }

  get stateStore(): ValueShape {
    return this.#named(this.#schemas.stateStores, "state store type");
  }

  /** Undefined for a resource type without identity. */
  get identity(): ValueShape | undefined {
    const schema = this.#known?.identities?.get(this.#typeName);
    return schema && identityShapeOf(schema);
  }

  /** Signature of the function that the call names. */
  get function(): FunctionSignature {
    const name = this.#typeName;
    const signature = this.#schemas.functions.get(name) ?? this.#known?.functions?.get(name);
    if (signature === undefined) throw new WireError("UNKNOWN_TYPE", `the provider has no function ${JSON.stringify(name)}`);
    return signature;
  }

  get #schemas(): GetProviderSchemaResponse {
    if (this.#known === undefined) throw new TypeError("a message with values was translated before the schemas were known");
    return this.#known.schema;
  }

  #named(schemas: ReadonlyMap<string, Schema>, what: string): ValueShape {
    const schema = schemas.get(this.#typeName);
    if (schema === undefined) throw new WireError("UNKNOWN_TYPE", `the provider has no ${what} ${JSON.stringify(this.#typeName)}`);
    return shapeOf(schema);
  }
}

/** Types for messages without values. */
export const noTypes: Types = new Types(undefined, "");

const shapes = new WeakMap<Schema, ValueShape>();
const identityShapes = new WeakMap<IdentitySchema, ValueShape>();

function shapeOf(schema: Schema): ValueShape {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const fill = nestedBlocksFill(schema.block);
  const shape: ValueShape = { type: impliedType(schema.block), ...(fill ? { fill } : {}) };
  shapes.set(schema, shape);
  return shape;
}

function identityShapeOf(schema: IdentitySchema): ValueShape {
  const known = identityShapes.get(schema);
  if (known !== undefined) return known;
  const shape: ValueShape = { type: identityType(schema) };
  identityShapes.set(schema, shape);
  return shape;
}
