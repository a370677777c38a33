// SPDX-License-Identifier: Apache-2.0
import { hasIndex, index, length } from "../../../operators/indexing.ts";
import { unmark, withMarks } from "../../../value/marks.ts";
import { bool, dynamic, isCollectionType, number, string } from "../../../type/type.ts";
import type { TupleType, Type } from "../../../model/type.ts";
import { friendlyName } from "../../../type/type-names.ts";
import { unknown } from "../../../construction/value-init.ts";
import { equals, isKnown } from "../../../equality/value-ops.ts";
import { valueOf } from "../../../value/value.ts";
import type { Value } from "../../../model/value.ts";
import { callError } from "../../error.ts";
import { defineFunction, type CtyFunction } from "../../function.ts";
import { countOf, partsOf } from "../argument/native.ts";
import { isSequence, positionOf } from "./sequence.ts";

/**
 * Whether a list, tuple or map has an element for a key.
 *
 * @example
 * hasIndexFunc.call([of(list(string), ["a"]), of(number, 1)])
 * // => cty.False
 *
 * @see go-cty stdlib.HasIndexFunc
 */
export const hasIndexFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns whether a collection has an element for a key.",
  params: [
    { name: "collection", type: dynamic, allowDynamicType: true },
    { name: "key", type: dynamic, allowDynamicType: true },
  ],
  type: ([collection]) => {
    if (!["tuple", "list", "map", "dynamic"].includes(collection.type.kind)) throw callError("collection must be a list, a map or a tuple");
    return bool;
  },
  refineResult: { notNull: true },
  impl: ([collection, key]) => hasIndex(collection, key),
});

/**
 * The element of a list, tuple or map for a key.
 *
 * @example
 * indexFunc.call([of(map(string), { a: "x" }), of(string, "a")])
 * // => cty.StringVal("x")
 *
 * @see go-cty stdlib.IndexFunc
 */
export const indexFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the element of a collection for a key.",
  params: [
    { name: "collection", type: dynamic },
    { name: "key", type: dynamic, allowDynamicType: true },
  ],
  type: ([{ type }, key]) => {
    switch (type.kind) {
      case "tuple":
        requireKey(key, number, "tuple");
        return isKnown(key) ? tupleElementType(type, positionOf(key, "invalid key for tuple")) : dynamic;
      case "list":
        requireKey(key, number, "list");
        return type.element;
      case "map":
        requireKey(key, string, "map");
        return type.element;
      default:
        throw callError("collection must be a list, a map or a tuple");
    }
  },
  impl: ([collection, key]) => {
    if (hasIndex(collection, key).payload === false) throw callError("invalid index");
    return index(collection, key);
  },
});

function requireKey(key: Value, type: Type, kind: string): void {
  if (key.type !== type && key.type !== dynamic) throw callError(`key for ${kind} must be ${type.kind}`);
}

function tupleElementType({ elements }: TupleType, position: bigint): Type {
  const type = position < 0n || position >= elements.length ? undefined : elements[Number(position)];
  if (type === undefined) throw callError(`key must be between 0 and ${elements.length} inclusive`);
  return type;
}

/**
 * The number of elements of a list, tuple, set or map. For an unknown collection, an unknown number with the bounds of its length.
 *
 * @example
 * lengthFunc.call([of(list(string), ["a", "b"])])
 * // => cty.NumberIntVal(2)
 *
 * @see go-cty stdlib.LengthFunc
 */
export const lengthFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the number of elements of a collection.",
  params: [{ name: "collection", type: dynamic, allowDynamicType: true, allowUnknown: true, allowMarked: true }],
  type: ([{ type }]) => {
    if (!isCollectionType(type) && type.kind !== "tuple" && type !== dynamic)
      throw callError("collection must be a list, a map or a tuple");
    return number;
  },
  refineResult: { notNull: true },
  impl: ([collection]) => length(collection),
});

/**
 * The element of a list or tuple at an index. An index beyond the last element wraps around to the first; a negative index counts
 * from the end.
 *
 * @example
 * elementFunc.call([of(list(string), ["a", "b", "c"]), of(number, 4)])
 * // => cty.StringVal("b")
 *
 * @see go-cty stdlib.ElementFunc
 */
export const elementFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the element of a list at an index, which wraps around at the end of the list.",
  params: [
    { name: "list", type: dynamic, allowMarked: true },
    { name: "index", type: number },
  ],
  type: ([{ type }, position]) => {
    if (type.kind === "list") return type.element;
    if (type.kind !== "tuple") throw callError(`cannot read elements from ${friendlyName(type)}`);
    if (!isKnown(position)) return dynamic;
    return type.elements[wrapped(positionOf(position, "invalid index"), type.elements.length)]!;
  },
  impl: ([marked, positionValue], type) => {
    const position = positionOf(positionValue, "invalid index");
    const [sequence, marks] = unmark(marked);
    if (!isKnown(sequence)) return unknown(type);
    return withMarks(index(sequence, wrapped(position, countOf(sequence))), marks);
  },
});

function wrapped(position: bigint, count: number): number {
  if (count === 0) throw callError("cannot use element function with an empty list");
  const size = BigInt(count);
  return Number(((position % size) + size) % size);
}

/**
 * Whether a value is an element of a list, tuple or set. The result is unknown if the value may equal an unknown element.
 *
 * @example
 * containsFunc.call([of(list(string), ["a", "b"]), of(string, "b")])
 * // => cty.True
 *
 * @see go-cty stdlib.ContainsFunc
 */
export const containsFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns whether a value is an element of a list, tuple or set.",
  params: [
    { name: "list", type: dynamic },
    { name: "value", type: dynamic, allowNull: true },
  ],
  type: bool,
  refineResult: { notNull: true },
  impl: ([sequence, wanted]) => {
    if (!isSequence(sequence.type)) throw callError("argument must be list, tuple, or set");
    const results = partsOf(sequence).map((part) => equals(wanted, part).payload);
    return results.includes(true)
      ? valueOf(bool, true)
      : results.every((result) => result === false)
        ? valueOf(bool, false)
        : unknown(bool);
  },
});
