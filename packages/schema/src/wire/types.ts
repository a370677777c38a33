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

/** What is needed to read and write a value: its type and, where it is a block's, what must not be null in it. */
export interface ValueShape {
  readonly type: Type;
  readonly fill?: Fill;
}

/** What a provider said of itself, as far as it was asked. */
export interface KnownSchemas {
  readonly schema: GetProviderSchemaResponse;
  /** Undefined before they are asked for. */
  readonly identities?: ReadonlyMap<string, IdentitySchema>;
  /** Signatures beyond those in `schema`: of functions that only a configured provider has. */
  readonly functions?: ReadonlyMap<string, FunctionSignature>;
}

/** Takes from {@link Types} the one a field has. */
export type ShapeOf = (types: Types) => ValueShape;
/** As {@link ShapeOf}, for a field that the provider may have no type for. */
export type OptionalShapeOf = (types: Types) => ValueShape | undefined;

export const ofProviderConfig: ShapeOf = (types) => types.providerConfig;
export const ofProviderMeta: OptionalShapeOf = (types) => types.providerMeta;
export const ofResource: ShapeOf = (types) => types.resource;
export const ofIdentity: OptionalShapeOf = (types) => types.identity;
export const ofDataSource: ShapeOf = (types) => types.dataSource;
export const ofEphemeralResource: ShapeOf = (types) => types.ephemeralResource;
export const ofListResource: ShapeOf = (types) => types.listResource;
export const ofAction: ShapeOf = (types) => types.action;
export const ofStateStore: ShapeOf = (types) => types.stateStore;
export const ofBool: ShapeOf = () => boolShape;
export const ofNumber: ShapeOf = () => numberShape;

const boolShape: ValueShape = { type: bool };
const numberShape: ValueShape = { type: number };
const emptyShape: ValueShape = { type: object({}) };

/**
 * The types in one call: those of the provider, and those that the call's type name names. Each is looked up when a field asks
 * for it.
 */
export class Types {
  readonly #known: KnownSchemas | undefined;
  readonly #typeName: string;
  #resource: ValueShape | undefined;

  /** `known` may be undefined for calls that carry no values. */
  constructor(known: KnownSchemas | undefined, typeName: string) {
    this.#known = known;
    this.#typeName = typeName;
  }

  /** The same for another type name: an imported resource has its own. */
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

  /** The function that the call's name names. */
  get function(): FunctionSignature {
    const name = this.#typeName;
    const signature = this.#schemas.functions.get(name) ?? this.#known?.functions?.get(name);
    if (signature === undefined) throw new WireError("UNKNOWN_TYPE", `the provider has no function ${JSON.stringify(name)}`);
    return signature;
  }

  get #schemas(): GetProviderSchemaResponse {
    if (this.#known === undefined) throw new TypeError("a message with values in it was translated before the schemas were known");
    return this.#known.schema;
  }

  #named(schemas: ReadonlyMap<string, Schema>, what: string): ValueShape {
    const schema = schemas.get(this.#typeName);
    if (schema === undefined) throw new WireError("UNKNOWN_TYPE", `the provider has no ${what} ${JSON.stringify(this.#typeName)}`);
    return shapeOf(schema);
  }
}

/** For messages that need to know nothing. */
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
