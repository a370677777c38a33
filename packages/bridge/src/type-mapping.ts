// SPDX-License-Identifier: Apache-2.0
import { dynamic, type ObjectType, type Type } from "@tenon/cty";
import type { NestedBlockMode } from "@tenon/schema";

/**
 * The structure of the values of one type, which both bridges map to JSON. `type` is the type of the provider's value.
 *
 * @typeParam Members The mapping of the attributes and nested blocks of an object.
 */
export type TypeMapping<Members> =
  | { readonly kind: "string" | "number" | "bool" | "dynamic"; readonly type: Type }
  /** Array. A tuple has a mapping for each element; a list and a set have one mapping for all elements. */
  | { readonly kind: "list" | "set" | "tuple"; readonly type: Type; readonly elements: readonly TypeMapping<Members>[] }
  /** Object with arbitrary keys. */
  | { readonly kind: "map"; readonly type: Type; readonly element: TypeMapping<Members> }
  | { readonly kind: "object"; readonly type: Type; readonly object: Members };

/** How a bridge maps the parts of a type. */
export interface TypeRules<Members, Scope> {
  /** Maps the attributes of an object type. */
  readonly object: (type: ObjectType, scope: Scope) => Members;
  /** The scope of an element of a tuple. Default: the scope of the tuple. */
  readonly tupleElement?: (scope: Scope, index: number) => Scope;
}

/**
 * Maps a type.
 *
 * @param scope The rules or names that apply to the objects in the type.
 */
export function mapTypeIn<Members, Scope>(type: Type, scope: Scope, rules: TypeRules<Members, Scope>): TypeMapping<Members> {
  const { object, tupleElement = () => scope } = rules;
  switch (type.kind) {
    case "string":
    case "number":
    case "bool":
    case "dynamic":
      return { kind: type.kind, type };
    case "list":
    case "set":
      return { kind: type.kind, type, elements: [mapTypeIn(type.element, scope, rules)] };
    case "map":
      return { kind: "map", type, element: mapTypeIn(type.element, scope, rules) };
    case "tuple":
      return { kind: "tuple", type, elements: type.elements.map((element, at) => mapTypeIn(element, tupleElement(scope, at), rules)) };
    case "object":
      return { kind: "object", type, object: object(type, scope) };
    default:
      throw new TypeError(`a provider's schema cannot contain the capsule type ${type.name}`);
  }
}

/**
 * Wraps an object in the collection of its nesting. The nesting determines the kind. The type cannot: for blocks with a dynamic attribute, it is
 * `dynamic`, and the values are tuples and objects.
 */
export function mapNested<Members>(nesting: NestedBlockMode, type: Type, object: Members): TypeMapping<Members> {
  const element: TypeMapping<Members> = { kind: "object", type: elementTypeOf(type), object };
  switch (nesting) {
    case "list":
    case "set":
      return { kind: nesting, type, elements: [element] };
    case "map":
      return { kind: "map", type, element };
    default:
      return { kind: "object", type, object };
  }
}

/** The type of the elements of a collection; `dynamic` for any other type. */
export function elementTypeOf(type: Type): Type {
  return type.kind === "list" || type.kind === "set" || type.kind === "map" ? type.element : dynamic;
}
