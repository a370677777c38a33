// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";
import type { FunctionSignature, IdentitySchema, NestedBlockMode, Schema } from "@tenon/schema";
import type { TypeMapping } from "../../type-mapping.ts";

/** The mapping of a provider to a Pulumi package: tokens and property names, with the types and attributes that they represent. */
export interface PackageMapping {
  /** Name of the package, such as `random`. */
  readonly name: string;
  /** Version of the package: a full semantic version. */
  readonly version: string;
  /** Configuration of the provider. */
  readonly config: ComponentMapping;
  /** Resource types by token, such as `random:index/pet:Pet`. */
  readonly resources: ReadonlyMap<string, ResourceMapping>;
  /** Data sources, ephemeral resources and functions by token, such as `random:index/getPet:getPet`. */
  readonly functions: ReadonlyMap<string, FunctionMapping>;
  /** Names of the types of nested objects, by the token and properties that lead to them. The first use maps the properties of all types. */
  readonly typeNames: ReadonlyMap<string, string>;
  /** Names that differ from those of Pulumi's own bridge. The first use maps the properties of all types. */
  readonly deviations: readonly NameDeviation[];
  /** Whether numbers that a double cannot hold exactly are strings in outputs. Inputs of numbers can be strings then, too. */
  readonly exactNumbers: boolean;
}

/** A name that differs from the name in Pulumi's own bridge. */
export interface NameDeviation {
  /**
   * The named component, attribute or type of an attribute, such as `resource random_pet`, `attribute 3x of resource random_pet` or
   * `type of attribute a.b of resource random_pet`.
   */
  readonly subject: string;
  /** Name in Pulumi's own bridge: a property name, or the last part of a token. */
  readonly theirs: string;
  /** Name in the package. */
  readonly ours: string;
}

/** A component with a schema: the provider's configuration, a resource type, a data source or an ephemeral resource. */
export interface ComponentMapping {
  readonly schema: Schema;
  /** Properties of the schema's block. Computed on first use, because most types of a large provider are never used. */
  readonly object: ObjectMapping;
}

/** Resource type. */
export interface ResourceMapping extends ComponentMapping {
  readonly token: string;
  /** Name of the resource type in the provider, such as `random_pet`. */
  readonly typeName: string;
  /** Undefined if resources of the type have no identity. */
  readonly identitySchema: IdentitySchema | undefined;
  /** Source of the ID of a resource. */
  readonly id: IdSource;
  /** Schema of a list of resources of this type; undefined if the provider cannot list them. */
  readonly listSchema: Schema | undefined;
}

/**
 * Source of the ID of a resource:
 *
 * - `attribute`: the value of an attribute, as text.
 * - `identity`: the identity, as JSON text, which an import accepts.
 * - `none`: the state has neither, so the ID is the constant `missing ID`.
 */
export type IdSource = { readonly kind: "attribute"; readonly name: string } | { readonly kind: "identity" } | { readonly kind: "none" };

/** Function of the package. */
export type FunctionMapping = DataSourceMapping | EphemeralResourceMapping | ProviderFunctionMapping;

/** Data source. */
export interface DataSourceMapping extends ComponentMapping {
  readonly kind: "dataSource";
  readonly token: string;
  readonly typeName: string;
}

/** Ephemeral resource. All its results are secret. */
export interface EphemeralResourceMapping extends ComponentMapping {
  readonly kind: "ephemeralResource";
  readonly token: string;
  readonly typeName: string;
}

/** Function of the provider. */
export interface ProviderFunctionMapping {
  readonly kind: "function";
  readonly token: string;
  /** Name of the function in the provider. */
  readonly name: string;
  readonly signature: FunctionSignature;
  /** Parameters in order, the variadic one last. */
  readonly parameters: readonly ParameterMapping[];
  readonly result: ValueMapping;
}

/** Parameter of a function. */
export interface ParameterMapping {
  readonly property: string;
  readonly value: ValueMapping;
  /** Whether the property is an array with all remaining arguments. */
  readonly variadic: boolean;
  /** Whether the argument may be omitted. It is null then. */
  readonly optional: boolean;
}

/** Properties of an object, a block or the attributes of a nested attribute. */
export interface ObjectMapping {
  /** Properties in the order of their attributes' names. */
  readonly properties: readonly PropertyMapping[];
  readonly byProperty: ReadonlyMap<string, PropertyMapping>;
  readonly byAttribute: ReadonlyMap<string, PropertyMapping>;
}

/** A property, and the attribute or nested block that it represents. */
export interface PropertyMapping {
  readonly property: string;
  readonly attribute: string;
  readonly value: ValueMapping;
  /** Whether the program can set the property. */
  readonly input: boolean;
  /** Whether the program must set the property. */
  readonly required: boolean;
  /** Whether the provider may set the property if the program does not. */
  readonly computed: boolean;
  readonly sensitive: boolean;
  readonly writeOnly: boolean;
  /** Nesting of the block that the property represents; undefined for an attribute. Absent blocks are empty collections, not null. */
  readonly block: NestedBlockMode | undefined;
}

/** The mapping of values of one type to property values. */
export type ValueMapping =
  | TypeMapping<ObjectMapping>
  /** The only element of a list or set of blocks that can have at most one. */
  | { readonly kind: "only"; readonly type: Type; readonly of: "list" | "set"; readonly element: ValueMapping };
