// SPDX-License-Identifier: Apache-2.0

/**
 * Value of a property in Pulumi's engine, decoded from the wire.
 *
 * Objects are maps, because their keys may be any text. Values that JSON cannot express are objects with a `kind`.
 */
export type PropertyValue =
  | null
  | boolean
  | number
  | string
  | readonly PropertyValue[]
  | PropertyMap
  | UnknownProperty
  | SecretProperty
  | OutputProperty
  | ResourceReferenceProperty
  | AssetProperty
  | ArchiveProperty
  | ByteStringProperty;

/** Properties by name. */
export type PropertyMap = ReadonlyMap<string, PropertyValue>;

/** Kind of an unknown value. */
export type UnknownKind = "string" | "bool" | "number" | "array" | "object" | "asset" | "archive";

/** Value that is not known during a preview. */
export interface UnknownProperty {
  readonly kind: "unknown";
  readonly of: UnknownKind;
}

/** Value that the engine encrypts in its state and hides in its output. */
export interface SecretProperty {
  readonly kind: "secret";
  readonly value: PropertyValue;
}

/** Value with the resources that it depends on. */
export interface OutputProperty {
  readonly kind: "output";
  /** Absent if the value is not known. */
  readonly value?: PropertyValue;
  readonly secret: boolean;
  /** URNs of the resources that the value depends on. */
  readonly dependencies: readonly string[];
}

/** Reference to a resource. */
export interface ResourceReferenceProperty {
  readonly kind: "resource";
  readonly urn: string;
  /** Absent for components; unknown before the resource is created. */
  readonly id?: string | UnknownProperty;
  readonly packageVersion: string;
}

/** File, as text, path or address. In old states it has only a hash. */
export interface AssetProperty {
  readonly kind: "asset";
  readonly hash?: string;
  readonly text?: string;
  readonly path?: string;
  readonly uri?: string;
}

/** Archive of files, as parts, path or address. In old states it has only a hash. */
export interface ArchiveProperty {
  readonly kind: "archive";
  readonly hash?: string;
  readonly path?: string;
  readonly uri?: string;
  readonly assets?: PropertyMap;
}

/** String that is not valid UTF-8. */
export interface ByteStringProperty {
  readonly kind: "bytes";
  readonly bytes: Uint8Array;
}

/** Value that JSON cannot express. */
export type SpecialProperty = Extract<PropertyValue, { readonly kind: string }>;

/** Whether the value is an object. */
export function isPropertyMap(value: PropertyValue | undefined): value is PropertyMap {
  return value instanceof Map;
}

/** Whether the value is an array. */
export function isPropertyArray(value: PropertyValue | undefined): value is readonly PropertyValue[] {
  return Array.isArray(value);
}

/** Whether JSON cannot express the value. */
export function isSpecialProperty(value: PropertyValue | undefined): value is SpecialProperty {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Map);
}

/** Creates an unknown value. */
export function unknownProperty(of: UnknownKind = "string"): UnknownProperty {
  return { kind: "unknown", of };
}

/** Makes a value secret. A value that is secret already is returned unchanged. */
export function secretProperty(value: PropertyValue): SecretProperty {
  return isSpecialProperty(value) && value.kind === "secret" ? value : { kind: "secret", value };
}
