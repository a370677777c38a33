// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { CtyFunction } from "@tenon/cty/function";

/**
 * What names mean to an expression. A name that a scope does not have is looked for in its parent.
 *
 * A table that is absent is something else than an empty one: where no scope up to the root has a table of variables, an
 * expression may not refer to any, and is told so; the same with functions.
 */
export interface Scope {
  readonly variables?: ReadonlyMap<string, Value>;
  readonly functions?: ReadonlyMap<string, CtyFunction>;
  readonly parent?: Scope;
}

/** The parts of a scope, as maps or as plain objects. */
export interface ScopeInput {
  readonly variables?: ReadonlyMap<string, Value> | Readonly<Record<string, Value>>;
  /** Names in a namespace have it in front: `provider::time::rfc3339_parse`. */
  readonly functions?: ReadonlyMap<string, CtyFunction> | Readonly<Record<string, CtyFunction>>;
}

/**
 * Makes a scope, inside another one if one is given.
 *
 * @example
 * evaluate(parseExpression("name").expression, createScope({ variables: { name: of(string, "a") } })).value
 * // => cty.StringVal("a")
 */
export function createScope({ variables, functions }: ScopeInput, parent?: Scope): Scope {
  return {
    ...(variables === undefined ? {} : { variables: asMap(variables) }),
    ...(functions === undefined ? {} : { functions: asMap(functions) }),
    ...(parent === undefined ? {} : { parent }),
  };
}

function asMap<T>(table: ReadonlyMap<string, T> | Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return table instanceof Map ? table : new Map(Object.entries(table));
}

/** A scope with variables of its own inside another. */
export function scopeWith(variables: ReadonlyMap<string, Value>, parent: Scope | undefined): Scope {
  return parent === undefined ? { variables } : { variables, parent };
}
