// SPDX-License-Identifier: Apache-2.0
import { length } from "../../../operators/indexing.ts";
import { unmark, withMarks } from "../../../value/marks.ts";
import { payloadsEqual } from "../../../equality/equality.ts";
import type { Payload } from "../../../payload/payload.ts";
import { dynamic, list, number, string, tuple } from "../../../type/type.ts";
import type { ListType, Type } from "../../../model/type.ts";
import { friendlyName } from "../../../type/type-names.ts";
import { unknown } from "../../../construction/value-init.ts";
import { isKnown, isNull, isWhollyKnown } from "../../../equality/value-ops.ts";
import { valueOf } from "../../../value/value.ts";
import type { Value } from "../../../model/value.ts";
import { argumentError, callError } from "../../error.ts";
import { defineFunction, type CtyFunction } from "../../function.ts";
import { countOf, partsOf } from "../argument/native.ts";
import { positionOf, sequenceOf } from "./sequence.ts";

/**
 * The first list or tuple that is not empty.
 *
 * @example
 * coalesceListFunc.call([of(list(string), []), of(list(string), ["a"])])
 * // => cty.ListVal([]cty.Value{cty.StringVal("a")})
 *
 * @see go-cty stdlib.CoalesceListFunc
 */
export const coalesceListFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the first list that is not empty.",
  varParam: {
    name: "vals",
    description: "The lists or tuples to check, in order.",
    type: dynamic,
    allowUnknown: true,
    allowDynamicType: true,
    allowNull: true,
  },
  type: (args) => {
    if (args.length === 0) throw callError("at least one argument is required");
    for (const value of args) {
      // The unknown value may be the result, and its type may differ from those of the others.
      if (!isKnown(value)) return dynamic;
      if (value.type.kind !== "list" && value.type.kind !== "tuple") throw callError("coalescelist arguments must be lists or tuples");
    }
    const first = args[0]!.type;
    return args.every((value) => value.type === first) ? first : dynamic;
  },
  refineResult: { notNull: true },
  impl: (args, type) => {
    for (const value of args) {
      if (!isKnown(value)) return unknown(type);
      if (!isNull(value) && countOf(value) > 0) return value;
    }
    throw callError("no non-null arguments");
  },
});

/**
 * A list of strings without its empty and null elements.
 *
 * @example
 * compactFunc.call([of(list(string), ["a", "", null, "b"])])
 * // => cty.ListVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b")})
 *
 * @see go-cty stdlib.CompactFunc
 */
export const compactFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Removes empty strings from a list.",
  params: [{ name: "list", type: /* @__PURE__ */ list(string) }],
  type: /* @__PURE__ */ list(string),
  refineResult: { notNull: true },
  impl: ([strings], type) => {
    if (!isWhollyKnown(strings)) return unknown(type);
    return valueOf(
      strings.type,
      (strings.payload as readonly Payload[]).filter((text) => text !== null && text !== ""),
    );
  },
});

/**
 * A list without duplicate elements. The first of equal elements stays.
 *
 * @example
 * distinctFunc.call([of(list(string), ["b", "a", "b"])])
 * // => cty.ListVal([]cty.Value{cty.StringVal("b"), cty.StringVal("a")})
 *
 * @see go-cty stdlib.DistinctFunc
 */
export const distinctFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Removes duplicate elements from a list.",
  params: [{ name: "list", type: /* @__PURE__ */ list(dynamic) }],
  type: ([elements]) => elements.type,
  refineResult: { notNull: true },
  impl: ([elements], type) => {
    if (!isWhollyKnown(elements)) return unknown(type);
    return valueOf(type, distinctPayloads((type as ListType).element, elements.payload as readonly Payload[]));
  },
});

function distinctPayloads(type: Type, elements: readonly Payload[]): Payload[] {
  if (type === string) return [...new Set(elements)];
  const seen: Payload[] = [];
  for (const element of elements) {
    if (!seen.some((other) => payloadsEqual(type, other, element) === true)) seen.push(element);
  }
  return seen;
}

/**
 * Splits a list into lists of a size. The last list can be shorter. Size 0 returns one list with all elements.
 *
 * @example
 * length(chunklistFunc.call([of(list(string), ["a", "b", "c"]), of(number, 2)]))
 * // => cty.NumberIntVal(2)
 *
 * @see go-cty stdlib.ChunklistFunc
 */
