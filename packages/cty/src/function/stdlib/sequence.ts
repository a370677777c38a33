// SPDX-License-Identifier: Apache-2.0
import { add } from "../../operators/arithmetic.ts";
import { unifyUnsafe } from "../../convert/convert.ts";
import { compareNumbers, numbersEqual, numberSign, zeroNumber } from "../../number/number.ts";
import type { NumberPayload } from "../../payload/number-payload.ts";
import type { Mark } from "../../payload/payload.ts";
import { unmark, unmarkDeep, withMarks } from "../../value/marks.ts";
import { dynamic, list, number, tuple } from "../../type/type.ts";
import type { Type } from "../../model/type.ts";
import { friendlyName } from "../../type/type-names.ts";
import { listOf, tupleOf } from "../../construction/value-init.ts";
import { isKnown } from "../../equality/value-ops.ts";
import { valueOf } from "../../value/value.ts";
import type { Value } from "../../model/value.ts";
import { argumentError, callError } from "../error.ts";
import { defineFunction, type CtyFunction } from "../function.ts";
import { convertArgument } from "./argument/convert-argument.ts";
import { countOf, numberOf, partsOf } from "./argument/native.ts";

/**
 * Concatenates lists and tuples. The result is a list if all arguments are lists with a common type, and a tuple otherwise.
 *
 * @example
 * concatFunc.call([of(list(string), ["a"]), of(list(number), [1])])
 * // => cty.ListVal([]cty.Value{cty.StringVal("a"), cty.StringVal("1")})
 *
 * @see go-cty stdlib.ConcatFunc
 */
export const concatFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Concatenates lists and tuples.",
  varParam: { name: "seqs", type: dynamic, allowMarked: true },
  type: (args) => {
    if (args.length === 0) throw callError("at least one argument is required");
    return commonListType(args) ?? concatenatedTuple(args);
  },
  refineResult: { notNull: true },
  impl: (args, type) => {
    const isList = type.kind === "list";
    const marks: ReadonlySet<Mark>[] = [];
    const parts = args.flatMap((value, index) => {
      const [plain, found] = unmark(isList ? convertArgument(index, value, type) : value);
      marks.push(found);
      return partsOf(plain);
    });
    const result: Value = !isList ? tupleOf(parts) : parts.length === 0 ? listOf([], type.element) : listOf(parts);
    return withMarks(result, ...marks);
  },
});

function commonListType(args: readonly Value[]): Type | undefined {
  if (args.some((value) => value.type.kind !== "list")) return undefined;
  return unifyUnsafe(args.map((value) => value.type))?.type;
}

function concatenatedTuple(args: readonly Value[]): Type {
  const types: Type[] = [];
  for (const [index, marked] of args.entries()) {
    const [value] = unmarkDeep(marked);
    if (value.type.kind === "tuple") types.push(...value.type.elements);
    else if (value.type.kind === "list") {
      // The length of the tuple depends on the length of the list.
      if (!isKnown(value)) return dynamic;
      for (let count = countOf(value); count > 0; count--) types.push(value.type.element);
    } else throw argumentError(index, `all arguments must be lists or tuples; got ${friendlyName(value.type)}`);
  }
  return tuple(...types);
}

/** Maximum number of elements in the result of one call. */
const longestRange = 1024;

/**
 * A list of numbers from `start` up or down to, but not including, `end`. The arguments are `(end)`, `(start, end)` or
 * `(start, end, step)`.
 *
 * @example
 * rangeFunc.call([of(number, 1), of(number, 4)])
 * // => cty.ListVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2), cty.NumberIntVal(3)})
 *
 * @see go-cty stdlib.RangeFunc
 */
export const rangeFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the numbers of a range, at most 1024.",
  varParam: { name: "params", type: number },
  type: /* @__PURE__ */ list(number),
  refineResult: { notNull: true },
  impl: (args) => {
    const { start, end, step } = bounds(args.map(numberOf));
    // go-cty compares with its constant here, by identity: other zeros pass.
    if (step === zeroNumber) throw argumentError(2, "step must not be zero");
    const down = numberSign(step) < 0;
    if (down ? compareNumbers(end, start) > 0 : compareNumbers(end, start) < 0) {
      const relation = down ? "less than start when step is negative" : "greater than start when step is positive";
      throw argumentError(1, `end must be ${relation}`);
    }
    const numbers: Value[] = [];
    for (let next: Value = valueOf(number, start); !isPast(numberOf(next), end, down); next = add(next, valueOf(number, step))) {
      if (numbers.length >= longestRange) {
        const advice = "either decrease the difference between start and end or use a smaller step";
        throw callError(`more than ${longestRange} values were generated; ${advice}`);
      }
      numbers.push(next);
    }
    return listOf(numbers, number);
  },
});

function bounds(args: readonly NumberPayload[]): {
  readonly start: NumberPayload;
  readonly end: NumberPayload;
  readonly step: NumberPayload;
} {
  const [first, second, third] = args as [NumberPayload, NumberPayload?, NumberPayload?];
  switch (args.length) {
    case 1:
      return { start: zeroNumber, end: first, step: numberSign(first) < 0 ? -1 : 1 };
    case 2:
      return { start: first, end: second!, step: compareNumbers(second!, first) < 0 ? -1 : 1 };
    case 3:
      return { start: first, end: second!, step: third! };
    default:
      throw callError("must have one, two, or three arguments");
  }
}

/** Whether `next` has reached or passed `end`. Two numbers can be equal by their text although one is larger. */
function isPast(next: NumberPayload, end: NumberPayload, down: boolean): boolean {
  const order = compareNumbers(next, end);
  return (down ? order < 0 : order > 0) || numbersEqual(next, end);
}
