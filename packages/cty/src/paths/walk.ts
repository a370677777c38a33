// SPDX-License-Identifier: Apache-2.0
import { childrenOf } from "../value/children.ts";
import type { Path } from "../model/path.ts";
import { isMarkedPayload, isUnknownPayload, markedPayload, unmarkedPayload, type Payload } from "../payload/payload.ts";
import { listOf, mapOf, objectOf, setOf, tupleOf } from "../construction/value-init.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";

/**
 * Visits a value and all values inside it: a container before its parts, keys in order. If the visitor returns `false`, the parts of
 * that value are skipped. The step to a set's element has the element itself as its key.
 *
 * @see go-cty Walk
 */
export function walk(value: Value, visit: (path: Path, value: Value) => boolean | void): void {
  visitAll(value, [], visit);
}

function visitAll(value: Value, path: Path, visit: (path: Path, value: Value) => boolean | void): void {
  if (visit(path, value) === false) return;
  for (const child of childrenOf(value.type, unmarkedPayload(value.payload))) {
    visitAll(valueOf(child.type, child.payload), [...path, child.step], visit);
  }
}

/** Yields the value and all values inside it, each with its path, in the order of {@link walk}. @see go-cty DeepValues */
export function* deepValues(value: Value, path: Path = []): Generator<readonly [Path, Value], void> {
  yield [path, value];
  for (const child of childrenOf(value.type, unmarkedPayload(value.payload))) {
    yield* deepValues(valueOf(child.type, child.payload), [...path, child.step]);
  }
}

/** The functions that {@link transform} calls before and after it transforms the parts of a value. */
export interface Transformer {
  /** Called before the parts of a value are transformed. Returns the value whose parts are transformed. */
  readonly enter?: (path: Path, value: Value) => Value;
  /** Called after the parts of a value were transformed. Returns the final value. */
  readonly exit?: (path: Path, value: Value) => Value;
}

/**
 * Replaces every part of a value by the result of `change`, from the inside out. Types may change, but all elements of a collection
 * must have one type. Parts that do not change are shared with the original.
 *
 * @throws CtyError `MISUSE` if the elements of a collection end up with different types.
 * @see go-cty Transform, TransformWithTransformer
 */
export function transform(value: Value, change: ((path: Path, value: Value) => Value) | Transformer): Value {
  return replaced(value, [], typeof change === "function" ? { exit: change } : change);
}

function replaced(original: Value, path: Path, transformer: Transformer): Value {
  const value = transformer.enter?.(path, original) ?? original;
  const inside = replacedInside(value, path, transformer);
  return transformer.exit?.(path, inside) ?? inside;
}

function replacedInside(value: Value, path: Path, transformer: Transformer): Value {
  const payload = unmarkedPayload(value.payload);
  const children = [...childrenOf(value.type, payload)];
  if (children.length === 0) return value;
  const results = children.map((child) => replaced(valueOf(child.type, child.payload), [...path, child.step], transformer));
  if (results.every((result, index) => result.type === children[index]!.type && result.payload === children[index]!.payload)) return value;
  const rebuilt = rebuild(value, payload, results);
  return isMarkedPayload(value.payload) ? valueOf(rebuilt.type, markedPayload(rebuilt.payload, value.payload.marks)) : rebuilt;
}

function rebuild(value: Value, payload: Payload, children: readonly Value[]): Value {
  const { type } = value;
  switch (type.kind) {
    case "list":
      return listOf(children);
    case "set":
      return setOf(children);
    case "map":
      return mapOf(new Map(Array.from((payload as ReadonlyMap<string, Payload>).keys(), (key, index) => [key, children[index]!])));
    case "tuple":
      return tupleOf(children);
    case "object":
      return objectOf(new Map(type.names.map((name, index) => [name, children[index]!])));
    default:
      return value;
  }
}

/** Replaces every unknown value by null. Marks are kept. @see go-cty UnknownAsNull */
export function unknownAsNull(value: Value): Value {
  return transform(value, (_, part) => {
    if (!isUnknownPayload(unmarkedPayload(part.payload))) return part;
    return valueOf(part.type, isMarkedPayload(part.payload) ? markedPayload(null, part.payload.marks) : null);
  });
}