export const chunklistFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Splits a list into lists of a size.",
  params: [
    { name: "list", description: "The list to split.", type: /* @__PURE__ */ list(dynamic), allowMarked: true },
    { name: "size", description: "The maximum number of elements of each list.", type: number, allowMarked: true },
  ],
  type: ([elements]) => list(elements.type),
  refineResult: { notNull: true },
  impl: ([markedList, markedSize]) => {
    const [elements, listMarks] = unmark(markedList);
    const [sizeValue, sizeMarks] = unmark(markedSize);
    const size = positionOf(sizeValue, "invalid size");
    if (size < 0n) throw callError("the size argument must be positive");
    const all = elements.payload as readonly Payload[];
    // A size above the number of elements is lowered, because it may not fit a JavaScript number.
    const step = size === 0n || size > all.length ? Math.max(all.length, 1) : Number(size);
    const chunks = Array.from({ length: Math.ceil(all.length / step) }, (_, at) => all.slice(at * step, (at + 1) * step));
    return withMarks(valueOf(list(elements.type), chunks), listMarks, sizeMarks);
  },
});

/**
 * The elements of a list, set or tuple in reverse order. The result for a set is a list.
 *
 * @example
 * reverseListFunc.call([of(list(string), ["a", "b"])])
 * // => cty.ListVal([]cty.Value{cty.StringVal("b"), cty.StringVal("a")})
 *
 * @see go-cty stdlib.ReverseListFunc
 */
export const reverseListFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Reverses the order of the elements of a list.",
  params: [{ name: "list", type: dynamic, allowMarked: true }],
  type: ([{ type }]) => {
    if (type.kind === "tuple") return tuple(...type.elements.toReversed());
    if (type.kind === "list" || type.kind === "set") return list(type.element);
    throw argumentError(0, `can only reverse list or tuple values, not ${friendlyName(type)}`);
  },
  refineResult: { notNull: true },
  impl: ([marked], type) => {
    const [sequence, marks] = unmark(marked);
    return withMarks(sequenceOf(type, partsOf(sequence).reverse()), marks);
  },
});

/**
 * The elements of a list or tuple from a start index up to, but not including, an end index.
 *
 * @example
 * sliceFunc.call([of(list(string), ["a", "b", "c"]), of(number, 1), of(number, 3)])
 * // => cty.ListVal([]cty.Value{cty.StringVal("b"), cty.StringVal("c")})
 *
 * @see go-cty stdlib.SliceFunc
 */
export const sliceFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the elements of a list from a start index up to, but not including, an end index.",
  params: [
    { name: "list", type: dynamic, allowMarked: true },
    { name: "start_index", type: number },
    { name: "end_index", type: number },
  ],
  type: ([sequence, start, end]) => {
    const { type } = sequence;
    if (type.kind === "set") {
      const advice = "explicitly convert to a list if the ordering of the result is not important";
      throw argumentError(0, `cannot slice a set, because its elements do not have indices; ${advice}`);
    }
    if (type.kind !== "list" && type.kind !== "tuple") throw argumentError(0, "must be a list or tuple value");
    const bounds = sliceBounds(sequence, start, end);
    if (type.kind === "list") return type;
    return bounds === undefined ? dynamic : tuple(...type.elements.slice(...bounds));
  },
  refineResult: { notNull: true },
  impl: ([marked, start, end], type) => {
    const [sequence, marks] = unmark(marked);
    if (type === dynamic) return withMarks(unknown(dynamic), marks);
    return withMarks(sequenceOf(type, partsOf(sequence).slice(...sliceBounds(sequence, start, end)!)), marks);
  },
});

/** The start and end index; undefined if one of them is unknown. Checks every known index. */
function sliceBounds(marked: Value, startValue: Value, endValue: Value): readonly [number, number] | undefined {
  const [sequence] = unmark(marked);
  const count = sequence.type.kind === "tuple" || isKnown(length(sequence)) ? countOf(sequence) : undefined;
  const start = sliceBound(startValue, 1, "start", count);
  const end = sliceBound(endValue, 2, "end", count);
  if (start === undefined || end === undefined) return undefined;
  if (start > end) throw argumentError(1, "start index must not be greater than end index");
  return [Number(start), Number(end)];
}

function sliceBound(value: Value, argument: number, name: string, count: number | undefined): bigint | undefined {
  if (!isKnown(value)) return undefined;
  const position = positionOf(value, `invalid ${name} index`, argument);
  if (position < 0n) throw argumentError(argument, `${name} index must not be less than zero`);
  if (count !== undefined && position > count)
    throw argumentError(argument, `${name} index must not be greater than the length of the list`);
  return position;
}
