// SPDX-License-Identifier: Apache-2.0
// The form of dynamic_resources.json.
import type { StoredValue } from "./stored-value.ts";

/** A declared attribute. Data sources have the same attributes, all of them computed. */
export interface AttributeDeclaration {
  readonly type: "boolean" | "float" | "integer" | "number" | "string" | "list" | "map" | "object" | "set";
  readonly optional?: boolean;
  readonly required?: boolean;
  readonly computed?: boolean;
  /** The value of a computed attribute that the configuration does not set. Default: null. */
  readonly value?: StoredValue;
  /** The element of a list, map or set. */
  readonly list?: AttributeDeclaration;
  readonly map?: AttributeDeclaration;
  readonly set?: AttributeDeclaration;
  /** The attributes of an object. */
  readonly object?: Attributes;
  readonly sensitive?: boolean;
  /** Whether a change replaces the resource. */
  readonly replace?: boolean;
  /** Whether objects are values of an object type, and not nested attributes with flags of their own. */
  readonly skip_nested_metadata?: boolean;
}

/** Declared attributes by name. */
export type Attributes = Readonly<Record<string, AttributeDeclaration>>;

/** A declared block. */
export interface BlockDeclaration {
  readonly attributes?: Attributes;
  readonly blocks?: Readonly<Record<string, BlockDeclaration>>;
  /** Default: `list`. */
  readonly mode?: "list" | "set";
}

/** A declared resource type. Each also has an `id`. */
export interface ResourceDeclaration {
  readonly attributes?: Attributes;
  readonly blocks?: Readonly<Record<string, BlockDeclaration>>;
}

/** Returns the declared element of a list, map or set. */
export function elementOf(declared: AttributeDeclaration): AttributeDeclaration {
  const element = declared.type === "map" ? declared.map : declared.type === "set" ? declared.set : declared.list;
  if (element === undefined) throw new Error(`an attribute of type ${declared.type} needs "${declared.type}", the type of its elements`);
  return element;
}
