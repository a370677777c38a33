// SPDX-License-Identifier: Apache-2.0
import { unifyUnsafe } from "../../convert/convert.ts";
import { misuse } from "../../error/error.ts";
import { payloadsEqual } from "../../equality/equality.ts";
import { hasElement } from "../../operators/indexing.ts";
import type { Payload } from "../../payload/payload.ts";
import { hashText } from "../../equality/set-hash.ts";
import { setPayload } from "../../equality/set-internals.ts";
import { bool, dynamic, isCollectionType, set } from "../../type/type.ts";
import type { SetType, Type } from "../../model/type.ts";
import { typeGoString } from "../../type/type-names.ts";
import { unknown } from "../../construction/value-init.ts";
import { isKnown, isWhollyKnown } from "../../equality/value-ops.ts";
import { valueOf } from "../../value/value.ts";
import type { Value } from "../../model/value.ts";
import { callError } from "../error.ts";
import { defineFunction, type CtyFunction, type FunctionSpec } from "../function.ts";
import { convertArgument } from "./argument/convert-argument.ts";
import { countOf } from "./argument/native.ts";

/**
 * Whether a set has an element.
 *
 * @example
 * setHasElementFunc.call([of(set(string), ["a"]), of(string, "a")])
 * // => cty.True
 *
 * @see go-cty stdlib.SetHasElementFunc
 */
export const setHasElementFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns whether a set has an element.",
  params: [
    { name: "set", type: /* @__PURE__ */ set(dynamic), allowDynamicType: true },
    { name: "elem", type: dynamic, allowDynamicType: true },
  ],
  type: bool,
  refineResult: { notNull: true },
  impl: ([members, element]) => hasElement(members, element),
});

/**
 * The union of sets. Their elements are converted to a common type.
 *
 * @example
 * setUnionFunc.call([of(set(string), ["a"]), of(set(number), [1])])
 * // => cty.SetVal([]cty.Value{cty.StringVal("1"), cty.StringVal("a")})
 *
 * @see go-cty stdlib.SetUnionFunc
 */
export const setUnionFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the union of all sets.",
  params: [{ name: "first_set", type: /* @__PURE__ */ set(dynamic), allowDynamicType: true }],
  varParam: { name: "other_sets", type: /* @__PURE__ */ set(dynamic), allowDynamicType: true },
  type: commonSetType,
  refineResult: { notNull: true },
  impl: /* @__PURE__ */ combining((_, a, b) => [...a, ...b], true),
});

/**
 * The intersection of sets: the elements that all of them have.
 *
 * @example
 * setIntersectionFunc.call([of(set(string), ["a", "b"]), of(set(string), ["b", "c"])])
 * // => cty.SetVal([]cty.Value{cty.StringVal("b")})
 *
 * @see go-cty stdlib.SetIntersectionFunc
 */
export const setIntersectionFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the elements that all sets have.",
  params: [{ name: "first_set", type: /* @__PURE__ */ set(dynamic), allowDynamicType: true }],
  varParam: { name: "other_sets", type: /* @__PURE__ */ set(dynamic), allowDynamicType: true },
  type: commonSetType,
  refineResult: { notNull: true },
  impl: /* @__PURE__ */ combining((type, a, b) => a.filter(membersOf(type, b)), false),
});

/**
 * The difference of two sets: the elements of the first that the second does not have.
 *
 * @example
 * setSubtractFunc.call([of(set(string), ["a", "b"]), of(set(string), ["b", "c"])])
 * // => cty.SetVal([]cty.Value{cty.StringVal("a")})
 *
 * @see go-cty stdlib.SetSubtractFunc
 */
export const setSubtractFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the elements of the first set that the second does not have.",
  params: [
    { name: "a", type: /* @__PURE__ */ set(dynamic), allowDynamicType: true },
    { name: "b", type: /* @__PURE__ */ set(dynamic), allowDynamicType: true },
  ],
  type: commonSetType,
  refineResult: { notNull: true },
  impl: /* @__PURE__ */ combining(without, false),
});

/**
 * The symmetric difference of two sets: the elements that only one of them has. More than two sets are combined from left to right.
 *
 * @example
 * setSymmetricDifferenceFunc.call([of(set(string), ["a", "b"]), of(set(string), ["b", "c"])])
 * // => cty.SetVal([]cty.Value{cty.StringVal("a"), cty.StringVal("c")})
 *
 * @see go-cty stdlib.SetSymmetricDifferenceFunc
 */
export const setSymmetricDifferenceFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the elements that only one of two sets has.",
  params: [{ name: "first_set", type: /* @__PURE__ */ set(dynamic), allowDynamicType: true }],
  varParam: { name: "other_sets", type: /* @__PURE__ */ set(dynamic), allowDynamicType: true },
  type: commonSetType,
  refineResult: { notNull: true },
  impl: /* @__PURE__ */ combining((type, a, b) => [...without(type, a, b), ...without(type, b, a)], false),
});

type Members = readonly Payload[];

function without(type: Type, a: Members, b: Members): Members {
  const isMember = membersOf(type, b);
  return a.filter((element) => !isMember(element));
}

/** Returns a function that checks whether an element is among the members, like go-cty's sets: by hash, then by equality. */
function membersOf(type: Type, members: Members): (element: Payload) => boolean {
  const buckets = Map.groupBy(members, (member) => hashText(type, member));
  return (element) => buckets.get(hashText(type, element))?.some((member) => payloadsEqual(type, member, element) === true) ?? false;
}

/** The set type that all arguments can be converted to. Empty sets of dynamic are ignored. */
function commonSetType(args: readonly Value[]): Type {
  const elementTypes: Type[] = [];
  for (const value of args) {
    if (!isCollectionType(value.type)) throw misuse("not a collection type");
    const { element } = value.type;
    if (element === dynamic && isKnown(value) && countOf(value) === 0) continue;
    elementTypes.push(element);
  }
  if (elementTypes.length === 0) return set(dynamic);
  const unified = unifyUnsafe(elementTypes);
  if (unified === undefined) throw callError("given sets must all have compatible element types");
  return set(unified.type);
}

/**
 * An implementation that combines all arguments from left to right. Without `allowUnknown`, a set with unknown elements makes the
 * result unknown: the unknown elements may equal elements of the other sets.
 */
function combining(combine: (type: Type, a: Members, b: Members) => Members, allowUnknown: boolean): FunctionSpec["impl"] {
  return (args, type) => {
    let result: Value | undefined;
    for (const [index, value] of args.entries()) {
      const converted = convertArgument(index, value, type);
      if (!allowUnknown && !isWhollyKnown(converted)) return unknown(type);
      result = result === undefined ? converted : combined(combine, result, converted);
    }
    return result!;
  };
}

function combined(combine: (type: Type, a: Members, b: Members) => Members, a: Value, b: Value): Value {
  if (a.type !== b.type) throw misuse(`incompatible set rules: ${typeGoString(a.type)}, ${typeGoString(b.type)}`);
  const { element } = a.type as SetType;
  return valueOf(a.type, setPayload(element, combine(element, a.payload as Members, b.payload as Members)));
}
