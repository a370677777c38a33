// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { CtyFunction } from "@tenon/cty/function";
import type { IndexExpression } from "./expression.ts";
import type { Traversal } from "./traversal.ts";

/**
 * The variables and functions an expression can refer to. A name that a scope does not define is looked up in its parent.
 *
 * An absent table differs from an empty one: where no scope up to the root has a table of variables, a reference is an error
 * that says that variables may not be used at all; likewise for functions.
 */
export interface Scope {
  readonly variables?: ReadonlyMap<string, Value>;
  readonly functions?: ReadonlyMap<string, CtyFunction>;
  /**
   * Values of single references in the tree, which take precedence over the variables of the same scope. Unstable: may change
   * in any version.
   */
  readonly anchors?: Anchors;
  readonly parent?: Scope;
}

/**
 * Values of references by their place in the tree, for programs that evaluate one expression many times. The places are
 * determined once, and each evaluation has its own values. The tree and the ranges of diagnostics do not change.
 *
 * A variable of an inner scope, such as that of a `for` expression, hides an anchor of an outer scope.
 */
export interface Anchors {
  /** Place of a node's value, by the node: the array of a traversal that starts with a variable, or an index expression. */
  readonly places: ReadonlyMap<Traversal | IndexExpression, AnchorPlace>;
  /** The values. */
  readonly values: readonly Value[];
}

/** The position of an anchor's value, and how much of the reference the value stands for. */
export interface AnchorPlace {
  /** Position in {@link Anchors.values}. */
  readonly position: number;
  /**
   * Number of steps of a traversal that the value stands for, the variable included; further steps are followed from the
   * value. The value of an index expression stands for the whole expression.
   */
  readonly steps: number;
}

/** The parts of a scope, as maps or as plain objects. */
export interface ScopeInput {
  readonly variables?: ReadonlyMap<string, Value> | Readonly<Record<string, Value>>;
  /** Functions by their names with namespaces, such as `provider::time::rfc3339_parse`. */
  readonly functions?: ReadonlyMap<string, CtyFunction> | Readonly<Record<string, CtyFunction>>;
}

/**
 * Creates a scope, optionally inside another one.
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

/** A scope with variables inside another one. */
export function scopeWith(variables: ReadonlyMap<string, Value>, parent: Scope | undefined): Scope {
  return parent === undefined ? { variables } : { variables, parent };
}
