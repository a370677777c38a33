// SPDX-License-Identifier: Apache-2.0
import { convert, unifyUnsafe } from "../../../convert/convert.ts";
import { CtyError } from "../../../error/error.ts";
import { length } from "../../../operators/indexing.ts";
import { unmark, withMarks } from "../../../value/marks.ts";
import { dynamic, list, set, tuple } from "../../../type/type.ts";
import type { CollectionType, TupleType, Type } from "../../../model/type.ts";
import { friendlyName } from "../../../type/type-names.ts";
import { refine } from "../../../refinement/unknown-refinement.ts";
import { listOf, setOf, tupleOf, unknown } from "../../../construction/value-init.ts";
import { isKnown } from "../../../equality/value-ops.ts";
import { range } from "../../../refinement/value-range.ts";
import type { Value } from "../../../model/value.ts";
import { argumentError, callError } from "../../error.ts";
import { defineFunction, type CtyFunction } from "../../function.ts";
import { countOf, partsOf } from "../argument/native.ts";

/**
 * All combinations of one element from each argument: a set of tuples, or a list of tuples if no argument is a set.
 *
 * @example
 * length(setProductFunc.call([of(set(string), ["a", "b"]), of(list(number), [1, 2, 3])]))
 * // => cty.NumberIntVal(6)
 *
 * @see go-cty stdlib.SetProductFunc
 */
export const setProductFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns all combinations of the elements of sets.",
  varParam: {
    name: "sets",
    description: "The sets, lists or tuples. Without a set, the result is an ordered list.",
    type: dynamic,
    allowMarked: true,
    allowUnknown: true,
  },
  type: (args) => {
    if (args.length < 2) throw callError("at least two arguments are required");
    const combination = tuple(...args.map(({ type }, argument) => productElementType(type, argument)));
    return args.some(({ type }) => type.kind === "set") ? set(combination) : list(combination);
  },
  refineResult: { notNull: true },
  impl: (marked, type) => {
    const marks = marked.map((value) => unmark(value)[1]);
    const args = marked.map((value) => unmark(value)[0]);
    if (!args.every((value) => isKnown(value) && isKnown(length(value)))) return withMarks(unknownProduct(args, type), ...marks);
    const combination = (type as CollectionType).element as TupleType;
    const make: (values: readonly Value[], elementType?: Type) => Value = type.kind === "list" ? listOf : setOf;
    if (args.some((value) => countOf(value) === 0)) return withMarks(make([], combination), ...marks);
    return withMarks(make(combinations(args.map(partsOf), combination)), ...marks);
  },
});

/** Tuples of one part of each side. The part of the last side changes fastest. */
function combinations(sides: readonly (readonly Value[])[], { elements }: TupleType): Value[] {
  const converted = sides.map((): Value[] => []);
  const partOf = (side: number, at: number): Value =>
    (converted[side]![at] ??= combinable(sides[side]![at]!, elements[side]!, `argVals[${side}][${at}]`));
  const total = sides.reduce((product, side) => product * side.length, 1);
  const rows: Value[] = [];
  const positions = sides.map(() => 0);
  for (let row = 0; row < total; row++) {
    rows.push(tupleOf(positions.map((at, side) => partOf(side, at))));
    for (let side = sides.length - 1; side >= 0; side--) {
      positions[side]!++;
      if (positions[side]! < sides[side]!.length) break;
      positions[side] = 0;
    }
  }
  return rows;
}

/** A part converted to its type in the result. This can fail: the types of a tuple's elements can have a common type although an element cannot be converted to it. */
function combinable(part: Value, type: Type, name: string): Value {
  if (part.type === type) return part;
  try {
    return convert(part, type);
  } catch (error) {
    if (!(error instanceof CtyError) || error.code !== "CONVERSION") throw error;
    throw callError(`failed to convert ${name} to ${friendlyName(type)}; this is a bug in cty`);
  }
}

function productElementType(type: Type, argument: number): Type {
  if (type.kind === "set" || type.kind === "list") return type.element;
  if (type.kind !== "tuple") throw argumentError(argument, "a set or a list is required");
  if (type.elements.length === 0) return dynamic;
  const unified = unifyUnsafe(type.elements);
  if (unified === undefined) throw argumentError(argument, "all elements must be of the same type");
  return unified.type;
}

/** Above these lengths, the result has no refinement of its length. */
const longestSide = 1024;

const largestProduct = 2048;

/** An unknown product, with the bounds of its length, for arguments that are unknown or whose length is unknown. */
function unknownProduct(args: readonly Value[], type: Type): Value {
  let most = 1;
  for (const value of args) {
    const side = value.type.kind === "tuple" ? value.type.elements.length : Number(range(value).lengthMax ?? Infinity);
    most *= side;
    if (side > longestSide || most > largestProduct) return unknown(type);
  }
  return refine(unknown(type), most === 0 ? { lengthMin: 0, lengthMax: 0 } : { lengthMin: 1, lengthMax: most });
}
