// SPDX-License-Identifier: Apache-2.0
import { objectOf, type Mark, type Value } from "@tenon/cty";
import type { Attribute } from "../body/body.ts";
import type { Expression } from "../syntax/expression.ts";

/** Current elements of the enclosing `dynamic` blocks, by iterator name: objects of `key` and `value`. */
export type Iterators = ReadonlyMap<string, Value>;

/** Adds an iterator, which hides an outer one of the same name. */
export function withIterator(outer: Iterators | undefined, name: string, key: Value, value: Value): Iterators {
  const element = objectOf(
    new Map([
      ["key", key],
      ["value", value],
    ]),
  );
  return new Map([...(outer ?? []), [name, element]]);
}

/** Adds the iterators to the variables of an expression, and marks to its value. */
export function scoped(inner: Expression, iterators: Iterators | undefined, marks: ReadonlySet<Mark>): Expression {
  if (iterators === undefined && marks.size === 0) return inner;
  return { kind: "scoped", inner, variables: iterators ?? new Map(), marks, range: inner.range };
}

/** Adds the iterators and marks to the expression of an attribute. */
export function scopedAttribute(attribute: Attribute, iterators: Iterators | undefined, marks: ReadonlySet<Mark>): Attribute {
  return { ...attribute, expression: scoped(attribute.expression, iterators, marks) };
}
